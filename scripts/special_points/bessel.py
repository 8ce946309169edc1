"""Where Bessel functions, by argument and order, are held to mpmath."""

from __future__ import annotations

from typing import Any

import mpmath as mp

from . import Row, in_plane, log_uniform, points, uniform

BOTH = (0, 1)
ORDERS = [*log_uniform(1e-3, 30, 60, seed=1), *uniform(0, 12, 40, seed=2)]
X = log_uniform(1e-2, 60, 100, seed=3)
WIDE, FAR = uniform(30, 400, 40, seed=4), log_uniform(1, 600, 40, seed=5)
LARGE = log_uniform(400, 1e4, 6, seed=6)
NEAR = [v * u for v, u in zip(LARGE, uniform(0.9, 1.2, 6, seed=7), strict=True)]
MINUS = [-v for v in uniform(0.1, 9.7, 30, seed=8)]
Z = in_plane(log_uniform(1e-2, 30, 60, seed=9))
FEW = uniform(0, 9, 60, seed=10)
SMALL = log_uniform(1e-6, 50, 60, seed=11)
NEARBY = uniform(0.1, 25, 60, seed=12)
KINDS = (("j", mp.besselj, 0), ("y", mp.bessely, 0), ("i", mp.besseli, -1), ("k", mp.besselk, 1))

AT = points(ORDERS, X)
BIG = [(v, x) for v, x in points(WIDE, FAR) if x > v / 3]
HUGE = points(LARGE, NEAR)


def scaled(f: Any, weight: Any) -> Any:
    """f of order and argument, times a factor of the argument."""
    return lambda v, z: f(v, z) * weight(z)


def large(f: Any) -> Any:
    """f with as many digits and terms as it takes."""
    return lambda v, x: f(v, x, maxprec=10**6, maxterms=10**7)


def of(f: Any, n: int, end: str, sign: int) -> Any:
    """f of order n, scaled where its name ends in e."""
    return lambda x: f(n, x) * (mp.exp(sign * x) if end else 1)


def kelvin(f: Any) -> Any:
    """f of order 0"""
    return lambda x: f(0, x)


def spherical(f: Any) -> Any:
    """√(π/2x) f of order n + ½"""
    return lambda n, x: mp.sqrt(mp.pi / (2 * x)) * f(n + mp.mpf(1) / 2, x)


ROWS = [
    *(
        row
        for name, f in (("jv", mp.besselj), ("yv", mp.bessely))
        for row in (
            Row(name, f, AT, BOTH),
            Row(name, f, BIG, BOTH),
            Row(name, large(f), HUGE, BOTH),
            Row(name, f, points(MINUS, X[:30]), (1,)),
            Row(name, f, points(FEW, Z), (1,)),
        )
    ),
    *(
        row
        for name, f in (("iv", mp.besseli), ("kv", mp.besselk))
        for row in (
            Row(name, f, AT, BOTH),
            Row(name, f, [(v, x) for v, x in BIG if x < 500], BOTH),
            Row(name, f, points(MINUS, X[:30]), (1,)),
            Row(name, f, points(FEW, Z), (1,)),
        )
    ),
    Row("hankel1", mp.hankel1, points(FEW, Z), (1,)),
    Row("hankel2", mp.hankel2, points(FEW, Z), (1,)),
    Row("ive", scaled(mp.besseli, lambda x: mp.exp(-x)), [*AT, *BIG], BOTH),
    Row("kve", scaled(mp.besselk, mp.exp), [*AT, *BIG], BOTH),
    *(
        Row(f"{name}{n}{end}", of(f, n, end, sign), points(SMALL[:30]))
        for n in (0, 1)
        for name, f, sign in KINDS
        for end in ("", "e")
        if sign or not end
    ),
    *(
        Row(name, spherical(f), points([n] * 30, SMALL[:30]), (1,))
        for n in (0, 1, 5, 20)
        for name, f in (("spherical_jn", mp.besselj), ("spherical_yn", mp.bessely))
    ),
    Row("struve", mp.struveh, points(FEW, NEARBY), (1,)),
    Row("modstruve", mp.struvel, points(FEW, NEARBY), (1,)),
    *(Row(name, kelvin(getattr(mp, name)), points(SMALL[:40])) for name in ("ber", "bei", "ker", "kei")),
]
