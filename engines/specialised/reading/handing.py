"""Handing: calls of a library's function that is given functions, as a solver is its residual.

    optimize.brentq(lambda x: x**3 + a * x - b, 0.0, 5.0)

Such a call becomes one of `handed`, which is given what it is made of, `a`, `b` and the numbers, and makes
the arguments of them (templates.py). Its derivative is that of the library's function, taken apart in the
same way.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from types import FunctionType
from typing import Any

from ....core import frule, non_differentiable, rrule
from ....core.engine import default_engine
from ....core.forward import forward_rule
from ....core.handed import as_handed
from ....core.reverse import reverse_rule
from ....tangents import ZERO, fields_of, from_fields, is_zero
from ...source.reading.opaque import no_rule
from .calls import BUILTINS, is_of_rules, is_rules, is_told, is_users, method_of, module_of
from .closures import is_closure
from .compiling import compiled
from .declined import Declined
from .templates import Leaf, Parts, Template

_TALKING = frozenset({"disp", "iprint", "verbose", "callback", "workers"})
"""Arguments and options by which a solver prints, or calls what is not differentiated."""


def is_handed(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether functions are handed on: a user's, or any to what is not one of the rules' own."""
    name = getattr(f, "__name__", "")
    if f in BUILTINS or (args and method_of(type(args[0]), name) is f):
        return False  # the method of a ufunc is given that
    owned = args and type(args[0]) is not FunctionType and getattr(type(args[0]), name, None) is f
    given = args[1:] if owned else args  # the object whose method it is may be one that can be called
    if is_told(f):  # which may be given functions of the rules
        given = tuple([v for v in given if not is_rules(v) or is_closure(v)])
    return any(has_function(v, is_rules(f)) for v in (*given, *kwargs.values()))


def has_function(v: Any, of_users: bool = False) -> bool:
    """Whether a value is a function, or a tuple or dictionary with one in it."""
    if type(v) in (tuple, dict):
        return any(has_function(x, of_users) for x in (v.values() if type(v) is dict else v))
    if type(v) is functools.partial and of_users:
        return has_function((v.func, v.args, v.keywords), True)
    return is_users(v) if of_users else callable(v) and not isinstance(v, type)


