"""Parts: functions that an ordinary program calls often, by programs of their own.

A program may have no text because of one thing in it: what it prints, what it keeps. The functions that it
calls may have texts nevertheless. One that was called often is recorded at such a call, and where it can be,
its value and its pullback are written for arguments of these kinds. A run then records one event for a call.
"""

from __future__ import annotations

import builtins
import contextlib
import threading
import warnings
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from ....core import debug
from ....core.callables import name_of
from ....core.calls import reverse_of
from ....core.errors import NotDifferentiableError
from ....core.recording import is_recording
from ....tangents import ZERO, materialize
from ....types.conditions import any_holds
from ...following.here import below, here, place
from ...following.reverse import Joined
from ...source.syntax.codes import ByCode
from ..inferring.guards import Outside, guards_of
from ..inferring.inference import Inferred
from ..inferring.session import Session
from ..reading.blocks import Given
from ..reading.capturing import is_held
from ..reading.declined import Declined
from ..reading.kinds import is_array, is_real, kind_of
from ..reading.lifting import Lifted, lifted
from ..reading.taken import is_floating
from .agreeing import agree
from .aside import stands_aside
from .copies import copies
from .entry import Settings, lock, stamp
from .moved import direction_of, ends_nearby, hides, moved
from .programs import Guarded, Program, Programs, plain_name, write

_VARIANTS = 8  # of one function
AGAIN = 4  # how often a part is written anew
MISSES = 16
_NUMBERS = (float, np.float64)
_KINDS = {float: "f", np.float64: "d", int: "i"}  # those that a type alone tells
_VARYING = ("f", "d")


class Part(Guarded):
    """The texts of a function of numbers and arrays, of which some vary, whose value is one, too."""

    def __init__(
        self, session: Session, f: FunctionType, at: tuple[Any, ...], vary: tuple[bool, ...]
    ) -> None:
        session.known.clear()  # more may have been seen since
        kinds = tuple(map(kind_of, at))
        profile = session.profile(f, kinds)
        result = session.inferred(profile).result
        if not (is_real(result) or (is_array(result) and result[0] == "a")):
            raise Declined("a value that is no number and no array")
        programs = Programs(session)
        program = Program(f"{plain_name(f)}_part", profile, vary)
        program.active = (True,)
        programs.known[profile, vary] = program
        write(programs, program)
        if not all(program.active):
            raise Declined("a value that does not vary")
        self.outside = Outside(session)
        self.found = self.outside.values()
        keep_outside(programs, self.outside)
        programs.joined()
        self.text = program.text
        self.forward, self.backward, self.roles = program.forward, program.backward, program.roles
        self.reuses = all(p.reuses for p in programs.known.values())
        self.vary = vary
        self.buffered = [i for i, role in enumerate(self.roles) if role == "buffer"]
        self.answers_alone = all(role == "answer" for role, w in zip(self.roles, vary, strict=True) if w)
        self.checked, self.singular = programs.checked, programs.singular
        self.guards = guards_of(session)

    def holds_in(self, run: Any) -> bool:
        """Whether the texts hold, and what is read from outside is as it was and does not vary in a run."""
        if not self.holds():
            return False
        if not self.found:
            return True
        now = self.outside.values()
        return not self.is_changed(now) and not any(map(run.is_live, now))

    def is_changed(self, now: list[Any]) -> bool:
        """Whether a number that is read from outside is another one."""
        pairs = zip(self.found, now, strict=True)
        return any(a is not b and (type(a) is not float or a != b) for a, b in pairs)

    def back(self, kept: Any, at: tuple[Any, ...], seed: Any) -> tuple[Any, ...]:
        """The cotangents of the arguments that vary."""
        buffers = [np.zeros(at[i].shape) for i in self.buffered]
        if self.singular:
            with np.errstate(all="ignore"):
                answers = self.backward(kept, seed, *buffers)
        else:
            answers = self.backward(kept, seed, *buffers)
        if self.checked and not all(np.isfinite(np.sum(t)) for t in (*answers, *buffers)):
            raise ValueError("a zero may have met an infinite partial")
        if self.answers_alone:
            return answers  # type: ignore[no-any-return]  # a tuple
        given = {"buffer": iter(buffers), "answer": iter(answers)}
        moving = [role for role, w in zip(self.roles, self.vary, strict=True) if w]
        return tuple([next(given[role]) if role in given else ZERO for role in moving])


