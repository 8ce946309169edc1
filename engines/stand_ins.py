"""What a value looks like before there are numbers: f run once on made-up arrays of the right shapes.

Graphs need to know shapes and dtypes ahead. The made-up numbers rise from 0 to 1, with a heavy diagonal in
what is square, so that logarithms, solves and factorisations have what they ask for; then ones, then zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..core.callables import name_of
from ..core.errors import UnsupportedArgument
from .array_functions import ArrayFunction
from .leaves import Layout

Spec = tuple[tuple[int, ...], np.dtype[Any]]
"""Shape and dtype of an array."""


def value_like(function: ArrayFunction, specs: Sequence[Spec]) -> tuple[Layout, list[Spec]]:
    """The layout of the value at arrays of these shapes and dtypes, and what its own arrays are like."""
    errors = []
    for x in stand_ins(specs):
        try:
            out, ys = function.value(x)
        except Exception as error:  # whatever a function does with numbers that it was not made for
            errors.append(error)
        else:
            return out, [(np.shape(y), np.asarray(y).dtype) for y in ys]
    shapes = ", ".join(f"{dtype}{list(shape)}" for shape, dtype in specs)
    raise UnsupportedArgument(
        function.f,
        "x",
        shapes,
        why=f"what its value looks like cannot be told: on made-up numbers it raises {errors[0]!r}",
        next=f"call {name_of(function.f)} outside of the compiled program",
    ) from errors[0]


def stand_ins(specs: Sequence[Spec]) -> Iterator[list[Any]]:
    """Made-up arrays of these shapes and dtypes, one list after another; a number where there are no axes."""
    for make in (_rising, np.ones, np.zeros):
        made = [make(shape) * (1 + 0.5j if dtype.kind == "c" else 1) for shape, dtype in specs]
        arrays = [np.asarray(a).astype(dtype) for a, (_, dtype) in zip(made, specs, strict=True)]
        yield [a if a.ndim else a[()] for a in arrays]


def _rising(shape: tuple[int, ...]) -> Any:
    count = int(np.prod(shape))
    x = np.reshape((np.arange(count) + 1.0) / (count + 1.0), shape)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        x = (x + np.swapaxes(x, -1, -2)) / 2 + shape[-1] * np.eye(shape[-1])
    return x
