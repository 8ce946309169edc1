"""What the noncentral distributions are made of: densities and distribution functions that have rules."""

from __future__ import annotations

import numpy as np
from scipy.special import chndtr, i0e, ncfdtr, nctdtr

from ..special.noncentral import chi_density
from ..special.noncentral_beta import mixed_density
from ..special.noncentral_t import noncentral_by
from .family import FAMILIES, Family

FAMILIES["ncx2"] = Family(
    lambda x, df, nc: np.log(chi_density(x, df, nc)), lambda x, df, nc: chndtr(x, df, nc)
)
FAMILIES["nct"] = Family(
    lambda x, df, nc: np.log(noncentral_by(df, nc, x, 0, 0, 1)), lambda x, df, nc: nctdtr(df, nc, x)
)


def log_noncentral_f(x, m, n, c):
    """log f(w) + log ∂w/∂x, w = m x/(n + m x)"""
    total = n + m * x
    w, rest = m * x / total, n / total
    return np.log(mixed_density(0.5 * m, 0.5 * n, w, rest, 0.5 * c)) + 2.0 * np.log(rest) + np.log(m / n)


FAMILIES["ncf"] = Family(log_noncentral_f, lambda x, dfn, dfd, nc: ncfdtr(dfn, dfd, nc, x))
FAMILIES["rice"] = Family(
    lambda x, b: np.log(x) - 0.5 * np.square(x - b) + np.log(i0e(x * b)),
    lambda x, b: chndtr(np.square(x), 2.0, np.square(b)),
)
