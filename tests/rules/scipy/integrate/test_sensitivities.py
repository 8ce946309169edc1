"""Gradients by sensitivities and by the adjoint: seeds at many times, at none, and at the start alone."""

from typing import Any, cast

import numpy as np
import pytest
from scipy import integrate
from scipy.integrate import solve_ivp

import chainrules as cr
from chainrules.rules.scipy.integrate import adjoint, sensitivities

METHODS = ["RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA"]
TIGHT: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-9}


def reacting(t, y, k):
    a, b, c = y
    return [-k[0] * a + k[1] * b * c, k[0] * a - k[1] * b * c - k[2] * b * b, k[2] * b * b]


@pytest.mark.parametrize("method", [*METHODS, "odeint"])
@pytest.mark.parametrize("small", [True, False], ids=["sensitivities", "adjoint"])
def test_seeds_at_many_times(method, small, monkeypatch):
    """Forward and back in time, with a seed at the start, by a solution that is integrated along and by λ."""
    if not small:
        monkeypatch.setattr(adjoint, "by_sensitivities", lambda *x: None)
    k, start = np.array([0.8, 1.3, 0.6]), np.array([1.0, 0.1, 0.2])
    for times in (np.linspace(0.0, 2.0, 9), np.linspace(0.5, -0.5, 5)):
        weights = np.cos(np.arange(3.0 * len(times))).reshape(len(times), 3)

        def f(k, start, times, method=method, tol=1e-8, weights=weights):
            if method == "odeint":
                y = integrate.odeint(reacting, start, times, (k,), tfirst=True, rtol=tol, atol=tol)
            else:
                span, near = (times[0], times[-1]), {"rtol": tol, "atol": tol}
                y = solve_ivp(reacting, span, start, method, t_eval=times, args=(k,), **near).y.T
            return np.sum(y * weights)

        for _ in range(4):
            found = cr.grad(f, (0, 1, 2))(k, start, times)
        x, solved = (k, start, times), cast(Any, f)
        for i, v in enumerate(x):
            for j in range(len(v)):
                step = 1e-4 * np.eye(len(v))[j]
                near, far = (solved(*x[:i], v + s * step, *x[i + 1 :], "DOP853", 1e-13) for s in (1, -1))
                assert found[i][j] == pytest.approx((near - far) / 2e-4, rel=2e-5, abs=2e-6)


@pytest.mark.parametrize("method", ["odeint", "RK45"])
def test_sensitivities_are_kept_for_few_times(method, monkeypatch):
    k, start, times = np.array([0.8, 1.3, 0.6]), np.array([1.0, 0.1, 0.2]), np.linspace(0.0, 2.0, 40)

    def f(k):
        if method == "odeint":
            return np.sum(integrate.odeint(reacting, start, times, (k,), tfirst=True) ** 2)
        return np.sum(solve_ivp(reacting, (0.0, 2.0), start, t_eval=times, args=(k,), **TIGHT).y ** 2)

    for _ in range(4):
        whole = cr.grad(f)(k)
    monkeypatch.setattr(sensitivities, "AT_ONCE", 100)
    np.testing.assert_allclose(cr.grad(f)(k), whole, rtol=1e-6)


def test_seeds_at_the_start_alone_and_at_no_time():
    def started(y0, k):
        return np.sum(integrate.odeint(reacting, y0, [0.5], (k,), tfirst=True)[0] * np.arange(1.0, 4.0))

    def nowhere(y0, k):
        return np.sum(solve_ivp(reacting, (0.0, 1.0), y0, t_eval=[], args=(k,)).y) + y0[0]

    y0, k = np.array([1.0, 0.1, 0.2]), np.array([0.8, 1.3, 0.6])
    for _ in range(4):
        found = cr.grad(started, (0, 1))(y0, k)
        np.testing.assert_allclose(found[0], [1.0, 2.0, 3.0])
        np.testing.assert_array_equal(found[1], np.zeros(3))
        np.testing.assert_allclose(cr.grad(nowhere)(y0, k), [1.0, 0.0, 0.0])
