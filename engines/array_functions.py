"""A function of any structured arguments as one of arrays alone, which is what other engines know.

An `ArrayFunction` is f with the places of its arrays: from a list of arrays it gives the list of arrays
in f's value, its pullback and its pushforward take and give lists too. Its derivatives are array functions
themselves: `pulled` maps cotangents and arguments to cotangents, `pushed` tangents and arguments to
tangents. So an adapter that can wrap one array function, with its two derivatives, has every order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..core.caches import generation, keep, new_cache
from ..core.callables import describe, name_of
from ..core.engine import Engine
from ..core.errors import UnsupportedArgument
from ..core.registry import rules_of
from ..core.reverse import reverse_rule
from ..core.seeds import ready
from ..tangents import NO_TANGENT, ZERO, zero_tangent
from .boundary import owned, presented
from .calls import forward_of, reverse_of
from .leaves import ALONE, Layout

Arrays = list[Any]
_rules = new_cache()


@dataclass(frozen=True)
class ArrayFunction:
    """`f` as a function of arrays: `layout` is that of its positional arguments, `out` that of its value.

    `out` is None where only the value tells; the keyword arguments are constants. `order` counts how many
    derivatives of a user's function it is.
    """

    f: Callable[..., Any]
    layout: Layout
    kwargs: dict[str, Any] = field(default_factory=dict)
    engine: Engine | None = None
    out: Layout | None = None
    order: int = 0

    @cached_property
    def is_bare(self) -> bool:
        """Whether a call is one of f with arrays alone, differentiated by our engine."""
        return self.engine is None and not self.kwargs and self.layout.is_plain

    def value(self, x: Sequence[Any]) -> tuple[Layout, Arrays]:
        """The layout of the value, and its arrays."""
        return self._read(self.f(*self.layout.filled(x), **self.kwargs))

    def reverse(
        self, x: Sequence[Any], needs: Sequence[bool]
    ) -> tuple[Layout, Arrays, Callable[[Sequence[Any]], Arrays]]:
        """Layout and arrays of the value, and the pullback.

        Shapes:  the pullback takes a cotangent (or None) for each array of the value and gives one for each
                 array that is needed, like it, and None for the others.
        """
        args = self.layout.filled(x)
        rule = self._own_rule(args, needs)
        if rule is not None:
            y, back = rule(*args)
            if type(y) is np.ndarray and y.dtype.kind in "fc":
                return ALONE, [y], _pullback_of_one(args, needs, back)
        else:
            y, back = reverse_of(self.f, args, self.kwargs, self.needed(needs), self.engine)
        out, ys = self._read(y)

        def pullback(y_bars: Sequence[Any]) -> Arrays:
            y_bar = out.tangent([ZERO if t is None else t for t in y_bars])
            found = self.layout.entries(back(y_bar))
            return [dense(a, t) if n else None for a, t, n in zip(x, found, needs, strict=True)]

        return out, ys, pullback

    def forward(self, x: Sequence[Any], dx: Sequence[Any]) -> tuple[Layout, Arrays, Arrays]:
        """Layout, arrays and tangents of the value; None is the tangent of what does not move."""
        parts = [
            part.tangent([ZERO if t is None else t for t in given])
            if any(t is not None for t in given)
            else ZERO
            for part, given in zip(self.layout.parts, self._split(dx), strict=True)
        ]
        y, dy = forward_of(self.f, self.layout.filled(x), tuple(parts), self.kwargs, self.engine)
        out, ys = self._read(y)
        entries = out.entries(dy)
        return out, ys, [dense(a, t) if moves(a) else None for a, t in zip(ys, entries, strict=True)]

    def pulled(self, out: Layout, seeded: Sequence[bool], needs: Sequence[bool]) -> ArrayFunction:
        """From the cotangents of the value's arrays that `seeded` names, and x, to those that are needed."""
        f, kwargs, engine, wanted = self.f, self.kwargs, self.engine, self.needed(needs)

        def pull(y_bar: Any, *x: Any) -> Any:
            _, back = reverse_of(f, x, kwargs, wanted, engine)
            cotangents = back(y_bar)
            found: tuple[Any, ...] = ()
            for i in range(len(x)):
                if wanted[i]:
                    found = (*found, presented(x[i], cotangents[i], "dense"))
            return found

        pull.__qualname__ = pull.__name__ = f"{name_of(f)}_pullback"
        parts, moved = self.layout.parts, self._split(needs)
        found = [part.of_tangents(m) for part, m in zip(parts, moved, strict=True) if any(m)]
        layout = Layout.joined([out.of_tangents(seeded), *parts])
        return ArrayFunction(pull, layout, {}, engine, Layout.joined(found), self.order + 1)

    def pushed(self, out: Layout, differentiable: Sequence[bool], moving: Sequence[bool]) -> ArrayFunction:
        """From the tangents of the arrays that move, and x, to those of the value's arrays."""
        f, kwargs, engine = self.f, self.kwargs, self.engine

        def push(dx: Any, *x: Any) -> Any:
            y, dy = forward_of(f, x, dx, kwargs, engine)
            return presented(y, dy, "dense")

        push.__qualname__ = push.__name__ = f"{name_of(f)}_pushforward"
        parts = self.layout.parts
        tangents = [part.of_tangents(m) for part, m in zip(parts, self._split(moving), strict=True)]
        layout = Layout.joined([Layout.joined(tangents), *parts])
        return ArrayFunction(push, layout, {}, engine, out.of_tangents(differentiable), self.order + 1)

    def _own_rule(self, args: tuple[Any, ...], needs: Sequence[bool]) -> Any:
        """f's own rule for arguments of these types, which our engine would come to; else None."""
        if not self.is_bare:
            return None
        key = (self.f, *needs, *map(type, args))
        if key not in _rules:
            since = generation()
            rule: Any = reverse_rule(self.f, args, {}, tuple(needs), None)
            method = getattr(rule, "method", None)
            usable = rule is not None and not (method is not None and method.mutates)
            if not usable and rules_of(self.f) is None:
                return None  # nothing else keeps f
            keep(_rules, key, rule if usable else None, since)
        return _rules.get(key)

    def needed(self, needs: Sequence[bool]) -> tuple[bool, ...]:
        """Which arguments of f hold an array that is needed."""
        return tuple(needs) if self.layout.is_plain else tuple(any(part) for part in self._split(needs))

    def _split(self, marks: Sequence[bool]) -> list[Sequence[bool]]:
        """The marks of the arrays in each argument."""
        found, start = [], 0
        for part in self.layout.parts:
            found.append(marks[start : start + part.count])
            start += part.count
        return found

    def _read(self, y: Any) -> tuple[Layout, Arrays]:
        if self.out is not None:
            return self.out, self.out.entries(y)
        if type(y) is np.ndarray and y.dtype.kind in "fc":
            return ALONE, [y]
        layout, ys = Layout.of(y, is_numeric)
        for constant in layout.constants:
            if not isinstance(constant, int) and zero_tangent(constant) is not NO_TANGENT:
                raise UnsupportedArgument(
                    self.f,
                    "value",
                    describe(constant),
                    why="other engines know arrays of numbers alone",
                    next="return arrays, numbers and containers of them",
                )
        return layout, ys


