"""Random sketches: clarkson_woodruff_transform, linear in the matrix for the numbers that are drawn once."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import frule, non_differentiable, rrule
from ....tangents import NO_TANGENT, ZERO
from ...written import written_out


def drawn(sketch_size: int, rows: int, rng: Any) -> Any:
    """The sketch S, of the numbers that SciPy would draw."""
    from scipy.linalg._sketches import cwt_matrix

    generator = rng if isinstance(rng, np.random.RandomState) else np.random.default_rng(rng)
    return cwt_matrix(sketch_size, rows, rng=generator)


non_differentiable(drawn, why="draws random numbers")


def sketched(s: Any, a: Any) -> Any:
    """S a, of one matrix or a stack of them."""
    if a.ndim <= 2:
        return s @ a
    columns = np.moveaxis(a, -2, 0)
    y = s @ columns.reshape(columns.shape[0], -1)
    return np.moveaxis(y.reshape(-1, *columns.shape[1:]), 0, -2)


@frule(sketched)
def sketched_frule(tangents, s: object, a: np.ndarray):
    """y = S a        ẏ = S ȧ"""
    return sketched(s, a), ZERO if tangents[1] is ZERO else sketched(s, tangents[1])


@rrule(sketched)
def sketched_rrule(s: object, a: np.ndarray):
    """y = S a        ā = Sᵀ ȳ"""

    def sketched_pullback(y_bar):
        return NO_TANGENT, sketched(transposed(s), y_bar)

    return sketched(s, a), sketched_pullback


def transposed(s: Any) -> Any:
    """Sᵀ"""
    return s.T


non_differentiable(transposed, why="is constant")


@written_out(linalg.clarkson_woodruff_transform)
def clarkson_woodruff_transform(input_matrix: np.ndarray, *, sketch_size, rng=None, seed=None):
    """y = S a, S with one entry ±1 in each column [Clarkson & Woodruff 2013]"""
    draw = seed if rng is None else rng
    return sketched(drawn(sketch_size, np.shape(input_matrix)[-2], draw), input_matrix)
