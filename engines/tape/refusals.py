"""What the tape cannot see through, each refused by name.

A recorded value hears of what is done to it through the protocols of Python and NumPy. What asks for a
plain number instead (`float(x)`, a function of `math`, an array to put it into) would go on without a
derivative, and what writes into an array changes values that were recorded already. An integer is no
such thing: `int(x)` has the derivative zero, and goes on.
"""

from __future__ import annotations

import linecache
import sys
import sysconfig
from types import FrameType
from typing import Any

from ...core.callables import describe, name_of
from ...core.errors import AliasedMutationError, HigherOrderError, NoRuleError, NotDifferentiableError
from ...core.installed import is_code_followed
from ...core.public_names import coverage_of, function_of, public_name
from ...core.report import rules_for

_PACKAGE = __name__.partition(".")[0]


def user_line(frame: FrameType | None = None) -> str:
    """Where the innermost code outside this package and NumPy is, from this frame, with its text."""
    frame = frame or sys._getframe(1)
    inside = (_PACKAGE, "numpy")
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in inside:
        frame = frame.f_back
    text = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
    place = f"at {frame.f_code.co_filename}:{frame.f_lineno}"
    return f"{place}\n      {text}" if text else place


def called_by_package() -> NoRuleError | None:
    """The error where the code that calls is of an installed package: it is not recorded; None elsewhere."""
    frame: FrameType | None = sys._getframe(1)
    called = None
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in _BETWEEN and module not in _THREADS:
            if is_code_followed(frame.f_code, frame.f_globals):
                if not frame.f_code.co_filename.startswith(_STANDARD):
                    break
            else:
                called = frame
        frame = frame.f_back
    return None if called is None else _in_package(called)


_BETWEEN = frozenset({_PACKAGE, "numpy"})
_THREADS = frozenset({"concurrent.futures.thread", "concurrent.futures._base"})
"""Pools of threads record on the tape of the run that they were started in."""
_STANDARD = (sysconfig.get_path("stdlib"), "<frozen ")


def _in_package(frame: FrameType) -> NoRuleError:
    """The error for a call of a package's function with recorded values, or with functions that have some."""
    f, code = function_of(frame), frame.f_code
    own = tuple(
        frame.f_locals[n] for n in code.co_varnames[: min(1, code.co_argcount)] if n in frame.f_locals
    )
    name = f"{frame.f_globals.get('__name__')}.{code.co_qualname}" if f is None else public_name(f, own)
    listed = coverage_of(name)
    if _has_rules(name):
        return NoRuleError(
            f"{name} has rules, but the tape does not see calls of functions that are written in Python",
            where=user_line(frame.f_back),
            closest="the source engine, which sees them in functions that are in a file or a notebook",
            next=f"write `chainrules.call({name}, …)`, or put the function into a file",
        )
    return NoRuleError(
        f"{name} has no rule, and what runs inside an installed package is not recorded",
        where=user_line(frame.f_back),
        closest=f"`{listed}` lists what has rules" if listed else "",
        next=f"write one, `@chainrules.rrule({name})`, and call it as `chainrules.call({name}, …)`",
    )


def _has_rules(name: str) -> bool:
    """Whether what a package offers by this name has rules."""
    module, _, attribute = name.rpartition(".")
    f = getattr(sys.modules.get(module), attribute, None)
    rules = rules_for(f) if callable(f) else None
    return rules is not None and bool(rules.reverse or rules.forward)


def no_number(x: Any, kind: str) -> NotDifferentiableError | NoRuleError:
    """The error for what asks a recorded value for its plain number."""
    return called_by_package() or NotDifferentiableError(
        f"{describe(x)}, a value that the tape records, was converted to a plain {kind}: "
        "its derivative would be lost",
        where=user_line(),
        closest="functions of NumPy and Python's operators are recorded; functions of math, and a[i] = x, "
        "take plain numbers",
        next="use NumPy's function (np.sin for math.sin, np.stack for a[i] = x), chainrules.call(f, x) "
        "for one that has a rule, or chainrules.stop_gradient(x) for a constant",
    )


