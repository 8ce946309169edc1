"""A function that captured an object of a library, whose own cotangent is asked for from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

import chainrules as cr
from chainrules.core import default_engine

SITES = np.linspace(0.0, 1.0, 5)
HEIGHTS = np.array([0.9, 0.4, 1.3, 0.8, 0.6])
SEED = (1.0, 0.0)


def captured(heights: Any, scale: float = 1.3) -> tuple[Any, Any]:
    spline = CubicSpline(SITES, heights)
    return spline, lambda t: spline(t) ** 2 * scale


def nested(spline: Any) -> Any:
    return lambda a: quad(lambda t: spline(t) ** 2 * a, 0.0, 1.0)[0]


WAYS: dict[str, Callable[[Any], Any]] = {
    "vjp": lambda f: cr.vjp(quad, f, 0.0, 1.0)[1](SEED)[0],
    "rule": lambda f: cr.apply_rrule(quad, f, 0.0, 1.0)[1](SEED)[0],  # type: ignore[index]  # it has one
    "call": lambda f: cr.vjp(cr.call, quad, f, 0.0, 1.0)[1](SEED)[1],
    "engine": lambda f: default_engine().value_and_pullback(quad, f, 0.0, 1.0)[1](SEED)[0],
}


@pytest.mark.parametrize("way", WAYS)
def test_the_object_has_a_cotangent(way: str) -> None:
    spline, f = captured(HEIGHTS)
    found = WAYS[way](f).spline.c
    h = 1e-6
    for place in ((0, 1), (3, 2)):
        moved = []
        for step in (h, -h):
            c = spline.c.copy()
            c[place] += step
            other = CubicSpline.construct_fast(c, SITES)
            moved.append(quad(lambda t, other=other: other(t) ** 2 * 1.3, 0.0, 1.0, epsabs=1e-12)[0])
        assert np.isclose(found[place], (moved[0] - moved[1]) / (2 * h), rtol=1e-5)


def test_it_does_so_for_a_function_of_a_program() -> None:
    spline, _ = captured(HEIGHTS)
    whole = cr.vjp(cr.call, nested(spline), 1.3)[1](1.0)[0].spline.c
    _, f = captured(HEIGHTS)
    assert np.allclose(whole, WAYS["vjp"](f).spline.c)
