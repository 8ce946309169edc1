"""The noncentral χ² distribution by each of its arguments, and its inverses.

F = Σ Poisson(j; λ/2) P(k/2 + j, x/2): by x the density, by the noncentrality minus the density with two
more degrees of freedom (½(F_{k+2} − F_k), and DLMF 8.8.5), by the degrees the mixture of the derivatives of
P, whose terms have one sign. The first derivatives go by the recurrence in j (`poisson_mixture`), higher
ones term by term. More than 5,000 terms are refused. `chndtridf` and `chndtrinc` are as exact as SciPy's
values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, scalar_rule
from ....tangents import NotImplementedTangent
from .gamma_by_parameter import density_by, gamma_by, gamma_density
from .inverse import inverse_rule
from .poisson_mixture import MOST, Terms, mixed_slopes, mixed_terms, weight

WHOLE = NotImplementedTangent("the order of a derivative is a whole number")


def _mixed(x: Any, k: Any, c: Any, mixture: Any) -> Any:
    """A mixture of x/2, k/2, c/2, flat arrays; 0 left of x = 0."""
    x, k, c = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (x, k, c)))
    valid = (x >= 0) & (k > 0) & (c >= 0) & np.isfinite(x + k + c)
    with np.errstate(all="ignore"):
        total = mixture(*(np.where(valid, 0.5 * v, 0.5).ravel() for v in (x, k, c))).reshape(valid.shape)
    return np.where(valid, total, np.where((x < 0) & (k > 0) & (c >= 0), 0.0, np.nan))[()]


def _centre(u: Any, m: Any, h: Any) -> Any:
    """The largest of the terms Poisson(j; h) uᵐ⁺ʲ/Γ(m + j): j (m + j − 1) = h u"""
    b = 0.5 * np.maximum(m - 1.0, 0.0)
    shared = h * u
    return np.where(shared > 0, shared / (b + np.sqrt(b * b + shared)), 0.0)


def _density(u: Any, m: Any, h: Any) -> Any:
    """½ Σ Poisson(j; h) f(u; m + j)"""

    def first(j: Any) -> Any:
        return 0.5 * weight(j, h) * gamma_density(m + j, u)

    return mixed_terms(_centre(u, m, h), first, lambda j: h * u / ((j + 1.0) * (m + j)))


def _by_freedom(u: Any, m: Any, h: Any) -> Any:
    """½ Σ Poisson(j; h) ∂P(m + j, u)/∂m, P(a, u) = P(a + 1, u) + uᵃe⁻ᵘ/Γ(a + 1)        [DLMF 8.8.5]"""
    return np.where(u == 0, 0.0, 0.5 * mixed_slopes(h, _centre(u, m + 1.0, h), _steps, u, m))


def _steps(u: Any, m: Any) -> Terms:
    log_u = np.log(u)
    return Terms(
        lambda j: gamma_density(m + j + 1.0, u),
        lambda j: u / (m + j + 1.0),
        lambda j: log_u - special.psi(m + j + 1.0),
        lambda j: -1.0 / (m + j + 1.0),
        lambda j: gamma_by(m + j, u, 1),
    )


def _terms(u: Any, m: Any, h: Any, term: Any) -> Any:
    """Σ Poisson(j; h) term(m + j, u), each as such, over all j that count: those around h and √(h u)."""
    centre = np.max(np.maximum(h, np.sqrt(h * u)), initial=0.0)
    count = int(centre + 12 * np.sqrt(centre) + 40)
    if count > MOST:
        raise NotDifferentiableError(
            f"a noncentral chi-square distribution, a mixture of {count} others",
            next="for so large a noncentrality, use the normal distribution that it tends to",
        )
    j, u, m, h = np.arange(count), u[:, None], m[:, None], h[:, None]
    weights = np.exp(special.xlogy(j, h) - h - special.gammaln(j + 1))
    return np.sum(weights * term(m + j, np.broadcast_to(u, weights.shape)), axis=-1)


def chi_density(x: Any, k: Any, c: Any) -> Any:
    """The density of the noncentral χ² distribution.

    Example: >>> round(float(chi_density(1.0, 2.0, 0.0)), 9)
             0.30326533
    """
    return _mixed(x, k, c, _density)


def chi_by_freedom(x: Any, k: Any, c: Any, n: Any) -> Any:
    """∂ⁿF/∂kⁿ

    Example: >>> round(float(chi_by_freedom(2.0, 2.0, 0.0, 1)), 9)
             -0.215864855
    """
    if n == 1:
        return _mixed(x, k, c, _by_freedom)
    return _mixed(x, k, c, lambda u, m, h: _terms(u, m, h, lambda a, u: 0.5 ** int(n) * gamma_by(a, u, n)))


def chi_density_by_freedom(x: Any, k: Any, c: Any, n: Any) -> Any:
    """∂ⁿf/∂kⁿ

    Example: >>> round(float(chi_density_by_freedom(2.0, 2.0, 0.0, 0)), 9)
             0.183939721
    """
    scale = 0.5 ** (int(n) + 1)
    return _mixed(x, k, c, lambda u, m, h: _terms(u, m, h, lambda a, u: scale * density_by(a, u, int(n))))


scalar_rule(
    chi_density,
    lambda f, x, k, c: f * ((k - 2.0) / (2 * x) - 0.5) + chi_density(x, k + 2.0, c) * c / (2 * x),
    lambda f, x, k, c: chi_density_by_freedom(x, k, c, 1),
    lambda f, x, k, c: 0.5 * (chi_density(x, k + 2.0, c) - f),
)


def _density_by_x(f: Any, x: Any, k: Any, c: Any, n: Any) -> Any:
    """The n-th derivative by k of f_x = f ((k−2)/2x − ½) + c/2x f(k+2)"""
    lower = 0.0 if n == 0 else n * chi_density_by_freedom(x, k, c, n - 1)
    shifted = c * chi_density_by_freedom(x, k + 2.0, c, n)
    return f * ((k - 2.0) / (2 * x) - 0.5) + (lower + shifted) / (2 * x)


scalar_rule(
    chi_density_by_freedom,
    _density_by_x,
    lambda f, x, k, c, n: chi_density_by_freedom(x, k, c, n + 1),
    lambda f, x, k, c, n: 0.5 * (chi_density_by_freedom(x, k + 2.0, c, n) - f),
    WHOLE,
)
scalar_rule(
    chi_by_freedom,
    lambda f, x, k, c, n: chi_density_by_freedom(x, k, c, n),
    lambda f, x, k, c, n: chi_by_freedom(x, k, c, n + 1),
    lambda f, x, k, c, n: 0.5 * (chi_by_freedom(x, k + 2.0, c, n) - f),
    WHOLE,
)
scalar_rule(
    special.chndtr,
    lambda y, x, k, c: chi_density(x, k, c),
    lambda y, x, k, c: chi_by_freedom(x, k, c, 1),
    lambda y, x, k, c: -chi_density(x, k + 2.0, c),
    strong_zero=True,
)
inverse_rule(special.chndtrix, special.chndtr, 0)
inverse_rule(special.chndtridf, special.chndtr, 1)
inverse_rule(special.chndtrinc, special.chndtr, 2)
