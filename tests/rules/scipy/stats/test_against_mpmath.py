"""Derivatives where differences of SciPy's own methods have no four digits, against mpmath at 50 digits."""

from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from chainrules.core import apply_rrule

LOC, SCALE = 0.3, 1.7


def standard(x: Any, loc: Any, scale: Any) -> Any:
    return (x - loc) / scale


def truncated(z: Any, a: Any, b: Any) -> Any:
    """F of the truncated normal distribution."""
    return (mp.ncdf(z) - mp.ncdf(a)) / (mp.ncdf(b) - mp.ncdf(a))


def truncated_above(z: Any, a: Any, b: Any) -> Any:
    return (mp.ncdf(-z) - mp.ncdf(-b)) / (mp.ncdf(-a) - mp.ncdf(-b))


def kappa4(q: Any, h: Any, k: Any) -> Any:
    """The quantile [Hosking 1994], with its limits at h = 0 and k = 0."""
    y = (1 - q**h) / h if h else -mp.log(q)
    return (1 - y**k) / k if k else -mp.log(y)


def folded_above(z: Any, c: Any) -> Any:
    """1 − F of the folded Cauchy distribution."""
    return 1 - (mp.atan(z - c) + mp.atan(z + c)) / mp.pi


def tukey_density(z: Any, lam: Any) -> Any:
    """1/(q^{λ−1} + (1−q)^{λ−1}) at the q of which z is the quantile."""
    q = mp.findroot(
        lambda q: (q**lam - (1 - q) ** lam) / lam - z, (mp.mpf("1e-8"), mp.mpf("0.4")), "anderson"
    )
    return 1 / (q ** (lam - 1) + (1 - q) ** (lam - 1))


def pearson(z: Any, skew: Any) -> Any:
    alpha, beta = 4 / skew**2, 2 / skew
    y = beta * (z + beta)
    return abs(beta) * y ** (alpha - 1) * mp.exp(-y) / mp.gamma(alpha)


def quantile(below: Any, start: float) -> Any:
    """The z at which something vanishes, near a start."""
    return mp.findroot(below, mp.mpf(start))


EXACT: dict[str, Any] = {
    "truncnorm.pdf": lambda x, a, b, loc, scale: (
        mp.npdf(standard(x, loc, scale)) / (mp.ncdf(b) - mp.ncdf(a)) / scale
    ),
    "truncnorm.cdf": lambda x, a, b, loc, scale: truncated(standard(x, loc, scale), a, b),
    "truncnorm.logcdf": lambda x, a, b, loc, scale: mp.log(truncated(standard(x, loc, scale), a, b)),
    "truncnorm.logsf": lambda x, a, b, loc, scale: mp.log(truncated_above(standard(x, loc, scale), a, b)),
    "truncnorm.isf": lambda q, a, b, loc, scale: (
        loc
        + scale
        * quantile(
            lambda z: mp.log(truncated_above(z, a, b) / q),
            float(stats.truncnorm.isf(float(q), float(a), float(b))),
        )
    ),
    "kappa4.ppf": lambda q, h, k, loc, scale: loc + scale * kappa4(q, h, k),
    "kappa4.isf": lambda q, h, k, loc, scale: loc + scale * kappa4(1 - q, h, k),
    "foldcauchy.isf": lambda q, c, loc, scale: (
        loc
        + scale
        * quantile(lambda z: folded_above(z, c) / q - 1, float(stats.foldcauchy.isf(float(q), float(c))))
    ),
    "tukeylambda.logpdf": lambda x, lam, loc, scale: mp.log(
        tukey_density(standard(x, loc, scale), lam) / scale
    ),
    "pearson3.pdf": lambda x, skew, loc, scale: pearson(standard(x, loc, scale), skew) / scale,
    "loguniform.pdf": lambda x, a, b, loc, scale: 1 / (x - loc) / mp.log(b / a),
}
"""Methods by all their arguments."""

POINTS = [
    ("truncnorm.pdf", 2, (7.100402499589756, 4.0, 9.0)),
    ("truncnorm.logcdf", 2, (7.100402499589756, 4.0, 9.0)),
    ("truncnorm.logcdf", 2, (7.101208644239273, 4.0, 9.0)),
    ("truncnorm.isf", 2, (1e-06, 4.0, 9.0)),
    ("truncnorm.pdf", 1, (-4.800258960917149, -8.0, -3.0)),
    ("truncnorm.cdf", 1, (-4.800258960917149, -8.0, -3.0)),
    ("truncnorm.logsf", 1, (-4.800258960917149, -8.0, -3.0)),
    ("truncnorm.isf", 1, (0.9995, -8.0, -3.0)),
    ("kappa4.isf", 1, (1e-06, 0.1, 0.2)),
    ("kappa4.isf", 1, (1e-06, -0.1, 0.1)),
    ("kappa4.isf", 1, (1e-06, 0.3, -0.2)),
    *[("kappa4.ppf", 1, (q, 0.0, k)) for q in (1e-06, 0.2, 0.93, 0.9995) for k in (0.0, 0.1)],
    *[("kappa4.isf", 1, (q, 0.0, k)) for q in (1e-06, 0.003, 0.6, 0.9995) for k in (0.0, 0.1)],
    ("kappa4.isf", 1, (1e-06, 0.1, 0.0)),
    ("foldcauchy.isf", 1, (1e-06, 4.71647)),
    ("tukeylambda.logpdf", 2, (-1063.0017316915705, -0.4)),
    ("pearson3.pdf", 1, (1.9991497874291402, -2.0)),
    ("loguniform.pdf", 4, (0.3170822798100563, 0.01, 1.25)),
]


@pytest.mark.parametrize(("method", "place", "given"), POINTS, ids=str)
def test_where_differences_are_poor(method: str, place: int, given: tuple[float, ...]) -> None:
    name, _, of = method.partition(".")
    args = (*given, LOC, SCALE)
    _, pullback = apply_rrule(getattr(getattr(stats, name), of), *args)  # type: ignore[misc]  # there is a rule
    got = float(np.asarray(pullback(1.0)[place]))
    with mp.workdps(50):
        exact = tuple(mp.mpf(x) for x in args)

        def along(t: Any) -> Any:
            moved = exact[place] + t
            return EXACT[method](*exact[:place], moved, *exact[place + 1 :])

        h = mp.mpf("1e-12")
        want = float((along(h) - along(-h)) / (2 * h))
    assert got == pytest.approx(want, rel=1e-6, abs=1e-300)
