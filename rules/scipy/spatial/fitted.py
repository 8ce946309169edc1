"""The rotation nearest to a matrix, by which matrices are read and vectors aligned.

The rotation R that maximises tr(Rᵀ B) makes S = B Rᵀ symmetric; so its rotation vector obeys (tr S − S) w =
the axial vector of Ḃ Rᵀ − R Ḃᵀ. [Markley 1988]
Where a sum of two eigenvalues of S vanishes, the nearest rotation is not unique, and its derivative refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....tangents import ZERO
from .quaternions import matrix_of
from .rotations import turns


def _swapped(m: Any) -> Any:
    return np.swapaxes(m, -1, -2)


def axial(m: Any) -> Any:
    """The vector of m − mᵀ"""
    return np.stack(
        (m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]), -1
    )


def skew(w: Any) -> Any:
    """The matrix of v ↦ w × v"""
    x, y, z = w[..., 0], w[..., 1], w[..., 2]
    o = 0.0 * x
    rows = ((o, -z, y), (z, o, -x), (-y, x, o))
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def check_unique(k: Any) -> None:
    """Refuse a matrix to which several rotations are equally near."""
    values = np.linalg.eigvalsh(k)
    if np.any(values[..., 0] <= 1e-13 * np.abs(values[..., 2])):
        raise NotDifferentiableError(
            "the rotation nearest to this matrix is not unique",
            closest="vectors that span a plane at least have one best alignment",
            next="give vectors that are not all parallel",
        )


non_differentiable(check_unique, why="checks an argument")


def _spread(rotation: Any, b: Any) -> tuple[Any, Any]:
    """R, and tr S − S with S = B Rᵀ, checked."""
    r = matrix_of(turns(rotation))
    s = np.matmul(b, _swapped(r))
    k = np.expand_dims(np.trace(s, axis1=-2, axis2=-1), (-2, -1)) * np.eye(3) - (s + _swapped(s)) / 2
    check_unique(k)
    return r, k


def fitted(made: Any, b: Any) -> Any:
    """The rotation that SciPy found nearest to a matrix."""
    return made


@frule(fitted)
def fitted_frule(tangents, made: Rotation, b: np.ndarray):
    """(tr S − S) w = axial(Ḃ Rᵀ)"""
    r, k = _spread(fitted(made, b), b)
    a = axial(np.matmul(tangents[1], _swapped(r)))
    return fitted(made, b), np.linalg.solve(k, a[..., None])[..., 0]


@rrule(fitted)
def fitted_rrule(made: Rotation, b: np.ndarray):
    """B̄ = [a] R, (tr S − S) a = w̄"""
    y = fitted(made, b)

    def fitted_pullback(w_bar):
        r, k = _spread(fitted(made, b), b)
        a = np.linalg.solve(k, w_bar[..., None])[..., 0]
        return ZERO, np.matmul(skew(a), r)

    return y, fitted_pullback
