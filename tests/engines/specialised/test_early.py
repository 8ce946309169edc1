"""Texts of second derivatives at the first call, held against ordinary gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.source.engine import engine
from chainrules.engines.specialised.running import early
from chainrules.engines.specialised.running.entry import Settings, specialised_after
from chainrules.engines.specialised.running.pushed import Pushed

VECTOR = np.array([0.4, -1.3, 2.2, 0.7])
MATRIX = np.array([[1.2, -0.3, 0.4], [0.1, 0.8, -0.9], [0.5, 0.6, 0.7]])


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def stepped(rate, y, count):
    for _ in range(count):
        y = y + 0.1 * rate(y)
    return y


def cooled(x):
    return np.sum(stepped(lambda y: -x[0] * y + np.sin(x[1] * y), x[2:], 5) ** 2)


def written(x):
    y = np.zeros(4)
    for i in range(1, 4):
        y[i] = y[i - 1] * x[i] + x[i - 1] ** 3
    return y[3] * y[2]


def kinked(x):
    return np.sum(np.maximum(x, 0.0) ** 2) + np.sum(x**3)


def counted(x):
    calls.append(1)
    return np.sum(x**3)


calls: list[int] = []


@pytest.fixture
def ordinary(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """How often the engine made a derivative of a derivative."""
    found: list[Any] = []
    right = type(engine).jvp

    def noted(self: Any, *given: Any, **more: Any) -> Any:
        found.append(given[0])
        return right(self, *given, **more)

    monkeypatch.setattr(type(engine), "jvp", noted)
    return found


WAYS: dict[str, Callable[[Any], Any]] = {
    "hessian": lambda f: cr.hessian(f)(VECTOR) @ VECTOR,
    "hvp": lambda f: cr.hvp(f, VECTOR, VECTOR),
    "jvp of grad": lambda f: cr.jvp(cr.grad(f), (VECTOR,), (VECTOR,))[1],
    "jacfwd of grad": lambda f: cr.jacfwd(cr.grad(f))(VECTOR) @ VECTOR,
    "jacobian of grad": lambda f: cr.jacobian(cr.grad(f))(VECTOR) @ VECTOR,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", [rosenbrock, cooled, written])
def test_the_first_call_runs_a_text(way: str, f: Any, ordinary: list[Any]) -> None:
    """What it says is what differences of the gradient say."""
    e = 1e-5 * VECTOR
    expected = (cr.grad(f)(VECTOR + e) - cr.grad(f)(VECTOR - e)) / 2e-5
    with specialised_after(3, early=True):
        np.testing.assert_allclose(WAYS[way](f), expected, rtol=1e-6, atol=1e-6)
    assert not ordinary


@pytest.mark.parametrize("fault", [0.0, 1.0, 1e-4])
def test_a_text_that_says_something_else_is_not_taken(
    fault: float, ordinary: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault that is put in, in one number of the product."""
    right = Pushed.run

    def wrong(self: Pushed, x: Any, dx: Any) -> Any:
        y, dy = right(self, x, dx)
        dy[1][0][2] *= 1.0 + fault
        return y, dy

    monkeypatch.setattr(Pushed, "run", wrong)
    expected = [-400 * VECTOR[0], 200 + 1200 * VECTOR[1] ** 2 - 400 * VECTOR[2] + 2]
    with specialised_after(3, early=True):
        found = cr.hvp(rosenbrock, VECTOR, np.array([0.0, 1.0, 0.0, 0.0]))
    np.testing.assert_allclose(found[:2], expected)
    np.testing.assert_allclose(found[2:], [-400 * VECTOR[1], 0.0])
    assert bool(ordinary) == bool(fault)


def test_at_a_kink_the_ordinary_program_answers(ordinary: list[Any]) -> None:
    """Differences do not say there what the convention for ties is."""
    at = np.array([0.0, 1.0, -1.0])
    with specialised_after(3, early=True):
        found = cr.hessian(kinked)(at)
    assert ordinary
    with specialised_after(3):
        np.testing.assert_array_equal(found, cr.hessian(kinked)(at))


def test_effects_are_those_of_one_call(ordinary: list[Any]) -> None:
    """A function that has some has no text, and is not run to make one."""
    calls.clear()
    with specialised_after(3, early=True):
        cr.hvp(counted, VECTOR, VECTOR)
    assert ordinary
    assert calls == [1]


def test_errors_are_those_of_the_ordinary_program() -> None:
    with specialised_after(3, early=True), pytest.raises(cr.NonScalarOutputError):
        cr.hessian(lambda x: x * 2.0)(VECTOR)


def test_a_zero_that_nothing_can_change_is_warned_of() -> None:
    """The first call is the ordinary program's, which can tell."""
    with specialised_after(3, early=True), pytest.warns(cr.ZeroDerivativeWarning):
        cr.hessian(lambda x, y: np.sum(x**3), (0, 1))(VECTOR, 2.0)


def test_steps_stay_where_the_function_is_defined() -> None:
    """They are in units of the numbers, so that small ones are not made negative."""
    small = np.array([1e-6, 3.0])
    with specialised_after(3, early=True):
        found = cr.hessian(lambda x: np.sum(np.log(x)))(small)
    np.testing.assert_allclose(found, np.diag(-1.0 / small**2))


def test_nothing_is_early_where_every_answer_is_compared() -> None:
    with specialised_after(1, compared=True, early=True):
        assert not early.early(rosenbrock, (VECTOR,), (VECTOR,))
    assert not Settings.early


def test_third_derivatives_of_what_has_a_text() -> None:
    """The runs that move and the one that does not are two programs, which round in two ways."""

    def f(x):
        return np.sum(np.tanh(MATRIX @ x) * x)

    x = np.array([0.3, -0.2, 0.5])
    h = 1e-5 * np.eye(3)
    with specialised_after(3, early=True):
        third = cr.jacfwd(cr.hessian(f))(x)
        differences = [(cr.hessian(f)(x + e) - cr.hessian(f)(x - e)) / 2e-5 for e in h]
    np.testing.assert_allclose(third, np.moveaxis(np.array(differences), 0, -1), rtol=1e-6, atol=1e-6)
