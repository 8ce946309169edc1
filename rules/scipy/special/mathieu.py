"""Mathieu's characteristic values by q, the functions by their argument, and the Fourier coefficients by q.

A characteristic value is an eigenvalue of the tridiagonal matrix D + q B of the Fourier coefficients v
(DLMF 28.4), so that its slope is v·B v, which is ⟨2 cos 2x⟩ (Hellmann and Feynman). A function has its
second derivative from the equation y″ = −(a − 2q cos 2x) y, in degrees as SciPy has the angle; the radial
ones from y″ = (a − 2q cosh 2x) y. By q they have no rule. Orders are whole numbers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....core import non_differentiable, scalar_rule
from ....tangents import NotImplementedTangent
from ...numpy.exponential import inside
from .last_argument import by_last
from .outputs import outputs_rule

NO_ORDER = NotImplementedTangent("Mathieu's functions by their order, which is a whole number")
NO_Q = NotImplementedTangent("Mathieu's functions by q; their characteristic values have it")
DEGREE = math.pi / 180


def matrices(m: Any, q: Any, even: bool) -> tuple[Any, Any, Any]:
    """The diagonal matrix D, the matrix B and the unit vector of the order, for each entry."""
    m, q = np.broadcast_arrays(np.asarray(m, float), q)
    odd = m % 2 == 1
    start = np.where(odd, 1.0, 0.0 if even else 2.0)
    largest = max(float(np.max(np.nan_to_num(m), initial=0.0)), 0.0)
    size = int(largest / 2 + 40 + 2 * math.sqrt(float(np.max(np.abs(np.nan_to_num(q)), initial=0.0))))
    k = np.arange(size)
    diagonal = (start[..., None] + 2 * k) ** 2
    beside = np.ones((*m.shape, size - 1))
    beside[..., 0] = np.where(odd | (not even), 1.0, math.sqrt(2))
    d, b = np.zeros((2, *m.shape, size, size))
    d[..., k, k] = diagonal
    b[..., k[1:], k[:-1]] = b[..., k[:-1], k[1:]] = beside
    b[..., 0, 0] = np.where(odd, 1.0 if even else -1.0, 0.0)
    return d, b, (k == ((m - start) / 2)[..., None]).astype(float)


non_differentiable(matrices, why="computes with orders and sizes")


def coefficients(m: Any, q: Any, even: bool) -> tuple[Any, Any]:
    """The eigenvector of the order, of length one, and B."""
    d, b, unit = matrices(m, q, even)
    shape = (*np.shape(q), 1, 1)
    vectors = np.linalg.eigh(d + np.reshape(q, shape) * b)[1]
    return np.sum(vectors * unit[..., None, :], axis=-1), b


def value_slope(y: Any, m: Any, q: Any, even: bool) -> Any:
    """∂a/∂q = v·B v, NaN where there is no value"""
    known = np.where(np.isfinite(q), q, 0.0)
    v, b = coefficients(m, known, even)
    return inside(y, np.einsum("...i,...ij,...j->...", v, b, v))


scalar_rule(special.mathieu_a, NO_ORDER, lambda y, m, q: value_slope(y, m, q, True))
scalar_rule(special.mathieu_b, NO_ORDER, lambda y, m, q: value_slope(y, m, q, False))


def _angular(f: Any, value: Any) -> None:
    """y° = y′ π/180, (y′)° = −(a − 2q cos 2x) y π/180"""

    def curvature(ys: Any, m: Any, q: Any, x: Any) -> Any:
        return -DEGREE * (value(m, q) - 2 * q * np.cos(2 * DEGREE * x)) * ys[0]

    outputs_rule(
        f,
        [NO_ORDER, NO_Q, lambda ys, m, q, x: DEGREE * ys[1]],
        [NO_ORDER, NO_Q, curvature],
    )


def _radial(f: Any, value: Any) -> None:
    """y′, y″ = (a − 2q cosh 2x) y"""

    def curvature(ys: Any, m: Any, q: Any, x: Any) -> Any:
        return (value(m, q) - 2 * q * np.cosh(2 * x)) * ys[0]

    outputs_rule(f, [NO_ORDER, NO_Q, lambda ys, m, q, x: ys[1]], [NO_ORDER, NO_Q, curvature])


_angular(special.mathieu_cem, special.mathieu_a)
_angular(special.mathieu_sem, special.mathieu_b)
for name in ("mathieu_modcem1", "mathieu_modcem2"):
    _radial(getattr(special, name), special.mathieu_a)
for name in ("mathieu_modsem1", "mathieu_modsem2"):
    _radial(getattr(special, name), special.mathieu_b)


def _coefficient_slopes(y: Any, m: Any, q: Any, even: bool) -> Any:
    """v̇ = (a − D − qB)⁺ B v, in SciPy's sign and scale: of the even ones of even order the first is v₀/√2"""
    d, b, unit = matrices(m, q, even)
    values, vectors = np.linalg.eigh(d + q * b)
    at = int(np.argmax(unit))
    v = vectors[:, at]
    gaps = values[at] - values
    moved = vectors @ np.where(unit == 1, 0.0, (vectors.T @ (b @ v)) / np.where(unit == 1, 1.0, gaps))
    moved = moved * np.sign(v[: len(y)] @ y[: len(v)])
    found = np.zeros(len(y))
    found[: min(len(v), len(y))] = moved[: len(y)]
    if even and m % 2 == 0:
        found[0] = found[0] / math.sqrt(2)
    return found


by_last(special.mathieu_even_coef, 2, lambda y, m, q: _coefficient_slopes(y, m, q, True))
by_last(special.mathieu_odd_coef, 2, lambda y, m, q: _coefficient_slopes(y, m, q, False))