def keep_outside(programs: Programs, outside: Outside) -> None:
    """Let the texts keep the numbers that are outside now: a pullback runs later than its value."""
    for p in programs.known.values() if outside.getters else ():
        for way in ("forward", "backward"):
            f = getattr(p, way)
            made: Any = FunctionType(f.__code__, read_by(f), f.__name__, f.__defaults__, f.__closure__)
            made.cells = f.cells
            programs.made[programs.made.index(f)] = made
            setattr(p, way, made)


def read_by(f: FunctionType) -> dict[str, Any]:
    """The global variables that a function reads, as they are now."""
    found = {"__builtins__": builtins}
    codes = [f.__code__]
    for code in codes:
        codes += [c for c in code.co_consts if isinstance(c, CodeType)]
        found |= {n: f.__globals__[n] for n in ("__name__", *code.co_names) if n in f.__globals__}
    return found


class Called:
    """What is known of the calls of functions of one code."""

    __slots__ = ("count", "dead", "stamp", "variants")

    def __init__(self) -> None:
        self.count, self.dead, self.stamp = 0, False, stamp()
        self.variants: dict[Any, Variant] = {}


class Variant:
    """What is known of calls with arguments of these kinds, of which these vary."""

    __slots__ = ("misses", "part", "session", "written")

    def __init__(self) -> None:
        self.part: Part | None = None
        self.session: Session | None = None
        self.written = self.misses = 0


_called: ByCode[Called] = ByCode()


class _Off(threading.local):
    on = False


_off = _Off()
"""Whether a thread is asking what the ordinary program says of a part."""


def by_part(f: FunctionType, args: tuple[Any, ...]) -> Any:
    """A call by a program of the function's own; NotImplemented where there is none."""
    runs = here.runs
    if len(runs) != 1 or not runs[0].joins or not Settings.on:
        return NotImplemented
    code = f.__code__
    known = _called.get(code)
    if known is None:
        known = _called[code] = Called()
    if known.dead:
        return NotImplemented
    known.count += 1
    if known.count < Settings.calls or _off.on or Settings.compared or is_recording() or debug.is_on():
        return NotImplemented
    if known.stamp != stamp():
        known.stamp, known.variants = stamp(), {}
    return _answered(known, runs[0], f, args)


def _answered(known: Called, run: Any, f: FunctionType, args: tuple[Any, ...]) -> Any:
    if len(args) != f.__code__.co_argcount or not all(map(is_held, args)) or any_holds():
        return NotImplemented
    made = lifted(f, len(args))
    if made is None:
        known.dead = True
        return NotImplemented
    at = (*args, *made.held) if made.held else args
    key: list[Any] = [made.f.__code__]
    vary = []
    for v in at:
        kind = _KINDS.get(type(v))
        vary.append(run.is_live(v))
        if vary[-1] and not (kind in _VARYING or is_floating(v)):
            return NotImplemented  # a whole number, of which something real may be computed
        key.append(kind or (v if type(v) is str or type(v) is bool else kind_of(v)))
    if True not in vary:
        return NotImplemented
    key += vary
    variant = known.variants.get(tuple(key))
    if variant is None:
        if len(known.variants) >= _VARIANTS:
            return NotImplemented
        variant = known.variants[tuple(key)] = Variant()
        below((), _write, variant, made.f, at, tuple(vary))
    part = variant.part
    if part is None or not part.holds_in(run):
        return NotImplemented
    try:
        y, kept = part.forward(*at)
    except Given:  # something that was not seen before
        below((), _write, variant, made.f, at, tuple(vary))
        return NotImplemented
    except Exception:  # the ordinary program raises it
        variant.misses += 1
        if variant.misses > MISSES:
            variant.part = None
        return NotImplemented
    return _recorded(run, part, made, at, y, kept)


