"""`to_autograd`: a function with its rules as a primitive of HIPS autograd.

One primitive carries every array function. Its rules for both modes call it again, on the array functions
that the derivatives are, wherever autograd still traces what they are given; so derivatives of any order
are as for autograd's own primitives. Where it traces nothing the pullback that the run of f made is used.

Cotangents of complex numbers are the conjugates of ours there. Boxes of tuples, lists and dicts are opened
into those containers, and f's containers are given back with boxes in them. What is no real or complex
number in f's value is a constant, as it is there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import autograd.numpy as anp
import numpy as np
from autograd.builtins import DictBox, SequenceBox
from autograd.builtins import tuple as boxed_tuple
from autograd.core import VJPNode
from autograd.extend import defjvp_argnums, defvjp_argnums, primitive
from autograd.tracer import isbox

from ...core.callables import describe
from ...core.engine import Engine
from ...core.errors import UnsupportedArgument
from ..array_functions import ArrayFunction, moves, unshared
from ..leaves import Layout


def to_autograd(f: Callable[..., Any], *, engine: Engine | None = None) -> Callable[..., Any]:
    """What `adapters.to_autograd` says."""

    @functools.wraps(f, updated=())
    def operator(*args: Any, **kwargs: Any) -> Any:
        for name, value in kwargs.items():
            if Layout.of(value, isbox)[1]:
                raise UnsupportedArgument(
                    f,
                    name,
                    describe(value),
                    why="arguments given by name are constants, and autograd traces this one",
                    next="give it by position",
                )
        layout, x = Layout.of(tuple(map(_opened, args)), isbox)
        if not x:
            return f(*args, **kwargs)
        out, ys = apply(ArrayFunction(f, layout, kwargs, engine), x)
        return out.filled(ys)

    return operator


def _opened(value: Any) -> Any:
    """A value with the boxes of containers replaced by containers of boxes."""
    if isinstance(value, SequenceBox):
        items = [_opened(value[i]) for i in range(len(value))]
        return type(value._value)(items) if not isbox(value._value) else _opened_as(value._value, items)
    if isinstance(value, DictBox):
        return {key: _opened(value[key]) for key in value}
    if type(value) in (tuple, list):
        return type(value)(map(_opened, value))
    return {key: _opened(v) for key, v in value.items()} if type(value) is dict else value


def _opened_as(box: Any, items: list[Any]) -> Any:
    while isbox(box):
        box = box._value
    return type(box)(items)


class Record:
    """What the run of one call leaves behind; the value's arrays without tangents stand in `others`."""

    __slots__ = ("back", "moving", "needs", "others", "out")

    def __init__(self, needs: Sequence[bool]) -> None:
        self.needs = needs
        self.back: Any = None
        self.out: Any = None
        self.moving: list[bool] = []
        self.others: list[Any] = []

    def told(self, out: Layout, ys: list[Any]) -> Any:
        """The part of the value that autograd traces: an array, or a tuple of several."""
        self.out, self.moving = out, [moves(y) for y in ys]
        self.others = [None if m else y for y, m in zip(ys, self.moving, strict=True)]
        traced = [y for y, m in zip(ys, self.moving, strict=True) if m]
        return traced[0] if len(traced) == 1 else tuple(traced)

    def several(self, traced: Any) -> list[Any]:
        """What is traced, as a list."""
        count = sum(self.moving)
        return [traced] if count == 1 else [traced[i] for i in range(count)]


def apply(function: ArrayFunction, x: Sequence[Any]) -> tuple[Layout, list[Any]]:
    """The layout and the arrays of an array function's value, traced by autograd."""
    ahead = function.order == 0
    record = Record([ahead and isbox(v) and type(_innermost(v)._node) is VJPNode for v in x])
    traced = iter(record.several(call(function, record, *x)))
    return record.out, [next(traced) if m else y for y, m in zip(record.others, record.moving, strict=True)]


def _innermost(box: Any) -> Any:
    while isbox(box._value):
        box = box._value
    return box


@primitive
def call(function: ArrayFunction, record: Record, *x: Any) -> Any:
    """A call of an array function; its arrays follow the function and the record."""
    if any(record.needs):
        out, ys, record.back = function.reverse(x, record.needs)
    else:
        out, ys = function.value(x)
    return record.told(out, unshared(ys, x))


def _pullback(argnums: Sequence[int], y: Any, args: Sequence[Any], kwargs: Any) -> Callable[[Any], Any]:
    """autograd's rule of reverse mode."""
    function, record, *x = args
    needs = [i + 2 in argnums for i in range(len(x))]

    def call_pullback(y_bar: Any) -> tuple[Any, ...]:
        seeds = [_turned(t) for t in record.several(y_bar)]
        if any(map(isbox, (*seeds, *x))):
            pulled = function.pulled(record.out, record.moving, needs)
            found = iter(apply(pulled, [*seeds, *x])[1])
        else:
            back = record.back if record.back is not None else function.reverse(x, needs)[2]
            given = iter(seeds)
            every = back([next(given) if m else None for m in record.moving])
            found = iter([t for t, n in zip(every, needs, strict=True) if n])
        by_number = {i + 2: next(found) for i, n in enumerate(needs) if n}
        return tuple([_turned(by_number[i]) for i in argnums])

    return call_pullback


def _pushforward(argnums: Sequence[int], dx: Sequence[Any], y: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """autograd's rule of forward mode."""
    function, record, *x = args
    given = dict(zip(argnums, dx, strict=True))
    tangents = [given.get(i + 2) for i in range(len(x))]
    if any(map(isbox, (*dx, *x))):
        pushed = function.pushed(record.out, record.moving, [t is not None for t in tangents])
        found = apply(pushed, [*(t for t in tangents if t is not None), *x])[1]
    else:
        found = [t for t in function.forward(x, tangents)[2] if t is not None]
    return found[0] if len(found) == 1 else boxed_tuple(found)


def _turned(t: Any) -> Any:
    """The conjugate of what is complex."""
    plain = t
    while isbox(plain):
        plain = plain._value
    return anp.conj(t) if np.iscomplexobj(plain) else t


defvjp_argnums(call, _pullback)
defjvp_argnums(call, _pushforward)
