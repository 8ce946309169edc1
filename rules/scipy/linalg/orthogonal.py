"""QR and RQ factors: qr, qr_multiply, rq, pivoted or not; the rule is that of `numpy.linalg.qr`.

Columns are exchanged as they were. The columns that a full q adds are any basis of what is left: a cotangent
of theirs is refused, and where they exist q has no tangent. Absent: `mode="raw"`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import UnsupportedArgument, non_differentiable
from ...numpy.adjoints import adjoint, conj
from ...written import own, written_out
from .stacks import over_stacks
from .systems import check_finite_entries, check_matrix


def check_mode(mode: Any) -> None:
    """Refuse the form of LAPACK."""
    if mode == "raw":
        raise UnsupportedArgument(linalg.qr, "mode", mode, supported=["full", "economic", "r"])


def check_left(a: Any, mode: Any, overwrite_c: Any) -> None:
    """Refuse the meaning that `overwrite_c` has for a tall matrix on the left."""
    if overwrite_c and mode == "left" and np.shape(a)[-2] > np.shape(a)[-1]:
        raise UnsupportedArgument(linalg.qr_multiply, "overwrite_c", overwrite_c, supported=[False])


non_differentiable(check_mode, check_left, why="checks an argument")


@written_out(linalg.qr)
def qr(a: np.ndarray, *, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """a = q r, or a with its columns exchanged"""
    check_mode(mode)
    if np.ndim(a) > 2:
        return over_stacks(linalg.qr, a, mode=mode, pivoting=pivoting)
    check_finite_entries(a, check_finite)
    order: Any = own(linalg.qr, a, mode="r", pivoting=True)[1] if pivoting else None
    moved = a[:, order] if pivoting else a
    end = (order,) if pivoting else ()
    m, n = np.shape(a)
    if mode == "r":
        alone: Any = np.linalg.qr(moved, "r")
        return (np.concatenate((alone, np.zeros((m - min(m, n), n))), axis=0), *end)
    q, r = np.linalg.qr(moved, "reduced" if mode == "economic" or m <= n else "complete")
    return (q, r, *end)


@written_out(linalg.qr_multiply)
def qr_multiply(
    a: np.ndarray, c: np.ndarray, *, mode="right", pivoting=False, conjugate=False, overwrite_a=False,
    overwrite_c=False,
):  # fmt: skip
    """c q, or q c from the left, and r"""
    check_matrix(linalg.qr_multiply, "a", a)
    check_left(a, mode, overwrite_c)
    if np.ndim(a) > 2 or np.ndim(c) > 2:
        return over_stacks(linalg.qr_multiply, a, c, mode=mode, pivoting=pivoting, conjugate=conjugate)
    own(linalg.qr_multiply, a, c, mode, pivoting, conjugate)
    parts = linalg.qr(a, mode="economic", pivoting=pivoting)
    q = conj(parts[0]) if conjugate else parts[0]
    return (np.matmul(q, c) if mode == "left" else np.matmul(c, q), *parts[1:])


@written_out(linalg.rq)
def rq(a: np.ndarray, *, overwrite_a=False, lwork=None, mode="full", check_finite=True):
    """a = r q, by the QR factors of the adjoint of a turned round"""
    if np.ndim(a) > 2:
        return over_stacks(linalg.rq, a, mode=mode)
    check_finite_entries(a, check_finite)
    turned = adjoint(np.flip(a, axis=(0, 1)))
    m, n = np.shape(a)
    full = mode == "full" and n > m
    q, r = np.linalg.qr(turned, "complete" if full else "reduced")
    r = np.flip(adjoint(r), axis=(0, 1))
    if mode == "r":
        return np.concatenate((np.zeros((m, max(n - m, 0)), r.dtype), r), axis=1)
    return r, np.flip(adjoint(q), axis=(0, 1))
