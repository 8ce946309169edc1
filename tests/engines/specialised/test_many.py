"""Hessians by one run for many directions, beside runs one after the other and differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running import many
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.pushed import Pushed

VECTOR = np.array([0.4, -1.3, 2.2, 0.7])
MATRIX = np.array([[0.3, -0.2, 0.9, 0.1], [1.1, 0.4, -0.6, 0.2], [0.5, 0.5, 0.1, -0.7]])


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def overwritten(x):
    y = np.zeros(4)
    y[0] = x[0]
    for i in range(1, 4):
        y[i] = y[i - 1] * 0.9 + x[i] * x[i] * y[0]
        y[: i - 1] *= 0.5
    return np.sum(y * y)


def number_of_what_changes(x):
    y = x * x
    first = y[0]
    y[0] = x[1] ** 3
    return first * y[0] * y[2]


def view_of_what_changes(x):
    y = x * x
    part = y[1:3]
    y[2] = x[0] * x[1]
    return np.sum(part * x[:2]) * y[2]


def products(x):
    y = MATRIX @ x
    z = np.outer(y, x) @ x
    return y @ z + (z * np.tanh(y)).dot(y) + (x @ MATRIX.T) @ y


def matrices(x):
    a = np.outer(x, x) + MATRIX.T @ MATRIX
    b = a @ a.T * x
    return np.sum(b @ x) + np.sum(b[1] * b[:, 2]) + np.sum(np.mean(b, axis=0) ** 2)


def stretched(x):
    y = MATRIX * x + np.sum(x) / (1.0 + x[0] ** 2)
    return np.sum(np.exp(-y * y)) + np.max(x) ** 3


def listed(x):
    ys = [x * x[0]]
    for k in range(3):
        ys.append(np.sin(ys[-1]) * x + ys[0][k])
    return np.sum(np.array(ys)[1:] ** 2) + np.sum(np.concatenate((x, ys[1])) ** 3)


def step(f, y, h):
    k = f(y)
    return y + h * f(y + 0.5 * h * k)


def stepped(x):
    y = x[:2]
    for _ in range(3):
        y = step(lambda v: np.array([v[1], -x[2] * np.sin(v[0]) - x[3] * v[1]]), y, 0.1)
    return np.sum(y**2)


def reshaped(x):
    y = np.reshape(x, (2, 2)) @ x.reshape(2, 2)
    return np.sum(y.ravel() * x * x)


def chosen(x):
    y = np.maximum(x, 0.5 * x)
    return np.sum(y * y[::-1]) / np.sum(y**2) + np.max(y) ** 2 * y[0]


def raveled(x):
    y = np.ravel(np.exp(MATRIX * x))
    return np.sum(y * y, axis=None, keepdims=False) * np.sum(np.sum(MATRIX * x, axis=0, keepdims=False) ** 2)


FUNCTIONS: tuple[Callable[[Any], Any], ...] = (
    *(rosenbrock, overwritten, number_of_what_changes, view_of_what_changes, products, matrices),
    *(stretched, listed, stepped, reshaped, chosen, raveled),
)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_all_directions_at_once(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are those of one run for each, and of differences of the gradient."""
    programs = []
    right = Pushed.run_many

    def noted(self: Pushed, *given: Any) -> Any:
        programs.append(self)
        return right(self, *given)

    monkeypatch.setattr(Pushed, "run_many", noted)
    with specialised_after(1, compared=True):
        cr.hessian(f)(VECTOR)
    with specialised_after(1):
        for _ in range(2):
            together = cr.hessian(f)(VECTOR)
        monkeypatch.setattr(many, "_at_once", lambda *given: None)
        one_by_one = cr.hessian(f)(VECTOR)
    np.testing.assert_allclose(together, one_by_one, rtol=1e-10, atol=1e-10)
    steps = 1e-5 * np.eye(4)
    differences = [(cr.grad(f)(VECTOR + h) - cr.grad(f)(VECTOR - h)) / 2e-5 for h in steps]
    np.testing.assert_allclose(together, np.transpose(differences), rtol=1e-6, atol=1e-6)
    assert programs
    assert callable(programs[-1].many)


def test_blocks_of_several_arguments() -> None:
    """Each argument's numbers are one run, in which the others stand still."""

    def f(x, s, y):
        return np.sum(np.sin(x * s) * y) + s**3 * np.sum(x) * y[0]

    given = VECTOR, 0.7, VECTOR[::-1].copy()
    with specialised_after(1, compared=True):
        cr.hessian(f, (0, 1, 2))(*given)
    with specialised_after(1):
        for _ in range(2):
            found = cr.hessian(f, (2, 0, 1))(*given)
    with specialised_after(9):
        expected = cr.hessian(f, (2, 0, 1))(*given)
    for mine, theirs in zip(found, expected, strict=True):
        for a, b in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)


def test_more_numbers_than_one_run_takes() -> None:
    """They are taken in turns."""
    x = np.linspace(0.5, 1.5, 150)
    with specialised_after(1):
        for _ in range(2):
            found = cr.hessian(rosenbrock)(x)
    e = np.cos(np.arange(150.0))
    expected = (cr.grad(rosenbrock)(x + 1e-6 * e) - cr.grad(rosenbrock)(x - 1e-6 * e)) / 2e-6
    np.testing.assert_allclose(found @ e, expected, rtol=1e-6, atol=1e-5)


def test_rows_that_say_something_else_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that is put in."""
    right = Pushed.run_many

    def wrong(self: Pushed, x: Any, dx: Any, count: int) -> Any:
        y, dy = right(self, x, dx, count)
        dy[1][0][2, 1] += 1e-3
        return y, dy

    monkeypatch.setattr(Pushed, "run_many", wrong)
    with specialised_after(1):
        for _ in range(3):
            found = cr.hessian(rosenbrock)(VECTOR)
    np.testing.assert_allclose(found, found.T)


def test_numbers_are_pushed_one_after_the_other() -> None:
    """A number's tangents in an array cost more than alone, unless there are many."""

    def f(x):
        a, b, c, d = x[0], x[1], x[2], x[3]
        for _ in range(4):
            a, b, c, d = b * c, c * d + a, d * a - b, a * b + 0.5
        return a * b + c * d

    with specialised_after(1):
        for _ in range(2):
            found = cr.hessian(f)(VECTOR)
    np.testing.assert_allclose(found, found.T)


def test_sums_and_views_are_written_for_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    programs = []
    right = Pushed.run_many

    def noted(self: Pushed, *given: Any) -> Any:
        programs.append(self)
        return right(self, *given)

    monkeypatch.setattr(Pushed, "run_many", noted)
    with specialised_after(1):
        for _ in range(3):
            cr.hessian(raveled)(VECTOR)
    text = programs[-1].text_of_many
    assert "by_rows_rows(ravel" not in text
    assert "by_rows_rows(reduce" not in text
