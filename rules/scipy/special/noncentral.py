"""The noncentral χ² distribution by each of its arguments, and its inverses.

F = Σ Poisson(j; λ/2) P(k/2 + j, x/2): by x the density, by the noncentrality minus the density with two
more degrees of freedom (½(F_{k+2} − F_k), and DLMF 8.8.5), by the degrees the mixture of the derivatives of
P, whose terms have one sign. More than 5,000 terms are refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, scalar_rule
from ....tangents import NotImplementedTangent
from .gamma_by_parameter import density_by, gamma_by, gamma_density
from .inverse import inverse_rule

MOST = 5000
MORE = NotImplementedTangent("a third derivative of the noncentral distribution")


def _mixed(x: Any, k: Any, c: Any, term: Any) -> Any:
    """Σ Poisson(j; c/2) term(k/2 + j, x/2) over all j that count: those around c/2 and √(c x)/2."""
    x, k, c = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (x, k, c)))
    valid = (x >= 0) & (k > 0) & (c >= 0) & np.isfinite(x + k + c)
    u, m, h = (np.where(valid, v, 1.0)[..., None] for v in (0.5 * x, 0.5 * k, 0.5 * c))
    centre = np.max(np.maximum(h, np.sqrt(h * u)), initial=0.0)
    count = int(centre + 12 * np.sqrt(centre) + 40)
    if count > MOST:
        raise NotDifferentiableError(
            f"a noncentral chi-square distribution, a mixture of {count} others",
            next="for so large a noncentrality, use the normal distribution that it tends to",
        )
    j = np.arange(count)
    with np.errstate(all="ignore"):
        weights = np.exp(special.xlogy(j, h) - h - special.gammaln(j + 1))
        total = np.sum(weights * term(m + j, np.broadcast_to(u, weights.shape)), axis=-1)
    return np.where(valid, total, np.where((x < 0) & (k > 0) & (c >= 0), 0.0, np.nan))[()]


def chi_density(x: Any, k: Any, c: Any) -> Any:
    """The density of the noncentral χ² distribution.

    Example: >>> round(float(chi_density(1.0, 2.0, 0.0)), 9)
             0.30326533
    """
    return _mixed(x, k, c, lambda a, u: 0.5 * gamma_density(a, u))


def chi_by_freedom(x: Any, k: Any, c: Any, n: Any) -> Any:
    """∂ⁿF/∂kⁿ

    Example: >>> round(float(chi_by_freedom(2.0, 2.0, 0.0, 1)), 9)
             -0.215864855
    """
    return _mixed(x, k, c, lambda a, u: 0.5 ** int(n) * gamma_by(a, u, n))


def chi_density_by_freedom(x: Any, k: Any, c: Any, n: Any) -> Any:
    """∂ⁿf/∂kⁿ

    Example: >>> round(float(chi_density_by_freedom(2.0, 2.0, 0.0, 0)), 9)
             0.183939721
    """
    return _mixed(x, k, c, lambda a, u: 0.5 ** (int(n) + 1) * density_by(a, u, int(n)))


scalar_rule(
    chi_density,
    lambda f, x, k, c: f * ((k - 2.0) / (2 * x) - 0.5) + chi_density(x, k + 2.0, c) * c / (2 * x),
    lambda f, x, k, c: chi_density_by_freedom(x, k, c, 1),
    lambda f, x, k, c: 0.5 * (chi_density(x, k + 2.0, c) - f),
)
scalar_rule(chi_density_by_freedom, MORE, MORE, MORE, MORE)
scalar_rule(
    chi_by_freedom,
    lambda f, x, k, c, n: chi_density_by_freedom(x, k, c, n),
    lambda f, x, k, c, n: chi_by_freedom(x, k, c, n + 1),
    lambda f, x, k, c, n: 0.5 * (chi_by_freedom(x, k + 2.0, c, n) - f),
    NotImplementedTangent("the order of a derivative is a whole number"),
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