def no_array(x: Any) -> NotDifferentiableError | NoRuleError:
    """The error for what makes a plain array of a recorded value."""
    return called_by_package() or NotDifferentiableError(
        f"{describe(x)}, a value that the tape records, was to be put into a plain array: "
        "its derivative would be lost",
        where=user_line(),
        closest="np.asarray(x), np.array([x, y]) and a[i] = x ask for plain numbers",
        next="use x as it is, np.stack([x, y]) for an array of values, np.where or np.concatenate "
        "for a[i] = x, or chainrules.stop_gradient(x) for a constant",
    )


def hidden(x: Any) -> NotDifferentiableError:
    """The error for recorded values in what the tape does not look into."""
    return NotDifferentiableError(
        f"{describe(x)} holds values that the tape records, and it does not look into that",
        where=user_line(),
        closest="tuples, lists, dicts and objects with fields are looked into",
        next="keep the values in a list, or make an array of them with np.stack",
    )


def no_text(x: Any) -> NotDifferentiableError | NoRuleError:
    """The error for what formats a recorded value."""
    return called_by_package() or NotDifferentiableError(
        f"{describe(x)}, a value that the tape records, was to be made text, which has no derivative",
        where=user_line(),
        closest="repr(x) shows a recorded value",
        next="format chainrules.stop_gradient(x)",
    )


def no_key(x: Any) -> NotDifferentiableError | NoRuleError:
    """The error for a recorded value as a key."""
    return called_by_package() or NotDifferentiableError(
        f"{describe(x)}, a value that the tape records, was used as a key, and has no derivative as one",
        where=user_line(),
        closest="whole numbers and text are keys",
        next="use chainrules.stop_gradient(x) as the key",
    )


def written(x: Any, how: str) -> AliasedMutationError | NoRuleError:
    """The error for a write into an array that a value of the run has part in."""
    return called_by_package() or AliasedMutationError(
        f"{how} writes into {describe(x)} where the tape records, and what was computed from it would change",
        where=user_line(),
        closest="the source engine, which follows changes in place where it can read the function's source",
        next="make a new value, as x = x + y for x += y, np.where or np.concatenate for x[i] = y",
    )


def opaque(error: TypeError) -> NotDifferentiableError:
    """The error for a function in C that takes plain values of its own types alone."""
    return NotDifferentiableError(
        f"a function that takes plain values was given one that the tape records: {error}",
        where=_raised_at(error),
        closest="functions of NumPy, methods of values and Python's operators are recorded",
        next="write chainrules.call(f, x) where f has a rule, or pass chainrules.stop_gradient(x)",
    )


def written_later(error: ValueError) -> AliasedMutationError:
    """The error for a store into a plain array that a recorded call was given."""
    return AliasedMutationError(
        "an array is changed in place after the tape used it in the computation",
        where=_raised_at(error),
        closest="the source engine, which follows changes in place where it can read the function's source",
        next="change a copy, or make a new array",
    )


def _raised_at(error: BaseException) -> str:
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return "" if place is None else f"at {place.tb_frame.f_code.co_filename}:{place.tb_lineno}"


def out_of_run() -> NotDifferentiableError:
    """The error for a value of a run that has ended, or of one that is not inside the other."""
    return NotDifferentiableError(
        "a value that the tape recorded is used outside its run",
        where=user_line(),
        closest="a run inside a run, whose function captured values of the outer one, is followed",
        next="return what the function computes, instead of keeping it or sharing it between threads",
    )


def by_keyword(f: Any, kwargs: dict[str, Any]) -> HigherOrderError:
    """The error for a keyword argument in a forward derivative that is differentiated again."""
    return HigherOrderError(
        f"{name_of(f)} is given {', '.join(kwargs)} by keyword, and may vary, in a forward derivative "
        "that is differentiated again",
        where=user_line(),
        closest="a derivative of first order, and in reverse mode one of any order, takes them",
        next="give them by position",
    )


def traced_through(f: Any) -> NotDifferentiableError:
    """The error for a plain call of a Python function that has a rule."""
    return NotDifferentiableError(
        f"{name_of(f)} has a rule, and was called with values that the tape records: it cannot see the call",
        where=user_line(),
        closest="the source engine sees every call where it can read the source",
        next=f"write chainrules.call({name_of(f).rpartition('.')[2]}, …)",
    )


def no_rule(error: NoRuleError) -> NoRuleError:
    """The error for a function without a rule, with the place where it was called."""
    error.where = error.where or user_line()
    return error
