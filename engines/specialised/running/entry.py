"""Entry: which program a gradient runs.

A function's calls are counted by the kinds of their arguments. After a few the function is recorded, a
specialised program is written, and its first answer is compared with that of the ordinary program. From
then on it runs where its guards hold. Where it raises for whatever reason the ordinary program runs in
its place: a call tree that has a specialised program has no effects, so that nothing is done twice.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import numpy as np

from ....core import debug
from ....core.caches import emptied, generation
from ....core.engine import default_engine
from ....core.recording import is_recording
from ....core.registry import rules_of
from ....core.tracebacks import CALLERS
from ....types.conditions import any_holds
from ...boundary import LARGE
from ...source.reading.dependence import can_depend
from ...warned import warn_of_zero
from ..inferring.session import Session
from ..reading.arguments import by_position, counts_from_left, kinds_of
from ..reading.blocks import Given
from ..reading.declined import Declined, reason
from ..reading.kinds import has_list, has_listed, kind_of
from ..reading.telling import Interrupted
from .agreeing import Disagreement, agree, rounding
from .aside import stands_aside
from .copies import copies, same_bytes
from .known import Known, Stamp
from .moved import ends_nearby, hides, hold_nearby
from .ordinary import alone, with_value
from .recognising import recognising
from .specialised import Specialised
from .straight import Straight, straight_for
from .told import agree_on_told, session_of

RUNS = 3
"""After how many runs with arguments of the same kinds a program is specialised."""
_OFTEN = 8  # after so many runs that a text did not fit it is written anew ever more seldom
_VARIANTS = 16  # of one function
_ASKED = 4  # in how many calls it is asked whether the ordinary program can be entered straight

_SIMPLE = {float: "f", np.float64: "d", int: "i"}  # the kinds that a type alone tells

lock = threading.RLock()


class Settings:
    """How eagerly programs are specialised: `runs` before, and whether every answer is compared.

    `early`: whether second derivatives have a text at the first call.
    """

    runs = RUNS
    calls = 100  # by ordinary programs, after which a function has a program of its own (parts.py)
    early = True
    on = os.environ.get("CHAINRULES_SPECIALISED", "") != "off"
    compared = False
    met: list[str] | None = None


if os.environ.get("CHAINRULES_SPECIALISED", "") == "compared":
    Settings.runs, Settings.compared = 1, True


@contextmanager
def specialised_after(
    runs: int, *, compared: bool = False, early: bool = False, met: list[str] | None = None
) -> Iterator[None]:
    """For tests: specialise after so many runs, and compare every answer with the ordinary program's.

    `early` is that of the settings; `met` is told why call trees were declined.
    """
    before = Settings.runs, Settings.early, Settings.compared, Settings.on, Settings.met
    Settings.runs, Settings.early, Settings.compared, Settings.on, Settings.met = (
        *(runs, early, compared, True, met),
    )
    _stamp.clear()
    try:
        yield
    finally:
        Settings.runs, Settings.early, Settings.compared, Settings.on, Settings.met = before
        _stamp.clear()


class Variant:
    """What is known of a function's calls with arguments of these kinds."""

    __slots__ = ("count", "dead", "misses", "program", "session", "straight", "test", "why")

    def __init__(self) -> None:
        self.count = self.misses = 0
        self.dead = False
        self.why = ""  # there is no text
        self.session: Session | None = None
        self.program: Any = None  # a Specialised, or a Pushed
        self.straight: Straight | None = None
        self.test: Any = None  # whether arguments are of these kinds

    @contextmanager
    def held(self, *, tells: bool = True) -> Iterator[None]:
        """A comparison with the ordinary program: a text that disagrees is given up.

        Where every answer is compared, that is an error, if the comparison tells the two apart for sure.
        """
        try:
            yield
        except Disagreement as error:
            self.ended(error)
            if Settings.compared and tells:
                raise

    def ended(self, why: Exception) -> None:
        """From now on there is no text."""
        self.program, self.session, self.dead, self.why = None, None, True, reason(why)

    def missed(self, *, void: bool = False) -> None:
        """A run that the text does not fit: it is written anew, the more seldom the more there were.

        `void`: what it was written from does not hold any more.
        """
        self.misses += 1
        if self.misses <= _OFTEN or not self.misses & (self.misses - 1):
            self.program = None
            if void:
                self.session = None

    def answer(self, *given: Any) -> Any:
        """What the program says; None where it does not fit, or does not hold any more."""
        try:
            if self.program.holds():
                return self.program.run(*given)
            self.missed(void=True)
        except Given:
            self.missed()
        return None

    def postponed(self) -> None:
        """A text that does not fit the run that it was written for: another is tried some calls later."""
        self.misses += 1
        self.dead, self.count = self.misses > _OFTEN, Settings.runs - 2**self.misses

    def recognises(self, way: Any, x: tuple[Any, ...]) -> bool:
        """Whether a call is one of these, where texts count."""
        test = self.test
        return (
            type(way) is type(test[0])
            and way == test[0]
            and test[1](*x)
            and not is_recording()
            and not debug.is_on()
        )

    def entered(self, f: FunctionType, x: tuple[Any, ...]) -> Any:
        """What the ordinary program answers, entered straight; None where it is to be learnt from."""
        if self.straight is None or not (self.dead or self.count + 1 < Settings.runs or not Settings.on):
            return None
        answer = self.straight.answer(f, x)
        self.count += answer is not None
        return answer


