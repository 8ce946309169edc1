"""Bounds: what is free moves, what is at a bound moves with it."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.core.bounds import free_by, is_at
from chainrules.rules.scipy.optimize.within import minimum_within

LOWER, UPPER = np.array([-1.0, 0.5, -np.inf]), np.array([0.2, np.inf, np.inf])


def objective(x: Any, p: Any) -> Any:
    return np.sum((x - p) ** 2) + x[0] * x[2]


def solved(p: Any, lower: Any, upper: Any) -> Any:
    """By hand: x₀ is at its upper bound, x₁ at its lower one, x₂ is free."""
    return np.array([upper[0], lower[1], p[2] - 0.5 * upper[0]])


def weighed(p: Any, lower: Any, upper: Any) -> Any:
    x = cr.stop_gradient(solved(p, lower, upper))
    return np.sum(minimum_within(objective, x, lower, upper, p) ** 2 * np.array([1.0, 2.0, 3.0]))


def test_what_is_at_a_bound() -> None:
    x = np.array([0.2 + 1e-9, 7.0, -5.0])
    np.testing.assert_array_equal(is_at(x, UPPER), [True, False, False])
    np.testing.assert_array_equal(is_at(x, LOWER), [False, False, False])
    np.testing.assert_array_equal(minimum_within(objective, x, LOWER, UPPER, x), [0.2, 7.0, -5.0])


def test_a_multiplier_of_zero_is_refused() -> None:
    at = np.array([True, False])
    np.testing.assert_array_equal(free_by(np.array([1.0, 0.0]), at), [False, True])
    with pytest.raises(cr.NotDifferentiableError, match="variable 0 of the minimum"):
        free_by(np.array([1e-9, 0.0]), at)


def test_it_moves_with_parameters_and_bounds() -> None:
    p = np.array([3.0, -2.0, 1.5])
    at = p, LOWER, UPPER

    def by_hand(*given: Any) -> Any:
        return np.sum(solved(*given) ** 2 * np.array([1.0, 2.0, 3.0]))

    assert optimize.minimize(objective, p, (p,), bounds=optimize.Bounds(LOWER, UPPER)).success
    found = cr.grad(weighed, (0, 1, 2))(*at)
    for i, mine in enumerate(found):
        for k in np.flatnonzero(np.isfinite(at[i])):
            e = np.zeros(3)
            e[k] = 1e-6
            ahead, behind = ([*at[:i], at[i] + s * e, *at[i + 1 :]] for s in (1, -1))
            assert mine[k] == pytest.approx((by_hand(*ahead) - by_hand(*behind)) / 2e-6, abs=1e-7)
    _, along = cr.jvp(lambda q: weighed(q, LOWER, UPPER), (p,), (np.ones(3),))
    assert along == pytest.approx(np.sum(found[0]))
    second = cr.hvp(lambda q: weighed(q, LOWER, UPPER), p, np.ones(3))
    np.testing.assert_allclose(second, [0.0, 0.0, 6.0], atol=1e-9)
