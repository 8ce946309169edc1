"""What the beta distribution is made of, and those made of it [Johnson, Kotz & Balakrishnan 1995, 24–28].

Student's distribution of more than 10¹⁵ degrees of freedom is the normal one.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betainc, betaln, fdtr, stdtr, xlog1py, xlogy

from ..absolute import one_sided
from .family import FAMILIES, Family
from .normals import LOG_2

MOST_DEGREES = 1e15


def log_beta_density(x, a, b):
    """(a − 1) log x + (b − 1) log(1 − x) − log B(a, b)"""
    return xlogy(a - 1.0, x) + xlog1py(b - 1.0, -x) - betaln(a, b)


FAMILIES["beta"] = Family(log_beta_density, lambda x, a, b: betainc(a, b, x))
FAMILIES["betaprime"] = Family(
    lambda x, a, b: xlogy(a - 1.0, x) - xlog1py(a + b, x) - betaln(a, b),
    lambda x, a, b: betainc(a, b, x / (1.0 + x)),
)
FAMILIES["f"] = Family(
    lambda x, dfn, dfd: (
        0.5 * (xlogy(dfd, dfd) + xlogy(dfn, dfn) - xlogy(dfn + dfd, dfd + dfn * x))
        + xlogy(0.5 * dfn - 1.0, x)
        - betaln(0.5 * dfn, 0.5 * dfd)
    ),
    lambda x, dfn, dfd: fdtr(dfn, dfd, x),
)
FAMILIES["rdist"] = Family(
    lambda x, c: log_beta_density(0.5 * (x + 1.0), 0.5 * c, 0.5 * c) - LOG_2,
    lambda x, c: betainc(0.5 * c, 0.5 * c, 0.5 * (x + 1.0)),
)
FAMILIES["semicircular"] = Family(
    lambda x: np.log(2.0 / np.pi) + 0.5 * (np.log1p(-x) + np.log1p(x)),
    lambda x: betainc(1.5, 1.5, 0.5 * (x + 1.0)),
)
FAMILIES["arcsine"] = Family(
    lambda x: -np.log(np.pi) - 0.5 * (np.log(x) + np.log1p(-x)),
    lambda x: betainc(0.5, 0.5, x),
)
FAMILIES["powerlaw"] = Family(
    lambda x, a: np.log(a) + xlogy(a - 1.0, x),
    lambda x, a: x**a,
    lambda x, a: a * np.log(x),
)


def log_student(x, df):
    """−log B(½, ν/2) − ½ log ν − ½ (ν + 1) log(1 + x²/ν)"""
    df = np.minimum(df, MOST_DEGREES)
    return -betaln(0.5, 0.5 * df) - 0.5 * np.log(df) - 0.5 * (df + 1.0) * np.log1p(np.square(x) / df)


FAMILIES["t"] = Family(log_student, lambda x, df: stdtr(np.minimum(df, MOST_DEGREES), x))


def share(x, a, b):
    """½ (1 + x/√(a + b + x²)), and the rest of it, neither with cancellation"""
    root = np.sqrt(a + b + np.square(x))
    small = 0.5 * (a + b) / (root * (root + one_sided(x)))
    return np.where(x < 0, small, 1.0 - small), np.where(x < 0, 1.0 - small, small)


def log_skewed_student(x, a, b):
    """(a + ½) log 2w + (b + ½) log 2(1 − w) − log c, c = 2^{a+b−1} B(a, b) √(a + b) [Jones & Faddy 2003]"""
    w, rest = share(x, a, b)
    scale = (a + b - 1.0) * LOG_2 + betaln(a, b) + 0.5 * np.log(a + b)
    return (a + 0.5) * np.log(2.0 * w) + (b + 0.5) * np.log(2.0 * rest) - scale


FAMILIES["jf_skew_t"] = Family(log_skewed_student, lambda x, a, b: betainc(a, b, share(x, a, b)[0]))
