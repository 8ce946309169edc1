"""Runs: what is known of a function's values while it runs, by which objects they are.

Containers, objects, variables and functions hold leaves, and moving a leaf about is no operation: it is the
same leaf. So a run keeps a table of the leaves that vary, by identity, and each lives as long as the table.
"""

from __future__ import annotations

import operator
import weakref
from typing import Any

import numpy as np

from ...core.callables import describe
from ...core.errors import AliasedMutationError
from ...core.holdings import note_varying
from ...core.installed import array_advice
from ...tangents.own_dict import own_dict
from ...tangents.sparse import is_sparse
from ..leaves import Layout
from ..returned import held_by
from .another import another, has_changed
from .here import below, here
from .kept import before_calls, before_change
from .leaves import (
    IMMUTABLE_TYPE,
    PLAIN,
    SIMPLE,
    Integer,
    arrays_in,
    holders,
    is_foreign,
    is_handle,
    is_leaf,
    is_result,
    is_simple,
    is_whole,
    leaves_in,
    reaches,
)
from .memory import arrays_of, memory_in, owner_of
from .natives import CONTAINERS
from .overlapping import folded, is_folded
from .putting import noted, put_into, reading
from .refusing import as_texts, hidden, recorded, shared

ALONE = "alone"
"""Marks an argument that is a leaf itself."""
Mark = Any
"""Of an argument: None, ALONE, or its layout with the leaves in it that vary."""


_NOTHING = (type(None), bool, type)
_MADE_ANEW = (list, tuple, dict, set, frozenset, str, bytes)


def _may_have_changed(x: Any, held: Any) -> bool:
    """Whether an object may hold something else than it did: it does, or it is written in C."""
    if type(x).__flags__ & IMMUTABLE_TYPE or not any(held):
        return True
    return any(True for _ in put_into(held, held_by(x)))


def _is_read(values: tuple[Any, ...]) -> bool:
    """Whether a call may read an attribute of an object that is one leaf."""
    named = len(values) == 1 or (len(values) == 2 and type(values[1]) is str)
    return named and is_foreign(values[0])


def _stays(x: Any) -> bool:
    """Whether a rule gave an object, and not a number, which is then known by which one it is."""
    return is_sparse(x) or is_foreign(x)


def _may_tell(x: Any) -> bool:
    """Whether a part of what an opaque function gave may tell of the values that it was given."""
    return is_result(x) or isinstance(x, str | bytes)


