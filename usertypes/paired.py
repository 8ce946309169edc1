"""What stands for a pointer while a function is differentiated: a pointer that knows its differential.

It is of a subclass of the pointer's own class. Its reading and writing are calls that the engine records, by
the two functions below, whose rules hand the pair on to `get_fwd`, `get_bwd`, `set_fwd` and `set_bwd`. Each
takes a token and returns one, so that every access varies with the run and none is lost or changes place: the
cotangent of the token is one from end to end. The pair itself is used as it is, and never split, added or
transposed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import Any

from ..core import call
from ..core.decorators import frule, rrule
from ..tangents import NO_TANGENT, Composite, is_zero, unthunk
from .pairs import DifferentialPair
from .roles import DifferentiablePtr

_tokens: dict[int, Any] = {}
_numbers = count()


@contextmanager
def session(token: Any) -> Iterator[int]:
    """One run of a function on pointers, with the token that its first access takes.

    A run is known to its pointers by a number: a pointer that held the token would seem to vary itself.
    """
    number = next(_numbers)
    _tokens[number] = token
    try:
        yield number
    finally:
        del _tokens[number]


def last_token(number: int) -> Any:
    """The token that the latest access of a run returned."""
    return _tokens[number]


class _Paired:
    """What every class of paired pointers has: access by way of the session."""

    __slots__ = ()
    p: Any
    d: Any
    session: int

    def load(self) -> Any:
        """The number there, recorded."""
        _tokens[self.session], value = call(read, _tokens[self.session], self)
        return value

    def store(self, value: Any) -> None:
        """Set the number there, recorded."""
        _tokens[self.session] = call(write, _tokens[self.session], self, value)

    def interlocked_add(self, value: Any) -> None:
        """Add to the number there, recorded."""
        self.store(self.load() + value)

    def __add__(self, steps: Any) -> Any:
        return paired(self.p + steps, self.d + steps, self.session)

    __radd__ = __add__

    def __sub__(self, steps: Any) -> Any:
        return paired(self.p - steps, self.d - steps, self.session)


@cache
def _paired_class(cls: Any) -> Any:
    return type(f"Paired{cls.__name__}", (_Paired, cls), {"__slots__": ("d", "p", "session")})


def paired(p: Any, d: Any, session: int) -> Any:
    """The pointer p with its differential d; pairs of pointers and differentials, each with its own."""
    if isinstance(p, DifferentialPair):
        return DifferentialPair(paired(p.p, d.p, session), paired(p.d, d.d, session))
    cls: Any = type(p)
    while issubclass(cls, _Paired):  # a pointer of an outer run
        cls = cls.__mro__[2]
    made: Any = object.__new__(_paired_class(cls))
    for name in _slots(cls):
        object.__setattr__(made, name, getattr(p, name))
    made.p, made.d, made.session = p, d, session
    return made


def _slots(cls: type) -> list[str]:
    names = [name for base in cls.__mro__ for name in base.__dict__.get("__slots__", ())]
    return [name for name in names if name not in ("__dict__", "__weakref__")]


def read(token: Any, pointer: Any) -> Any:
    """(token, what the pointer points to)"""
    return token, pointer.p.load()


def write(token: Any, pointer: Any, value: Any) -> Any:
    """The token, once the value is written"""
    pointer.p.store(value)
    return token


def _pair(pointer: Any) -> DifferentialPair:
    return DifferentialPair(pointer.p, pointer.d)


def _derivative(pointer: Any, name: str) -> Any:
    """The derivative of this name that the pointer's class defines for pairs."""
    return getattr(type(pointer), name).of_pair


@frule(read, complete=True)
def read_frule(tangents: Any, token: object, pointer: DifferentiablePtr) -> Any:
    """(p, ṗ) by `get_fwd` of the pair"""
    pair = _derivative(pointer, "get_fwd")(_pair(pointer))
    return (token, pair.p), Composite[tuple](tangents[0], pair.d)


@rrule(read, complete=True)
def read_rrule(token: object, pointer: DifferentiablePtr) -> Any:
    """p̄ += ȳ by `get_bwd` of the pair"""

    def read_pullback(y_bar: Any) -> Any:
        if is_zero(y_bar):
            return y_bar, NO_TANGENT
        token_bar, value_bar = (unthunk(t) for t in y_bar)
        if not is_zero(value_bar):
            _derivative(pointer, "get_bwd")(_pair(pointer), value_bar)
        return token_bar, NO_TANGENT

    return read(token, pointer), read_pullback


@frule(write, complete=True)
def write_frule(tangents: Any, token: object, pointer: DifferentiablePtr, value: object) -> Any:
    """ṗ = v̇ by `set_fwd` of the pair"""
    y = write(token, pointer, value)
    _derivative(pointer, "set_fwd")(_pair(pointer), 0.0 if is_zero(tangents[2]) else tangents[2])
    return y, tangents[0]


@rrule(write, complete=True)
def write_rrule(token: object, pointer: DifferentiablePtr, value: object) -> Any:
    """v̄ by `set_bwd` of the pair, which takes it out"""

    def write_pullback(token_bar: Any) -> Any:
        return token_bar, NO_TANGENT, _derivative(pointer, "set_bwd")(_pair(pointer))

    return write(token, pointer, value), write_pullback