_stamp = emptied(Stamp())


def stamp() -> int:
    """A number that is another one after a rule was registered."""
    return _stamp.value


NAME = "__chainrules_specialised__"


def specialised(f: Any, argnums: Any, x: tuple[Any, ...], kwargs: dict[str, Any], still: bool = False) -> Any:
    """Value and gradient by the specialised program, or by the ordinary one entered as in the call before.

    None where there is neither, or it does not fit. `still`: and where it changes its arguments.
    """
    if type(f) is not FunctionType:
        return None
    known = known_of(f)
    if known is None:
        return None
    if kwargs or len(x) != known.count:
        full = by_position(f, x, kwargs) if counts_from_left(argnums, len(x)) else None
        if full is None:
            return None
        x = full
    variant = known.latest
    if variant is None or not variant.recognises(argnums, x):
        variant = variant_at(known, argnums, x, argnums)
        if variant is None:
            return None
        if variant.test is not None:
            known.latest = variant
    if (program := variant.program) is None or not Settings.on:
        return None if still else variant.entered(f, x)
    if (still or Settings.compared) and (program.written or program.commits or (still and program.unused)):
        return None
    try:
        answer = variant.answer(*x)
    except Interrupted as told:
        raise told.error from None
    except Exception:
        return None
    if answer is None or Settings.compared:
        return None
    for i in program.unused:
        warn_of_zero(f, i)
    return answer


def known_of(f: FunctionType) -> Known | None:
    """What is known of a function's calls; None where nothing is, or does not hold any more."""
    known: Known | None = f.__dict__.get(NAME)
    if known is None or known.stamp != _stamp.value or known.code is not f.__code__ or known.owner != id(f):
        return None
    return known


def variant_at(known: Known, way: Any, x: tuple[Any, ...], argnums: Any = ()) -> Variant | None:
    """What is known of the calls with arguments of these kinds, where that counts now."""
    try:
        if known.listed:
            key: tuple[Any, ...] = (way, *kinds_of(argnums, x))
        elif len(x) == 1:
            key = (way, _SIMPLE.get(type(x[0])) or kind_of(x[0]))
        else:
            key = (way, *[_SIMPLE.get(type(v)) or kind_of(v) for v in x])
        variant = known.get(key)
        if variant is None and any(map(has_list, key[1:])):
            variant = known.get((way, *kinds_of(argnums, x)))
    except (Declined, TypeError):
        return None
    return None if variant is None or is_recording() or debug.is_on() else variant


def variant_now(f: Any, way: Any, x: tuple[Any, ...], argnums: Any = ()) -> Variant | None:
    """The same of a function, whose calls are known or not."""
    known = known_of(f)
    return None if known is None else variant_at(known, way, x, argnums)


def variant_of(f: Any, way: Any, x: tuple[Any, ...], argnums: Any = ()) -> Variant | None:
    """What is known of the calls with arguments of these kinds, and will be; None where nothing is noted."""
    return _noted(f, way, x, argnums) if Settings.on else None


def _noted(f: Any, way: Any, x: tuple[Any, ...], argnums: Any) -> Variant | None:
    if type(f) is not FunctionType or is_recording() or any_holds():
        return None
    known = known_of(f)
    if known is None:
        if rules_of(f) is not None or getattr(default_engine(), "name", "") != "source" or debug.is_on():
            return None
        known = f.__dict__[NAME] = Known(f.__code__, id(f), _stamp.value)
    try:
        key = (way, *kinds_of(argnums, x))
        variant = known.get(key)
    except (Declined, TypeError):
        return None
    if variant is None and len(known) < _VARIANTS:
        variant = known[key] = Variant()
        known.listed |= any(map(has_listed, key[1:]))
    return variant


