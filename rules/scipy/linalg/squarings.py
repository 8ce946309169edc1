"""The derivative of the exponential of one matrix along another, by scaling and squaring.

Each step of the exponential is differentiated beside it: even powers of the matrix, a rational function of
them, and squares. Its order and the number of squares follow from the norm, so that both the exponential and
its derivative are exact to rounding. Sums of powers are one product with
their coefficients, which goes through memory once.

See [Al-Mohy & Higham 2009], whose table 6.1 has the bounds.
"""

from __future__ import annotations

from math import ceil, comb, factorial, log2
from typing import Any

import numpy as np
from scipy import linalg

_BOUNDS = ((3, 1.08e-2), (5, 2.00e-1), (7, 7.83e-1), (9, 1.78), (13, 4.74))


def coefficients(order: int) -> list[float]:
    """Of the numerator of the rational function of this order, from the lowest power.

    Example: >>> coefficients(3)
             [120.0, 60.0, 12.0, 1.0]
    """
    last = factorial(order)
    return [comb(order, j) * factorial(2 * order - j) / last for j in range(order + 1)]


def along(a: Any, e: Any) -> Any:
    """L(a, e) of one square matrix."""
    norm = float(np.linalg.norm(a, 1)) if a.size else 0.0
    dtype = np.result_type(a, e, np.float32)
    if not np.isfinite(norm):
        return np.full(np.shape(a), np.nan, dtype)
    order = next((m for m, bound in _BOUNDS if norm <= bound), 13)
    squares = max(0, ceil(log2(norm / _BOUNDS[-1][1]))) if order == 13 else 0
    scale = np.asarray(2.0**-squares, np.real(np.zeros(0, dtype)).dtype)
    y, dy = _ratio(*_parts(np.asarray(a * scale, dtype), np.asarray(e * scale, dtype), order))
    for k in range(squares):
        dy = _moved_product(y, y, dy, dy)
        y = np.matmul(y, y) if k + 1 < squares else y
    return dy


def _moved_product(x: Any, y: Any, dx: Any, dy: Any, out: Any = None) -> Any:
    """ẋ y + x ẏ"""
    out = np.matmul(x, dy, out=out)
    out += np.matmul(dx, y)
    return out


def _parts(a: Any, e: Any, order: int) -> tuple[Any, Any, Any, Any]:
    """The odd and the even part of the numerator, and their derivatives; of order 13 from a⁶ on."""
    b, n, count = coefficients(order), len(a), min(order // 2, 3 if order == 13 else 4)
    powers, moved = np.empty((2, count, n, n), a.dtype)
    for k in range(count):
        x, dx = (powers[k - 1], moved[k - 1]) if k else (a, e)
        y, dy = (powers[0], moved[0]) if k else (a, e)
        np.matmul(x, y, out=powers[k])
        _moved_product(x, y, dx, dy, out=moved[k])
    rows = np.array([b[3::2], b[2::2]] if order < 13 else [b[3:9:2], b[2:8:2], b[9::2], b[8::2]], a.dtype)
    sums, d_sums = ((rows @ m.reshape(count, n * n)).reshape(-1, n, n) for m in (powers, moved))
    for part, constant in zip(sums, (b[1], b[0]), strict=False):
        part[np.arange(n), np.arange(n)] += constant
    for k in range(2, len(rows)):
        sums[k - 2] += np.matmul(powers[2], sums[k])
        d_sums[k - 2] += _moved_product(powers[2], sums[k], moved[2], d_sums[k])
    return np.matmul(a, sums[0]), sums[1], _moved_product(a, sums[0], e, d_sums[0]), d_sums[1]


def _ratio(odd: Any, even: Any, d_odd: Any, d_even: Any) -> tuple[Any, Any]:
    """r with (even − odd) r = even + odd, and its derivative"""
    factors = linalg.lu_factor(even - odd, check_finite=False)
    y = linalg.lu_solve(factors, even + odd, check_finite=False)
    right = np.matmul(d_odd - d_even, y)
    right += d_odd
    right += d_even
    return y, linalg.lu_solve(factors, right, check_finite=False)
