"""Streaming: calls that take or make iterators, in both modes.

Python's lazy functions follow their recipes. What takes all items of an iterator anyway gets them as a
tuple. A class that defines `__iter__` in Python is followed into it.
"""

from __future__ import annotations

import ast
import collections
import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ....core.seeds import ready
from ....core.sequences import items
from ....tangents import NO_TANGENT, ZERO, Composite, is_zero
from ..reading.locate import locate
from ..rewriting import kept_lazies, recipes
from ..syntax.codes import content_of
from ..syntax.scopes import GENERATOR, own_statements
from ..values.streams import (
    Stream,
    changed_meanwhile,
    drained,
    entry,
    may_change,
    refuse_iterator,
    steps,
    unmoved,
)
from . import forward_resolution, resolution, zipping

Values = tuple[Any, ...]
_OPENING = (steps, items, tuple, list, iter)
_CONSUMING = (sum, max, min, sorted, zip, map, filter, enumerate, itertools.accumulate, itertools.starmap)
_TAKING = (
    *(items, tuple, list, dict, set, frozenset, sum, max, min, sorted, math.fsum, math.prod),
    *(functools.reduce, np.fromiter, collections.deque, list.extend, dict.update, collections.deque.extend),
)
"""What takes all items of an iterator at once; other calls keep the iterator as it is."""
_SECOND = (
    *(filter, itertools.starmap, functools.reduce),
    *(list.extend, dict.update, collections.deque.extend),
)
"""What has something else first."""
_OWN = (Stream.close, Stream.throw, Stream.send, Stream.__next__, Stream.__iter__)


def kind_of(f: Any, args: Values) -> str:
    """What a call has to do with iterators; empty where it has nothing."""
    try:
        return _kind(f, args)
    except TypeError:  # not hashable
        return ""


def _kind(f: Any, args: Values) -> str:
    first = args[0] if args else None
    if type(first) is Stream:
        if f is next or f is operator.getitem or f is iter or f is steps:
            return str(f.__name__)
        if type(f) is FunctionType and f in _OWN:
            return "own"
    lazy = any(hasattr(type(a), "__next__") for a in args)
    if type(f) is type and f.__module__ == "itertools" and f in recipes.ALWAYS:
        running = lazy or any(map(_is_iterable, args)) or f not in recipes.OF_CONTAINERS
        return "recipe" if running else ""
    if (f is np.ndenumerate or f is np.nditer) and not lazy:
        return "recipe"
    if f is itertools.zip_longest or (f is zip and lazy):
        return "rows"
    if f is enumerate and lazy:
        return "numbered"
    if lazy and f in recipes.OF_ITERATORS:
        return "recipe"
    streams = any(type(a) is Stream for a in args)
    if streams or (lazy and len(args) > 1):
        if any(f is each for each in _TAKING) or _library(f) == "statistics":
            return "drain"
        if streams:
            return ""
    if any(f is each for each in _CONSUMING) and iterables(f, args):
        return "iterables"
    if any(f is each for each in _OPENING) and len(args) <= 2:
        return _opened(f, first, len(args))
    return ""


def _gone_through(f: Any, count: int) -> Sequence[int]:
    """Where those of so many arguments are that f goes through."""
    if f is max or f is min:
        return range(count == 1)
    if f is map:
        return range(1, count)
    if any(f is each for each in _SECOND):
        return (1,)
    return range(count if f is zip or _library(f) == "statistics" else 1)


def _library(f: Any) -> str:
    return (getattr(f, "__module__", None) or "").partition(".")[0]


def _opened(f: Any, x: Any, count: int) -> str:
    """How x is gone through: by its own `__iter__`, by subscripts, as an iterator, or as a container."""
    if f is iter and count == 2:
        return "recipe"
    kind = type(x)
    if hasattr(kind, "__next__"):
        return "unmoved" if f in (steps, iter) else ""
    if _is_iterable(x):
        return "iterable"
    if _is_subscripted(x):
        return "subscripts"
    if f is iter:
        return "recipe"
    return "items" if f is steps else ""


def _is_iterable(x: Any) -> bool:
    """Whether x is of a class that defines `__iter__` in Python."""
    kind = type(x)
    if not isinstance(getattr(kind, "__iter__", None), FunctionType) or hasattr(kind, "__next__"):
        return False
    return not kind.__module__.startswith("chainrules.")


def refuse_iterators(f: Any, args: Values, moving: Sequence[bool]) -> None:
    """Raise where a call goes through an object that varies and has a `__next__` in Python."""
    if type(f) is not FunctionType or f in _OPENING:
        for x, moves in zip(args, moving, strict=False):
            if moves:
                refuse_iterator(x)


