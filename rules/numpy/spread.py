"""Spread of data: var and std, with `ddof` and along any axes.

A standard deviation of zero has derivative zero. Complex data have a real variance, the mean of
|x − μ|². A mean that is given (`mean=`) is a constant. What `where=` leaves out has derivative zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import Array, non_differentiable
from ...tangents import ZERO
from ..quiet import divide, ratio
from ..written import like_program
from .axes import beyond, count, ends, frame_of, stretch


def deviation(x: Any, *, axis: Any = None, mean: Any = None, where: Any = True, **rest: Any) -> Any:
    """x − μ, with the mean along the axes; zero for what is left out."""
    if mean is None:
        mean = np.mean(x, axis=axis, keepdims=True, **beyond(where=where))
    return x - mean if where is True else np.where(where, x - mean, 0.0)


def degrees(
    x: Any, *, axis: Any = None, ddof: Any = 0, correction: Any = None, where: Any = True, **rest: Any
) -> Any:
    """n − ddof, in the precision of x where it fits; `correction` is another name of `ddof`."""
    n = np.maximum(count(np.shape(x), axis, where) - (ddof if correction is None else correction), 0)
    dtype = np.result_type(x)
    if dtype.kind not in "fc" or np.max(n, initial=0) > np.finfo(dtype).max:
        return n
    return n.astype(np.finfo(dtype).dtype)


non_differentiable(degrees, why="counts entries")


def spreads(*functions: Any, scaled: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """Register both rules of var or std: what Σ Re(conj(x − μ) ẋ) / (n − ddof) is scaled by, given y.

    ẏ = s Σ Re(conj(x − μ) ẋ) / (n − ddof)        x̄ = s ȳ (x − μ) / (n − ddof)
    """

    def declare(program: Any) -> Any:
        def spread_frule(tangents: Any, x: Any, **options: Any) -> Any:
            y = program(x, **options)
            if ends(x, options.get("dtype")):
                return y, ZERO
            moved = np.real(np.conj(deviation(x, **options)) * tangents[0])
            total = np.sum(moved, axis=options.get("axis"), keepdims=True)
            return y, scaled(np.reshape(divide(total, degrees(x, **options)), np.shape(y)), y)

        def spread_rrule(x: Any, **options: Any) -> Any:
            y = program(x, **options)
            n, frame, ended = degrees(x, **options), frame_of(x), ends(x, options.get("dtype"))

            def spread_pullback(y_bar: Any) -> Any:
                if ended:
                    return ZERO
                seeds = stretch(scaled(y_bar, y), frame, options.get("axis"))
                return divide(seeds, n) * deviation(x, **options)

            return y, spread_pullback

        for f in functions:
            like_program(f, spread_frule, "forward", program)
            like_program(f, spread_rrule, "reverse", program)
        return program

    return declare


@spreads(np.var, np.ndarray.var, scaled=lambda seed, y: 2 * seed)
def var(
    x: Array,
    *,
    axis=None,
    dtype=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    """y = Σ |x − μ|² / (n − ddof)        s = 2"""
    ddof = ddof if correction is None else correction
    return np.var(x, axis=axis, ddof=ddof, keepdims=keepdims, **beyond(dtype=dtype, where=where, mean=mean))


@spreads(np.std, np.ndarray.std, scaled=ratio)
def std(
    x: Array,
    *,
    axis=None,
    dtype=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    """y = √var        s = 1 / y, 0 where y = 0"""
    ddof = ddof if correction is None else correction
    return np.std(x, axis=axis, ddof=ddof, keepdims=keepdims, **beyond(dtype=dtype, where=where, mean=mean))
