"""The precision of results: single where all arrays that are given are, as SciPy has it.

A program of windows and weights in double precision has double results. `written_in_precision` registers a
program as `written_out` does, its results rounded to the precision of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ....core import non_differentiable
from ...written import by_count

_SINGLE: dict[Any, Any] = {
    np.dtype(np.float64): np.dtype(np.float32),
    np.dtype(np.complex128): np.dtype(np.complex64),
}


def arrays(data: Any) -> Iterator[Any]:
    """The arrays of floats among arguments, in tuples and lists too."""
    for x in data:
        if isinstance(x, tuple | list):
            yield from arrays(x)
        elif isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "fc":
            yield x


def is_single(data: Any) -> bool:
    """Whether all arrays that are given are in single precision, and there is one."""
    found = [x.dtype for x in arrays(data)]
    return bool(found) and all(np.finfo(dtype).bits == 32 for dtype in found)


def rounded_type(y: Any) -> Any:
    """The dtype of a result in single precision; None for what stays as it is."""
    return _SINGLE.get(y.dtype) if isinstance(y, np.ndarray | np.generic) else None


non_differentiable(is_single, rounded_type, why="computes with types alone")


def rounded(y: Any) -> Any:
    """An array in single precision."""
    dtype = rounded_type(y)
    return y if dtype is None else y.astype(dtype)


def rounded_as(y: Any, *data: Any) -> Any:
    """The same where all arrays of floats in the data are in single precision."""
    return rounded(y) if is_single(data) else y


def written_in_precision(*functions: Callable[..., Any]) -> Callable[[Any], Any]:
    """Register the derivatives of functions by a program, its results in the precision of the arguments."""

    def declare(program: Any) -> Any:
        forms = _rounding(program)
        return by_count(*functions, of=forms.__getitem__)(program)

    return declare


def all_rounded_as(y: Any, data: Any) -> Any:
    """A result, or each of several, in single precision where all arrays of floats in the data are."""
    if not is_single(data):
        return y
    return tuple([rounded(each) for each in y]) if isinstance(y, tuple) else rounded(y)


def _rounding(program: Any) -> dict[int, Callable[..., Any]]:
    """The program with its results rounded, of one to four data.

    Each datum has a name of its own, so that the derivative is by those alone that vary.
    """

    def of_one(a: Any, **metadata: Any) -> Any:
        return all_rounded_as(program(a, **metadata), (a,))

    def of_two(a: Any, b: Any, **metadata: Any) -> Any:
        return all_rounded_as(program(a, b, **metadata), (a, b))

    def of_three(a: Any, b: Any, c: Any, **metadata: Any) -> Any:
        return all_rounded_as(program(a, b, c, **metadata), (a, b, c))

    def of_four(a: Any, b: Any, c: Any, d: Any, **metadata: Any) -> Any:
        return all_rounded_as(program(a, b, c, d, **metadata), (a, b, c, d))

    return {1: of_one, 2: of_two, 3: of_three, 4: of_four}
