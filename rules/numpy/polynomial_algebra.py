"""The algebra of polynomials: polyadd, polysub, polymul, polydiv, polyder, polyint, poly, polyfit.

NumPy drops leading coefficients that are zero from a product, and those that vanish up to rounding from
a remainder. What is dropped is constant here: its cotangent is zero. Fits are differentiated by
the points, the values and the weights; `rcond` is a constant.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...core import Array, UnsupportedArgument, non_differentiable
from ..written import own, written_out


def leading_zeros(c: Any) -> int:
    """How many leading coefficients of a product's factor NumPy drops: the zeros, but not the last."""
    places = np.flatnonzero(c)
    return int(places[0]) if len(places) else len(c) - 1


def vanishing(r: Any) -> int:
    """How many leading coefficients of a remainder vanish up to rounding."""
    count = 0
    while count < len(r) - 1 and np.allclose(r[count], 0, rtol=1e-14):
        count += 1
    return count


def of_one_type(roots: Any) -> Any:
    """The dtype of the coefficients of a polynomial with these roots."""
    return np.dtype(np.mintypecode(roots.dtype.char))


def are_conjugate(roots: Any) -> bool:
    """Whether complex roots come in pairs, so that the polynomial is real."""
    pairs = np.asarray(roots, complex)
    return bool(np.all(np.sort(pairs) == np.sort(pairs.conjugate())))


def warn_of_rank(rank: Any, order: int, full: bool) -> None:
    """Warn of a fit whose points do not determine it."""
    if rank != order and not full:
        message = "Polyfit may be poorly conditioned"
        warnings.warn(message, np.exceptions.RankWarning, stacklevel=2)


def precision(x: Any) -> Any:
    """The relative precision of a floating type."""
    return np.finfo(x.dtype).eps


non_differentiable(
    leading_zeros,
    vanishing,
    of_one_type,
    are_conjugate,
    warn_of_rank,
    precision,
    why="decides on a form",
)


def line_of(f: Any, name: str, c: Any) -> Any:
    """Coefficients in one line, at least one; others make no polynomial, whatever NumPy makes of them."""
    if np.ndim(c) > 1:
        raise UnsupportedArgument(f, name, c, next="give the coefficients of one polynomial in one line")
    return np.reshape(c, -1) if np.size(c) else np.zeros(1)


def side_by_side(f: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """The coefficients of two polynomials, as many of each."""
    p, q = line_of(f, "a1", a), line_of(f, "a2", b)
    p_lacks, q_lacks = max(len(q) - len(p), 0), max(len(p) - len(q), 0)
    p = np.concatenate((np.zeros(p_lacks, dtype=p.dtype), p))
    return p, np.concatenate((np.zeros(q_lacks, dtype=q.dtype), q))


@written_out(np.polyadd)
def polyadd(a1: Array, a2: Array):
    """y = p + q"""
    p, q = side_by_side(np.polyadd, a1, a2)
    return p + q


@written_out(np.polysub)
def polysub(a1: Array, a2: Array):
    """y = p − q"""
    p, q = side_by_side(np.polysub, a1, a2)
    return p - q


@written_out(np.polymul)
def polymul(a1: Array, a2: Array):
    """y = p q"""
    p, q = line_of(np.polymul, "a1", a1), line_of(np.polymul, "a2", a2)
    return np.convolve(p[leading_zeros(p) :], q[leading_zeros(q) :])


@written_out(np.polydiv)
def polydiv(u: Array, v: Array):
    """u = q v + r, by long division"""
    r, divisor = line_of(np.polydiv, "u", u) + 0.0, line_of(np.polydiv, "v", v) + 0.0
    r = r + 0 * divisor[0]
    n = len(divisor)
    scale = 1.0 / divisor[0]
    q = np.zeros(0, dtype=r.dtype)
    for k in range(len(r) - n + 1):
        d = scale * r[k]
        q = np.concatenate((q, np.reshape(d, 1)))
        r = np.concatenate((r[:k], r[k : k + n] - d * divisor, r[k + n :]))
    if len(q) == 0:
        q = np.zeros(1, dtype=r.dtype)
    return q, r[vanishing(r) :]


@written_out(np.polyder)
def polyder(p: Array, *, m=1):
    """y = the m-th derivative of p"""
    if m < 0:
        return own(np.polyder, p, m)  # which is refused
    y: Any = p
    for _ in range(m):
        y = y[:-1] * np.arange(len(y) - 1, 0, -1)
    return y


@written_out(np.polyint)
def polyint(p: np.ndarray, k: Array | None = None, *, m=1):
    """y = the m-th integral of p, with constants k, that of the highest power first"""
    constants = np.zeros(max(m, 0)) if k is None else np.reshape(k, -1)
    if len(constants) == 1 and m > 1:
        constants = constants[0] * np.ones(m)
    if m < 0 or len(constants) < m:
        return own(np.polyint, p, m, k)  # which is refused
    for i in range(m):
        p = np.concatenate((p / np.arange(len(p), 0, -1), constants[i : i + 1]))
    return p


@written_out(np.poly)
def poly(seq_of_zeros: Array):
    """y = Π (x − zᵢ); of a matrix, its characteristic polynomial"""
    roots = np.linalg.eigvals(seq_of_zeros) if np.ndim(seq_of_zeros) == 2 else np.reshape(seq_of_zeros, -1)
    roots = roots.astype(of_one_type(roots))
    if len(roots) == 0:
        return 1.0
    y = np.ones(1, dtype=roots.dtype)
    zero = np.zeros(1, dtype=roots.dtype)
    for i in range(len(roots)):
        y = np.concatenate((y, zero)) - roots[i] * np.concatenate((zero, y))
    return np.real(y) if are_conjugate(roots) else y


@written_out(np.polyfit)
def polyfit(x: np.ndarray, y: np.ndarray, w: Array | None = None, *, deg, rcond=None, full=False, cov=False):
    """c = the coefficients with the least Σ |w (p(x) − y)|²"""
    x, y = x + 0.0, y + 0.0
    if rcond is None:
        rcond = len(x) * precision(x)
    powers = np.vander(x, deg + 1)
    values = y
    if w is not None:
        powers = powers * np.expand_dims(w, -1)
        values = y * np.reshape(w, (-1, *(1,) * (np.ndim(y) - 1)))
    scale = np.sqrt(np.sum(powers * powers, axis=0))
    powers = powers / scale
    c, residuals, rank, s = np.linalg.lstsq(powers, values, rcond)
    c = (c.T / scale).T
    warn_of_rank(rank, deg + 1, full)
    if full:
        return c, residuals, rank, s, rcond
    if not cov:
        return c
    base = np.linalg.inv(np.dot(powers.T, powers)) / np.outer(scale, scale)
    factor = 1.0
    if cov != "unscaled":
        factor = residuals / (len(x) - deg - 1)
    return c, base * factor if np.ndim(y) == 1 else np.expand_dims(base, -1) * factor