def _recorded(run: Any, part: Part, made: Lifted, at: tuple[Any, ...], y: Any, kept: Any) -> Any:
    """The value as an object of its own, with the event of the call; NotImplemented where it is none."""
    if type(y) is float:
        y = y - 0.0
    elif not run.is_own(y) or any(y is v for v in at):
        return NotImplemented
    leaves = tuple([v for v, w in zip(at, part.vary, strict=True) if w])
    arrays = [v for v in at if type(v) is np.ndarray]
    run.live[id(y)] = y
    run.events.append(Joined(run.live, Pullback(part, made.f, at, y, kept), y, leaves, arrays, place()))
    return y


class Pullback:
    """The pullback of a call: the cotangents of what varies."""

    __slots__ = ("at", "f", "kept", "rule", "y")

    def __init__(self, rule: Part, f: Any, at: Any, y: Any, kept: Any) -> None:
        self.rule, self.f, self.at, self.y, self.kept = rule, f, at, y, kept

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        """Those of the text; of the ordinary program where it does not serve, or is differentiated."""
        if not here.runs:
            with contextlib.suppress(Exception):  # the ordinary one is asked below
                kept = self.rule.forward(*self.at)[1] if self.kept is None else self.kept
                self.kept = kept if self.rule.reuses else None
                return self.rule.back(kept, self.at, dense(y_bar, self.y))
        if self.rule.is_changed(self.rule.outside.values()):
            raise NotDifferentiableError(
                f"a global variable that {name_of(self.f)} reads was changed before its pullback was run",
                next="give it to the function as an argument",
            )
        found: tuple[Any, ...] = ordinary(self.f, self.at, self.rule.vary)[1](y_bar)
        return found


def dense(t: Any, y: Any) -> Any:
    """A cotangent as a number, or as an array of the value's shape."""
    if type(t) in _NUMBERS if type(y) in _NUMBERS else type(t) is np.ndarray and t.shape == y.shape:
        return t
    return materialize(t, like=y)


def ordinary(f: Any, at: tuple[Any, ...], vary: tuple[bool, ...]) -> tuple[Any, Any]:
    """Value, and the pullback that gives the cotangents of what varies, by the ordinary program."""
    before, _off.on = _off.on, True
    try:
        y, back = reverse_of(f, at, {}, vary, None)
    finally:
        _off.on = before

    def ordinary_pullback(y_bar: Any) -> Any:
        answers = back(y_bar)
        return tuple([t for t, w in zip(answers, vary, strict=True) if w])

    return y, ordinary_pullback


def _write(variant: Variant, f: FunctionType, at: tuple[Any, ...], vary: tuple[bool, ...]) -> None:
    """Write a part, held against the ordinary program here and, where something is zero, nearby."""
    variant.part = None
    variant.written += 1
    if variant.written > AGAIN:
        return
    with lock, np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = variant.session or Session(at, Inferred)
        try:
            while session is not None:
                try:
                    session.record(f, tuple(map(kind_of, at)), copies(at))
                    part = Part(session, f, at, vary)
                    break
                except (Declined, Given) as why:
                    session = session.leaving(at, why)  # type: ignore[assignment]  # None at the end
            else:
                return
            if hides(at, _held(part, f, at, vary)) and ends_nearby(session):
                _held(part, f, moved(at), vary, tells=False)
        except Exception:  # the ordinary program answers
            return
        variant.part, variant.session = part, session


def _held(
    part: Part, f: FunctionType, at: tuple[Any, ...], vary: tuple[bool, ...], *, tells: bool = True
) -> Any:
    """What a part says; Disagreement where the ordinary program says something else."""
    try:
        y, kept = part.forward(*copies(at))
        seed = direction_of(y)
        mine = part.back(kept, at, seed)
        theirs, back = ordinary(f, copies(at), vary)
        others = back(seed)
    except Exception:
        if tells:
            raise
        return None  # another branch, or a step out of the domain
    xs = [v for v, w in zip(at, vary, strict=True) if w]
    agree(y, theirs)
    for x, a, b in zip(xs, mine, others, strict=True):
        agree(materialize(a, like=x), materialize(b, like=x))
    return y, mine


stands_aside(by_part)
