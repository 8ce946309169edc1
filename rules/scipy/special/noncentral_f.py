"""The noncentral F distribution by each of its arguments, and its inverses.

It is the noncentral beta distribution of w = m f/(n + m f) with a = m/2, b = n/2 and mean h = λ/2. By the
degrees of freedom there are two parts, through the parameter and through w; as of the central distribution,
more than 1,000 degrees are refused there, where the two nearly cancel. The inverses by the degrees of freedom
and the noncentrality are taken where SciPy finds them, which is right to 1e-5 or 1e-4 of the value.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import scalar_rule
from .incomplete_beta import few_enough
from .inverse import inverse_rule
from .noncentral_beta import mixed_by, mixed_by_mean, mixed_density
from .quietly import quietly

NAME = "the noncentral F distribution"


def _at(m, n, c, f):
    """a, b, w, 1 − w and h"""
    total = n + m * f
    return 0.5 * m, 0.5 * n, m * f / total, n / total, 0.5 * c


def _by_w(m, n, c, f):
    """The density of w times w (1 − w), and 0 at f = 0; ∂w/∂log f = ∂w/∂log m = −∂w/∂log n = w (1 − w)"""
    a, b, w, rest, h = _at(m, n, c, np.where(f == 0, 1.0, f))
    return np.where(f == 0, 0.0, mixed_density(a, b, w, rest, h) * w * rest)


def _by_first(m, n, c, f):
    """½ ∂/∂a + ∂w/∂m density"""
    few_enough(NAME, "dfn", m)
    a, b, w, rest, h = _at(m, n, c, f)
    return 0.5 * mixed_by(a, b, w, rest, h, 1, 0) + _by_w(m, n, c, f) / m


def _by_second(m, n, c, f):
    """½ ∂/∂b + ∂w/∂n density"""
    few_enough(NAME, "dfd", n)
    a, b, w, rest, h = _at(m, n, c, f)
    return 0.5 * mixed_by(a, b, w, rest, h, 0, 1) - _by_w(m, n, c, f) / n


def _by_noncentrality(m, n, c, f):
    """½ ∂/∂h"""
    a, b, w, rest, h = _at(m, n, c, f)
    return 0.5 * mixed_by_mean(a, b, w, rest, h)


def _by_value(m, n, c, f):
    """∂w/∂f density = (1 − w)² m/n density"""
    a, b, w, rest, h = _at(m, n, c, f)
    return mixed_density(a, b, w, rest, h) * rest * rest * m / n


scalar_rule(
    special.ncfdtr,
    quietly(lambda y, m, n, c, f: _by_first(m, n, c, f)),
    quietly(lambda y, m, n, c, f: _by_second(m, n, c, f)),
    quietly(lambda y, m, n, c, f: _by_noncentrality(m, n, c, f)),
    quietly(lambda y, m, n, c, f: _by_value(m, n, c, f)),
    strong_zero=True,
)
inverse_rule(special.ncfdtridfn, special.ncfdtr, 0)
inverse_rule(special.ncfdtridfd, special.ncfdtr, 1)
inverse_rule(special.ncfdtrinc, special.ncfdtr, 2)
inverse_rule(special.ncfdtri, special.ncfdtr, 3)
