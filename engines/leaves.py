"""Structured values as lists of leaves: what an adapter does where another engine knows arrays alone.

`Layout.of(value, is_leaf)` takes a value apart into a layout and its leaves (the other engine's arrays);
`filled` puts other leaves in their places, `tangent` makes the tangent that has given entries, and `entries`
reads them from one. What holds no leaf stays as it is, and is the same object in every filled value. A
function that captured a leaf is refused: it would run with the other engine's arrays inside ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ..core.callables import describe, name_of
from ..core.errors import NotDifferentiableError, UnsupportedArgument
from ..core.seeds import absorbs, ready
from ..tangents import NO_TANGENT, ZERO, Composite, construct, fields_of, from_fields, is_zero, primal_type
from ..tangents.declared import canonical_of
from ..tangents.functions import FUNCTIONS
from ..tangents.structure import ending, parts

IsLeaf = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class _Constant:
    """What holds no leaf."""

    value: Any


@dataclass(frozen=True, slots=True)
class _Branch:
    """A container or object that holds leaves; `like` is one of its kind, where rebuilding needs it."""

    P: type
    names: tuple[Any, ...] | None
    below: tuple[Any, ...]  # numbers of leaves, constants and branches
    is_tangent: bool
    like: Any = None


@dataclass(frozen=True)
class Layout:
    """Where the leaves of a value stand.

    Example: >>> layout, leaves = Layout.of(({"a": 1.0}, "name", [2.0]), lambda v: isinstance(v, float))
             >>> leaves, layout.filled([3.0, 4.0]), layout.tangent([5.0, 6.0])
             ([1.0, 2.0], ({'a': 3.0}, 'name', [4.0]), Composite[tuple](Composite[dict]({'a': 5.0}), \
NoTangent(), Composite[list](6.0)))
    """

    root: Any
    count: int

    @staticmethod
    def of(value: Any, is_leaf: IsLeaf, *, into_functions: bool = False) -> tuple[Layout, list[Any]]:
        """The layout of a value, and its leaves in order; a function is rebuilt only `into_functions`."""
        if type(value) is tuple and all(map(is_leaf, value)):
            return _plain(len(value)), list(value)
        if is_leaf(value):
            return ALONE, [value]
        leaves: list[Any] = []
        root = _node(value, is_leaf, leaves, into_functions)
        return Layout(root, len(leaves)), leaves

    @staticmethod
    def flat(count: int) -> Layout:
        """The layout of a tuple of leaves."""
        return _plain(count)

    @staticmethod
    def joined(layouts: Iterable[Layout]) -> Layout:
        """The layout of a tuple whose parts have these; the leaves of each follow those before it."""
        start, below = 0, []
        for layout in layouts:
            below.append(_moved(layout.root, start))
            start += layout.count
        return Layout(_Branch(tuple, None, tuple(below), False), start)

    @cached_property
    def is_flat(self) -> bool:
        """Whether this is a tuple of leaves and constants."""
        root = self.root
        return (
            isinstance(root, _Branch)
            and root.P is tuple
            and not root.is_tangent
            and not any(isinstance(node, _Branch) for node in root.below)
        )

    @cached_property
    def is_plain(self) -> bool:
        """Whether this is a tuple of leaves alone."""
        return self.is_flat and len(self.root.below) == self.count

    def settled(self, change: Callable[[Any], Any]) -> Layout:
        """The same layout with a change made to what stands beside the leaves."""
        return self if not self.constants else Layout(_settled(self.root, change), self.count)

    def is_like(self, other: Layout) -> bool:
        """Whether another layout is the same, with equal numbers and texts beside the leaves."""
        return self is other or _is_like(self.root, other.root)

    @property
    def constants(self) -> list[Any]:
        """What stands beside the leaves."""
        return _constants(self.root)

    @property
    def parts(self) -> list[Layout]:
        """The layouts of the parts of a tuple, as `joined` takes them."""
        if isinstance(self.root, _Constant):
            return [Layout(_Constant(value), 0) for value in self.root.value]
        found = []
        for node in self.root.below:
            numbers = _numbers(node)
            found.append(Layout(_moved(node, -numbers[0] if numbers else 0), len(numbers)))
        return found

    def filled(self, leaves: Sequence[Any]) -> Any:
        """The value with these leaves."""
        if self.is_plain:
            return tuple(leaves)
        if self.is_flat:
            return tuple([leaves[n] if type(n) is int else n.value for n in self.root.below])
        return _filled(self.root, leaves)

    def tangent(self, tangents: Sequence[Any]) -> Any:
        """The tangent of the value in which its leaves have these tangents."""
        return tangents[0] if self is ALONE else _filled(_of_tangents(self.root), tangents)

    def entries(self, t: Any, wanted: Sequence[bool] | None = None) -> list[Any]:
        """The tangents of the leaves in a tangent of the value, raw.

        Where it is said which are `wanted`, the others are zeros, and no thunk is forced for them.
        """
        wanted = (True,) * self.count if wanted is None else wanted
        if self.is_plain and type(t) is tuple:
            return [ready(part) if w else ZERO for part, w in zip(t, wanted, strict=True)]
        found: list[Any] = [ZERO] * self.count
        _read(self.root, t, found, wanted)
        return found

    def of_tangents(self, moving: Sequence[bool]) -> Layout:
        """The layout of a tangent with entries for the leaves that `moving` names, zeros for the others."""
        if not any(moving):
            return Layout(_Constant(ZERO), 0)
        numbers = iter(range(self.count))
        places = [next(numbers) if moves else _Constant(ZERO) for moves in moving]
        return Layout(_replaced(_of_tangents(self.root), places), sum(moving))


@cache
def _plain(count: int) -> Layout:
    return Layout(_Branch(tuple, None, tuple(range(count)), False), count)


ALONE = Layout(0, 1)
"""The layout of a leaf that stands for itself."""


@ending
def _node(value: Any, is_leaf: IsLeaf, leaves: list[Any], into_functions: bool) -> Any:
    if is_leaf(value):
        leaves.append(value)
        return len(leaves) - 1
    is_tangent = isinstance(value, Composite)
    inside = fields_of(value) if is_tangent else parts(value)
    if not inside:
        return _Constant(value)
    before = len(leaves)
    names = tuple(inside) if isinstance(inside, dict) else None
    values = inside.values() if names is not None else inside
    declared = canonical_of(type(value))
    if declared is None or names is None:
        below = tuple([_node(v, is_leaf, leaves, into_functions) for v in values])
    else:  # what its author marked has no derivative
        below = tuple(
            [
                _node(v, is_leaf, leaves, into_functions) if name in declared.names else _Constant(v)
                for name, v in inside.items()
            ]
        )
    if len(leaves) == before:
        return _Constant(value)
    if isinstance(value, FUNCTIONS) and not into_functions:
        raise NotDifferentiableError(
            f"the function {name_of(value)}, given as an argument, captured an array of another engine",
            next="give what it captured as arguments of their own",
        )
    P = primal_type(value) if is_tangent else type(value)
    return _Branch(P, names, below, is_tangent, None if is_tangent or P in (tuple, list, dict) else value)


def _moved(node: Any, by: int) -> Any:
    """The same structure in a list of leaves that begins elsewhere."""
    if isinstance(node, _Branch):
        below = tuple([_moved(n, by) for n in node.below])
        return _Branch(node.P, node.names, below, node.is_tangent, node.like)
    return node + by if isinstance(node, int) else node


def _settled(node: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(node, _Branch):
        below = tuple([_settled(n, change) for n in node.below])
        return _Branch(node.P, node.names, below, node.is_tangent, node.like)
    return _Constant(change(node.value)) if isinstance(node, _Constant) else node


def _is_like(a: Any, b: Any) -> bool:
    if isinstance(a, _Branch) and isinstance(b, _Branch):
        alike = a.P is b.P and a.names == b.names and len(a.below) == len(b.below)
        return alike and all(map(_is_like, a.below, b.below))
    if isinstance(a, _Constant) and isinstance(b, _Constant):
        u, v = a.value, b.value
        return u is v or (type(u) is type(v) and (type(u) not in _COMPARED or u == v))
    return type(a) is type(b) and a == b


_COMPARED = (bool, int, str, bytes)


def _numbers(node: Any) -> list[int]:
    if isinstance(node, _Branch):
        return [number for n in node.below for number in _numbers(n)]
    return [node] if isinstance(node, int) else []


def _constants(node: Any) -> list[Any]:
    if isinstance(node, _Branch):
        return [value for n in node.below for value in _constants(n)]
    return [node.value] if isinstance(node, _Constant) else []


def refuse_by_name(
    f: Callable[..., Any], kwargs: dict[str, Any], is_leaf: IsLeaf, reason: tuple[str, str]
) -> None:
    """Refuse leaves given by name, which are constants, with a reason: why, and what to do instead."""
    for name, value in kwargs.items():
        if Layout.of(value, is_leaf)[1]:
            why = f"arguments given by name are constants, and {reason[0]}"
            raise UnsupportedArgument(f, name, describe(value), why=why, next=reason[1])


def skeleton(layout: Layout) -> Any:
    """A layout in plain tuples, for who cannot look into our classes.

    ("leaf", number), ("constant", value) or ("branch", type, names or None, what stands below).
    """
    return _in_tuples(layout.root)


def _in_tuples(node: Any) -> Any:
    if isinstance(node, _Branch):
        return "branch", node.P, node.names, tuple([_in_tuples(n) for n in node.below])
    return ("leaf", node) if isinstance(node, int) else ("constant", node.value)


def _filled(node: Any, leaves: Sequence[Any]) -> Any:
    if isinstance(node, int):
        return leaves[node]
    if isinstance(node, _Constant):
        return node.value
    values: Any = [_filled(n, leaves) for n in node.below]
    if node.names is not None:
        values = dict(zip(node.names, values, strict=True))
    return from_fields(node.P, values) if node.is_tangent else construct(node.P, values, like=node.like)


def _of_tangents(node: Any) -> Any:
    if isinstance(node, _Branch):
        return _Branch(node.P, node.names, tuple([_of_tangents(n) for n in node.below]), True)
    return _Constant(NO_TANGENT) if isinstance(node, _Constant) else node


def _replaced(node: Any, places: Sequence[Any]) -> Any:
    """The same structure with other nodes for its leaves."""
    if isinstance(node, _Branch):
        below = tuple([_replaced(n, places) for n in node.below])
        return _Branch(node.P, node.names, below, node.is_tangent, node.like)
    return places[node] if isinstance(node, int) else node


def _refuse_others(node: Any, given: Any) -> None:
    """Refuse the tangent of a property, which would have to be one of fields."""
    for name in given.keys() - set(node.names):
        shown = isinstance(getattr(node.P, str(name), None), property | cached_property)
        if shown and not is_zero(given[name]):
            raise NotDifferentiableError(
                f"a tangent of {node.P.__name__} has {name!r}, which no field of the object holds",
                next="let the rule give tangents of fields, or register a converter with convert_fields",
            )


def _read(node: Any, t: Any, found: list[Any], wanted: Sequence[bool]) -> None:
    if isinstance(node, int):
        found[node] = ready(t) if wanted[node] else ZERO
    elif isinstance(node, _Branch) and any(wanted[number] for number in _numbers(node)):
        t = ready(t)
        if absorbs(t):
            for number in _numbers(node):
                found[number] = t if wanted[number] else ZERO
            return
        given: Any = fields_of(t) if node.names is not None else tuple(t)
        if node.names is not None and not node.is_tangent and not given.keys() <= set(node.names):
            _refuse_others(node, given)
        for i, below in enumerate(node.below):
            _read(below, given[i] if node.names is None else given.get(node.names[i], ZERO), found, wanted)
