"""Forms: the uses of a function that each have a program of their own.

A form is the mode, which parameters and captured variables vary, and which of them the caller hands
over for writing or may change later. Parameters are counted as `parameter_names` orders them, and
here is which of them the values of a call bind to.
"""

from __future__ import annotations

import types
import weakref
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from ....core.errors import AliasedMutationError
from ..syntax.codes import ByCode, content_of
from ..syntax.where import call_chain, show_chain
from .effects_of import rebinds_captured
from .writers import HELPERS_OF


class Stale(Exception):
    """A global name does not mean any more what it meant when the program was made."""


Lent = int | str | tuple[int, Any]
"""A parameter, a captured variable, or what *args or **kwargs holds under a key, as `(parameter, key)`."""


@dataclass(frozen=True)
class Form:
    """One use of a code object: mode, varying parameters and captured variables."""

    mode: str
    parameters: tuple[bool, ...]
    captured: tuple[str, ...] | None  # None where the function itself does not vary
    itself: str | None = None  # the captured name by which it calls itself
    lent: tuple[Lent, ...] = ()  # the parameters whose objects the caller hands over for writing
    unsettled: tuple[int, ...] = ()  # those that the caller may change later; -1 for captured variables
    joined: bool = False  # whether what is lent is, or is part of, something else that the function sees
    handed: tuple[str, ...] = ()  # the lent variables that hold functions that change what they captured
    held: tuple[int, ...] = ()  # at which places functions that came with the call change something: see held


_CONSTANT = (types.ModuleType, type, types.BuiltinFunctionType, str, bytes, bool, type(None))
ORIGINS: ByCode[weakref.ref[CodeType]] = ByCode()  # of each program, the user's code it was made of


def form_of(
    f: FunctionType,
    mode: str,
    mask: tuple[bool, ...],
    closure: bool,
    lent: tuple[Lent, ...] = (),
    unsettled: tuple[int, ...] = (),
) -> Form:
    """The form in which f is used: with `closure`, its captured variables vary too."""
    if not closure:
        return Form(mode, mask, None, None, lent, unsettled)
    names, itself = _captured(f)
    names += [n for n in lent if isinstance(n, str) and n not in names]
    if not names:
        itself = None  # which varies with the others alone
    return Form(mode, mask, tuple(names), itself, lent, unsettled)


def _captured(f: FunctionType) -> tuple[list[str], str | None]:
    """The captured variables of f that may vary, and the one by which it calls itself."""
    names: list[str] = []
    itself = None
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        content = content_of(cell)
        if content is f or _is_program_of(f, content):
            itself = name
        elif not _is_constant(content) and name not in _helper_names(f):
            names.append(name)
    return names, itself


def _is_program_of(f: FunctionType, content: Any) -> bool:
    """Whether f is a program of this very function: it has its code, and its cells."""
    origin = ORIGINS.get(f.__code__)
    if origin is None or type(content) is not FunctionType or content.__code__ != origin():
        return False
    own = {id(cell) for cell in f.__closure__ or ()}
    return all(id(cell) in own for cell in content.__closure__ or ())


def _is_constant(value: Any) -> bool:
    if type(value) is FunctionType:
        return not value.__closure__
    return isinstance(value, _CONSTANT) or type(value).__name__ in ("ufunc", "_ArrayFunctionDispatcher")


def _helper_names(f: FunctionType) -> frozenset[str]:
    return HELPERS_OF.get(f.__code__) or frozenset()


def slots_of(f: FunctionType, count: int, keywords: tuple[str, ...]) -> list[tuple[int, Any]]:
    """For each value of a call, the parameter it binds to, with its place in *args or **kwargs.

    Parameters are counted as `parameter_names` orders them. A call that does not fit is left to
    Python, which says so when it runs.
    """
    code = f.__code__
    named = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    star = len(named) if code.co_flags & 0x04 else None
    words = len(named) + (star is not None) if code.co_flags & 0x08 else None
    slots: list[tuple[int, Any]] = []
    for i in range(count):
        if i < code.co_argcount:
            slots.append((i, None))
        elif star is not None:
            slots.append((star, i - code.co_argcount))
    for keyword in keywords:
        if keyword in named[code.co_posonlyargcount :]:
            slots.append((named.index(keyword), None))
        elif words is not None:
            slots.append((words, keyword))
    return slots


def parameter_count(f: FunctionType) -> int:
    """How many parameters f has, *args and **kwargs counted as one each."""
    code = f.__code__
    stars = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    return code.co_argcount + code.co_kwonlyargcount + stars


def lent_slots(
    f: FunctionType, count: int, keywords: tuple[str, ...], lent: tuple[int, ...], *, told: bool = False
) -> tuple[Lent, ...]:
    """The parameters to which a call hands over the values at these places.

    Of what *args or **kwargs hold it hands over all or nothing, unless f was `told` what it changes. The
    place −1 is f itself: all that it captured.
    """
    if lent[:1] == (-1,):
        own = sorted({*_captured(f)[0], *rebinds_captured(f).intersection(f.__code__.co_freevars)})
        return (*own, *lent_slots(f, count, keywords, lent[1:], told=told))
    slots = slots_of(f, count, keywords)
    starred = {slots[i][0] for i in lent if slots[i][1] is not None}
    if not told and any(slot in starred and i not in lent for i, (slot, _) in enumerate(slots)):
        raise AliasedMutationError(
            f"{f.__qualname__} may change what it is given in *args or **kwargs, of which a part is not the "
            "caller's own",
            where=show_chain(call_chain()),
            next="name the parameter",
        )
    return tuple(slots[i][0] if slots[i][1] is None else slots[i] for i in lent)


def parameters_lent(form: Form) -> list[int]:
    """The parameters that hold what is handed over."""
    return [i if isinstance(i, int) else i[0] for i in form.lent if not isinstance(i, str)]


def captured_lent(form: Form) -> list[str]:
    """The captured variables whose objects are handed over."""
    return [n for n in form.lent if isinstance(n, str)]


def unsettled_slots(
    f: FunctionType, count: int, keywords: tuple[str, ...], later: frozenset[int]
) -> tuple[int, ...]:
    """The parameters whose objects the caller may change after the call, −1 for captured variables."""
    slots = slots_of(f, count, keywords)
    found = {slot for i, (slot, _) in enumerate(slots) if i in later}
    return tuple(sorted(found | ({-1} & later if f.__code__.co_freevars else set())))
