"""Handing: calls of a library's function that is given functions, as a solver is its residual.

    optimize.brentq(lambda x: x**3 + a * x - b, 0.0, 5.0)

Such a call becomes one of `handed`, which is given what it is made of, `a`, `b` and the numbers, and makes
the arguments of them (templates.py). Its derivative is that of the library's function, taken apart in the
same way.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from ....core import frule, non_differentiable, rrule
from ....core.engine import default_engine
from ....core.forward import forward_rule
from ....core.reverse import reverse_rule
from ....tangents import ZERO, fields_of, from_fields, is_zero
from ...source.reading.opaque import no_rule
from .calls import BUILTINS, is_rules, is_users, method_of, module_of
from .declined import Declined
from .templates import Leaf, Template

_TALKING = frozenset({"disp", "iprint", "verbose", "callback", "workers"})
"""Arguments and options by which a solver prints, or calls what is not differentiated."""


def is_handed(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether functions are handed on: a user's, or any to what is not one of the rules' own."""
    name = getattr(f, "__name__", "")
    if f in BUILTINS or (args and method_of(type(args[0]), name) is f):
        return False  # the method of a ufunc is given that
    owned = args and type(args[0]) is not FunctionType and getattr(type(args[0]), name, None) is f
    given = args[1:] if owned else args  # the object whose method it is may be one that can be called
    return any(has_function(v, is_rules(f)) for v in (*given, *kwargs.values()))


def has_function(v: Any, of_users: bool = False) -> bool:
    """Whether a value is a function, or a tuple or dictionary with one in it."""
    if type(v) in (tuple, dict):
        return any(has_function(x, of_users) for x in (v.values() if type(v) is dict else v))
    return is_users(v) if of_users else callable(v) and not isinstance(v, type)


def hold_quiet(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Declined where a solver may print."""
    options = {key for v in (*args, *kwargs.values()) if type(v) is dict for key in v}
    words = {*kwargs, *options} - ({"disp"} if module_of(f) == "scipy.optimize._zeros_py" else set())
    if getattr(f, "__name__", "").startswith("fmin") or not _TALKING.isdisjoint(words):
        raise Declined("a solver that may print")


@dataclass(frozen=True)
class Handing:
    """A call of a library's function: of what its arguments, the last by name, and its result are made."""

    f: Any
    templates: tuple[Template, ...]
    words: tuple[str, ...]
    result: Template

    def each(self, what: str, leaves: Iterable[Any]) -> tuple[Any, ...]:
        """Each argument, its tangent or whether it needs a cotangent, of those of its leaves."""
        given = iter(leaves)
        return tuple([getattr(t, what)(given) for t in self.templates])

    def arguments(self, leaves: Iterable[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of the call."""
        values = self.each("made", leaves)
        count = len(values) - len(self.words)
        return values[:count], dict(zip(self.words, values[count:], strict=True))

    def leaves(self, values: Iterable[Any]) -> list[Any]:
        """What the arguments are made of."""
        return [x for t, v in zip(self.templates, values, strict=True) for x in t.leaves(v)]

    def apart(self, y: Any) -> Any:
        """What the result is made of."""
        return y if type(self.result) is Leaf else tuple(self.result.leaves(y))

    def seed(self, y_bar: Any) -> Any:
        """The cotangent of the result, from that of what it is made of."""
        if type(self.result) is Leaf or is_zero(y_bar):
            return y_bar
        return self.result.tangent(iter(fields_of(y_bar)))


def handed(call: Handing, *leaves: Any) -> Any:
    """The value of a call."""
    args, kwargs = call.arguments(leaves)
    return call.apart(call.f(*args, **kwargs))


def handed_still(call: Handing, *leaves: Any) -> Any:
    """The value of a call that has no derivative."""
    return handed(call, *leaves)


def _handed_for(needs: tuple[bool, ...], types: tuple[Any, ...]) -> Any:
    """The rule for what needs a cotangent; all of it where that is not said."""

    def handed_rrule(call: Handing, *leaves: object) -> Any:
        """The cotangents of the library's function, taken apart"""
        args, kwargs = call.arguments(leaves)
        needed = call.each("needed", needs[1:] or itertools.repeat(True))
        found = reverse_rule(call.f, args, kwargs, needed, default_engine())
        if found is None:
            raise no_rule("reverse", call.f, args, kwargs)
        y, back = found(*args, **kwargs)

        def handed_pullback(y_bar: Any) -> Any:
            answers = back(call.seed(y_bar))
            parts = [t.spread(x) for t, x in zip(call.templates, answers, strict=True)]
            return ZERO, *itertools.chain.from_iterable(parts)

        return call.apart(y), handed_pullback

    handed_rrule.for_call = _handed_for  # type: ignore[attr-defined]
    return handed_rrule


rrule(handed, complete=True)(_handed_for((), ()))


@frule(handed, complete=True)
def handed_frule(tangents: Any, call: Handing, *leaves: object) -> Any:
    """The tangent of the library's function, for tangents that are put together"""
    args, kwargs = call.arguments(leaves)
    found = forward_rule(call.f, args, kwargs, default_engine())
    if found is None:
        raise no_rule("forward", call.f, args, kwargs)
    y, dy = found(call.each("tangent", tangents[1:]), *args, **kwargs)
    if type(call.result) is Leaf or is_zero(dy):
        return call.apart(y), dy
    return call.apart(y), from_fields(tuple, [*call.result.spread(dy)])


non_differentiable(handed_still, why="stands for a call that has no derivative")
