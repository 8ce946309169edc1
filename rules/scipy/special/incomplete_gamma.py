"""The incomplete gamma functions, and the distributions that they are, with the inverses by every argument.

By x the density; by the parameter the integral of its derivative. `pdtr` and `pdtrc` read only the whole
part of k, a step, whose derivative is 0. At x = 0 the distribution does not depend on the parameter. The
inverses have infinite slopes where the density vanishes, which a zero cotangent does not meet.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import scalar_rule
from .gamma_by_parameter import gamma_by, gamma_density
from .inverse import inverse_rule
from .quietly import quietly

scalar_rule(
    special.gammainc,
    lambda y, a, x: gamma_by(a, x, 1),
    quietly(lambda y, a, x: gamma_density(a, x)),
    strong_zero=True,
)
scalar_rule(
    special.gammaincc,
    lambda y, a, x: -gamma_by(a, x, 1),
    quietly(lambda y, a, x: -gamma_density(a, x)),
    strong_zero=True,
)
inverse_rule(special.gammaincinv, special.gammainc, 1)
inverse_rule(special.gammainccinv, special.gammaincc, 1)

scalar_rule(
    special.chdtr,
    lambda y, v, x: 0.5 * gamma_by(0.5 * v, 0.5 * x, 1),
    quietly(lambda y, v, x: np.where(x < 0, 0.0, 0.5 * gamma_density(0.5 * v, 0.5 * np.abs(x)))),
    strong_zero=True,
)
scalar_rule(
    special.chdtrc,
    lambda y, v, x: -0.5 * gamma_by(0.5 * v, 0.5 * x, 1),
    quietly(lambda y, v, x: np.where(x < 0, 0.0, -0.5 * gamma_density(0.5 * v, 0.5 * np.abs(x)))),
    strong_zero=True,
)
inverse_rule(special.chdtri, special.chdtrc, 1)
inverse_rule(special.chdtriv, special.chdtr, 0)

scalar_rule(
    special.gdtr,
    quietly(lambda y, a, b, x: x * gamma_density(b, a * x)),
    lambda y, a, b, x: gamma_by(b, a * x, 1),
    quietly(lambda y, a, b, x: a * gamma_density(b, a * x)),
    strong_zero=True,
)
scalar_rule(
    special.gdtrc,
    quietly(lambda y, a, b, x: -x * gamma_density(b, a * x)),
    lambda y, a, b, x: -gamma_by(b, a * x, 1),
    quietly(lambda y, a, b, x: -a * gamma_density(b, a * x)),
    strong_zero=True,
)
inverse_rule(special.gdtria, special.gdtr, 0)
inverse_rule(special.gdtrib, special.gdtr, 1)
inverse_rule(special.gdtrix, special.gdtr, 2)

scalar_rule(
    special.pdtr, 0.0, quietly(lambda y, k, m: -gamma_density(np.floor(k) + 1.0, m)), strong_zero=True
)
scalar_rule(
    special.pdtrc, 0.0, quietly(lambda y, k, m: gamma_density(np.floor(k) + 1.0, m)), strong_zero=True
)


def poisson(k, m):
    """Q(k + 1, m), of which `pdtr` is the value at the whole part of k, and `pdtrik` the inverse."""
    return special.gammaincc(k + 1.0, m)


scalar_rule(
    poisson,
    lambda y, k, m: -gamma_by(k + 1.0, m, 1),
    quietly(lambda y, k, m: -gamma_density(k + 1.0, m)),
)
inverse_rule(special.pdtrik, poisson, 0)
inverse_rule(special.pdtri, special.pdtr, 1)
