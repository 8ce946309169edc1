"""Second derivatives of solutions: by programs for all points, by the engine at each, and by both in turn."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings
from chainrules.engines.specialised.running.turned import Turned
from chainrules.rules.scipy.integrate.directed import Directed

TIMES = np.linspace(0.0, 2.0, 5)
P = np.array([1.1, 0.4, 0.1, 0.4])
V = np.array([0.3, -0.2, 0.5, 0.1])


def hunted(t: Any, z: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return [a * z[0] - b * z[0] * z[1], d * z[0] * z[1] - c * z[1]]


def by_arguments(p: Any, rtol: float = 1e-6) -> Any:
    return solve_ivp(hunted, (0.0, 2.0), [10.0, 5.0], args=tuple(p), t_eval=TIMES, rtol=rtol, atol=1e-8)


def by_capture(p: Any, rtol: float = 1e-6) -> Any:
    def slope(t: Any, z: Any) -> Any:
        return np.array([p[0] * z[0] - p[1] * z[0] * z[1], p[3] * z[0] * z[1] - p[2] * z[1]])

    return solve_ivp(slope, (0.0, 2.0), [10.0, 5.0 + p[0]], t_eval=TIMES, rtol=rtol, atol=1e-8)


def with_a_branch(p: Any) -> Any:
    def slope(t: Any, z: Any, q: Any) -> Any:
        drag = q * z[1] ** 3 if z[1] > 0 else 2.0 * q * z[1] ** 3
        return np.array([z[1], -np.sin(z[0]) * p[1] - p[2] * drag])

    start = np.array([1.0 + p[3], 0.5])
    return solve_ivp(slope, (0.0, 2.0), start, args=(p[0],), t_eval=TIMES, rtol=1e-4, atol=1e-6)


def conserved(p: Any) -> Any:
    def slope(t: Any, z: Any, p: Any) -> Any:
        flow = p[0] * z[0] - p[1] * z[1] * z[2]
        return np.array([-flow, flow - 3.0 * p[2] * z[1] ** 2, 3.0 * p[2] * z[1] ** 2])

    return solve_ivp(slope, (0.0, 2.0), [1.0, 0.0, 0.0], args=(p,), t_eval=TIMES, rtol=1e-6, atol=1e-8)


def stiff(p: Any) -> Any:
    def slope(t: Any, z: Any) -> Any:
        slow, fast, faster = 0.04 * p[0] * z[0], 1e4 * p[1] * z[1] * z[2], 3e7 * p[2] * z[1] ** 2
        return np.array([fast - slow, slow - fast - faster, faster])

    return solve_ivp(slope, (0.0, 2.0), [1.0, 0.0, 0.0], "BDF", t_eval=TIMES, rtol=1e-7, atol=1e-10)


def total(solved: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda p: np.sum(solved(p).y ** 2 * (1.0 + TIMES))


PROGRAMS = [by_arguments, by_capture]


@pytest.mark.parametrize("solved", [*PROGRAMS, with_a_branch, conserved, stiff])
def test_products_with_the_hessian(solved: Any) -> None:
    f = total(solved)
    gradient = cr.grad(f)
    difference = (gradient(P + 1e-5 * V) - gradient(P - 1e-5 * V)) / 2e-5
    np.testing.assert_allclose(cr.hvp(f, P, V), difference, rtol=1e-3)


@pytest.mark.parametrize("solved", [*PROGRAMS, conserved, stiff])
def test_one_program_serves_all_points(solved: Any, monkeypatch: Any) -> None:
    def asked(self: Any, *data: Any) -> Any:
        raise AssertionError("the engine was asked")

    monkeypatch.setattr(Directed, "asked", asked)
    cr.hvp(total(solved), P, V)


@pytest.mark.parametrize("solved", PROGRAMS)
def test_where_the_program_does_not_fit_the_engine_is_asked(solved: Any, monkeypatch: Any) -> None:
    f, fitting, count = total(lambda p: solved(p, rtol=1e-3)), Turned.along, [0]
    for _ in range(Settings.runs + 1):  # until the same program answers at each call
        expected = cr.hvp(f, P, V), cr.jvp(f, (P,), (V,))[1]

    def now_and_then(self: Any, *data: Any) -> Any:
        count[0] += 1
        return None if count[0] > 1 and count[0] % 16 == 0 else fitting(self, *data)

    monkeypatch.setattr(Turned, "along", now_and_then)
    np.testing.assert_allclose(cr.hvp(f, P, V), expected[0], rtol=1e-6)
    np.testing.assert_allclose(cr.jvp(f, (P,), (V,))[1], expected[1], rtol=1e-6)
    assert count[0] > 20


def test_what_does_not_move_has_no_part() -> None:
    f = total(lambda p: by_arguments(np.array([p, 0.4, 0.1, 0.4])))
    slope = cr.grad(f)
    assert cr.hvp(f, 1.1, 1.0) == pytest.approx((slope(1.1 + 1e-5) - slope(1.1 - 1e-5)) / 2e-5, rel=1e-4)
