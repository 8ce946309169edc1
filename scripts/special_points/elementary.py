"""Where entropies, transformations, means and Lambert's function are held to mpmath."""

from __future__ import annotations

from typing import Any

import mpmath as mp

from . import Row, both_signs, in_plane, log_uniform, points, uniform

X = log_uniform(1e-10, 1e8, 40)
Y = log_uniform(1e-10, 1e8, 40, seed=1)
NEAR = [y * (1 + d) for y, d in zip(Y, both_signs(log_uniform(1e-9, 0.3, 20, seed=2)), strict=True)]
LAMBDA = both_signs(log_uniform(1e-9, 8, 20, seed=3))
SMALL = both_signs(log_uniform(1e-12, 30, 20, seed=4))
HALF, UNIT = uniform(0.01, 0.9, 40), uniform(-1, 3, 40)
BOTH = (0, 1)


def boxcox(x: Any, p: Any) -> Any:
    """(x^λ − 1)/λ"""
    return mp.expm1(p * mp.log(x)) / p


def exprel(x: Any) -> Any:
    """(e^x − 1)/x"""
    return mp.expm1(x) / x


ROWS = [
    Row("xlogy", lambda x, y: x * mp.log(y), points(SMALL, Y), BOTH),
    Row("xlog1py", lambda x, y: x * mp.log1p(y), points(SMALL, Y), BOTH),
    Row("entr", lambda x: -x * mp.log(x), points(X)),
    Row("rel_entr", lambda x, y: x * mp.log(x / y), points(X, Y), BOTH),
    Row("kl_div", lambda x, y: x * mp.log(x / y) - x + y, points(X, Y), BOTH),
    Row("kl_div", lambda x, y: x * mp.log(x / y) - x + y, points(NEAR, Y), BOTH),
    Row("boxcox", boxcox, points(X, LAMBDA), BOTH),
    Row("boxcox1p", lambda x, p: boxcox(1 + x, p), points(X, LAMBDA), BOTH),
    Row("inv_boxcox", lambda y, p: mp.exp(mp.log1p(p * y) / p), points(HALF, UNIT), BOTH),
    Row("inv_boxcox1p", lambda y, p: mp.expm1(mp.log1p(p * y) / p), points(HALF, UNIT), BOTH),
    Row("pseudo_huber", lambda d, r: d**2 * (mp.sqrt(1 + (r / d) ** 2) - 1), points(X, Y), BOTH),
    Row("exprel", exprel, points(both_signs(log_uniform(1e-12, 600, 60)))),
    Row("agm", mp.agm, points(log_uniform(1e-3, 1e3, 40), log_uniform(1e-3, 1e3, 40, seed=1)), BOTH),
    Row("powm1", lambda x, p: x**p - 1, points(log_uniform(1e-3, 1e3, 40), LAMBDA), BOTH),
    Row("cosm1", lambda x: mp.cos(x) - 1, points(SMALL)),
    Row("expit", lambda x: 1 / (1 + mp.exp(-x)), points(both_signs(log_uniform(1e-6, 100, 40)))),
    Row("log_expit", lambda x: -mp.log(1 + mp.exp(-x)), points(both_signs(log_uniform(1e-6, 100, 40)))),
    Row("logit", lambda p: mp.log(p / (1 - p)), points(log_uniform(1e-60, 0.999, 40))),
    Row("softplus", lambda x: mp.log(1 + mp.exp(x)), points(both_signs(log_uniform(1e-6, 100, 40)))),
    Row("lambertw", mp.lambertw, points(in_plane(log_uniform(1e-6, 1e6, 60)))),
    Row("wrightomega", lambda z: mp.lambertw(mp.exp(z)), points(both_signs(log_uniform(1e-3, 300, 30)))),
    *(
        Row(name, lambda x, f=f: f(x * mp.pi / 180), points(uniform(-700, 700, 20)))
        for name, f in (("sindg", mp.sin), ("cosdg", mp.cos), ("tandg", mp.tan), ("cotdg", mp.cot))
    ),
]  # fmt: skip
