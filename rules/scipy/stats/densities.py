"""Logarithms of the densities that are used most, with their partials in closed form.

Each is for points well inside the support, where nothing has to be checked. What a value and its partials
have in common, such as log z, is a part: it is computed once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaln, gammaln, poch, psi

from ..special.polygammas import psi_difference
from .normals import LOG_2, log_phi

Program = Callable[..., Any]
MOST = 1e6


class Density(NamedTuple):
    """Programs of (z, *parts, *shapes): the logarithm of a density, and its partials by z and the shapes."""

    value: Program | None
    """None where it is SciPy's own, of (z, *shapes)."""
    by_z: Program
    by_shapes: tuple[Program, ...] = ()
    parts: tuple[Program, ...] = ()
    """Of (z, *shapes)."""
    below: tuple[float, ...] = (MOST, MOST)
    """What each shape is less than, where these are used."""
    farthest: float = 1e100
    """What |z| is less than, likewise."""


def _log(z, *shapes):
    return np.log(z)


def student_by_degrees(u: Any, logs: Any, df: Any) -> Any:
    """½ (ψ(ν/2 + ½) − ψ(ν/2) − 1/ν − log(1 + u) + (1 + 1/ν) u/(1 + u)), u = z²/ν"""
    fixed = psi_difference(0.5 * df, 0.5) - 1.0 / df
    return 0.5 * (u / (1.0 + u) * (1.0 + 1.0 / df) - logs + fixed)


def student_at_zero(df: Any) -> Any:
    """log f(0), for ν < 10⁶"""
    return np.log(poch(0.5 * df, 0.5)) - 0.5 * (np.log(df) + np.log(np.pi))


DENSITIES = {
    "norm": Density(log_phi, lambda z: -z),
    "expon": Density(lambda z: -z, lambda z: -1.0),
    "uniform": Density(lambda z: np.zeros(np.shape(z)), lambda z: 0.0),
    "gamma": Density(
        lambda z, logs, a: (a - 1.0) * logs - z - gammaln(a),
        lambda z, logs, a: (a - 1.0) / z - 1.0,
        (lambda z, logs, a: logs - psi(a),),
        parts=(_log,),
    ),
    "chi2": Density(
        lambda z, logs, df: (0.5 * df - 1.0) * logs - 0.5 * z - (gammaln(0.5 * df) + 0.5 * LOG_2 * df),
        lambda z, logs, df: (0.5 * df - 1.0) / z - 0.5,
        (lambda z, logs, df: 0.5 * (logs - (psi(0.5 * df) + LOG_2)),),
        parts=(_log,),
    ),
    "beta": Density(
        lambda z, logs, others, a, b: (b - 1.0) * others + (a - 1.0) * logs - betaln(a, b),
        lambda z, logs, others, a, b: (a - 1.0) / z - (b - 1.0) / (1.0 - z),
        (
            lambda z, logs, others, a, b: logs + psi_difference(a, b),
            lambda z, logs, others, a, b: others + psi_difference(b, a),
        ),
        parts=(_log, lambda z, a, b: np.log1p(-z)),
    ),
    "t": Density(
        lambda z, u, logs, df: -0.5 * (df + 1.0) * logs + student_at_zero(df),
        lambda z, u, logs, df: (-(df + 1.0) / df) * z / (1.0 + u),
        (lambda z, u, logs, df: student_by_degrees(u, logs, df),),
        parts=(lambda z, df: z * z / df, lambda z, df: np.log1p(z * z / df)),
    ),
    "lognorm": Density(
        lambda z, logs, s: -0.5 * np.square(logs / s) - logs - (np.log(s) + 0.5 * np.log(2.0 * np.pi)),
        lambda z, logs, s: (logs * (-1.0 / (s * s)) - 1.0) / z,
        (lambda z, logs, s: (np.square(logs / s) - 1.0) / s,),
        parts=(_log,),
    ),
    "weibull_min": Density(
        lambda z, logs, power, c: (c - 1.0) * logs - power + np.log(c),
        lambda z, logs, power, c: ((c - 1.0) - c * power) / z,
        (lambda z, logs, power, c: logs * (1.0 - power) + 1.0 / c,),
        parts=(_log, lambda z, c: z**c),
    ),
    "laplace": Density(lambda z: -np.abs(z) - LOG_2, lambda z: -np.sign(z), farthest=700.0),
    "logistic": Density(
        lambda z: -np.abs(z) - 2.0 * np.log1p(np.exp(-np.abs(z))), lambda z: -np.tanh(0.5 * z)
    ),
    "poisson": Density(None, lambda k, mu: 0.0, (lambda k, mu: k / mu - 1.0,)),
    "binom": Density(
        None,
        lambda k, n, p: 0.0,
        (lambda k, n, p: 0.0, lambda k, n, p: k / p - (n - k) / (1.0 - p)),
        below=(MOST, 1.0),
    ),
}