def _pullback_of_one(x: tuple[Any, ...], needs: Sequence[bool], back: Any) -> Callable[[Any], Arrays]:
    """A rule's pullback of one array at arrays, as a function of lists."""

    def pullback(y_bars: Sequence[Any]) -> Arrays:
        (y_bar,) = y_bars
        found = back(ZERO if y_bar is None else y_bar)
        return [dense(a, ready(t)) if n else None for a, t, n in zip(x, found, needs, strict=True)]

    return pullback


def is_numeric(value: Any) -> bool:
    """Whether a value is an array for other engines: of NumPy, or a floating-point number."""
    if isinstance(value, float | complex):
        return True
    return isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "fciub"


def moves(value: Any) -> bool:
    """Whether an array has tangents in other engines: it is real or complex floating-point."""
    return isinstance(value, float | complex) or value.dtype.kind in "fc"


def dense(x: Any, t: Any) -> Any:
    """A tangent of an array as an array like it."""
    if type(t) is type(x) is np.ndarray and t.dtype is x.dtype and t.shape == x.shape:
        return t
    return presented(x, t, "dense")


def unshared(arrays: Arrays, others: Sequence[Any]) -> Arrays:
    """The arrays, copied where they share memory with each other or with these others."""
    if all(type(y) is np.ndarray and y.base is None and y.flags.writeable for y in arrays):
        taken = {id(a) for a in others} | {id(a.base) for a in others if type(a) is np.ndarray}
        fresh = []
        for y in arrays:
            fresh.append(y.copy() if id(y) in taken else y)
            taken.add(id(y))
        return fresh
    return list(owned(tuple(arrays), tuple(others)))