def learn(f: Any, argnums: Any, x: tuple[Any, ...], kwargs: dict[str, Any], y: Any, gradients: Any) -> None:
    """Note a call that the ordinary program answered, and write a program where there were enough."""
    if type(f) is not FunctionType:
        return
    if kwargs or len(x) != f.__code__.co_argcount or f.__code__.co_kwonlyargcount:
        full = by_position(f, x, kwargs) if counts_from_left(argnums, len(x)) else None
        if full is None:
            return
        x = full
    variant = _noted(f, argnums, x, argnums)
    if variant is None:
        return
    variant.count += 1
    if variant.straight is None and 1 < variant.count <= _ASKED and not kwargs:
        variant.straight = straight_for(f, argnums, x)
    if (
        variant.dead
        or not Settings.on
        or variant.count < Settings.runs
        or any(type(v) is np.ndarray and v.size >= LARGE for v in x)
    ):
        return
    if variant.program is not None:
        if Settings.compared:
            _compare(variant, f, argnums, x, y, gradients)
        return
    with lock:
        if variant.program is None and not variant.dead:
            _specialise(variant, f, argnums, x, y, gradients)


def _specialise(
    variant: Variant, f: FunctionType, argnums: Any, x: tuple[Any, ...], y: Any, gradients: Any
) -> None:
    since = generation()
    try:
        if variant.session is None:
            variant.session = session_of(f, x)
        kinds = kinds_of(argnums, x)
        plain = copies(x)
        with np.errstate(all="ignore"):
            variant.session.record(f, kinds, plain)
        if debug.is_on():
            return
        wanted = tuple(argnums) if isinstance(argnums, tuple | list) else (argnums,)
        if len({i % len(x) for i in wanted}) < len(wanted):
            raise Declined("one argument twice")
        count = len(x)
        one = not isinstance(argnums, tuple | list)
        given = variant.session, f, kinds, tuple(i % count for i in wanted), one
        like = (gradients,) if one else tuple(gradients)
        program = Specialised(*given, like=like)
        if since != generation():
            return
        with np.errstate(all="ignore"):
            if program.written and f.__code__.co_kwonlyargcount:
                raise Declined("arguments that are written into, beside those by name alone")
            if program.written:
                ordinary = copies(x)
                with alone(variant):
                    y, gradients = with_value(f, argnums, ordinary)
                if not same_bytes(ordinary, plain):
                    raise Declined("arguments of which a gradient changes some")
                program = Specialised(*given, effects=True, like=like)
            agree(program.run(*copies(x)), (y, gradients), rounding(x, y))
            agree_on_told(variant.session, program)
            if not program.commits and hides(x, (y, gradients)) and ends_nearby(variant.session):
                hold_nearby(variant, f, argnums, x, program)
            if program.commits:
                program = Specialised(*given, effects=True, like=like)
        program.unused = tuple([i % count for i in wanted if not can_depend(f, x, {}, i % count)])
        variant.program = program
        variant.test = argnums, recognising(argnums, kinds)
    except (Declined, Given) as why:
        if read_otherwise(variant, f, x, why):
            _specialise(variant, f, argnums, x, y, gradients)
        elif isinstance(why, Given):
            variant.postponed()
    except Exception as error:
        variant.ended(error)
        if Settings.compared:
            raise Disagreement(
                f"the specialised program of {f.__qualname__} cannot be written or run"
            ) from error


def read_otherwise(variant: Variant, f: FunctionType, x: tuple[Any, ...], why: Exception) -> bool:
    """Whether a call tree that was declined is recorded once more, and read otherwise."""
    variant.session = variant.session and variant.session.leaving(x, why)
    if variant.session is None:
        variant.ended(why)
    if variant.dead and Settings.met is not None:
        Settings.met.append(f"{f.__qualname__}: {why}")
    return not variant.dead


def _compare(variant: Variant, f: Any, argnums: Any, x: tuple[Any, ...], y: Any, gradients: Any) -> None:
    program = variant.program
    assert program is not None
    try:
        if program.written:
            with alone(variant):
                y, gradients = with_value(f, argnums, copies(x))
        if program.holds() and not program.commits:
            agree(program.run(*copies(x)), (y, gradients), rounding(x, y))
    except Given:
        variant.missed()


for _f in (specialised, learn):
    stands_aside(_f)
CALLERS[Variant.answer.__code__] = "both"
