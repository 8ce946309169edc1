"""Cotangents of integrands by programs for all points: those that the engine gives at each."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import dblquad, quad, quad_vec

import chainrules as cr
from chainrules.rules.scipy.integrate import integral

X = np.array([0.3, 1.2, 0.7])


def captured(x: Any) -> Any:
    scale = x[2] ** 2
    return quad(lambda t: np.exp(-x[0] * t) * x[1] + scale * t, 0.0, x[1])[0]


def given(x: Any) -> Any:
    return quad(lambda t, a, b: np.sin(a * t) * b, 0.0, np.inf if x[0] > 5 else 2.0, args=(x[0], x[1]))[0]


def of_vectors(x: Any) -> Any:
    return np.sum(quad_vec(lambda t: np.exp(-x * t) * x[0], 0.0, 1.0)[0] ** 2)


def with_a_branch(x: Any) -> Any:
    return quad(lambda t: x[0] * t if t < 0.5 else x[1] * t**2, 0.0, 1.0, points=[0.5])[0]


def twice(x: Any) -> Any:
    return dblquad(lambda s, t: np.exp(-x[0] * s * t) * x[1], 0.0, 1.0, 0.0, 0.5)[0]


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[int]:
    """How often an integral has had programs by this function."""
    used, ready = [0], getattr(integral, name)

    def noted(*data: Any) -> Any:
        found = ready(*data)
        used[0] += found is not None
        return found

    monkeypatch.setattr(integral, name, noted)
    return used


@pytest.mark.parametrize("f", [captured, given, of_vectors, with_a_branch, twice])
def test_gradients_stay_as_programs_are_written(
    f: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    used = counted(monkeypatch, "ready_of")
    expected = [(f(X + 1e-5 * e) - f(X - 1e-5 * e)) / 2e-5 for e in np.eye(3)]
    gradient = cr.grad(f)
    for _ in range(5):
        np.testing.assert_allclose(gradient(X), expected, rtol=1e-7, atol=1e-9)
    assert used[0] or f is twice


def test_second_derivatives_are_those_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    used = counted(monkeypatch, "ready_across")
    gradient = cr.grad(captured)
    for _ in range(4):
        gradient(X)
    v = np.array([0.5, -0.3, 0.2])
    difference = (gradient(X + 1e-5 * v) - gradient(X - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(cr.hvp(captured, X, v), difference, rtol=1e-6)
    assert used[0]
