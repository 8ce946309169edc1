"""Inner: gradients that a function asks for while it is differentiated.

    cr.grad(energy)(q)          gradient_at(cr.grad, energy, 0, q)
    force = cr.grad(energy)     force stands for energy, and force(q) for the same

Such a call is handed on (handing.py). What it answers backward and forward are products with second
derivatives (running/inner_gradients.py).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

from ....core.changes import pure
from .called import Called
from .calls import module_of
from .declined import Declined
from .steps import Step

_OPERATORS = ("grad", "derivative", "value_and_grad")
_PUBLIC = "chainrules.engines.public"


def gradient_at(operator: Any, f: Any, i: int, *x: Any) -> Any:
    """The gradient of f by one of its arguments."""
    return operator(f)(*x) if operator.__name__ == "derivative" else operator(f, i)(*x)


pure(gradient_at)


def is_operator(f: Any) -> bool:
    """Whether this is an operator of the library's that makes the gradient of a function by one argument."""
    return getattr(f, "__name__", "") in _OPERATORS and module_of(f) == _PUBLIC and not hasattr(f, "_made_by")


class Inner(Called):
    """Reads these calls."""

    def inner_gradient(self, e: ast.Call, out: list[Step]) -> str | None:
        """A call of a gradient, or the making of one that is only called; None of anything else."""
        if self._makes_gradient(e) and self.is_only_called(e):
            return self.value(e.args[0], out)
        made = self._gradient(e.func, out)
        if made is None:
            return None
        if e.keywords or any(isinstance(a, ast.Starred) for a in e.args):
            raise Declined("a gradient that is called with stars or by name")
        operator, f, place, with_value = made
        given = tuple(self.value(a, out) for a in e.args)
        value = self._step(out, "call", self.fresh(), (f, *given), e.lineno) if with_value else ""
        gradient = self._helped(gradient_at, (operator, f, place, *given), e, out)
        return self._step(out, "tuple", self.fresh(), (value, gradient), e.lineno) if value else gradient

    def _makes_gradient(self, e: Any) -> bool:
        """Whether this is `grad(f)`, or `grad(f, i)`."""
        return isinstance(e, ast.Call) and is_operator(self.constant(e.func)) and bool(e.args)

    def _gradient(self, e: ast.expr, out: list[Step]) -> tuple[str, str, str, bool] | None:
        """The operator, function and argument behind a gradient, and whether the value is asked for, too."""
        if self._makes_gradient(e):
            return self._made(e, lambda call: self.value(call.args[0], out), out)
        if isinstance(e, ast.Name) and e.id in self.locals:
            made = self.made_as(e, self._makes_gradient)
            return None if made is None else self._made(made, lambda call: self.value(e, out), out)
        operator, f, args, words = getattr(self.constant(e), "_made_by", ("", None, (), {}))
        if operator not in _OPERATORS or words or len(args) > 1 or not all(type(i) is int for i in args):
            return None
        text = f"{self.spelled(e)}._made_by[1]"
        self.constants[text] = f
        place = f"={args[0] if args else 0}"
        return self._operator(operator), f"={text}", place, operator == "value_and_grad"

    def _operator(self, name: str) -> str:
        """The argument that stands for the operator by which the gradient is asked for alone."""
        name = "derivative" if name == "derivative" else "grad"
        text = f"__import__({_PUBLIC!r}, fromlist=[{name!r}]).{name}"
        self.constants[text] = getattr(sys.modules[_PUBLIC], name)
        return f"={text}"

    def _made(self, e: Any, f: Callable[[ast.Call], str], out: list[Step]) -> tuple[str, str, str, bool]:
        """The same of `grad(f, i)`."""
        given = [*e.args[1:], *(k.value for k in e.keywords if k.arg == "argnums")]
        place = given[0].value if len(given) == 1 and isinstance(given[0], ast.Constant) else 0
        if len(given) > 1 or len(e.args) - 1 + len(e.keywords) > len(given) or type(place) is not int:
            raise Declined("a gradient by several arguments, or made with options")
        if given and not isinstance(given[0], ast.Constant):
            raise Declined("a gradient by an argument that is not told by the text")
        if place < 0 or (given and self.constant(e.func).__name__ == "derivative"):
            raise Declined("a gradient by an argument that is counted from the end")
        name = self.constant(e.func).__name__
        self.value(e.func, out)  # so that it is held to be the same later
        return self._operator(name), f(e), f"={place}", name == "value_and_grad"
