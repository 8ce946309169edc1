"""Putting: what functions put somewhere while a rule or C code calls them, where no site sees it.

That is into what they hold, or into variables of their module. It is an error that a derivative passes
through numbers and arrays that they put there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from ...core.callables import describe
from ...core.errors import AliasedMutationError, ChainRulesError
from ...tangents.functions import FUNCTIONS
from ..returned import held_by
from ..source.analysis.around import changed_around
from ..source.analysis.effects_of import changes_captured
from ..source.analysis.read_again import read_again
from ..source.analysis.writers import is_users
from ..source.syntax.codes import content_of
from .elsewhere import refuse_hidden
from .keeping import calls_often, write_into_given
from .leaves import PLAIN, Integer, arrays_in, holders, is_leaf, leaves_in, reaches
from .overlapping import is_writeable
from .remembering import changes, refuse_remembered

_WRITES = "a function without a rule writes into an array beside differentiated values"
_HELD_WRITES = "a function that is given to a rule writes into an array that it holds"


@contextmanager
def noted(run: Any, values: Any, rule: Any = None) -> Iterator[None]:
    """While a rule or C code may call functions among these values.

    Raises:  AliasedMutationError where they write into an array, or read again what they put.
    """
    calling = [x for x in values if type(x) not in PLAIN and may_call(x)]
    if not calling:
        yield
        return
    refuse_hidden((run,), calling)
    often = calls_often(rule)
    further = [x for x in values if not may_call(x)] if write_into_given(calling) else []
    watched = Watched(run, calling, further, often)
    with reading([*further, *(x for x in calling if isinstance(x, FUNCTIONS))], _HELD_WRITES):
        try:
            yield
        except ChainRulesError:
            watched.refuse()
            raise
    watched.refuse()


def may_call(x: Any) -> bool:
    """Whether calling a value may run Python that is the user's."""
    if isinstance(x, FUNCTIONS):
        return True
    if type(x) is list or type(x) is tuple or type(x) is dict:
        return any(isinstance(v, FUNCTIONS) for v in (x.values() if type(x) is dict else x))
    call = type(x).__call__ if callable(x) else None
    if not isinstance(call, FunctionType) or is_leaf(x):
        return False
    return is_users(call) or any(type(h) is FunctionType and is_users(h) for h in holders(x))


class Watched:
    """What functions hold, and the variables of their modules that they change, as they were."""

    def __init__(self, run: Any, calling: list[Any], further: list[Any], often: bool) -> None:
        """`further` are arguments that they write into; `often`: whether a rule may call them more often."""
        self.run, self.often = run, often
        held = {id(h): h for x in (*calling, *further) for h in holders(x)}
        self.held = list(held.values())
        self.functions = [h for h in held.values() if type(h) is FunctionType]
        self.beside = self._beside(further) if often and not run.forward else ()
        places = [(f.__globals__, name) for f in self.functions for name in changed_around(f)]
        self.outside = [(names, name, names[name]) for names, name in places]
        held |= {id(h): h for _, _, v in self.outside for h in holders(v)}
        self.before = [(x, held_by(x)) for x in held.values()]

    def refuse(self) -> None:
        """Let no derivative pass through what was put there since."""
        for x, content in self.before:
            now = held_by(x)
            if id(x) in self.beside and [*map(len, now)] != [*map(len, content)]:
                raise AliasedMutationError(
                    f"a function that a rule calls adds to {describe(x)}, or takes from it, beside values"
                    " that its derivative is by",
                    next="let it be a variable that the function captures, which holds nothing else",
                )
            self._refuse(x, [*put_into(content, now)])
        for names, name, v in self.outside:
            if names.get(name) is not v:
                self._refuse(name, [*leaves_in(names.get(name))])

    def _beside(self, further: list[Any]) -> set[int]:
        """What functions change and derivatives are by: the further arguments, and what is held with such."""
        changed = [
            content_of(c)
            for f in self.functions
            for name, c in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
            if name in changes_captured(f)
        ]
        varying = [v for v in changed if not isinstance(v, FUNCTIONS) and reaches(v, self.run.varies)]
        return {id(h) for v in (*further, *varying) for h in holders(v)}

    def _refuse(self, x: Any, put: list[Any]) -> None:
        live = self.run.live
        new = [v for v in put if is_leaf(v) and type(v) is not Integer and id(v) not in live]
        if not new:
            return
        if self.often and not isinstance(x, str):
            refuse_remembered(x, new, self.held)
        self.run.put[id(x)] = x
        for f in self.functions:
            for name, c in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
                if content_of(c) is x and name in read_again(f):
                    raise changes(x)
        self.run.refuse_through(new, changes(x))


def put_into(before: Any, now: Any) -> Iterator[Any]:
    """The leaves that an object holds now and did not before."""
    for old, new in zip(before, now, strict=True):
        a = old if isinstance(old, dict) else dict(enumerate(old))
        b = new if isinstance(new, dict) else dict(enumerate(new))
        for k, v in b.items():
            if a.get(k) is not v:
                yield from leaves_in(v)


@contextmanager
def reading(values: Any, what: str = _WRITES) -> Iterator[None]:
    """While an opaque function runs: the arrays that it is given cannot be written into.

    Raises:  AliasedMutationError where it tries to.
    """
    locked = [a for a in arrays_in(values) if is_writeable(a)]
    for a in locked:
        a.flags.writeable = False
    try:
        yield
    except ValueError as error:
        if locked and "read-only" in str(error):
            raise AliasedMutationError(
                what, next="register a rule that says what it changes (`mutates=`), or give it a copy"
            ) from error
        raise
    finally:
        for a in sorted(locked, key=lambda a: a.base is not None):  # owners first
            a.flags.writeable = True
