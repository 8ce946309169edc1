"""QR factors of a matrix that gains or loses rows or columns, or changes by one of low rank.

qr_delete, qr_insert, qr_update: the factors q and r, of which the triangle is read, stand for the matrix q r,
and the new ones move as those of the new matrix do, with the signs that SciPy chose. The columns that a full
q has besides are any basis of what is left, see `orthogonal`. Complex factors, whose phases come of the way
they are updated, are refused.

See [Golub & Van Loan 2013].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import NO_TANGENT
from ...numpy.linalg.gaps import refuse_part
from ...numpy.linalg.orthogonal import ADDED, NEXT
from ...written import own, written_out


def check_real(f: Any, q: Any, r: Any) -> None:
    """Refuse complex factors."""
    if np.iscomplexobj(q) or np.iscomplexobj(r):
        raise UnsupportedArgument(f, "Q", q, supported=["real factors"], next="factor the new matrix with qr")


def signs_of(q: Any, found: Any) -> Any:
    """By which signs the columns differ."""
    return np.where(np.sum(q * found, axis=0) < 0, -1.0, 1.0)


non_differentiable(check_real, signs_of, why="compares factors")


def with_added(f: Any, q: Any, added: Any) -> Any:
    """q with the columns that are any basis of what is left."""
    return np.concatenate((q, added), axis=-1)


@frule(with_added)
def with_added_frule(tangents, f: object, q: np.ndarray, added: np.ndarray):
    """no tangent, since some columns have none"""
    return with_added(f, q, added), ADDED


@rrule(with_added)
def with_added_rrule(f: object, q: np.ndarray, added: np.ndarray):
    """q̄ = the first columns; of the others it is refused"""
    k = np.shape(q)[-1]

    def with_added_pullback(y_bar):
        refuse_part(f, y_bar[..., k:], "a full q has columns in any basis", NEXT)
        return NO_TANGENT, y_bar[..., :k], NO_TANGENT

    return with_added(f, q, added), with_added_pullback


def factors_like(f: Any, a: Any, found: Any) -> Any:
    """The factors of the new matrix, with the signs of those that were found."""
    q, r = np.linalg.qr(a)
    k = np.shape(q)[-1]
    signs = signs_of(q, own(np.copy, found[0][:, :k]))
    q, r = q * signs, np.expand_dims(signs, -1) * r
    more = np.shape(found[0])[-1] - k
    if not more:
        return q, r
    r = np.concatenate((r, np.zeros((np.shape(found[1])[0] - k, np.shape(r)[1]))), axis=0)
    return with_added(f, q, own(np.copy, found[0][:, k:])), r


@written_out(linalg.qr_delete)
def qr_delete(Q: np.ndarray, R: np.ndarray, *, k, p=1, which="row", overwrite_qr=False, check_finite=True):
    """the factors of q r without some rows or columns"""
    check_real(linalg.qr_delete, Q, R)
    found = own(linalg.qr_delete, Q, R, k, p, which, check_finite=check_finite)
    a = np.matmul(Q, np.triu(R))
    axis = 1 if which in ("col", "c") else 0
    return factors_like(linalg.qr_delete, a[tuple(left_over(np.shape(a), k, p, axis))], found)


def left_over(shape: tuple[int, ...], k: int, p: int, axis: int) -> Any:
    """What is left of each axis."""
    first = k % shape[axis]
    rest = np.r_[0:first, first + p : shape[axis]]
    return (rest, slice(None)) if axis == 0 else (slice(None), rest)


non_differentiable(left_over, why="computes places")


@written_out(linalg.qr_insert)
def qr_insert(
    Q: np.ndarray, R: np.ndarray, u: np.ndarray, *, k, which="row", rcond=None, overwrite_qru=False,
    check_finite=True,
):  # fmt: skip
    """the factors of q r with more rows or columns"""
    check_real(linalg.qr_insert, Q, R)
    found = own(linalg.qr_insert, Q, R, u, k, which, rcond, check_finite=check_finite)
    a = np.matmul(Q, np.triu(R))
    axis = 1 if which in ("col", "c") else 0
    place = k % (np.shape(a)[axis] + 1)
    new = np.expand_dims(u, axis) if np.ndim(u) == 1 else u
    before, after = (a[:, :place], a[:, place:]) if axis else (a[:place], a[place:])
    return factors_like(linalg.qr_insert, np.concatenate((before, new, after), axis=axis), found)


@written_out(linalg.qr_update)
def qr_update(
    Q: np.ndarray, R: np.ndarray, u: np.ndarray, v: np.ndarray, *, overwrite_qruv=False, check_finite=True
):
    """the factors of q r + u vᵀ"""
    check_real(linalg.qr_update, Q, R)
    found = own(linalg.qr_update, Q, R, u, v, check_finite=check_finite)
    change = np.outer(u, v) if np.ndim(u) == 1 else np.matmul(u, np.swapaxes(v, -1, -2))
    return factors_like(linalg.qr_update, np.matmul(Q, np.triu(R)) + change, found)
