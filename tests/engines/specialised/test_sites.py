"""Roots and minima in a text: where they are called the programs of their derivative are known."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr
from chainrules.core import NotDifferentiableError, implicit
from chainrules.engines.specialised.running import minima, roots, sites
from chainrules.engines.specialised.running.entry import Settings

P = np.array([1.3, 0.6])
SHIFT = 0.25


def kepler(e: float, m: float, eccentricity: float) -> Any:
    return e - eccentricity * np.sin(e) - m


def shifted(k: float) -> Any:
    def residual(e: float, m: float) -> Any:
        return e + k * e**3 - m

    return residual


SHIFTED = shifted(0.4)


def of_numbers(p: Any) -> Any:
    return optimize.brentq(kepler, 0.0, 4.0, args=(p[0], p[1]))


def of_captured(p: Any) -> Any:
    return optimize.brentq(lambda e: e - p[1] * np.sin(e) - p[0], 0.0, 4.0) * p[1]


def of_captured_in_turn(p: Any) -> Any:
    m, n = p[0], 3

    def inner(e: Any) -> Any:
        return p[1] * e**n

    def residual(e: Any, k: Any) -> Any:
        return inner(e) + k * e - m * SHIFT

    return optimize.toms748(residual, -5.0, 5.0, args=(2.0,))


def of_one_given_twice(p: Any) -> Any:
    return optimize.brentq(lambda e, a, b: e * np.sum(a) + e**3 - np.prod(b) - p[0], -9.0, 9.0, args=(p, p))


def of_what_was_made_outside(p: Any) -> Any:
    return optimize.brentq(SHIFTED, -9.0, 9.0, args=(p[0] * p[1],))


def by_secants(p: Any) -> Any:
    return optimize.newton(kepler, 1.0, args=(p[0], p[1]), tol=1e-12)


def by_a_result(p: Any) -> Any:
    found = optimize.root_scalar(lambda e: e - p[1] * np.sin(e) - p[0], bracket=(0.0, 4.0))
    return found.root**2


def of_a_line(p: Any) -> Any:
    return optimize.minimize_scalar(lambda x: (x - p[0]) ** 2 + p[1] * x**4, tol=1e-12).x


def of_several(p: Any) -> Any:
    def residual(x: Any, a: Any) -> Any:
        return np.array([x[0] * a[0] + x[1] ** 3 - 1.0, x[1] * p[1] - 0.1 * x[0]])

    return np.sum(optimize.root(residual, np.array([0.5, 0.1]), args=(p,), tol=1e-13).x ** 2)


def of_many(p: Any) -> Any:
    x = optimize.fsolve(
        lambda x: x * p[0] + 0.1 * x**3 - np.linspace(0.1, 1.0, 7) * p[1], np.zeros(7), xtol=1e-13
    )
    return np.sum(x**3)


def of_a_fixed_point(p: Any) -> Any:
    x = float(optimize.brentq(lambda x: 1.0 + p[0] / (x + p[1]) - x, 0.5, 9.0, xtol=1e-14))
    return implicit.fixed_point(lambda x: 1.0 + p[0] / (x + p[1]), x)


def least(p: Any) -> Any:
    def objective(x: Any) -> Any:
        return np.sum((x - p) ** 2) + p[0] * x[0] ** 4

    return np.sum(optimize.minimize(objective, np.zeros(2), tol=1e-9, jac=lambda x: slope(x, p)).x ** 2)


def slope(x: Any, p: Any) -> Any:
    return 2 * (x - p) + np.array([4 * p[0] * x[0] ** 3, 0.0])


def least_of_many(p: Any) -> Any:
    loads = np.linspace(p[0], p[1], 80)
    found = optimize.minimize(
        lambda x: np.sum(x**4 / 4 + 1.5 * x**2 - 0.5 * x * np.roll(x, 1) - loads * x),
        np.zeros(80),
        jac=lambda x: x**3 + 3.0 * x - 0.5 * (np.roll(x, 1) + np.roll(x, -1)) - loads,
        method="L-BFGS-B",
        tol=1e-14,
    )
    return np.sum(found.x**3)


PROGRAMS = [
    least_of_many,
    of_numbers, of_captured, of_captured_in_turn, of_one_given_twice, by_secants, by_a_result, of_a_line,
    of_several, of_many, of_a_fixed_point, least,
]  # fmt: skip


def differences(f: Any, p: Any, step: float = 1e-3) -> Any:
    units = np.eye(len(p)) * step
    return np.array([(f(p + u) - f(p - u)) / (2 * step) for u in units])


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What sites answered, in order."""
    found: list[Any] = []
    known = sites.Site.__call__

    def noted(site: Any, *leaves: Any) -> Any:
        found.append(known(site, *leaves))
        return found[-1]

    monkeypatch.setattr(sites.Site, "__call__", noted)
    return found


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_a_site_answers_at_other_arguments(f: Any, answers: Any) -> None:
    both = cr.value_and_grad(f)
    for _ in range(2 * Settings.runs + 2):
        both(P)
    assert answers and answers[-1] is not None
    for p in (P, np.array([0.7, 0.2]), np.array([1.9, 0.8])):
        del answers[:]
        value, gradient = both(p)
        assert answers[-1] is not None
        assert value == f(p)
        np.testing.assert_allclose(gradient, differences(f, p), rtol=3e-5, atol=1e-7)
    v = np.array([0.3, -0.8])
    np.testing.assert_allclose(cr.jvp(f, (P,), (v,))[1], differences(f, P) @ v, rtol=3e-5)
    along = [cr.grad(f)(P + t * v) for t in (1e-3, -1e-3)]
    np.testing.assert_allclose(cr.hvp(f, P, v), (along[0] - along[1]) / 2e-3, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("f", [of_numbers, of_several, of_many, of_a_line, least_of_many])
def test_a_residual_is_asked_for_its_check_alone(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(kind: Any) -> None:
        value = kind.value

        def noted(self: Any, x: Any) -> Any:
            asked.append(x)
            return value(self, x)

        monkeypatch.setattr(kind, "value", noted)

    counted(roots.OfRoot)
    counted(minima.OfMinimum)
    for _ in range(2 * Settings.runs + 2):
        del asked[:]
        cr.grad(f)(P)
    assert len(asked) == 2


def test_what_was_made_outside_is_left_to_the_rule(answers: Any) -> None:
    gradient = cr.grad(of_what_was_made_outside)
    for _ in range(2 * Settings.runs + 2):
        gradient(P)
    assert answers and answers[-1] is None
    np.testing.assert_allclose(gradient(P), differences(of_what_was_made_outside, P), rtol=1e-6)


def of_a_given_solution(p: Any) -> Any:
    """A root that is double where p[1] is zero, and none where p[1] is negative."""
    x = 1.0 + np.sqrt(abs(p[1]))
    return implicit.root(lambda x, a: (x - 1.0) ** 2 - a, float(x), p[1]) * p[0]


def test_what_is_no_simple_root_is_refused_as_before(answers: Any) -> None:
    gradient = cr.grad(of_a_given_solution)
    p = np.array([2.0, 0.49])
    for _ in range(2 * Settings.runs + 2):
        np.testing.assert_allclose(gradient(p), [1.7, 1.0 / 0.7])
    assert answers and answers[-1] is not None
    for second, what in ((0.0, "singular"), (-0.5, "is not one")):
        with pytest.raises(NotDifferentiableError, match=what):
            gradient(np.array([2.0, second]))
    np.testing.assert_allclose(gradient(p), [1.7, 1.0 / 0.7])


def test_captured_values_of_other_types_are_told(answers: Any) -> None:
    def f(p: Any, k: Any) -> Any:
        return optimize.brentq(lambda e: k * e + e**3 - p[0], -9.0, 9.0)

    gradient = cr.grad(f, (0, 1))
    for _ in range(2 * Settings.runs + 2):
        gradient(P, 2.0)
    assert answers[-1] is not None
    x = f(P, np.float64(2.0))
    for k in (np.float64(2.0), 2.0, np.float32(2.0)):
        for _ in range(Settings.runs + 1):
            found = gradient(P, k)
            np.testing.assert_allclose(found[1], -x / (2.0 + 3 * x**2), rtol=1e-6)


def test_what_was_captured_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays: list[Any] = []
    learnt = sites.Site._learnt

    def noted(*given: Any) -> Any:
        found = learnt(*given)
        if found is not None:
            arrays.append(weakref.ref(given[-2][0]))
        return found

    def g(p: Any) -> Any:
        a = p * 2.0
        return optimize.brentq(lambda e: a[0] * e + e**3 - a[1], -9.0, 9.0)

    monkeypatch.setattr(sites.Site, "_learnt", noted)
    gradient = cr.grad(g)
    for _ in range(2 * Settings.runs + 2):
        gradient(P)
    gc.collect()
    assert len(arrays) == 1
    assert arrays[0]() is None


def test_a_system_of_another_size() -> None:
    def f(loads: Any) -> Any:
        return np.sum(optimize.root(lambda x: x + x**3 - loads, np.zeros(len(loads)), tol=1e-13).x)

    gradient = cr.grad(f)
    for n in (1, 2, 5, 1, 13, 2, 5, 1):
        for _ in range(Settings.runs + 2):
            loads = np.linspace(0.4, 1.0, n)
            x = optimize.root(lambda x: x + x**3 - loads, np.zeros(n), tol=1e-13).x  # noqa: B023
            np.testing.assert_allclose(gradient(loads), 1.0 / (1 + 3 * x**2), rtol=1e-9)


def test_an_array_that_is_written_into_afterwards() -> None:
    def f(p: Any) -> Any:
        a = p * 2.0
        x = optimize.brentq(lambda e: a[0] * e + e**3 - a[1], -9.0, 9.0, xtol=1e-14)
        a[0] = 7.0
        return x * a[0] * a[1]

    gradient = cr.grad(f)
    for p in (P, P, P, P, P, P, np.array([0.7, 0.2])):
        np.testing.assert_allclose(gradient(p), differences(f, p), rtol=1e-5, atol=1e-8)


def fitted(ydata: Any) -> Any:
    t = np.linspace(0.0, 2.0, len(ydata))
    return optimize.curve_fit(lambda t, a, b: a * np.exp(-b * t), t, ydata, p0=(1.0, 1.0))[0][0]


def test_programs_are_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    taught = []
    is_taught = minima.OfMinimum.is_taught

    def noted(self: Any) -> bool:
        taught.append(self)
        return is_taught(self)

    monkeypatch.setattr(minima.OfMinimum, "is_taught", noted)
    x = np.linspace(2.0, 0.5, 60) ** 2
    for _ in range(2 * Settings.runs + 3):
        found = cr.grad(fitted)(x)
    assert len(taught) == 1
    np.testing.assert_allclose(found, differences(fitted, x), rtol=1e-4, atol=1e-6)


def test_what_a_solver_gives_back_is_told_item_by_item() -> None:
    def f(p: Any) -> Any:
        return np.sum(optimize.root(lambda x: x**3 + x - p, np.zeros(2)).x ** 2)

    for _ in range(Settings.runs + 1):
        cr.grad(f)(P)
    text = cr.derivative_source(f, P, mode="specialised")
    assert "handed_rrule" in text
    assert "kind_of" not in text