def _is_subscripted(x: Any) -> bool:
    """Whether x is of a class that is gone through by a `__getitem__` in Python."""
    kind = type(x)
    return not hasattr(kind, "__iter__") and isinstance(getattr(kind, "__getitem__", None), FunctionType)


def recipe(f: Any, args: Values) -> Any:
    """The generator that does what a lazy function does."""
    if f is iter:
        return recipes.called if len(args) == 2 else recipes.iterated
    return recipes.OF_ITERATORS[f]


def reads_later(
    f: Any, values: Values, kwargs: Mapping[str, Any], later: frozenset[int], steady: bool
) -> Values:
    """What a generator reads that may change as it runs; refused unless that is `steady` at first."""
    found = dict(_changing(f, values, kwargs, later))
    if found and not steady:
        raise changed_meanwhile(f"`{next(iter(found))}`, which the generator {f.__name__} reads,")
    return tuple(found.values())


def _changing(
    f: Any, values: Values, kwargs: Mapping[str, Any], later: frozenset[int]
) -> Iterator[tuple[str, Any]]:
    """What a generator reads that may change while it runs, of the values `later`, −1 what it captured."""
    if type(f) is not FunctionType or not f.__code__.co_flags & GENERATOR or not later:
        return
    if f.__module__ == kept_lazies.__name__:  # which looks itself
        return
    node = locate(f.__code__).node
    seen = read_in(node.body) if isinstance(node, ast.FunctionDef) else frozenset[str]()
    named = f.__code__.co_varnames[: f.__code__.co_argcount]
    given = [(named[i] if i < len(named) else "*", v) for i, v in enumerate(values)] + list(kwargs.items())
    for i in sorted(later):
        for name, value in captured_values(f) if i < 0 else given[i : i + 1]:
            if (name in seen or (i >= 0 and name not in named)) and may_change(value):
                yield name, value


def captured_values(f: FunctionType) -> list[tuple[str, Any]]:
    """What a function captured, by name."""
    cells = zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
    return [(name, content_of(cell)) for name, cell in cells]


def read_in(body: list[ast.stmt]) -> frozenset[str]:
    """The names of which a body reads more than a method to call for its effect, as in `log.append(…)`."""
    called = {
        id(s.value.func.value)
        for s in own_statements(body)
        if isinstance(s, ast.Expr)
        and isinstance(s.value, ast.Call)
        and isinstance(s.value.func, ast.Attribute)
    }
    nodes = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Name) and id(n) not in called)
    return frozenset(n.id for n in nodes)


def in_reverse(
    f: Any, args: Values, kwargs: Mapping[str, Any], needs: tuple[bool, ...]
) -> Callable[..., Any] | None:
    """How a call that takes or makes iterators is done in reverse; None for other calls."""
    refuse_iterators(f, args, needs)
    kind = kind_of(f, args)
    return None if not kind else lambda *a, **k: _reverse(kind, f, a, k, needs)


