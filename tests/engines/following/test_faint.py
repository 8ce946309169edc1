"""Large arrays that nobody has any longer: their memory serves again, and no other takes their cotangent."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.following import faint, fused, joined

N, STEPS = 4096, 64
T = np.linspace(-1.0, 1.0, N)
MADE: list[Any] = []  # by texts, which outlive a test
X = 0.1 * np.cos(np.arange(1.0, STEPS + 1))


@pytest.fixture(autouse=True)
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The arrays that are known so, with texts of expressions after few operations."""
    MADE.clear()
    monkeypatch.setitem(fused._HELPERS, "faint_", noted)
    monkeypatch.setattr(joined, "OFTEN", 8)
    return MADE


def noted(y: Any, run: Any) -> Any:
    MADE.append(faint.faint(y, run))
    return MADE[-1]


def fitted(x: Any) -> Any:
    r, powers = np.sign(T), np.ones(N)
    for j in range(STEPS):
        r = r - x[j] * powers
        powers = powers * T
    return 0.5 * np.sum(r**2)


def with_arrays_between(x: Any) -> Any:
    r = T + x[0]
    for j in range(STEPS):
        r = r * 0.9 - x[j] * T
        still = T * 2.0 + 1.0  # may lie where an array was that varied
        r = r + still * 0.1 - x[j]
    return np.sum(r * still)


def written_into(x: Any) -> Any:
    r = T * x[0]
    for j in range(STEPS):
        r = r * 0.9 - x[j] * T
        r[j] = x[j] * 2.0
        r = r + r * x[0] * 0.1
    return np.sum(r * T)


def kept_in_a_list(x: Any) -> Any:
    r, every = T * x[0], []
    for j in range(STEPS):
        r = r * 0.9 - x[j] * T
        if j % 3 == 0:
            every.append(r[::2] * 1.0)
    return sum(np.sum(v * v) for v in every)


@pytest.mark.parametrize("f", [fitted, with_arrays_between, written_into, kept_in_a_list])
def test_cotangents_are_those_of_differences(f: Callable[[Any], Any], made: list[Any]) -> None:
    for at in (X, X[::-1].copy(), X + 0.1):
        gradient = cr.grad(f)(at)
        direction = np.sin(np.arange(STEPS) + 0.5)
        moved = [f(at + h * direction) for h in (1e-6, -1e-6)]
        assert np.isclose(gradient @ direction, (moved[0] - moved[1]) / 2e-6, rtol=1e-6)
    assert made


def test_a_pullback_runs_again_and_under_another_run(made: list[Any]) -> None:
    for _ in range(2):
        _, pullback = cr.vjp(fitted, X)
    assert np.array_equal(pullback(1.0)[0], pullback(1.0)[0])
    assert np.allclose(pullback(2.0)[0], 2.0 * cr.grad(fitted)(X))
    assert made
    scaled = cr.grad(lambda s: np.sum(pullback(s)[0] * X))(1.0)
    assert np.isclose(scaled, cr.grad(fitted)(X) @ X)


def test_a_run_keeps_what_pullbacks_need_alone() -> None:
    gradient = cr.grad(fitted)
    for _ in range(2):
        gradient(X)
    tracemalloc.start()
    gradient(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.3 * STEPS * T.nbytes  # the powers; as much again with each r
