"""Watching: functions that are handed on to a library, in a recorded run.

What a solver is given is a function that records the first calls. A text may be given up in the middle, and
the function runs again then; so it is looked for anything that could have an effect, in what no call reached
as well.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any

import numpy as np

from ..reading.calls import hold, is_rules, is_users
from ..reading.closures import is_closure
from ..reading.declined import Declined
from ..reading.generating import is_generator
from ..reading.handing import has_function
from ..reading.held import MADE, Held, has_fields, held_out
from ..reading.kinds import CAPTURED, is_tuple, keys_of, kind_of
from ..reading.steps import Step, is_name
from .observing import bound_arguments
from .sharing import all_callees, writes

_RECORDED = 64
"""How many calls of what one call is handed are recorded."""
_HARMLESS = frozenset({"binary", "unary", "compare", "get", "tuple", "list", "copy", "iter", "loop"})


class Watch:
    """What is handed on in one call of a library's function."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.count = 0
        self.seen: dict[Any, None] = {}
        self.given: list[Any] = []

    def of(self, v: Any) -> Any:
        """A value whose functions record."""
        if type(v) in (tuple, list):
            return type(v)(map(self.of, v))
        if type(v) is dict:
            return {key: self.of(x) for key, x in v.items()}
        if type(v) is functools.partial:
            if holds_held(kind_of(v)):
                raise Declined("a partial of an object of a library that is handed on")
            return functools.partial(self.of(v.func), *map(self.of, v.args), **self.of(v.keywords))
        if is_closure(v) or is_users(v):
            return self.watched(v)
        if has_function(v):
            hold(v, (), {})
        return v

    def watched(self, f: FunctionType) -> Callable[..., Any]:
        """A function that records its first calls."""
        if is_generator(f):
            raise Declined("a generator that is handed on")

        self.given.append(f)
        plain = with_objects(f) if is_closure(f) else f

        @functools.wraps(f)
        def watched(*args: Any, **kwargs: Any) -> Any:
            self.session.called.add(f)
            self.count += 1
            if self.count <= _RECORDED:
                return self.recorded(f, args, kwargs)
            if self.count == _RECORDED + 1:
                self.hold()
            return plain(*args, **kwargs)

        return watched

    def recorded(self, f: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function that is read as if the text called it."""
        args = tuple([v[()] if type(v) is np.ndarray and not v.ndim else v for v in args])
        callee, bound = self.session.inner(f, bound_arguments(f, args, kwargs))
        self.seen[callee] = None
        _hold_still(callee)
        return callee.run(*bound)

    def hold_all(self) -> None:
        """Declined where one of the functions may have an effect."""
        if not all(map(self.is_known, self.given)):
            raise Declined("a function that is handed on and that no run has called")
        self.hold()

    def is_known(self, f: FunctionType) -> bool:
        """Whether a run has called a function, or what one of the rules was made of."""
        if f in self.session.called or self.known_from_elsewhere(f):
            return True
        inside = [v for v in f.__dict__.get(CAPTURED, {}).values() if is_closure(v) or is_users(v)]
        return bool(inside) and is_rules(f) and all(map(self.is_known, inside))

    def known_from_elsewhere(self, f: FunctionType) -> bool:
        """Whether a function that nothing here has called was called by another, which is looked at then."""
        stands = self.session.closures.get(f.__code__) if is_closure(f) else f
        known = [p for (g, _), p in self.session.profiles.items() if g is stands]
        self.seen.update(dict.fromkeys(known))
        return bool(known)

    def hold(self) -> None:
        """Declined where a function that was called may have an effect, or one that it calls."""
        left, found = [*self.seen], {*self.seen}
        while left:
            profile = left.pop()
            _hold_still(profile)
            if writes(profile):
                raise Declined("a function that is handed on and writes into what it was given")
            if not is_rules(profile.f) and not all(map(_is_harmless(profile), _unseen(profile))):
                raise Declined("a function that is handed on and does what no run has seen")
            inner = [self.session.profiles[c] for c in all_callees(profile) if not isinstance(c[0], type)]
            left += [p for p in inner if p not in found]
            found.update(inner)


def _hold_still(profile: Any) -> None:
    if any(s.op == "tell" for s in profile.reading.every):
        raise Declined("a function that is handed on and tells something")


def with_objects(f: FunctionType) -> FunctionType:
    """A function that was defined inside another, with what the library made in the place of its objects."""
    captured = f.__dict__[CAPTURED]
    if not any(type(v) is Held for v in captured.values()):
        return f
    if not all(has_fields(v) for v in captured.values() if type(v) is Held):
        raise Declined("a frozen distribution or a sparse array that is handed on")
    made = {n: held_out(v.made, v.names, *v.values) for n, v in captured.items() if type(v) is Held}
    cells = tuple([CellType(made.get(n, captured[n])) for n in f.__code__.co_freevars])
    plain = FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, cells)
    plain.__kwdefaults__ = f.__kwdefaults__
    return plain


def holds_held(k: Any) -> bool:
    """Whether a value of this kind holds what a library made."""
    return is_tuple(k) and (MADE in (keys_of(k) or ()) or any(map(holds_held, k[1:])))


def _unseen(profile: Any) -> list[Step]:
    """The steps that no run reached."""
    return [s for s in profile.reading.every if s.target and s.number not in profile.seen]


def _is_harmless(profile: Any) -> Callable[[Step], bool]:
    """Tells whether a step that no run reached has no effect, whatever it is given."""

    def is_harmless(s: Step) -> bool:
        if s.op != "call" or is_name(s.args[0]):
            return s.op in _HARMLESS
        f = profile.reading.constants.get(s.args[0][1:])
        try:
            hold(f, (), {})
        except Declined:
            return False
        return True

    return is_harmless
