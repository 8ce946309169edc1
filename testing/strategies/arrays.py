"""Numbers and arrays that stay off the points where a function has no derivative.

A singular point is a number (`0.0`), or one of the names in `SINGULAR`; what is drawn keeps a distance
of `margin` to all of them, and with "tie" the entries of an array keep it to one another. Complex
numbers do so in both parts. Exact dtypes (integers, dates, truth values) have nothing to avoid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SINGULAR = {"zero": (0.0, None), "integer": (0.0, 1.0), "half": (0.5, 1.0)}
"""The named singular points: the first and the distance to the next, None where there is but one."""

Shape = tuple[int, ...]
Off = Sequence[float | str]


def numbers(
    dtype: Any = float, *, low: float = -4.0, high: float = 4.0, off: Off = (), margin: float = 1 / 16
) -> st.SearchStrategy[Any]:
    """Numbers of a dtype between two bounds, at a distance from singular points.

    Shapes:  Python numbers for the dtypes `float`, `complex`, `int` and `bool`, else NumPy scalars.
    Raises:  ValueError where nothing is left between the bounds, and for a name that is none of `SINGULAR`.
    Example: >>> from hypothesis import find
             >>> find(numbers(low=0.5, off=("integer",)), lambda x: x > 1)
             1.5
    """
    scalars = _elements(np.dtype(dtype), low, high, off, margin)
    return scalars.map(dtype if isinstance(dtype, type) else np.dtype(dtype).type)


def arrays(
    dtype: Any = float,
    shape: Shape | st.SearchStrategy[Shape] | None = None,
    *,
    low: float = -4.0,
    high: float = 4.0,
    off: Off = (),
    margin: float = 1 / 16,
) -> st.SearchStrategy[np.ndarray[Any, Any]]:
    """Arrays of a dtype and shape, each entry at a distance from singular points.

    Shapes:  `shape` is a shape or a strategy of shapes, by default of up to three axes. `dtype` is of
             floating point, complex, integer, bool, dates, time spans, or object (with floats in it).
    Raises:  as `numbers`; ValueError for other dtypes, and for more entries without ties than there is room.
    Example: >>> from hypothesis import find
             >>> find(arrays(shape=(3,), low=1.0, off=("tie",)), lambda x: True)
             array([1. , 1.5, 2. ])
    """
    kind = np.dtype(dtype)
    if shape is None or isinstance(shape, st.SearchStrategy):
        every = hnp.array_shapes(min_dims=0, max_dims=3, max_side=3) if shape is None else shape
        return every.flatmap(lambda s: arrays(kind, s, low=low, high=high, off=off, margin=margin))
    apart, points = "tie" in off, tuple(p for p in off if p != "tie")
    size = math.prod(shape)
    if apart and size > (high - low) / (2 * margin):
        room = f"{size} entries cannot keep {margin} apart between {low} and {high}"
        raise ValueError(f"{room}; give a smaller margin or shape")
    elements = _elements(kind, low, high, points, margin)
    drawn = st.lists(elements, min_size=size, max_size=size, unique=apart and kind.kind in "fciu")
    return drawn.map(lambda entries: _filled(kind, shape, entries))


def _filled(dtype: np.dtype[Any], shape: Shape, entries: list[Any]) -> np.ndarray[Any, Any]:
    array = np.empty(math.prod(shape), dtype)
    array[:] = entries
    return array.reshape(shape)


def _elements(
    dtype: np.dtype[Any], low: float, high: float, off: Off, margin: float
) -> st.SearchStrategy[Any]:
    """The entries, as Python numbers that the dtype holds exactly, or as NumPy dates and spans."""
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind in "iu":
        return st.integers(max(math.ceil(low), 0 if dtype.kind == "u" else -128), min(math.floor(high), 127))
    if dtype.kind in "mM":
        unit = np.datetime_data(dtype)[0]
        return st.integers(-9, 9).map(lambda n: dtype.type(n, unit if unit != "generic" else "D"))
    if dtype.kind not in "fcO":
        raise ValueError(
            f"no numbers of dtype {dtype}: of floating point, complex, integer, bool, m8, M8, object"
        )
    allowed = _grid(low, high, off, margin)
    real = st.integers(0, len(allowed) - 1).map(lambda i: allowed[i])  # prints shorter than `sampled_from`
    return st.builds(complex, real, real) if dtype.kind == "c" else real


def _grid(low: float, high: float, off: Off, margin: float) -> list[float]:
    """The multiples of the margin between the bounds that keep it, the simplest first."""
    first, last = math.ceil(low / margin), math.floor(high / margin)
    allowed = [k * margin for k in range(first, last + 1) if _distance(k * margin, off) >= margin]
    if not allowed:
        raise ValueError(f"no number between {low} and {high} keeps {margin} off {list(off)}")
    return sorted(allowed, key=lambda x: (len(repr(abs(x))), abs(x), x < 0))


def _distance(x: float, off: Off) -> float:
    """The distance to the nearest singular point."""
    nearest = math.inf
    for point in off:
        if isinstance(point, str) and point not in SINGULAR:
            raise ValueError(f"no singular points are called {point!r}; named are {[*SINGULAR, 'tie']}")
        at, period = SINGULAR[point] if isinstance(point, str) else (point, None)
        away = abs(x - at)
        nearest = min(nearest, away if period is None else min(away % period, -away % period))
    return nearest
