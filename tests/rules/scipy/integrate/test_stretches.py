"""Sensitivities whose slopes jump at sites that the equation holds: they start anew there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate
from scipy.interpolate import PPoly

import chainrules as cr
from chainrules.rules.scipy.integrate import sensitivities

SITES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
STEPS = np.array([0.4, 1.2, -0.3, 0.8])


def forced(span: tuple[float, float], times: Any = None) -> Any:
    def f(heights: Any) -> Any:
        force = PPoly(heights[None, :], SITES)
        found = integrate.solve_ivp(
            lambda t, u: [-0.5 * u[0] * u[0] + force(t)], span, [1.0], t_eval=times, rtol=1e-7, atol=1e-9
        )
        return np.sum(found.y**2) if times is not None else found.y[0, -1]

    return f


LIMITS = [
    ((0.0, 1.0), None),
    ((1.0, 0.0), None),
    ((0.1, 0.9), np.array([0.1, 0.25, 0.3, 0.5, 0.8])),
    ((0.9, 0.1), np.array([0.9, 0.75, 0.6, 0.25, 0.2])),
    ((0.25, 0.75), np.array([0.25, 0.3, 0.75])),
]


@pytest.mark.parametrize(("span", "times"), LIMITS)
def test_the_gradient_by_heights(span: Any, times: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Counted(sensitivities.Varied):
        def slope(self, t: Any, z: Any) -> Any:
            asked.append(t)
            return super().slope(t, z)

    f = forced(span, times)
    for _ in range(4):
        found = cr.grad(f)(STEPS)
    exact = [exactly(span, times, STEPS + e) - exactly(span, times, STEPS - e) for e in 1e-4 * np.eye(4)]
    assert np.allclose(found, np.array(exact) / 2e-4, rtol=1e-4, atol=1e-6)
    monkeypatch.setattr(sensitivities, "Varied", Counted)
    cr.grad(f)(STEPS)
    assert 0 < len(asked) < 500  # it is about 2000 with the jumps inside of steps


def exactly(span: Any, times: Any, heights: Any) -> Any:
    """The same, integrated piece by piece."""
    rises = span[1] > span[0]
    ends = [t for t in (SITES if rises else SITES[::-1]) if min(span) < t < max(span)]
    u, t0, states = 1.0, span[0], []
    wanted = [span[1]] if times is None else [*times]
    for end in [*ends, span[1]]:
        height = heights[np.searchsorted(SITES, 0.5 * (t0 + end)) - 1]
        here = [t for t in wanted if min(t0, end) <= t <= max(t0, end) and (t != t0 or t == span[0])]
        asked = sorted({*here, end}, reverse=not rises)
        solved = integrate.solve_ivp(
            lambda t, u, h=height: -0.5 * u * u + h, (t0, end), [u], t_eval=asked, rtol=1e-11, atol=1e-13
        )
        states += [solved.y[0, [*solved.t].index(t)] for t in here]
        u, t0 = solved.y[0, -1], end
    return np.sum(np.square(states)) if times is not None else u