def _reverse(kind: str, f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
    x, *rest = args
    count = len(args) + len(kwargs)
    if kind in ("iter", "steps"):
        return x, _first(lambda y_bar: y_bar, count)
    if kind == "getitem":
        return x.value, _first(functools.partial(entry, x.count - 1), count)
    if kind == "next":
        if x.advance():
            return x.value, _first(functools.partial(entry, x.count - 1), count)
        if not rest:
            raise StopIteration
        return rest[0], lambda y_bar: (ZERO, y_bar)
    if kind == "own":
        return f(*args, **kwargs), _first(lambda y_bar: ZERO, count)
    if kind == "recipe":
        return resolution.python_in_reverse(recipe(f, args), args, kwargs, needs)
    if kind == "rows":
        return zipping.in_reverse(f is not zip, args, kwargs)
    if kind == "numbered":
        start = rest[0] if rest else kwargs.get("start", 0)
        y, back = zipping.in_reverse(False, (itertools.count(start), x), {})
        return y, lambda y_bar: (back(y_bar)[1], *(NO_TANGENT,) * (count - 1))
    if kind == "unmoved":
        return unmoved(x), _first(lambda y_bar: NO_TANGENT, count)
    if kind == "items":
        return resolution.resolve(items, args, kwargs, needs)(*args)
    if kind == "drain":
        return _drained_in_reverse(f, args, kwargs, needs)
    if kind == "iterables":
        return _iterated_in_reverse(f, args, kwargs, needs)
    source = recipes.subscripted if kind == "subscripts" else type(x).__iter__
    made, back = resolution.resolve(source, (x,), {}, (True,))(x)
    y, opened = resolution.resolve(f, (made,), {}, (True,))(made)
    return y, lambda y_bar: back(opened(y_bar)[0])


def _first(answer: Callable[[Any], Any], count: int) -> Callable[[Any], Values]:
    """A pullback that answers for the first value of a call alone."""

    def stream_pullback(y_bar: Any) -> Values:
        return (answer(y_bar), *(NO_TANGENT,) * (count - 1))

    return stream_pullback


def iterables(f: Any, args: Values) -> tuple[int, ...]:
    """Where the arguments are of classes that define in Python how they are gone through."""
    places = _gone_through(f, len(args))
    return tuple(i for i in places if _is_iterable(args[i]) or _is_subscripted(args[i]))


def is_drained(x: Any, varies: bool) -> bool:
    """Whether what takes all items of an iterator takes those of x, which it runs to its end."""
    return type(x) is Stream or (hasattr(type(x), "__next__") and not varies)


def _iterated_in_reverse(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
    own = iterables(f, args)
    opened = [
        _reverse(_opened(iter, a, 1), iter, (a,), {}, (True,)) if i in own else (a, None)
        for i, a in enumerate(args)
    ]
    y, back = resolution.plain_in_reverse(f, "", tuple(v for v, _ in opened), kwargs, needs)

    def iterables_pullback(y_bar: Any) -> Values:
        answers = list(back(y_bar))
        for i, (_, closing) in enumerate(opened):
            answers[i] = answers[i] if closing is None else closing(answers[i])[0]
        return tuple(answers)

    return y, iterables_pullback


def _drained_in_reverse(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]) -> Any:
    starts: dict[int, int] = {}
    given = list(args)
    for i in _gone_through(f, len(args)):
        a = args[i]
        if type(a) is Stream:
            starts[i] = a.count
            given[i] = tuple(drained(a)[0])
        elif is_drained(a, needs[i]):
            given[i] = tuple(a)
    y, back = resolution.plain_in_reverse(f, "", tuple(given), kwargs, needs)

    def drained_pullback(y_bar: Any) -> Values:
        answers = list(back(y_bar))
        for i, start in starts.items():
            parts = () if is_zero(answers[i]) else tuple(ready(answers[i]))
            entries = {start + k: part for k, part in enumerate(parts) if not is_zero(part)}
            answers[i] = Composite[dict](entries) if entries else ZERO
        return tuple(answers)

    return y, drained_pullback


def forward(f: Any, args: Values, kwargs: dict[str, Any], tangents: Values) -> Any:
    """A call that takes or makes iterators, forward; None for other calls."""
    refuse_iterators(f, args, [not is_zero(t) for t in tangents])
    kind = kind_of(f, args)
    if not kind:
        return None
    x, *rest = args
    if kind in ("iter", "steps"):
        return x, x
    if kind == "getitem":
        return x.value, x.second
    if kind == "next":
        if x.advance():
            return x.value, x.second
        if not rest:
            raise StopIteration
        return rest[0], tangents[1]
    if kind == "own":
        return f(*args, **kwargs), ZERO
    if kind == "recipe":
        return forward_resolution.python_forward(recipe(f, args), args, kwargs, tangents, None)
    if kind == "rows":
        return zipping.forward(f is not zip, args, kwargs, tangents)
    if kind == "numbered":
        start = rest[0] if rest else kwargs.get("start", 0)
        return zipping.forward(False, (itertools.count(start), x), {}, (ZERO, tangents[0]))
    if kind == "unmoved":
        return unmoved(x), ZERO
    if kind == "items":
        return forward_resolution.forward(items, args, kwargs, tangents)
    if kind == "drain":
        return _drained_forward(f, args, kwargs, tangents)
    if kind == "iterables":
        own = iterables(f, args)
        opened = [
            forward(iter, (a,), {}, (t,)) if i in own else (a, t)
            for i, (a, t) in enumerate(zip(args, tangents, strict=False))
        ]
        given, moving = (v for v, _ in opened), (t for _, t in opened)
        return forward_resolution.plain_forward(
            f, "", ZERO, tuple(given), kwargs, (*moving, *tangents[len(args) :])
        )
    source = recipes.subscripted if kind == "subscripts" else type(x).__iter__
    made, moved = forward_resolution.forward(source, (x,), {}, tangents[:1])
    return forward_resolution.forward(f, (made,), {}, (moved,))


def _drained_forward(f: Any, args: Values, kwargs: dict[str, Any], tangents: Values) -> Any:
    given, moving = list(args), list(tangents)
    for i in _gone_through(f, len(args)):
        a = args[i]
        if type(a) is Stream:
            values, dots = drained(a)
            given[i], moving[i] = tuple(values), Composite[tuple](*dots)
        elif is_drained(a, not is_zero(moving[i])):
            given[i] = tuple(a)
    return forward_resolution.plain_forward(f, "", ZERO, tuple(given), kwargs, tuple(moving))


resolution.streamed_in_reverse = in_reverse
forward_resolution.streamed_forward = forward
