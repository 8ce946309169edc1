"""Spheroidal wave functions by their argument, and their characteristic values by c.

A characteristic value is an eigenvalue of l(l+1) ± c² X, X the matrix of x² among the associated Legendre
functions of order m (DLMF 30.8), so that its slope is ±2c ⟨x²⟩ (Hellmann and Feynman). A function has its
second derivative from the equation (30.2.1), (1 − x²) S″ = 2x S′ − (λ ∓ c²x² − m²/(1 − x²)) S, the oblate
radial ones with ix for x. The functions have no rule by c, nor by λ where that is given. The second kinds
are checked by their Wronskian with the first, and refused where SciPy's values do not satisfy it, as
those of `obl_rad2` for small arguments.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, non_differentiable, scalar_rule
from ....core.callables import name_of
from ....tangents import NotImplementedTangent
from ...numpy.exponential import inside
from .last_argument import by_last
from .outputs import outputs_rule

NO_ORDER = NotImplementedTangent("spheroidal functions by m and n, which are whole numbers")
NO_C = NotImplementedTangent("spheroidal wave functions by c; their characteristic values have it")
NO_VALUE = NotImplementedTangent("spheroidal wave functions by their characteristic value")
HEAD = (NO_ORDER, NO_ORDER, NO_C, NO_VALUE)
WANTED = 1e-7


def matrices(m: Any, n: Any, c: Any) -> tuple[Any, Any, Any]:
    """The matrices of l(l+1) and of x², and the unit vector of the degree, each with a row for each entry."""
    m, n, c = np.broadcast_arrays(np.asarray(m, float), np.asarray(n, float), c)
    start = m + (n - m) % 2
    largest = max(float(np.max(n - m, initial=0.0)), 0.0)
    size = int(largest / 2 + 25 + float(np.max(np.abs(np.nan_to_num(c)), initial=0.0)))
    k = np.arange(size)
    l = start[..., None] + 2 * k  # noqa: E741  the degree is an l everywhere
    below, above = _share(l, m), _share(l + 1, m)
    d, x2 = np.zeros((2, *m.shape, size, size))
    d[..., k, k] = l * (l + 1)
    x2[..., k, k] = below * below + above * above
    x2[..., k[1:], k[:-1]] = x2[..., k[:-1], k[1:]] = (above * _share(l + 2, m))[..., :-1]
    return d, x2, (k == ((n - start) / 2)[..., None]).astype(float)


def _share(l: Any, m: Any) -> Any:  # noqa: E741
    """α with x P_{l−1} = α P_l + …, of normalised functions"""
    return np.sqrt(np.maximum(l * l - m[..., None] ** 2, 0.0) / (4 * l * l - 1))


non_differentiable(matrices, why="computes with orders and sizes")


def value_slope(y: Any, m: Any, n: Any, c: Any, sign: int) -> Any:
    """∂λ/∂c = ±2c v·X v, NaN where there is no value"""
    known = np.where(np.isfinite(c), c, 0.0)
    d, x2, unit = matrices(m, n, known)
    vectors = np.linalg.eigh(d + sign * np.reshape(known * known, (*np.shape(known), 1, 1)) * x2)[1]
    v = np.sum(vectors * unit[..., None, :], axis=-1)
    return inside(y, sign * 2 * known * np.einsum("...i,...ij,...j->...", v, x2, v))


scalar_rule(special.pro_cv, NO_ORDER, NO_ORDER, lambda y, m, n, c: value_slope(y, m, n, c, 1))
scalar_rule(special.obl_cv, NO_ORDER, NO_ORDER, lambda y, m, n, c: value_slope(y, m, n, c, -1))


def _degrees(m: Any, n: Any) -> Any:
    return np.arange(m, n + 1)


non_differentiable(_degrees, why="computes with orders")
by_last(special.pro_cv_seq, 3, lambda y, m, n, c: value_slope(y, m, _degrees(m, n), c, 1))
by_last(special.obl_cv_seq, 3, lambda y, m, n, c: value_slope(y, m, _degrees(m, n), c, -1))


def curvature(ys: Any, m: Any, c: Any, value: Any, x: Any, sign: int, side: int) -> Any:
    """y″ = (2 x y′ − (λ ∓ c² x² − m²/(1 − x²)) y) / (1 − x²), and with −x² for x² on the oblate radius"""
    t = side * x * x
    return side * (2 * x * ys[1] - (value - sign * c * c * t - m * m / (1 - t)) * ys[0]) / (1 - t)


def _first_kind(name: str, find: Any, sign: int, side: int) -> None:
    outputs_rule(
        getattr(special, name),
        [NO_ORDER, NO_ORDER, NO_C, lambda ys, m, n, c, x: ys[1]],
        [NO_ORDER, NO_ORDER, NO_C, lambda ys, m, n, c, x: curvature(ys, m, c, find(m, n, c), x, sign, side)],
    )
    outputs_rule(
        getattr(special, name + "_cv"),
        [*HEAD, lambda ys, m, n, c, v, x: ys[1]],
        [*HEAD, lambda ys, m, n, c, v, x: curvature(ys, m, c, v, x, sign, side)],
    )


def hold(f: Any, first: Any, second: Any, c: Any, x: Any, side: int) -> None:
    """Refuse where R₁ R₂′ − R₁′ R₂ is not 1 / (c (x² ∓ 1))        [DLMF 30.11.7]"""
    found = (first[0] * second[1] - first[1] * second[0]) * c * (x * x - side)
    if np.any(np.abs(found - 1) > WANTED):
        raise NotDifferentiableError(
            f"{name_of(f)} here: SciPy's values do not satisfy the Wronskian, so that one is wrong",
            next="use it where its value is right, at larger arguments",
        )


non_differentiable(hold, why="checks values")


def _second_kind(kind: str, find: Any, sign: int, side: int) -> None:
    f, with_value = getattr(special, f"{kind}_rad2"), getattr(special, f"{kind}_rad2_cv")
    first, first_with_value = getattr(special, f"{kind}_rad1"), getattr(special, f"{kind}_rad1_cv")

    def slope(ys: Any, m: Any, n: Any, c: Any, x: Any) -> Any:
        hold(f, first(m, n, c, x), ys, c, x, side)
        return ys[1]

    def bend(ys: Any, m: Any, n: Any, c: Any, x: Any) -> Any:
        hold(f, first(m, n, c, x), ys, c, x, side)
        return curvature(ys, m, c, find(m, n, c), x, sign, side)

    def slope_cv(ys: Any, m: Any, n: Any, c: Any, v: Any, x: Any) -> Any:
        hold(with_value, first_with_value(m, n, c, v, x), ys, c, x, side)
        return ys[1]

    def bend_cv(ys: Any, m: Any, n: Any, c: Any, v: Any, x: Any) -> Any:
        hold(with_value, first_with_value(m, n, c, v, x), ys, c, x, side)
        return curvature(ys, m, c, v, x, sign, side)

    outputs_rule(f, [NO_ORDER, NO_ORDER, NO_C, slope], [NO_ORDER, NO_ORDER, NO_C, bend])
    outputs_rule(with_value, [*HEAD, slope_cv], [*HEAD, bend_cv])


_first_kind("pro_ang1", special.pro_cv, 1, 1)
_first_kind("obl_ang1", special.obl_cv, -1, 1)
_first_kind("pro_rad1", special.pro_cv, 1, 1)
_first_kind("obl_rad1", special.obl_cv, -1, -1)
_second_kind("pro", special.pro_cv, 1, 1)
_second_kind("obl", special.obl_cv, -1, -1)
