"""The noncentral beta distribution Σ Poisson(k; h) I_x(a + k, b) by each of its arguments.

By x and the parameters the mixture of the derivatives of I_x (DLMF 8.17), by h the difference of the
mixtures of a + 1 and a, whose terms are −xᵃ⁺ᵏyᵇ/((a+k) B(a+k, b)), of one sign (DLMF 8.17.20). As there, a
caller gives x and its complement y = 1 − x. First derivatives go by the recurrence in k
(`poisson_mixture`), higher ones term by term. More than 5,000 terms are refused.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, scalar_rule
from ....tangents import NotImplementedTangent
from .beta_by_parameters import beta_by, beta_density, density_by
from .poisson_mixture import MOST, Terms, mixed_slopes, mixed_terms, weight
from .polygammas import psi_difference

MORE = NotImplementedTangent("a third derivative of the noncentral distribution")
WHOLE = NotImplementedTangent("the order of a derivative is a whole number")


def _mixed(a: Any, b: Any, x: Any, y: Any, h: Any, term: Any) -> Any:
    """Σ Poisson(k; h) term(a + k, b, x, y) over all k that count.

    The terms of the density rise until k (a + k) = h x (a + b + k), hence not beyond k² = h x (b + k).
    """
    a, b, x, y, h = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (a, b, x, y, h)))
    valid = _valid(a, b, x, y, h)
    shape, (a, b, x, y, h) = valid.shape, (np.where(valid, v, 0.5).ravel()[:, None] for v in (a, b, x, y, h))
    shared = 0.5 * h * x
    centre = np.max(np.maximum(h, shared + np.sqrt(shared * (shared + 2 * b))), initial=0.0)
    count = int(centre + 12 * np.sqrt(centre) + 40)
    if count > MOST:
        raise NotDifferentiableError(
            f"a noncentral distribution, a mixture of {count} others",
            next="for so large a noncentrality, use the normal distribution that it tends to",
        )
    k = np.arange(count)
    with np.errstate(all="ignore"):
        weights = np.exp(special.xlogy(k, h) - h - special.gammaln(k + 1))
        row, column = np.nonzero(weights > 0)
        made = weights[row, column] * term(a[row, 0] + column, b[row, 0], x[row, 0], y[row, 0])
    total = np.bincount(row, made, minlength=a.shape[0])
    return np.where(valid, total.reshape(shape), np.nan)[()]


def _valid(a: Any, b: Any, x: Any, y: Any, h: Any) -> Any:
    return (a > 0) & (b > 0) & (x >= 0) & (y >= 0) & (h >= 0) & np.isfinite(a + b + h)


def _inside(a: Any, b: Any, x: Any, y: Any, h: Any, mixture: Any) -> Any:
    """A mixture of flat arrays where 0 < x < 1; 0 at the ends."""
    a, b, x, y, h = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (a, b, x, y, h)))
    valid = _valid(a, b, x, y, h)
    out, inner = np.where(valid, 0.0, np.nan), valid & (x > 0) & (y > 0)
    with np.errstate(all="ignore"):
        out[inner] = mixture(*(v[inner] for v in (a, b, x, y, h)))
    return out[()]


def _centre(a: Any, b: Any, x: Any, h: Any) -> Any:
    """The largest of the terms Poisson(k; h) xᵏ Γ(a + b + k)/Γ(a + k): k (a + k) = h x (a + b + k)"""
    shared = h * x
    start = 0.5 * (shared - a)
    return np.maximum(start + np.sqrt(start * start + shared * (a + b)), 0.0)


def _slopes(a: Any, b: Any, x: Any, y: Any, h: Any, steps: Any) -> Any:
    """The first derivative by a or b, by I_x(a, b) = I_x(a + 1, b) + xᵃyᵇ/(a B(a, b))  [DLMF 8.17.20]"""
    return mixed_slopes(h, _centre(a, b, x, h), steps, a, b, x, y)


def _by_a(a: Any, b: Any, x: Any, y: Any) -> Terms:
    return Terms(
        lambda k: x * y * beta_density(a + k, b, x, y) / (a + k),
        lambda k: x * (a + b + k) / (a + k + 1.0),
        lambda k: np.log(x) + psi_difference(a + k + 1.0, b - 1.0),
        lambda k: (1.0 - b) / ((a + b + k) * (a + k + 1.0)),
        lambda k: beta_by(a + k, b, x, y, 1, 0),
    )


def _by_b(a: Any, b: Any, x: Any, y: Any) -> Terms:
    return _by_a(a, b, x, y)._replace(
        slope=lambda k: np.log(y) + psi_difference(b, a + k),
        change=lambda k: 1.0 / (a + b + k),
        whole=lambda k: beta_by(a + k, b, x, y, 0, 1),
    )


def _density(a: Any, b: Any, x: Any, y: Any, h: Any) -> Any:
    return mixed_terms(
        _centre(a, b, x, h),
        lambda k: weight(k, h) * beta_density(a + k, b, x, y),
        lambda k: h * x * (a + b + k) / ((k + 1.0) * (a + k)),
    )


def _by_mean(a: Any, b: Any, x: Any, y: Any, h: Any) -> Any:
    return -mixed_terms(
        _centre(a, b, x, h),
        lambda k: weight(k, h) * y * beta_density(a + k + 1.0, b, x, y) / (a + b + k),
        lambda k: h * x * (a + b + k) / ((k + 1.0) * (a + k + 1.0)),
    )


def mixed_by(a: Any, b: Any, x: Any, y: Any, h: Any, i: Any, j: Any) -> Any:
    """Σ Poisson(k; h) ∂ⁱ⁺ʲI_x(a + k, b)/∂aⁱ∂bʲ for i + j ≥ 1

    Example: >>> round(float(mixed_by(1.0, 1.0, 0.5, 0.5, 0.0, 1, 0)), 9)
             -0.34657359
    """
    if i + j == 1:
        return _inside(a, b, x, y, h, partial(_slopes, steps=_by_a if i else _by_b))
    return _mixed(a, b, x, y, h, lambda a, b, x, y: beta_by(a, b, x, y, i, j))


def mixed_density(a: Any, b: Any, x: Any, y: Any, h: Any) -> Any:
    """Σ Poisson(k; h) xᵃ⁺ᵏ⁻¹yᵇ⁻¹/B(a + k, b)

    Example: >>> round(float(mixed_density(1.0, 1.0, 0.5, 0.5, 0.0)), 9)
             1.0
    """
    inner, ends = _inside(a, b, x, y, h, _density), (np.asarray(x) == 0) | (np.asarray(y) == 0)
    return np.where(ends, _mixed(a, b, x, y, h, beta_density), inner)[()] if np.any(ends) else inner


def mixed_density_by(a: Any, b: Any, x: Any, y: Any, h: Any, i: Any, j: Any) -> Any:
    """∂ⁱ⁺ʲ of the density by a and b, i + j ≥ 1

    Example: >>> round(float(mixed_density_by(1.0, 1.0, 0.5, 0.5, 0.0, 1, 0)), 9)
             0.306852819
    """
    return _mixed(a, b, x, y, h, lambda a, b, x, y: density_by(a, b, x, y, int(i), int(j)))


def mixed_by_mean(a: Any, b: Any, x: Any, y: Any, h: Any) -> Any:
    """∂/∂h: −Σ Poisson(k; h) y f(x; a + k + 1, b)/(a + b + k)

    Example: >>> round(float(mixed_by_mean(1.0, 1.0, 0.5, 0.5, 0.0)), 9)
             -0.25
    """
    return _inside(a, b, x, y, h, _by_mean)


scalar_rule(
    mixed_density,
    lambda f, a, b, x, y, h: mixed_density_by(a, b, x, y, h, 1, 0),
    lambda f, a, b, x, y, h: mixed_density_by(a, b, x, y, h, 0, 1),
    lambda f, a, b, x, y, h: ((a - 1.0) / x - (b - 1.0) / y) * f + h / x * mixed_density(a + 1.0, b, x, y, h),
    0.0,
    lambda f, a, b, x, y, h: mixed_density(a + 1.0, b, x, y, h) - f,
)
scalar_rule(mixed_density_by, MORE, MORE, MORE, MORE, MORE, WHOLE, WHOLE)
scalar_rule(
    mixed_by,
    lambda f, a, b, x, y, h, i, j: mixed_by(a, b, x, y, h, i + 1, j),
    lambda f, a, b, x, y, h, i, j: mixed_by(a, b, x, y, h, i, j + 1),
    lambda f, a, b, x, y, h, i, j: mixed_density_by(a, b, x, y, h, i, j),
    0.0,
    lambda f, a, b, x, y, h, i, j: mixed_by(a + 1.0, b, x, y, h, i, j) - f,
    WHOLE,
    WHOLE,
)
scalar_rule(
    mixed_by_mean,
    lambda f, a, b, x, y, h: mixed_by(a + 1.0, b, x, y, h, 1, 0) - mixed_by(a, b, x, y, h, 1, 0),
    lambda f, a, b, x, y, h: mixed_by(a + 1.0, b, x, y, h, 0, 1) - mixed_by(a, b, x, y, h, 0, 1),
    lambda f, a, b, x, y, h: mixed_density(a + 1.0, b, x, y, h) - mixed_density(a, b, x, y, h),
    0.0,
    lambda f, a, b, x, y, h: mixed_by_mean(a + 1.0, b, x, y, h) - f,
)
