"""What the distributions of extreme values, of lifetimes and of logistic type are made of.

The generalised ones are written with log(1 + w)/w, which is smooth where their shape is 0, the distribution
that they generalise [Johnson, Kotz & Balakrishnan 1995, 21–24; Hosking 1994].
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, expm1, exprel, log_expit, xlogy

from .family import FAMILIES, Family
from .logarithms import half, log1mexp, log1p_ratio
from .normals import LOG_2

FAMILIES["expon"] = Family(lambda x: -x, lambda x: -np.exp(-x), None, lambda x: -x)
FAMILIES["gumbel_r"] = Family(lambda x: -x - np.exp(-x), lambda x: np.exp(-np.exp(-x)), lambda x: -np.exp(-x))
FAMILIES["gumbel_l"] = Family(
    lambda x: x - np.exp(x), lambda x: -np.exp(-np.exp(x)), log_above=lambda x: -np.exp(x)
)
FAMILIES["rayleigh"] = Family(
    lambda x: np.log(x) - 0.5 * np.square(x),
    lambda x: -np.exp(-0.5 * np.square(x)),
    log_above=lambda x: -0.5 * np.square(x),
)
FAMILIES["weibull_min"] = Family(
    lambda x, c: np.log(c) + xlogy(c - 1.0, x) - x**c,
    lambda x, c: -np.exp(-(x**c)),
    log_above=lambda x, c: -(x**c),
)
FAMILIES["weibull_max"] = Family(
    lambda x, c: np.log(c) + xlogy(c - 1.0, -x) - (-x) ** c,
    lambda x, c: np.exp(-((-x) ** c)),
    lambda x, c: -((-x) ** c),
)
FAMILIES["invweibull"] = Family(
    lambda x, c: np.log(c) - (c + 1.0) * np.log(x) - x**-c,
    lambda x, c: np.exp(-(x**-c)),
)
FAMILIES["dweibull"] = Family(
    lambda x, c: np.log(0.5 * c) + xlogy(c - 1.0, np.abs(x)) - np.abs(x) ** c,
    lambda x, c: -0.5 * half(x) * np.exp(-(np.abs(x) ** c)),
    corners=lambda c: (0.0,),
)
FAMILIES["exponweib"] = Family(
    lambda x, a, c: np.log(a) + np.log(c) + (a - 1.0) * log1mexp(-(x**c)) - x**c + xlogy(c - 1.0, x),
    lambda x, a, c: np.exp(a * log1mexp(-(x**c))),
)
FAMILIES["exponpow"] = Family(
    lambda x, b: 1.0 + np.log(b) + xlogy(b - 1.0, x) + x**b - np.exp(x**b),
    lambda x, b: -np.exp(-expm1(x**b)),
)


def log_cut_weibull(a, b, c):
    """log (e^{−aᶜ} − e^{−bᶜ})"""
    return log1mexp(a**c - b**c) - a**c


FAMILIES["truncweibull_min"] = Family(
    lambda x, c, a, b: np.log(c) + xlogy(c - 1.0, x) - x**c - log_cut_weibull(a, b, c),
    lambda x, c, a, b: expm1(a**c - x**c) / expm1(a**c - b**c),
    lambda x, c, a, b: log_cut_weibull(a, x, c) - log_cut_weibull(a, b, c),
    lambda x, c, a, b: log_cut_weibull(x, b, c) - log_cut_weibull(a, b, c),
    lambda c, a, b: (a, b),
)
FAMILIES["gompertz"] = Family(lambda x, c: np.log(c) + x - c * expm1(x), lambda x, c: -np.exp(-c * expm1(x)))
FAMILIES["genexpon"] = Family(
    lambda x, a, b, c: np.log(a - b * expm1(-c * x)) - (a + b) * x - b * expm1(-c * x) / c,
    lambda x, a, b, c: -np.exp(-(a + b) * x - b * expm1(-c * x) / c),
)
FAMILIES["truncexpon"] = Family(
    lambda x, b: -x - np.log(-expm1(-b)),
    lambda x, b: expm1(-x) / expm1(-b),
    ends=lambda b: (0.0, b),
)
FAMILIES["logistic"] = Family(
    lambda x: log_expit(x) + log_expit(-x), expit, log_expit, lambda x: log_expit(-x)
)
FAMILIES["genlogistic"] = Family(
    lambda x, c: np.log(c) + c * log_expit(x) + log_expit(-x),
    lambda x, c: np.exp(c * log_expit(x)),
    lambda x, c: c * log_expit(x),
)
FAMILIES["halflogistic"] = Family(lambda x: LOG_2 + log_expit(x) + log_expit(-x), lambda x: -2.0 * expit(-x))


def log_power(x, c):
    """log (1 − c x)^{1/c}, which is −x for c = 0"""
    return -x * log1p_ratio(-c * x, 0)


def ends_of_power(c):
    """1/c is an end of the support, the upper one where c > 0"""
    reciprocal = 1.0 / np.where(c == 0, 1.0, c)
    return np.where(c < 0, reciprocal, -np.inf), np.where(c > 0, reciprocal, np.inf)


FAMILIES["genextreme"] = Family(
    lambda x, c: (1.0 - c) * log_power(x, c) - np.exp(log_power(x, c)),
    lambda x, c: np.exp(-np.exp(log_power(x, c))),
    lambda x, c: -np.exp(log_power(x, c)),
    ends=ends_of_power,
)
FAMILIES["genpareto"] = Family(
    lambda x, c: (1.0 + c) * log_power(x, -c),
    lambda x, c: -np.exp(log_power(x, -c)),
    log_above=lambda x, c: log_power(x, -c),
    ends=lambda c: (0.0, ends_of_power(-c)[1]),
)
FAMILIES["genhalflogistic"] = Family(
    lambda x, c: LOG_2 + (1.0 - c) * log_power(x, c) + 2.0 * log_expit(-log_power(x, c)),
    lambda x, c: -2.0 * expit(log_power(x, c)),
    ends=lambda c: (0.0, 1.0 / c),
)


def log_kappa(x, h, k):
    """log F = log (1 − h u)^{1/h}, u = (1 − k x)^{1/k} [Hosking 1994]"""
    return log_power(np.exp(log_power(x, k)), h)


def ends_of_kappa(h, k):
    """(1 − h^{−k})/k, which is log h for k = 0, where h > 0; below, an end of power"""
    log_h = np.log(np.where(h > 0, h, 1.0))
    lower, upper = ends_of_power(k)
    return np.where(h > 0, log_h * exprel(-k * log_h), lower), upper


FAMILIES["kappa4"] = Family(
    lambda x, h, k: (1.0 - k) * log_power(x, k) + (1.0 - h) * log_kappa(x, h, k),
    lambda x, h, k: np.exp(log_kappa(x, h, k)),
    log_kappa,
    ends=ends_of_kappa,
)
FAMILIES["laplace"] = Family(lambda x: -LOG_2 - np.abs(x), lambda x: -0.5 * half(x) * np.exp(-np.abs(x)))
FAMILIES["laplace_asymmetric"] = Family(
    lambda x, kappa: x * np.where(x >= 0, -kappa, 1.0 / kappa) - np.log(kappa + 1.0 / kappa),
    lambda x, kappa: np.where(
        x >= 0,
        -np.exp(-np.maximum(x, 0.0) * kappa) / (1.0 + np.square(kappa)),
        np.exp(np.minimum(x, 0.0) / kappa) * np.square(kappa) / (1.0 + np.square(kappa)),
    ),
    corners=lambda kappa: (0.0,),
)
FAMILIES["hypsecant"] = Family(
    lambda x: LOG_2 - np.log(np.pi) - np.logaddexp(x, -x),
    lambda x: -2.0 / np.pi * half(x) * np.arctan(np.exp(-np.abs(x))),
)
