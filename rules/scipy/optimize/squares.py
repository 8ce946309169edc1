"""Sums of squares as functions that stay: of residuals, and of what a curve misses.

A function that is made anew with each call is a new one to an engine each time, which then learns nothing of
it. So the sum of squares is kept with the residuals, or the curve, that it was made of, provided these
captured nothing: otherwise nothing is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.callables import captures_nothing

_KEPT = "__chainrules_squares__"


def of_residuals(f: Any, count: int) -> Any:
    """½ Σ f(x, …)² as a function of x and so many parameters; None where nothing is kept."""
    return _kept(f, ("residuals", count), _RESIDUALS.get(count))


def of_curve(f: Any, count: int, axes: int, alike: bool) -> Any:
    """½ Σ ((f(x, p…) − y)/σ)² as a function of p, x, y and, unless they are alike, σ; None as above."""
    curve = _kept(f, ("curve", count), _CURVES.get(count)) if alike or axes == 1 else None
    return None if curve is None else _kept(curve, ("misses", alike), _alike if alike else _spread)


def _kept(f: Any, key: Any, maker: Any) -> Any:
    if maker is None or not captures_nothing(f):
        return None
    known = f.__dict__.get(_KEPT)
    if known is None or known[0] is not f.__code__:
        known = f.__dict__[_KEPT] = f.__code__, {}
    if key not in known[1]:
        known[1][key] = maker(f)
    return known[1][key]


def _by_none(f: Any) -> Any:
    def half(x: Any) -> Any:
        r = np.ravel(f(x))
        return 0.5 * np.sum(r * r)

    return half


def _by_one(f: Any) -> Any:
    def half(x: Any, a: Any) -> Any:
        r = np.ravel(f(x, a))
        return 0.5 * np.sum(r * r)

    return half


def _by_two(f: Any) -> Any:
    def half(x: Any, a: Any, b: Any) -> Any:
        r = np.ravel(f(x, a, b))
        return 0.5 * np.sum(r * r)

    return half


def _by_three(f: Any) -> Any:
    def half(x: Any, a: Any, b: Any, c: Any) -> Any:
        r = np.ravel(f(x, a, b, c))
        return 0.5 * np.sum(r * r)

    return half


_RESIDUALS = {0: _by_none, 1: _by_one, 2: _by_two, 3: _by_three}


def _of_one(f: Any) -> Any:
    def curve(p: Any, x: Any) -> Any:
        return f(x, p[0])

    return curve


def _of_two(f: Any) -> Any:
    def curve(p: Any, x: Any) -> Any:
        return f(x, p[0], p[1])

    return curve


def _of_three(f: Any) -> Any:
    def curve(p: Any, x: Any) -> Any:
        return f(x, p[0], p[1], p[2])

    return curve


def _of_four(f: Any) -> Any:
    def curve(p: Any, x: Any) -> Any:
        return f(x, p[0], p[1], p[2], p[3])

    return curve


def _of_five(f: Any) -> Any:
    def curve(p: Any, x: Any) -> Any:
        return f(x, p[0], p[1], p[2], p[3], p[4])

    return curve


_CURVES = {1: _of_one, 2: _of_two, 3: _of_three, 4: _of_four, 5: _of_five}


def _alike(curve: Any) -> Any:
    def half(p: Any, x: Any, y: Any) -> Any:
        r = np.ravel(curve(p, x) - y)
        return 0.5 * np.sum(r * r)

    return half


def _spread(curve: Any) -> Any:
    def half(p: Any, x: Any, y: Any, s: Any) -> Any:
        r = np.ravel(curve(p, x) - y) / s
        return 0.5 * np.sum(r * r)

    return half