class Run:
    """What one run knows of its leaves."""

    forward = False
    joins = False  # whether it takes the events of expressions
    apart = False  # whether it has to see each operation

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.itself = weakref.ref(self)
        self.outer = here.runs  # those that this one is inside of
        self.live: dict[int, Any] = {}  # leaves that vary, and arrays that own the memory of some
        self.given: dict[int, Any] = {}  # what the user gave, by what stands for it here
        self.written: dict[int, Any] = {}  # owners that were written into

    # What few runs have, made when it is asked for.
    entered: dict[int, Any]  # owners of arguments' memory, which others may know too
    doubles: dict[int, Any]  # parts of arguments that a rule gave, and what stands for them
    held: dict[int, Any]  # owners of arrays that objects of libraries may hold, with these
    why: dict[int, Exception]  # of what opaque functions made, the error to raise
    put: dict[int, Any]  # what functions that rules called put numbers into
    cut: dict[int, Any]  # objects that count as constant
    anew: dict[Any, Any]  # what arguments kept that is computed again, by object and name
    computed: dict[Any, Any]  # objects whose cached properties a site saw computed, by name too
    beside: dict[int, Any]  # results that are tuples, and hold more beside their items
    memo: dict[Any, Any]  # what functions that remember gave in this run

    def __getattr__(self, name: str) -> Any:
        if name not in Run.__annotations__:
            raise AttributeError(name)
        made: dict[int, Any] = {}
        self.__dict__[name] = made
        return made

    def varies(self, x: Any) -> bool:
        """Whether a leaf varies."""
        if id(x) in self.live:
            return True
        if isinstance(x, np.ndarray) and x.base is not None:
            owner = owner_of(x)
            if id(owner) in self.live and id(owner) not in self.entered:
                self.met(x, owner)
                return True
        if isinstance(x, np.ndarray) and self.written and id(owner_of(x)) in self.written:
            raise AliasedMutationError(
                "an argument that is changed in place is read by another name",
                next="read it by the argument's name, or give the function a copy",
            )
        return False

    def met(self, x: Any, owner: Any) -> None:
        """Note a view that was made where no site saw it."""
        self.live[id(x)] = x

    def mark(self, x: Any) -> Mark:
        """Which leaves of x vary."""
        if id(x) in self.live:
            return ALONE
        kind = type(x)
        if kind in PLAIN or kind is float or kind is np.float64 or id(x) in self.cut:
            return None
        if isinstance(x, np.ndarray) and x.dtype.kind != "O":
            return ALONE if self.varies(x) else None
        if kind is not x.__class__:
            raise recorded(x)
        if kind is slice or not self._reaches(x):
            return None
        layout, leaves = Layout.of(x, self.varies, into_functions=True)
        if not leaves:
            raise hidden(x)
        return layout, leaves

    def _reaches(self, x: Any) -> bool:
        """Whether a leaf in x varies."""
        if (type(x) is tuple or type(x) is list) and is_simple(x):
            return any(self.varies(v) for v in x if type(v) is not np.ndarray or is_leaf(v))
        return reaches(x, self.varies)

    def marks(self, values: tuple[Any, ...]) -> list[Mark] | None:
        """The marks of several values, None where nothing in them varies."""
        found = None
        for i, x in enumerate(values):
            mark = self.mark(x)
            if mark is not None:
                if found is None:
                    found = [None] * len(values)
                found[i] = mark
        return found

    def key(self, x: Any) -> Any:
        """An argument as a key: a leaf that varies by what it is, anything else by its value."""
        return (self, id(x)) if id(x) in self.live else (type(x), x)

    def of_one(self, f: Any, a: Any) -> Any:
        """A call of one number by its rule, which is no user's; NotImplemented where it has none."""
        raise NotImplementedError

    def of_two(self, f: Any, a: Any, b: Any) -> Any:
        """The same of two."""
        raise NotImplementedError

    def item(self, x: np.ndarray[Any, Any], i: Any) -> Any:
        """`x[i]` of an array of real numbers at a place, or a view of it; NotImplemented without a rule."""
        raise NotImplementedError

    def step(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: list[Mark]) -> Any:
        """A call by its rule, NotImplemented where it has none."""
        raise NotImplementedError

    def write(self, a: Any, index: Any, v: Any, varies: bool) -> None:
        """Note a store into an array, which was made."""
        raise NotImplementedError

    def holding(self, owner: Any) -> list[Any]:
        """The pullbacks of this run that may hold arrays of this memory, with what they were given."""
        return []

    def refuse_through(self, leaves: list[Any], error: Exception) -> None:
        """Let it be an error that a derivative passes through these leaves, or objects."""
        raise NotImplementedError

    def promised(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: list[Mark]) -> Any:
        """A call without a rule where whole numbers alone vary: their derivatives are not implemented."""
        raise NotImplementedError

    def opaque(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Any:
        """A call of what has no rule: an error where a derivative would have to pass."""
        values = (*args, *kwargs.values())
        if said := array_advice(*values):
            error.next = said  # type: ignore[attr-defined]  # one of ours
            raise error
        foreign = [(v, held_by(v)) for v in values if is_foreign(v)]
        sparse = [(v, v.copy()) for v in values if is_sparse(v)]
        before_calls([v for v, _ in sparse])
        with reading(values), noted(self, (f, *values)):
            y = below(self.outer, f, *args, **kwargs)
        self.refuse_through([v for v, held in foreign if _may_have_changed(v, held)], error)
        given = [any(x is not v and self.mark(x) is not None for x in values) for v, _ in sparse]
        changed = [v for (v, old), other in zip(sparse, given, strict=True) if other or has_changed(v, old)]
        self.refuse_through(changed, error)
        if type(y) in _NOTHING:
            return y
        if not (is_result(y) or isinstance(y, _MADE_ANEW)):  # it may be known elsewhere, and stays itself
            self.why[id(y)] = error
            self.refuse_through([y, *(leaf for leaf in leaves_in(y) if is_leaf(leaf))], error)
            return y
        layout, leaves = Layout.of(y, _may_tell, into_functions=True)
        if not leaves:
            self.refuse_through([y] if type(y) not in CONTAINERS else [], error)
            return y
        new = [self.reported(v) if isinstance(v, str | bytes) else self.register(v, args) for v in leaves]
        self.refuse_through(new, error)
        return new[0] if layout.count == 1 and leaves[0] is y else layout.filled(new)

    def reported(self, y: Any) -> Any:
        """A text that was made of what varies, as an object of its own: no number is made of it again."""
        if not any(id(y) in run.live for run in self.outer):
            y = y[:1] + y[1:]
        self.live[id(y)] = y
        return y

    def _text(self, y: Any) -> Any:
        """What an opaque call gave; a text as one that varies."""
        return self.reported(y) if isinstance(y, str | bytes) else y

    def hold(self, y: Any, values: tuple[Any, ...]) -> None:
        """Note the arrays that an object of a class of a library may hold."""
        if is_sparse(y):
            self._held_by(y, [*arrays_of(y)])
            return
        if is_foreign(y):
            own = memory_in(y)
            given = [a for x in values for a in arrays_in(x)]
            self._held_by(y, [a for a in given if own is None or id(owner_of(a)) in own])

    def _held_by(self, y: Any, arrays: list[Any]) -> None:
        for a in arrays:
            owner = owner_of(a)
            self.held.setdefault(id(owner), (owner, []))[1].append(y)

    def let_go(self, x: Any) -> None:
        """Forget that a sparse array holds arrays, which nobody has any longer but pullbacks."""
        for a in arrays_of(x):
            holders = self.held.get(id(owner_of(a)), (None, []))[1]
            holders[:] = [y for y in holders if y is not x]
            if not holders:
                self.held.pop(id(owner_of(a)), None)

    def about_to_change(self, x: Any) -> None:
        """See to it that no pullback sees the change of an argument that a rule is about to make."""
        if isinstance(x, np.ndarray):
            if is_folded(x):
                raise folded()
            before_change(x)
        elif is_leaf(x):
            self._refuse_shared(x)
            before_calls([x])

    def _refuse_shared(self, x: Any) -> None:
        """Refuse to change an object in place whose memory another one shares."""
        for a in arrays_of(x):
            held = self.held.get(id(owner_of(a)), (None, ()))[1]
            if any(y is not x for y in held):
                raise shared(x)

    def result(
        self, y: Any, values: tuple[Any, ...], is_users: bool = False
    ) -> tuple[Any, tuple[Layout | None, list[Any]] | None]:
        """A call's result with its leaves registered, and where they are in it; None without any.

        What a rule of a user's made may be one leaf without any in it.
        """
        if is_result(y) or (is_users and is_handle(y)):
            y = self.register(y, values)
            return y, (None, [y])
        if isinstance(y, np.ndarray) and y.dtype.kind in "US":
            self.refuse_through([y], as_texts())
            return y, None
        layout, leaves = Layout.of(y, is_result, into_functions=True)
        if not leaves:
            return y, None
        new = [self.register(v, values) for v in leaves]
        if any(a is not b for a, b in zip(leaves, new, strict=True)):
            y = layout.filled(new)
        if isinstance(y, tuple) and own_dict(y):
            self.beside[id(y)] = y
        return y, (layout, new)

    def register(self, y: Any, values: tuple[Any, ...]) -> Any:
        """A leaf that varies, as an object that nothing else is."""
        kind = type(y)
        if isinstance(y, np.ndarray):
            y = self._own_part(y, values[0]) if _is_read(values) else self._own_array(y, values)
            self._own_memory(y)
        elif kind is int or kind is Integer:
            y = Integer(y) if kind is int or id(y) in self.live else y
        elif kind is float or kind is complex:
            if id(y) in self.live or not any(id(y) in run.live for run in self.outer):
                y = below(self.outer, operator.sub, y, 0.0)
        elif isinstance(y, np.generic) and (id(y) in self.live or any(y is x for x in values)):
            y = y.copy() if y.dtype.kind not in "fc" else below(self.outer, operator.sub, y, 0.0)
        elif any(y is x for x in values) and id(y) not in self.live and is_leaf(y) and not _stays(y):
            y = below(self.outer, another, y)
        elif is_foreign(y):
            note_varying(y, values)
        self.live[id(y)] = y
        return y

    def doubled(self, y: Any, made: Any, values: tuple[Any, ...]) -> Any:
        """Note what stands for parts of arguments that a rule of a user's gave: neither may change."""
        if made is not y and type(made) not in SIMPLE:
            known = {id(h) for v in values for h in holders(v)}
            for a, b in zip(holders(y), holders(made), strict=False):
                if a is not b and id(a) in known:
                    self.doubles |= {id(x): (x, held_by(x)) for x in (a, b)}
        return made

    def refuse_changed_doubles(self) -> None:
        """Raise where one of two containers changed that are one in the function."""
        for x, before in self.doubles.values():
            if any(True for _ in put_into(before, held_by(x))):
                raise AliasedMutationError(
                    f"a function with a rule gave {describe(x)}, a part of its argument, which is changed",
                    next="let the function return a copy of it",
                )

    def is_live(self, x: Any) -> bool:
        """Whether a number or array varies."""
        if id(x) in self.live:
            return True
        return type(x) is np.ndarray and (x.base is not None or bool(self.written)) and self.varies(x)

    def is_own(self, y: Any) -> bool:
        """Whether what a rule gave is one leaf that nothing else is, but for a float."""
        if type(y) is np.ndarray:
            return y.base is None and y.dtype.kind == "f" and id(y) not in self.live
        return type(y) is float or (type(y) is np.float64 and id(y) not in self.live)

    def _own_array(self, y: Any, values: tuple[Any, ...]) -> Any:
        owner = owner_of(y)
        if id(y) in self.live or (y.base is None and any(y is x for x in values)):
            return below(self.outer, operator.getitem, y, Ellipsis)
        if id(owner) not in self.live:
            sharing = [x for x in values if isinstance(x, np.ndarray) and owner_of(x) is owner]
            if sharing and not any(map(self.varies, sharing)):
                return below(self.outer, np.copy, y)
        return y

    def _own_part(self, y: Any, x: Any) -> Any:
        """A copy of an array that an object of a library holds, which others may know; it is not changed."""
        own = memory_in(x)
        if own is None or id(owner_of(y)) in own:
            y = below(self.outer, np.copy, y)
            self._held_by(x, [y])
        return y

    def _own_memory(self, y: Any) -> None:
        owner = owner_of(y)
        if id(owner) not in self.entered:
            self.live[id(owner)] = owner

    def becomes_live(self, a: Any) -> None:
        """Let an array vary from now on."""
        if isinstance(a, np.ndarray):
            self._own_memory(a)
        self.live[id(a)] = a


def may_carry(marks: list[Mark], values: tuple[Any, ...]) -> bool:
    """Whether one of the leaves that vary is no whole number."""
    for mark, x in zip(marks, values, strict=True):
        if mark is not None and not all(map(is_whole, [x] if mark is ALONE else mark[1])):
            return True
    return False
