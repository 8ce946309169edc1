"""What the gamma distribution is made of, and those made of it [Johnson, Kotz & Balakrishnan 1994, 17–18].

A skew of `pearson3` nearer to 0 than 0.05 is refused for its distribution function: the two parts of the
derivative by the skew, by the shape of the gamma distribution and by its argument, cancel.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammainc, gammaln, xlogy

from ....core import NotDifferentiableError, non_differentiable
from ..absolute import absolute_power
from .family import FAMILIES, Family
from .logarithms import half, log1pmx, log_gamma_rest
from .normals import HALF_LOG_TAU, LOG_2

LEAST_SKEW = 0.05
TINY = 1e-300


def log_gamma_density(x, a):
    """(a − 1) log x − x − log Γ(a)"""
    return xlogy(a - 1.0, x) - x - gammaln(a)


FAMILIES["gamma"] = FAMILIES["erlang"] = Family(log_gamma_density, lambda x, a: gammainc(a, x))
FAMILIES["invgamma"] = Family(
    lambda x, a: -(a + 1.0) * np.log(x) - gammaln(a) - 1.0 / x,
    lambda x, a: -gammainc(a, 1.0 / x),
)
FAMILIES["chi2"] = Family(
    lambda x, df: xlogy(0.5 * df - 1.0, x) - 0.5 * x - gammaln(0.5 * df) - 0.5 * LOG_2 * df,
    lambda x, df: gammainc(0.5 * df, 0.5 * x),
)
FAMILIES["chi"] = Family(
    lambda x, df: (1.0 - 0.5 * df) * LOG_2 - gammaln(0.5 * df) + xlogy(df - 1.0, x) - 0.5 * np.square(x),
    lambda x, df: gammainc(0.5 * df, 0.5 * np.square(x)),
)
FAMILIES["maxwell"] = Family(
    lambda x: LOG_2 - HALF_LOG_TAU + 2.0 * np.log(x) - 0.5 * np.square(x),
    lambda x: gammainc(1.5, 0.5 * np.square(x)),
)
FAMILIES["nakagami"] = Family(
    lambda x, nu: LOG_2 + xlogy(nu, nu) - gammaln(nu) + xlogy(2.0 * nu - 1.0, x) - nu * np.square(x),
    lambda x, nu: gammainc(nu, nu * np.square(x)),
)
FAMILIES["gengamma"] = Family(
    lambda x, a, c: np.log(np.abs(c)) + xlogy(c * a - 1.0, x) - x**c - gammaln(a),
    lambda x, a, c: np.sign(c) * gammainc(a, x**c),
)
FAMILIES["loggamma"] = Family(
    lambda x, c: c * x - np.exp(x) - gammaln(c),
    lambda x, c: gammainc(c, np.exp(x)),
)
FAMILIES["dgamma"] = Family(
    lambda x, a: log_gamma_density(np.abs(x), a) - LOG_2,
    lambda x, a: 0.5 * half(x) * gammainc(a, np.abs(x)),
    corners=lambda a: (0.0,),
)
FAMILIES["gennorm"] = Family(
    lambda x, beta: np.log(0.5 * beta) - gammaln(1.0 / beta) - absolute_power(x, beta),
    lambda x, beta: 0.5 * half(x) * gammainc(1.0 / beta, np.maximum(np.abs(x) ** beta, TINY)),
    corners=lambda beta: (0.0,),
)
FAMILIES["halfgennorm"] = Family(
    lambda x, beta: np.log(beta) - gammaln(1.0 / beta) - x**beta,
    lambda x, beta: gammainc(1.0 / beta, x**beta),
)


def log_pearson(x, skew):
    """a (log(1 + u) − u) − log(1 + u) − ½ log 2π − r(a), a = 4/skew², u = skew x/2, 0 where u ≤ −1;

    r(a) is what Stirling's formula leaves of log Γ(a), so that a small skew keeps its digits."""
    a, u = 4.0 / np.square(skew), 0.5 * skew * x
    outside = u <= -1.0
    u = np.where(outside, 0.0, u)
    y = a * log1pmx(u) - np.log1p(u) - HALF_LOG_TAU - log_gamma_rest(a)
    return np.where(outside, -np.inf, y)


def below_pearson(x, skew):
    """sign(skew) P(a, a (1 + u))"""
    skewed_enough(skew)
    a, u = 4.0 / np.square(skew), 0.5 * skew * x
    return np.sign(skew) * gammainc(a, np.where(u <= -1.0, 0.0, a * (1.0 + u)))


def skewed_enough(skew):
    """Refuse a skew that is too small."""
    if np.any(np.abs(skew) < LEAST_SKEW):
        raise NotDifferentiableError(
            f"the distribution function of pearson3 with a skew nearer to 0 than {LEAST_SKEW}",
            closest="pdf and logpdf, which take any skew but 0",
            next="use the normal distribution there",
        )


non_differentiable(skewed_enough, why="checks an argument")

FAMILIES["pearson3"] = Family(log_pearson, below_pearson)
FAMILIES["argus"] = Family(
    lambda x, chi: (
        3.0 * np.log(chi)
        - HALF_LOG_TAU
        - np.log(0.5 * gammainc(1.5, 0.5 * np.square(chi)))
        + np.log(x)
        + 0.5 * np.log1p(-np.square(x))
        - 0.5 * np.square(chi) * (1.0 - x) * (1.0 + x)
    ),
    lambda x, chi: (
        -gammainc(1.5, 0.5 * np.square(chi) * (1.0 - x) * (1.0 + x)) / gammainc(1.5, 0.5 * np.square(chi))
    ),
)
