"""The incomplete beta functions, and the distributions that they are: binomial, F; with all inverses.

By x the density; by the parameters the integral of its derivative. `bdtr` and `bdtrc` read only the whole
part of k, a step, whose derivative is 0; where SciPy takes a whole number alone, the derivative by it is
not known here. The inverses by k and n solve the continuous functions, which have all derivatives. `fdtr`
by more than 1,000 degrees of freedom is refused: what is left of two large parts would have lost half of
its digits.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, non_differentiable, scalar_rule
from ....tangents import NotImplementedTangent
from .beta_by_parameters import beta_by, beta_density
from .inverse import inverse_rule
from .quietly import quietly

MOST_DEGREES = 1000.0
WHOLE = NotImplementedTangent("the number of trials or successes is a whole number")

scalar_rule(
    special.betainc,
    lambda y, a, b, x: beta_by(a, b, x, 1.0 - x, 1, 0),
    lambda y, a, b, x: beta_by(a, b, x, 1.0 - x, 0, 1),
    quietly(lambda y, a, b, x: beta_density(a, b, x, 1.0 - x)),
    strong_zero=True,
)
scalar_rule(
    special.betaincc,
    lambda y, a, b, x: -beta_by(a, b, x, 1.0 - x, 1, 0),
    lambda y, a, b, x: -beta_by(a, b, x, 1.0 - x, 0, 1),
    quietly(lambda y, a, b, x: -beta_density(a, b, x, 1.0 - x)),
    strong_zero=True,
)
inverse_rule(special.betaincinv, special.betainc, 2)
inverse_rule(special.betainccinv, special.betaincc, 2)
inverse_rule(special.btdtria, special.betainc, 0)
inverse_rule(special.btdtrib, special.betainc, 1)


def binomial(k, n, p):
    """I_{1−p}(n − k, k + 1), of which `bdtr` is the value at the whole part of k."""
    return special.betaincc(k + 1.0, n - k, p)


def _successes(k, n, p, i, j):
    """−∂I_p(k + 1, n − k)"""
    return -beta_by(k + 1.0, n - k, p, 1.0 - p, i, j)


scalar_rule(
    binomial,
    lambda y, k, n, p: _successes(k, n, p, 1, 0) - _successes(k, n, p, 0, 1),
    lambda y, k, n, p: _successes(k, n, p, 0, 1),
    quietly(lambda y, k, n, p: -beta_density(k + 1.0, n - k, p, 1.0 - p)),
)


def _binomial_density(k, n, p):
    """∂I_p(k + 1, n − k)/∂p for whole k < n, and 0 where k = n."""
    k = np.floor(k)
    certain = k >= n
    density = beta_density(np.where(certain, 1.0, k + 1.0), np.where(certain, 1.0, n - k), p, 1.0 - p)
    return np.where(certain, 0.0, density)


scalar_rule(
    special.bdtr,
    0.0,
    WHOLE,
    quietly(lambda y, k, n, p: -_binomial_density(k, n, p) + 0.0 * y),
    strong_zero=True,
)
scalar_rule(
    special.bdtrc,
    0.0,
    WHOLE,
    quietly(lambda y, k, n, p: _binomial_density(k, n, p) + 0.0 * y),
    strong_zero=True,
)
inverse_rule(special.bdtri, special.bdtr, 2)
inverse_rule(special.bdtrik, binomial, 0)
inverse_rule(special.bdtrin, binomial, 1)


def negative_binomial(k, n, p):
    """I_p(n, k + 1), of which `nbdtr` is the value at whole k and n."""
    return special.betainc(n, k + 1.0, p)


scalar_rule(
    negative_binomial,
    lambda y, k, n, p: beta_by(n, k + 1.0, p, 1.0 - p, 0, 1),
    lambda y, k, n, p: beta_by(n, k + 1.0, p, 1.0 - p, 1, 0),
    quietly(lambda y, k, n, p: beta_density(n, k + 1.0, p, 1.0 - p)),
)
scalar_rule(
    special.nbdtr,
    WHOLE,
    WHOLE,
    quietly(lambda y, k, n, p: beta_density(n, k + 1.0, p, 1.0 - p)),
    strong_zero=True,
)
scalar_rule(
    special.nbdtrc,
    WHOLE,
    WHOLE,
    quietly(lambda y, k, n, p: -beta_density(n, k + 1.0, p, 1.0 - p)),
    strong_zero=True,
)
inverse_rule(special.nbdtri, special.nbdtr, 2)
inverse_rule(special.nbdtrik, negative_binomial, 0)
inverse_rule(special.nbdtrin, negative_binomial, 1)


def few_enough(f, name, degrees):
    """Refuse the derivative by so many degrees of freedom that its two parts cancel."""
    if np.max(degrees, initial=0.0) > MOST_DEGREES:
        raise NotDifferentiableError(
            f"{f} by {name} where there are more than {MOST_DEGREES:g} degrees of freedom",
            next="there the distribution hardly depends on them: hold them constant",
        )


non_differentiable(few_enough, why="checks an argument")


def _shares(m, n, x):
    """m x/(n + m x) and n/(n + m x)"""
    total = n + m * x
    return m * x / total, n / total


def _f_by_x(m, n, x):
    """f(w) ∂w/∂x, w = m x/(n + m x)"""
    w, rest = _shares(m, n, x)
    return beta_density(0.5 * m, 0.5 * n, w, rest) * rest * rest * m / n


def _f_by_first(m, n, x):
    """½ ∂I_w/∂a + f(w) ∂w/∂m"""
    few_enough("the F distribution", "dfn", m)
    w, rest = _shares(m, n, x)
    moved = np.where(x == 0, 0.0, _f_by_x(m, n, np.where(x == 0, 1.0, x)) * x / m)
    return 0.5 * beta_by(0.5 * m, 0.5 * n, w, rest, 1, 0) + moved


def _f_by_second(m, n, x):
    """½ ∂I_w/∂b + f(w) ∂w/∂n"""
    few_enough("the F distribution", "dfd", n)
    w, rest = _shares(m, n, x)
    moved = np.where(x == 0, 0.0, _f_by_x(m, n, np.where(x == 0, 1.0, x)) * x / n)
    return 0.5 * beta_by(0.5 * m, 0.5 * n, w, rest, 0, 1) - moved


scalar_rule(
    special.fdtr,
    quietly(lambda y, m, n, x: _f_by_first(m, n, x)),
    quietly(lambda y, m, n, x: _f_by_second(m, n, x)),
    quietly(lambda y, m, n, x: _f_by_x(m, n, x)),
    strong_zero=True,
)
scalar_rule(
    special.fdtrc,
    quietly(lambda y, m, n, x: -_f_by_first(m, n, x)),
    quietly(lambda y, m, n, x: -_f_by_second(m, n, x)),
    quietly(lambda y, m, n, x: -_f_by_x(m, n, x)),
    strong_zero=True,
)
inverse_rule(special.fdtri, special.fdtr, 2)
inverse_rule(special.fdtridfd, special.fdtr, 1)
