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
from autograd.tracer import isbox, new_box

from ...core.engine import Engine
from ..adapters.array_functions import ArrayFunction, moves
from ..leaves import ALONE, Layout, refuse_by_name

TRACED = "autograd traces this one", "give it by position"
"""Why what is traced is not given by name, and what to do instead."""
_ARRAYS = {ArrayBox}


def to_autograd(f: Callable[..., Any], *, engine: Engine | None = None) -> Callable[..., Any]:
    """What `adapters.to_autograd` says."""

    plain: dict[int, ArrayFunction] = {}  # of calls with traced arguments alone, by their number

    @functools.wraps(f, updated=())
    def operator(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and {*map(type, args)} == _ARRAYS:
            function = plain.get(len(args))
            if function is None:
                function = plain[len(args)] = ArrayFunction(f, Layout.flat(len(args)), {}, engine)
            out, ys = apply(function, args)
            return ys[0] if out is ALONE else out.filled(ys)
        refuse_by_name(f, kwargs, isbox, TRACED)
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

    __slots__ = ("at_once", "back", "first", "function", "moving", "needs", "others", "out")

    def __init__(self, function: ArrayFunction, needs: tuple[bool, ...], at_once: bool = False) -> None:
        self.first, self.needs = function, needs  # what runs once
        self.function = function  # what the derivatives run again
        self.at_once = at_once  # whether one reverse sweep alone traces the arguments
        self.back: Any = None
        self.moving: Sequence[bool] = _ONE
        self.others: Sequence[Any] | None = None  # None where the value is one array, with a tangent

    def told(self, out: Layout, ys: list[Any]) -> Any:
        """The part of the value that autograd traces: an array, or a tuple of several."""
        self.out = out
        if out is ALONE and moves(ys[0]):
            return ys[0]
        self.moving = [moves(y) for y in ys]
        self.others = [None if m else y for y, m in zip(ys, self.moving, strict=True)]
        traced = [y for y, m in zip(ys, self.moving, strict=True) if m]
        return traced[0] if len(traced) == 1 else tuple(traced)

    def arrays(self, traced: Any) -> list[Any]:
        """All arrays of the value, from what is traced of them."""
        if self.others is None:
            return [traced]
        left = iter(self.several(traced))
        return [next(left) if m else y for y, m in zip(self.others, self.moving, strict=True)]

    def several(self, traced: Any) -> list[Any]:
        """What is traced, as a list."""
        if self.others is None:
            return [traced]
        count = sum(self.moving)
        return [traced] if count == 1 else [traced[i] for i in range(count)]


_ONE = (True,)


def apply(function: ArrayFunction, x: Sequence[Any]) -> tuple[Layout, list[Any]]:
    """The layout and the arrays of an array function's value, traced by autograd."""
    if function.order == 0:
        values = _of_one_sweep(x)
        if values is not None:
            record = Record(function, (True,) * len(values), at_once=True)
            record.function = function.kept(values)
            out, ys, record.back = function.reverse(values, record.needs)
            y = record.told(out, ys)
            node = VJPNode(y, call, (record, *values), {}, range(1, 1 + len(x)), [b._node for b in x])
            return out, record.arrays(new_box(y, x[0]._trace, node))
        needs = tuple([isbox(v) and _is_reverse(v) for v in x])
    else:
        needs = ()
    record = Record(function, needs)
    record.function = function.kept(x)
    y = call(record, *x)
    return record.out, record.arrays(y)


def _of_one_sweep(x: Sequence[Any]) -> list[Any] | None:
    """The values in boxes, if one reverse sweep alone traces them, so that the node can be made at once."""
    values = []
    for box in x:
        if not isbox(box) or type(box._node) is not VJPNode or box._trace != x[0]._trace or isbox(box._value):
            return None
        values.append(box._value)
    return values


def _is_reverse(box: Any) -> bool:
    """Whether the first to differentiate what is boxed is reverse mode."""
    while isbox(box._value):
        box = box._value
    return type(box._node) is VJPNode


@primitive
def call(record: Record, *x: Any) -> Any:
    """A call of an array function; its arrays follow the record."""
    if any(record.needs):
        out, ys, record.back = record.first.reverse(x, record.needs)
    else:
        out, ys = record.first.value(x)
    return record.told(out, ys)


def _pullback(argnums: Sequence[int], y: Any, args: Sequence[Any], kwargs: Any) -> Callable[[Any], Any]:
    """autograd's rule of reverse mode."""
    record, x = args[0], args[1:]

    def call_pullback(y_bar: Any) -> list[Any]:
        if record.at_once and record.others is None and not isbox(y_bar):
            return list(map(_turned, record.back([_turned(y_bar)])))
        seeds = [_turned(t) for t in record.several(y_bar)]
        if any(map(isbox, seeds)) or (not record.at_once and any(map(isbox, x))):
            needs = tuple([i + 1 in argnums for i in range(len(x))])
            found = iter(apply(record.function.pulled(record.out, record.moving, needs), [*seeds, *x])[1])
            every = [next(found) if n else None for n in needs]
        else:
            if record.others is not None:
                given = iter(seeds)
                seeds = [next(given) if m else None for m in record.moving]
            back = record.back
            if back is None:
                back = record.function.reverse(x, tuple([i + 1 in argnums for i in range(len(x))]))[2]
            every = back(seeds)
        return [_turned(every[i - 1]) for i in argnums]

    return call_pullback


def _pushforward(argnums: Sequence[int], dx: Sequence[Any], y: Any, args: Sequence[Any], kwargs: Any) -> Any:
    """autograd's rule of forward mode."""
    record, x = args[0], args[1:]
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
