"""The pullbacks of one function at many points, as an adjoint equation asks for them."""

from typing import Any

import numpy as np
import pytest
from scipy import integrate

import chainrules as cr
from chainrules.engines.specialised.running import pullbacks
from chainrules.engines.specialised.running.entry import Settings
from chainrules.rules.scipy.integrate import adjoint

TIGHT: dict[str, Any] = {"rtol": 1e-8, "atol": 1e-10}


def predators(t, y, a, b):
    return np.array([y[0] * (a - y[1]), y[1] * (b * y[0] - 1.0) + 0.1 * t])


def by_args(p, method="RK45"):
    found = integrate.solve_ivp(predators, (0.0, 2.0), [1.0, p[2]], method, args=(p[0], p[1]), **TIGHT)
    return np.sum(found.y[:, -1] * p[1:])


def by_capture(p, method="RK45"):
    def slope(t, y):
        return predators(t, y, p[0], p[1])

    return np.sum(integrate.solve_ivp(slope, (0.0, 2.0), [1.0, p[2]], method, **TIGHT).y[:, -1] * p[1:])


def of_a_list(p, method="RK45"):
    found = integrate.solve_ivp(
        lambda t, y: [y[1], -p[0] * y[0] - p[1] * y[1]], (0.0, 2.0), [p[2], 0.0], method, **TIGHT
    )
    return found.y[0, -1]


def by_odeint(p, method=None):
    found = integrate.odeint(
        lambda y, t, a: predators(t, y, a, p[1]), [1.0, p[2]], [0.0, 1.0, 2.0], args=(p[0],), **TIGHT
    )
    return np.sum(found[1:, 0])


def central(f, p, h=1e-4):
    return np.array([(f(p + e) - f(p - e)) / (2 * h) for e in h * np.eye(len(p))])


@pytest.mark.parametrize("small", [True, False], ids=["by sensitivities", "by the adjoint"])
@pytest.mark.parametrize("method", ["RK45", "BDF", "LSODA"])
@pytest.mark.parametrize("f", [by_args, by_capture, of_a_list, by_odeint], ids=lambda f: str(f.__name__))
def test_each_call_gives_its_own_derivative(
    f: Any, method: str, small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not small:
        monkeypatch.setattr(adjoint, "by_sensitivities", lambda *x: None)
    if f is by_odeint and method != "LSODA":
        pytest.skip("it has one method")
    ready = []

    def noted(*given: Any) -> Any:
        ready.append(known(*given))
        return ready[-1]

    known = pullbacks.pullbacks_of
    monkeypatch.setattr(pullbacks, "pullbacks_of", noted)
    for k in range(2 * Settings.runs + 1):  # the functions that a specialised program makes are others
        p = np.array([0.9, 0.7, 0.8]) + 0.05 * k
        np.testing.assert_allclose(
            cr.grad(f)(p, method), central(lambda p: f(p, method), p), rtol=1e-5, atol=1e-6
        )
    assert ready[-1] is not None


def test_a_slope_without_a_program_is_followed() -> None:
    class Rates:
        def __init__(self, a: Any) -> None:
            self.a = a

    def f(p: Any) -> Any:
        rates = Rates(p[0])
        return integrate.solve_ivp(lambda t, y: -rates.a * y, (0.0, 1.0), [p[1]], **TIGHT).y[0, -1]

    for _ in range(Settings.runs + 1):
        np.testing.assert_allclose(
            cr.grad(f)(np.array([0.5, 2.0])), [-2 * np.exp(-0.5), np.exp(-0.5)], rtol=1e-6
        )


def test_what_is_not_ready() -> None:
    y, by = np.ones(2), (False, False, True)
    assert pullbacks.pullbacks_of(predators, (0.0, y, 1j, 1.0), y, (*by, True, True)) is None
    for _ in range(Settings.runs + 1):
        assert pullbacks.pullbacks_of(lambda t, y: y[:1], (0.0, y), y, by) is None
