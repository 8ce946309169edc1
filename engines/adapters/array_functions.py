"""A function of any structured arguments as one of arrays alone, which is what other engines know.

An `ArrayFunction` is f with the places of its arrays: from a list of arrays it gives the list of arrays
in f's value, its pullback and its pushforward take and give lists too. Its derivatives are array functions
themselves: `pulled` maps cotangents and arguments to cotangents, `pushed` tangents and arguments to
tangents. So an adapter that can wrap one array function, with its two derivatives, has every order.

What `value`, `reverse` and pullbacks give shares memory with nothing that they were given, since other
engines write in place into what they own; nor does what `value` and pullbacks give with what f or its rule
keeps, as Python's counts of references tell. Which rule a call of arrays alone comes to is found once for
the types of its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from sys import getrefcount
from typing import Any

import numpy as np
from numpy import ndarray

from ...core.caches import generation, keep, new_cache
from ...core.callables import describe, name_of
from ...core.engine import Engine
from ...core.errors import AliasedMutationError, ShapeMismatch, UnsupportedArgument
from ...core.lookup import find
from ...core.registry import rules_of
from ...core.reverse import reverse_rule
from ...core.seeds import ready
from ...tangents import NO_TANGENT, ZERO, zero_tangent
from ..boundary import owned, presented
from ..calls import forward_of, reverse_of
from ..leaves import ALONE, Layout
from ..source.reruns import Again, changed_places, changes, copied

Arrays = list[Any]
Pullback = Callable[[Sequence[Any]], Arrays]
_rules = new_cache()
_UNKNOWN = object()


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
    again: bool = False  # whether each run is one more, on copies of what f changes

    @cached_property
    def is_bare(self) -> bool:
        """Whether a call is one of f with arrays alone, differentiated by our engine."""
        return self.engine is None and not self.kwargs and self.layout.is_plain

    def value(self, x: Sequence[Any]) -> tuple[Layout, Arrays]:
        """The layout of the value, and its arrays."""
        out, ys = self._read(self._primal(x))
        return out, alone(ys)

    def _primal(self, x: Sequence[Any]) -> Any:
        """f's value; where f is not known to change nothing, at arrays that are read-only."""
        args = self.layout.filled(x)
        found = None if self.order else find("reverse", self.f, args, self.kwargs)
        if self.order or (found is not None and found.method is not None and not found.method.mutates):
            return self.f(*args, **self.kwargs)
        return self._watched(lambda args: self.f(*args, **self.kwargs), x)

    def _watched(self, run: Callable[[tuple[Any, ...]], Any], x: Sequence[Any]) -> Any:
        """What a run of f gives at arrays that are read-only: they belong to another engine."""
        args = self.layout.filled(list(map(_locked, x)))
        self._refuse_stores(args)
        try:
            return run(args)
        except (ValueError, AliasedMutationError) as error:
            if "read-only" not in str(error):
                raise
            raise self._written("an array") from error

    def _refuse_stores(self, args: tuple[Any, ...]) -> None:
        """Refuse a function that changes a container of another engine's arrays: it would be our copy."""
        places = () if self.layout.is_flat else changed_places(self.f, args, self.kwargs.values())
        for i, part in enumerate(self.layout.parts):
            if part.count and type(part.root) is not int and i in places:
                raise self._written(f"a {type(args[i]).__name__} with arrays")

    def _written(self, what: str) -> AliasedMutationError:
        return AliasedMutationError(
            f"{name_of(self.f)} writes into {what} that another engine gave it",
            closest="what holds none of its arrays, and what a function captured, may be changed",
            next="give it a copy inside, as in `f(x.copy())`",
        )

    def kept(self, x: Sequence[Any]) -> ArrayFunction:
        """What runs f again, for a derivative: with copies of what f changes, as it is now."""
        if self.order or rules_of(self.f) is not None:
            return self
        if not changes(self.f, self.layout.filled(x), self.kwargs):
            return self
        of = Again().of
        words = {k: of(v) for k, v in self.kwargs.items()}
        return replace(self, f=of(self.f), layout=self.layout.settled(of), kwargs=words, again=True)

    def arrays(self, x: Sequence[Any], out: Layout) -> Arrays:
        """The arrays of a value that was found to have this layout, before there were numbers."""
        found, ys = self.value(x)
        self.hold(found, out)
        return ys

    def hold(self, found: Layout, out: Layout) -> None:
        """Refuse a value with another structure, or other constants, than it was found to have."""
        if not found.is_like(out):
            raise ShapeMismatch(
                f"{name_of(self.f)} gave another structure, or other constants, than it was found to give",
                closest="arrays may have other numbers in every call, and what is no array may not",
                next="return a number that depends on the arguments as an array: np.asarray(n)",
            )

    def reverse(self, x: Sequence[Any], needs: tuple[bool, ...]) -> tuple[Layout, Arrays, Pullback]:
        """Layout and arrays of the value, and the pullback.

        Shapes:  the pullback takes a cotangent (or None) for each array of the value and gives one for each
                 array that is needed, like it, and None for the others.
        """
        rule = self.own_rule(x, needs)
        if rule is None:
            wanted = self.needed(needs)

            def run(args: tuple[Any, ...]) -> Any:
                f, args, kwargs = self._copied(args)
                return reverse_of(f, args, kwargs, wanted, self.engine)

            y, back = run(self.layout.filled(x)) if self.order else self._watched(run, x)
            return self.opened(y, back, x, needs)
        y, back = rule(*x)
        return self.opened(y, back, x, needs)

    def opened(
        self, y: Any, back: Any, x: Sequence[Any], needs: tuple[bool, ...]
    ) -> tuple[Layout, Arrays, Pullback]:
        """What `reverse` gives, of the value and the pullback of f."""
        if type(y) is ndarray and y.dtype.kind in "fc" and self.is_bare:
            return ALONE, [own(y, x)], partial(_pulled_back, x, needs, back)
        out, ys = self._read(y)

        def pullback(y_bars: Sequence[Any]) -> Arrays:
            y_bar = out.tangent([ZERO if t is None else t for t in y_bars])
            return _like(x, needs, self.layout.entries(back(y_bar), needs))

        return out, unshared(ys, x), pullback

    def forward(self, x: Sequence[Any], dx: Sequence[Any]) -> tuple[Layout, Arrays, Arrays]:
        """Layout, arrays and tangents of the value; None is the tangent of what does not move."""
        parts = [
            part.tangent([ZERO if t is None else t for t in given])
            if any(t is not None for t in given)
            else ZERO
            for part, given in zip(self.layout.parts, self._split(dx), strict=True)
        ]

        def run(args: tuple[Any, ...]) -> Any:
            f, args, kwargs = self._copied(args)
            return forward_of(f, args, tuple(parts), kwargs, self.engine)

        y, dy = run(self.layout.filled(x)) if self.order else self._watched(run, x)
        out, ys = self._read(y)
        entries = out.entries(dy)
        return out, ys, [dense(a, t) if moves(a) else None for a, t in zip(ys, entries, strict=True)]

    def _copied(self, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        return copied(self.f, args, self.kwargs) if self.again else (self.f, args, self.kwargs)

    def pulled(self, out: Layout, seeded: Sequence[bool], needs: Sequence[bool]) -> ArrayFunction:
        """From the cotangents of the value's arrays that `seeded` names, and x, to those that are needed."""
        f, kwargs, engine, wanted = self.f, self.kwargs, self.engine, self.needed(needs)

        def pull(y_bar: Any, *x: Any) -> Any:
            g, at, words = copied(f, x, kwargs)
            _, back = reverse_of(g, at, words, wanted, engine)
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
            g, at, words = copied(f, x, kwargs)
            y, dy = forward_of(g, at, dx, words, engine)
            return presented(y, dy, "dense")

        push.__qualname__ = push.__name__ = f"{name_of(f)}_pushforward"
        parts = self.layout.parts
        tangents = [part.of_tangents(m) for part, m in zip(parts, self._split(moving), strict=True)]
        layout = Layout.joined([Layout.joined(tangents), *parts])
        return ArrayFunction(push, layout, {}, engine, out.of_tangents(differentiable), self.order + 1)

    def own_rule(self, x: Sequence[Any], needs: tuple[bool, ...]) -> Any:
        """f's own rule for arrays of these types, which our engine would come to; else None."""
        if not self.is_bare:
            return None
        key = (id(self.f), needs, type(x[0])) if len(x) == 1 else (id(self.f), needs, *map(type, x))
        rule: Any = _rules.get(key, _UNKNOWN)
        if rule is not _UNKNOWN:
            return rule
        since = generation()
        rule = reverse_rule(self.f, tuple(x), {}, needs, None)
        method = getattr(rule, "method", None)
        usable = rule is not None and not (method is not None and method.mutates)
        if not usable and rules_of(self.f) is None:
            return None  # nothing keeps f, so that its id may come again
        keep(_rules, key, rule if usable else None, since)
        return rule if usable else None

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
        if type(y) is ndarray and y.dtype.kind in "fc":
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


def _pulled_back(x: Sequence[Any], needs: Sequence[bool], back: Any, y_bars: Sequence[Any]) -> Arrays:
    """A rule's pullback of one array at arrays, as a function of lists."""
    y_bar = y_bars[0]
    return cotangents(back(ZERO if y_bar is None else y_bar), x, needs)


def cotangents(found: Sequence[Any], x: Sequence[Any], needs: Sequence[bool]) -> Arrays:
    """What the pullback of a rule gave for arrays, as `reverse` says.

    That a cotangent is in the space of its array is the rule's contract; here it becomes an array of its own.
    """
    given: Arrays = []
    for t in found:
        if not needs[len(given)]:
            t = None
        elif type(t) is not ndarray or t.base is not None or not t.flags.writeable or getrefcount(t) > _FRESH:
            return _like(x, needs, found)
        given.append(t)
    return given


def _like(x: Sequence[Any], needs: Sequence[bool], tangents: Sequence[Any]) -> Arrays:
    """The tangents of arrays that are needed, as arrays like them."""
    found = [dense(a, ready(t)) for a, t, n in zip(x, tangents, needs, strict=True) if n]
    del tangents  # so that an array of which nobody else knows is not copied
    left = iter(alone(found))
    return [next(left) if n else None for n in needs]


def is_numeric(value: Any) -> bool:
    """Whether a value is an array for other engines: of NumPy, or a floating-point number."""
    if isinstance(value, float | complex):
        return True
    return isinstance(value, ndarray | np.generic) and value.dtype.kind in "fciub"


def moves(value: Any) -> bool:
    """Whether an array has tangents in other engines: it is real or complex floating-point."""
    if type(value) is ndarray:
        return value.dtype.kind in "fc"
    return isinstance(value, float | complex) or value.dtype.kind in "fc"


def dense(x: Any, t: Any) -> Any:
    """A tangent of an array as an array like it."""
    return t if _is_as(x, t) else presented(x, t, "dense")


def _is_as(x: Any, t: Any) -> bool:
    """Whether a tangent is an array like x."""
    return type(t) is type(x) is ndarray and t.dtype is x.dtype and t.shape == x.shape


def _locked(a: Any) -> Any:
    """The same array, read-only."""
    if type(a) is ndarray:
        a = a.view()
        a.flags.writeable = False
    return a


def alone(arrays: Arrays) -> Arrays:
    """The arrays, copied where their memory is read-only or known to anybody else."""
    return [y.copy() if type(y) is ndarray and _is_known(y) else y for y in arrays]


def _is_known(y: ndarray[Any, Any]) -> bool:
    if not y.flags.writeable:
        return True
    base = y.base
    if base is None:
        return getrefcount(y) > _IN_A_LIST
    return type(base) is not ndarray or base.base is not None or getrefcount(base) > _BEHIND_A_VIEW


def _counts() -> tuple[int, int, int]:
    """How many references Python counts to arrays of which nobody else knows, where it is asked above."""
    for t in (np.empty(1),):
        fresh = getrefcount(t)
    listed = [_counted(y) for y in [np.empty(1)]]
    behind = [_counted(y) for y in [np.empty(1)[:]]]
    return fresh, listed[0], behind[0]


def _counted(y: ndarray[Any, Any]) -> int:
    base = y.base
    return getrefcount(y) if base is None else getrefcount(base)


_FRESH, _IN_A_LIST, _BEHIND_A_VIEW = _counts()


def own(y: ndarray[Any, Any], others: Sequence[Any]) -> Any:
    """An array, copied where it shares memory with one of the others."""
    if y.base is not None or not y.flags.writeable:
        return owned(y, others)
    for a in others:
        if a is y or (type(a) is ndarray and a.base is y):
            return y.copy()
    return y


def unshared(arrays: Arrays, others: Sequence[Any]) -> Arrays:
    """The arrays, copied where they share memory with each other or with these others."""
    if all(type(y) is ndarray and y.base is None and y.flags.writeable for y in arrays):
        taken = {id(a) for a in others} | {id(a.base) for a in others if type(a) is ndarray}
        fresh = []
        for y in arrays:
            fresh.append(y.copy() if id(y) in taken else y)
            taken.add(id(y))
        return fresh
    return list(owned(tuple(arrays), tuple(others)))
