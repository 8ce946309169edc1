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
from autograd.numpy.numpy_boxes import ArrayBox
from autograd.tracer import isbox

from ...core.callables import describe
from ...core.engine import Engine
from ...core.errors import UnsupportedArgument
from ..array_functions import ArrayFunction, moves, unshared
from ..leaves import ALONE, Layout


def to_autograd(f: Callable[..., Any], *, engine: Engine | None = None) -> Callable[..., Any]:
    """What `adapters.to_autograd` says."""

    plain: dict[int, ArrayFunction] = {}  # of calls with traced arguments alone, by their number

    @functools.wraps(f, updated=())
    def operator(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and all(type(a) is ArrayBox for a in args):
            function = plain.get(len(args))
            if function is None:
                function = plain[len(args)] = ArrayFunction(f, Layout.flat(len(args)), {}, engine)
            out, ys = apply(function, args)
            return out.filled(ys)
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

    __slots__ = ("alone", "back", "function", "moving", "needs", "others", "out")

    def __init__(self, function: ArrayFunction, needs: Sequence[bool]) -> None:
        self.function, self.needs = function, needs
        self.back: Any = None
        self.out: Any = None
        self.alone = True  # whether the value is one array, with a tangent
        self.moving: Sequence[bool] = _ONE
        self.others: Sequence[Any] = _NONE

    def told(self, out: Layout, ys: list[Any]) -> Any:
        """The part of the value that autograd traces: an array, or a tuple of several."""
        self.out = out
        if out is ALONE and moves(ys[0]):
            return ys[0]
        self.alone, self.moving = False, [moves(y) for y in ys]
        self.others = [None if m else y for y, m in zip(ys, self.moving, strict=True)]
        traced = [y for y, m in zip(ys, self.moving, strict=True) if m]
        return traced[0] if len(traced) == 1 else tuple(traced)

    def several(self, traced: Any) -> list[Any]:
        """What is traced, as a list."""
        count = sum(self.moving)
        return [traced] if count == 1 else [traced[i] for i in range(count)]


_ONE, _NONE = (True,), (None,)


def apply(function: ArrayFunction, x: Sequence[Any]) -> tuple[Layout, list[Any]]:
    """The layout and the arrays of an array function's value, traced by autograd."""
    record = Record(function, [isbox(v) and _is_reverse(v) for v in x] if function.order == 0 else ())
    y = call(record, *x)
    if record.alone:
        return record.out, [y]
    traced = iter(record.several(y))
    return record.out, [next(traced) if m else y for y, m in zip(record.others, record.moving, strict=True)]


def _is_reverse(box: Any) -> bool:
    """Whether the first to differentiate what is boxed is reverse mode."""
    while isbox(box._value):
        box = box._value
    return type(box._node) is VJPNode


@primitive
def call(record: Record, *x: Any) -> Any:
    """A call of an array function; its arrays follow the record."""
    if any(record.needs):
        out, ys, record.back = record.function.reverse(x, record.needs)
    else:
        out, ys = record.function.value(x)
    return record.told(out, unshared(ys, x))


def _pullback(argnums: Sequence[int], y: Any, args: Sequence[Any], kwargs: Any) -> Callable[[Any], Any]:
    """autograd's rule of reverse mode."""
    record, *x = args

    def call_pullback(y_bar: Any) -> list[Any]:
        seeds = [_turned(t) for t in ((y_bar,) if record.alone else record.several(y_bar))]
        wanted = [i - 1 for i in argnums]
        if any(map(isbox, (*seeds, *x))):
            needs = [i in wanted for i in range(len(x))]
            pulled = record.function.pulled(record.out, record.moving, needs)
            found = iter(apply(pulled, [*seeds, *x])[1])
            every = [next(found) if n else None for n in needs]
        else:
            back = record.back
            if back is None:
                back = record.function.reverse(x, [i in wanted for i in range(len(x))])[2]
            given = iter(seeds)
            every = back(seeds if record.alone else [next(given) if m else None for m in record.moving])
        return [_turned(every[i]) for i in wanted]

    return call_pullback


def _pushforward(argnums: Sequence[int], dx: Sequence[Any], y: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """autograd's rule of forward mode."""
    record, *x = args
    function, given = record.function, dict(zip(argnums, dx, strict=True))
    tangents = [given.get(i + 1) for i in range(len(x))]
    if any(map(isbox, (*dx, *x))):
        pushed = function.pushed(record.out, record.moving, [t is not None for t in tangents])
        found = apply(pushed, [*(t for t in tangents if t is not None), *x])[1]
    else:
        found = [t for t in function.forward(x, tangents)[2] if t is not None]
    return found[0] if len(found) == 1 else boxed_tuple(found)


def _turned(t: Any) -> Any:
    """The conjugate of what is complex."""
    if type(t) is np.ndarray:
        return t.conj() if t.dtype.kind == "c" else t
    plain = t
    while isbox(plain):
        plain = plain._value
    return anp.conj(t) if np.iscomplexobj(plain) else t


defvjp_argnums(call, _pullback)
defjvp_argnums(call, _pushforward)
