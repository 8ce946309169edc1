"""`to_pytensor`: a function with its rules as an operation of PyTensor.

    calls.py    the operation: one for every array function, its pullback and its pushforward too
    kept.py     values whose pullbacks wait for the cotangents

Types of outputs are found on made-up arrays (stand_ins.py). Complex numbers are not differentiated: most of
PyTensor's own operations refuse to, and it states no convention.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from pytensor.graph.basic import Variable
from pytensor.tensor.type import TensorType

from ...core.engine import Engine
from ...core.errors import UnsupportedArgument
from ..adapters.array_functions import ArrayFunction, is_numeric
from ..adapters.stand_ins import Spec, refuse_effects, value_like
from ..leaves import Layout, refuse_by_name
from . import kept as kept
from .calls import Call

UNKNOWN = 3
"""The length of an axis of unknown length on which a function is tried first."""


def to_pytensor(
    f: Callable[..., Any], *, value: Any = None, engine: Engine | None = None
) -> Callable[..., Any]:
    """What `adapters.to_pytensor` says."""

    @functools.wraps(f, updated=())
    def operation(*args: Any, **kwargs: Any) -> Any:
        refuse_by_name(f, kwargs, _is_variable, ("this one is symbolic", "give it by position"))
        layout, x = Layout.of(args, _is_variable)
        for variable in x:
            if not isinstance(variable.type, TensorType):
                why, next = "rules compute with NumPy's arrays", "make it a dense tensor first"
                raise UnsupportedArgument(f, "x", variable.type, why=why, next=next)
        refuse_effects("PyTensor", f, args, kwargs)
        function = ArrayFunction(f, layout, kwargs, engine)
        out, types = _types_of(function, [v.type for v in x], value)
        return out.filled(Call(function, out, types).make_node(*x).outputs)

    return operation


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def _types_of(function: ArrayFunction, inputs: Sequence[Any], value: Any) -> tuple[Layout, list[Any]]:
    """The layout of a function's value, and the types of its arrays."""
    if value is not None:
        out, ys = Layout.of(value, is_numeric)
        return out, [TensorType(np.asarray(y).dtype, (None,) * np.ndim(y)) for y in ys]
    known = all(None not in t.shape for t in inputs)
    lengths = (
        [UNKNOWN] if known else [UNKNOWN, *sorted({n for t in inputs for n in t.shape if n is not None}), 1]
    )
    first: UnsupportedArgument | None = None
    for length in lengths:
        specs: list[Spec] = [
            (tuple(length if n is None else n for n in t.shape), np.dtype(t.dtype)) for t in inputs
        ]
        try:
            out, found = value_like(function, specs)
        except UnsupportedArgument as error:
            first = first or error
        else:
            shapes = [shape if known else (None,) * len(shape) for shape, _ in found]
            return out, [TensorType(dtype, s) for s, (_, dtype) in zip(shapes, found, strict=True)]
    assert first is not None, "there is a length to try"
    raise first
