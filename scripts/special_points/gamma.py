"""Where gamma, beta and zeta functions are held to mpmath."""

from __future__ import annotations

import mpmath as mp

from . import Row, both_signs, in_plane, log_uniform, points, uniform

X = log_uniform(1e-6, 150, 40)
LARGE = log_uniform(1e-4, 1e10, 60)
OTHER = log_uniform(1e-4, 1e10, 60, seed=1)
LEFT = uniform(-40, 0, 40)
Z = in_plane(log_uniform(1e-3, 100, 40))
A, B = log_uniform(1e-3, 100, 60, seed=2), log_uniform(1e-3, 100, 60, seed=3)
BOTH = (0, 1)
ROWS = [
    Row("gamma", mp.gamma, points([*X, *LEFT])),
    Row("gamma", mp.gamma, points(Z)),
    Row("gammaln", lambda x: mp.log(abs(mp.gamma(x))), points([*LARGE, *LEFT])),
    Row("loggamma", mp.loggamma, points(Z)),
    Row("psi", mp.digamma, points([*LARGE, *LEFT])),
    Row("psi", mp.digamma, points(Z)),
    Row("rgamma", mp.rgamma, points([*X, *LEFT, *(-float(k) for k in range(20))])),
    Row("rgamma", mp.rgamma, points(Z)),
    Row("poch", mp.rf, points(B, both_signs([b / 2 for b in B[:30]])), BOTH),
    Row("beta", mp.beta, points(A, B), BOTH),
    Row("betaln", lambda a, b: mp.log(mp.beta(a, b)), points(LARGE, OTHER), BOTH),
    Row("binom", mp.binomial, points(A, [a * u for a, u in zip(A, uniform(0, 1.5, 60), strict=True)]), BOTH),
    Row("zeta", mp.zeta, points([*uniform(-30, 0.9, 40), *uniform(1.1, 40, 20)])),
    Row("zeta", mp.zeta, points(in_plane(log_uniform(1e-2, 30, 40)))),
    Row("zeta", mp.zeta, points(uniform(1.05, 20, 60), log_uniform(1e-3, 1e4, 60)), BOTH),
    Row("zetac", lambda s: mp.zeta(s) - 1, points(uniform(-30, 0.9, 30))),
]
