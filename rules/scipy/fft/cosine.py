"""Cosine and sine transforms of types I to IV, real and linear.

Made orthogonal, types I and IV are their own transposes, and those of types II and III each other's.
Otherwise an end of each line, both ends for the cosine of type I, has a weight of its own, which the
transpose puts on the other side: with C the symmetric or orthogonal core, I is C W, II is 2 C and III is
Cᵀ W, W = diag(1, 2, 2, …). Formulas: Rao and Yip, Discrete Cosine Transform (1990), §2.1. A permission to
overwrite is not taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft

from ....core import non_differentiable
from ...linear import transpose_of
from .fourier import fitted, lines

OPPOSITE = {1: 1, 2: 3, 3: 2, 4: 4}


def ends(n: int, places: tuple[int, ...], weight: float, axis: int, ndim: int, dtype: Any) -> Any:
    """Ones with a weight at the ends of a line, along one axis of an array.

    Example: >>> ends(3, (0, -1), 2.0, 0, 1, float)
             array([2., 1., 2.])
    """
    line = np.ones(n, dtype=np.finfo(dtype).dtype)
    for place in places:
        line[place] = weight
    return np.reshape(line, (*(1,) * axis, n, *(1,) * (ndim - axis - 1)))


non_differentiable(ends, why="computes with lengths alone")


def weighted(x: Any, along: Any, places: tuple[int, ...], weight: float) -> Any:
    """x with a weight at the ends of each line."""
    for axis in along:
        x = x * ends(np.shape(x)[axis], places, weight, axis, np.ndim(x), x.dtype)
    return x


def transposed(
    f: Any, cosine: bool, y_bar: Any, kind: int, along: Any, norm: Any, orthogonal: Any, workers: Any
) -> Any:
    """The transpose of a transform whose core is of this kind, by f, which computes the opposite one."""
    if orthogonal is None:
        orthogonal = norm == "ortho"
    places = ((0, -1) if kind == 1 else (0,)) if cosine else (-1,)
    before = not orthogonal and (kind == 2 or (kind == 1 and cosine))
    after = not orthogonal and (kind == 3 or (kind == 1 and cosine))
    if before:
        y_bar = weighted(y_bar, along, places, 2.0)
    x_bar = f(y_bar, axes=along, norm=norm, workers=workers, orthogonalize=orthogonal)
    return weighted(x_bar, along, places, 0.5) if after else x_bar


def _rules(f: Any, line: Any, cosine: bool, inverse: bool) -> None:
    """The rules of one transform along several axes, and of the same along one."""

    def lines_of(y_bar, x, kind, s, axes, norm, workers, orthogonalize):
        along, _ = lines(np.shape(x), s, axes)
        core = OPPOSITE[kind] if inverse else kind

        def opposite(x, **options):
            return f(x, OPPOSITE[kind], **options)

        x_bar = transposed(opposite, cosine, y_bar, core, along, norm, orthogonalize, workers)
        return fitted(x_bar, x, along)

    def several(
        y_bar,
        x: np.ndarray,
        *,
        type=2,
        s=None,
        axes=None,
        norm=None,
        overwrite_x=False,
        workers=None,
        orthogonalize=None,
    ):
        """y = C x        ẏ = C ẋ,  x̄ = Cᵀ ȳ"""
        return lines_of(y_bar, x, type, s, axes, norm, workers, orthogonalize)

    def one(
        y_bar,
        x: np.ndarray,
        *,
        type=2,
        n=None,
        axis=-1,
        norm=None,
        overwrite_x=False,
        workers=None,
        orthogonalize=None,
    ):
        """y = C x        ẏ = C ẋ,  x̄ = Cᵀ ȳ"""
        return lines_of(y_bar, x, type, n, axis, norm, workers, orthogonalize)

    several.__name__, one.__name__ = f.__name__, line.__name__
    transpose_of(f)(several)
    transpose_of(line)(one)


_rules(fft.dctn, fft.dct, cosine=True, inverse=False)
_rules(fft.idctn, fft.idct, cosine=True, inverse=True)
_rules(fft.dstn, fft.dst, cosine=False, inverse=False)
_rules(fft.idstn, fft.idst, cosine=False, inverse=True)
