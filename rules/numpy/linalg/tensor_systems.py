"""Systems and inverses of tensors that stand for matrices: tensorsolve, tensorinv, and condition numbers.

The condition number of a singular matrix is infinite and has no derivative; it is refused.

See [Giles 2008].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import Array, NotDifferentiableError, non_differentiable
from ...written import written_out


def solved_last(axes: Any, ndim: int) -> tuple[int, ...]:
    """The order of axes in which `tensorsolve` takes those named to the end."""
    order = list(range(ndim))
    for k in axes or ():
        order.remove(k)
        order.insert(ndim, k)
    return tuple(order)


non_differentiable(solved_last, why="computes with axes alone")


@written_out(np.linalg.tensorsolve)
def tensorsolve(a: np.ndarray, b: Array, *, axes=None):
    """a · y = b, with a as a square matrix of the axes of b by those of y"""
    moved = np.transpose(a, solved_last(axes, np.ndim(a)))
    shape = np.shape(moved)[np.ndim(b) :]
    n = np.size(b)
    return np.reshape(np.linalg.solve(np.reshape(moved, (n, n)), np.reshape(b, n)), shape)


@written_out(np.linalg.tensorinv)
def tensorinv(a: np.ndarray, *, ind=2):
    """y = the inverse of a as a matrix of its first axes by the others"""
    shape = np.shape(a)[ind:] + np.shape(a)[:ind]
    matrix = np.reshape(a, (int(np.prod(np.shape(a)[ind:])), -1))
    return np.reshape(np.linalg.inv(matrix), shape)


def refuse_singular(x: Any, p: Any) -> None:
    """Refuse condition numbers that are infinite."""
    if not np.all(np.isfinite(np.linalg.cond(x, p))):
        raise NotDifferentiableError(
            "numpy.linalg.cond is infinite at a singular matrix and has no derivative there",
            next="use a quantity that stays finite, as the smallest singular value",
        )


non_differentiable(refuse_singular, why="checks a value")


@written_out(np.linalg.cond)
def cond(x: np.ndarray, *, p=None):
    """y = ‖x‖ ‖x⁻¹‖, of the singular values: the largest by the smallest"""
    refuse_singular(x, p)
    if p is None or p == 2 or p == -2:
        s = np.linalg.svdvals(x)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return np.linalg.norm(x, p, (-2, -1)) * np.linalg.norm(np.linalg.inv(x), p, (-2, -1))
