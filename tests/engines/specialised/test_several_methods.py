"""Programs that choose a solver's method as they run: the results of two methods have other entries."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of


def energy(x: Any, loads: Any) -> Any:
    return np.sum(x**2 + x**4 / 4 - loads * x)


def slope(x: Any, loads: Any) -> Any:
    return 2 * x + x**3 - loads


def by_size(loads: Any) -> Any:
    method = "L-BFGS-B" if len(loads) > 3 else "BFGS"
    found = optimize.minimize(energy, np.zeros(len(loads)), args=(loads,), jac=slope, method=method)
    return np.sum(found.x**2) + 0.5 * found.fun


def by_branch(loads: Any) -> Any:
    start = np.zeros(len(loads))
    if loads[0] > 0.5:
        found = optimize.minimize(energy, start, args=(loads,), jac=slope, method="CG")
    else:
        found = optimize.minimize(energy, start, args=(loads,), method="Powell", tol=1e-9)
    return np.sum(found.x**2) + 0.5 * found.fun


def expected(loads: Any) -> Any:
    """By the implicit function theorem and the envelope, with x from Newton's method."""
    x = loads / 2
    for _ in range(60):
        x = x - slope(x, loads) / (2 + 3 * x**2)
    return 2 * x / (2 + 3 * x**2) - 0.5 * x


@pytest.mark.parametrize("sizes", [(2, 5), (5, 2), (2, 5, 2, 5)])
def test_by_the_size_of_the_problem(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    with specialised_after(1):
        for n in sizes:
            for _ in range(4):
                loads = rng.normal(size=n)
                np.testing.assert_allclose(cr.grad(by_size)(loads), expected(loads), atol=1e-4)
    assert text_of(by_size)


def test_by_a_branch() -> None:
    with specialised_after(1):
        for loads in map(np.array, ([1.0, -0.4], [0.2, 0.7], [0.9, 0.1], [0.3, -0.2], [0.8, 0.8])):
            np.testing.assert_allclose(cr.grad(by_branch)(loads), expected(loads), atol=1e-4)
    assert text_of(by_branch)