def hold_quiet(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Declined where a solver may print."""
    options = {key for v in (*args, *kwargs.values()) if type(v) is dict for key in v}
    words = {*kwargs, *options} - ({"disp"} if module_of(f) == "scipy.optimize._zeros_py" else set())
    if getattr(f, "__name__", "").startswith("fmin") or not _TALKING.isdisjoint(words):
        raise Declined("a solver that may print")


class Text:
    """The text of a function of what a call is made of."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.lines: list[str] = []
        self.known: dict[str, Any] = {}

    def bind(self, v: Any) -> str:
        """A name for what is known; of a function that of the one which was handed on."""
        name = f"known{len(self.known)}_"
        self.known[name] = as_handed(v, always=True)
        return name

    def leaves(self) -> Iterator[str]:
        """The names of the leaves, as many as are asked for."""
        while True:
            self.given.append(f"leaf{len(self.given)}")
            yield self.given[-1]

    def function(self, result: str) -> FunctionType:
        """The function of the leaves with this result."""
        head, body = f"def call({', '.join(self.given)}):", [*self.lines, f"return {result}"]
        lines = [head, *[f"    {line}" for line in body]]
        return compiled(handed, "call", lines, self.known)  # type: ignore[arg-type]  # a function


@dataclass(frozen=True)
class Handing:
    """A call of a library's function: of what its arguments, the last by name, and its result are made."""

    f: Any
    templates: tuple[Template, ...]
    words: tuple[str, ...]
    result: Template

    def each(self, what: str, leaves: Iterable[Any]) -> tuple[Any, ...]:
        """Of each argument its tangent, or whether it needs a cotangent, of those of its leaves."""
        given = iter(leaves)
        return tuple([getattr(t, what)(given) for t in self.templates])

    def leaves(self, values: Iterable[Any]) -> list[Any]:
        """What the arguments are made of."""
        return [x for t, v in zip(self.templates, values, strict=True) for x in t.leaves(v)]

    def joined(self, other: Handing) -> Handing:
        """This call, or the other; of results of a solver with what both have.

        Raises:  Declined where they hand on something else.
        """
        a, b = self.result, other.result
        if (
            isinstance(a, Parts)
            and isinstance(b, Parts)
            and issubclass(a.of, dict)
            and a.of is b.of is not dict
        ):
            common = tuple([key for key in a.keys if key in b.keys])
            a, b = a.with_keys(common), b.with_keys(common)
        if replace(self, result=a) != replace(other, result=b):
            raise Declined("a call that hands on one function or another")
        return self if a == self.result else replace(self, result=a)

    @cached_property
    def arguments(self) -> Callable[..., tuple[tuple[Any, ...], dict[str, Any]]]:
        """Makes the arguments of the call, of its leaves."""
        text = Text()
        given, named = self.given(text)
        words = "".join(f"{text.bind(name)}: {v}, " for name, v in named.items())
        return text.function(f"({''.join(f'{v}, ' for v in given)}), {{{words}}}")

    @cached_property
    def value(self) -> Callable[..., Any]:
        """Makes the call, of its leaves, and takes the result apart."""
        text = Text()
        given, named = self.given(text)
        words = [f"{name}={v}" for name, v in named.items()]
        f, *others = given if is_of_rules(self.f, "written.own") else (text.bind(self.f), *given)
        text.lines.append(f"y = {f}({', '.join([*others, *words])})")
        return text.function(self.parts(text))

    @cached_property
    def apart(self) -> Callable[[Any], Any]:
        """Gives what the result is made of."""
        text = Text()
        text.given = ["y"]
        return text.function(self.parts(text))

    def given(self, text: Text) -> tuple[list[str], dict[str, str]]:
        """The texts of the arguments, and of those by name."""
        leaves = text.leaves()
        texts = [t.text(leaves, text.bind) for t in self.templates]
        count = len(texts) - len(self.words)
        return texts[:count], dict(zip(self.words, texts[count:], strict=True))

    def parts(self, text: Text) -> str:
        """The text of what the result y is made of."""
        found = self.result.opened("y", text.lines, text.bind)
        return "y" if type(self.result) is Leaf else f"({''.join(f'{x}, ' for x in found)})"

    def seed(self, y_bar: Any) -> Any:
        """The cotangent of the result, from that of what it is made of."""
        if type(self.result) is Leaf or is_zero(y_bar):
            return y_bar
        return self.result.tangent(iter(fields_of(y_bar)))


def handed(call: Handing, *leaves: Any) -> Any:
    """The value of a call."""
    return call.value(*leaves)


def handed_still(call: Handing, *leaves: Any) -> Any:
    """The value of a call that has no derivative."""
    return call.value(*leaves)


QUICK: dict[Any, Callable[[Handing, tuple[bool, ...]], Callable[..., Any]]] = {}
"""Of some functions, or of the site that they name, what answers to a call quicker than its rule.

It does for all calls at one place of a text. It is made of which leaves need a cotangent, all where that is
not said. It gives value and pullback, or None.
"""


def _handed_for(needs: tuple[bool, ...], types: tuple[Any, ...]) -> Any:
    """The rule for what needs a cotangent; all of it where that is not said."""
    quick: list[Any] = [None, None]  # a call, and what answers to it

    def site_of(call: Handing) -> Any:
        if quick[0] is not call:
            key = getattr(call.f, "__chainrules_site__", call.f) if type(call.f) is FunctionType else None
            site = QUICK.get(key)
            quick[:] = call, None if site is None else site(call, needs[1:])
        return quick[1]

    def handed_moving(tangents: tuple[Any, ...], call: Handing, *leaves: Any) -> Any:
        """Value and pullback with how they move: a function of a seed and its tangent."""
        moved = getattr(site_of(call), "moved", None)
        if moved is None:
            raise ValueError("no site that says how a solution moves")
        y, dy, back = moved(leaves, tangents[1:])
        return (y, None), (dy, back)

    def handed_rrule(call: Handing, *leaves: object) -> Any:
        """The cotangents of the library's function, taken apart"""
        site = site_of(call)
        if site is not None:
            known = site(*leaves)
            if known is not None:
                return known
        args, kwargs = call.arguments(*leaves)
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
    handed_rrule.moving_solution = handed_moving  # type: ignore[attr-defined]
    return handed_rrule


rrule(handed, complete=True)(_handed_for((), ()))


@frule(handed, complete=True)
def handed_frule(tangents: Any, call: Handing, *leaves: object) -> Any:
    """The tangent of the library's function, for tangents that are put together"""
    args, kwargs = call.arguments(*leaves)
    found = forward_rule(call.f, args, kwargs, default_engine())
    if found is None:
        raise no_rule("forward", call.f, args, kwargs)
    y, dy = found(call.each("tangent", tangents[1:]), *args, **kwargs)
    if type(call.result) is Leaf or is_zero(dy):
        return call.apart(y), dy
    return call.apart(y), from_fields(tuple, [*call.result.spread(dy)])


non_differentiable(handed_still, why="stands for a call that has no derivative")
