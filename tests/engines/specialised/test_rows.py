"""Values and Jacobians at many points, by rows and along many directions at once."""

import math
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running import pullbacks
from chainrules.engines.specialised.running.entry import Settings
from chainrules.engines.specialised.running.rows import Rows

Y = np.array([0.7, 1.3])
TURN = math.sin


def as_list(t, y, a, b):
    return [y[0] * (a - y[1]), y[1] * (b * y[0] - 1.0) + 0.1 * t]


def as_array(t, y, a, b):
    return np.array([y[0] * (a - y[1]), y[1] * (b * y[0] - math.sin(y[1]))])


def filled(t, y, a, b):
    slope = np.zeros(2)
    slope[0] = a * y[1]
    slope[1] = -b * np.sin(y[0]) + slope[0] * y[0]
    return slope


def whole(t, y, a, b):
    return np.tanh(a * y) + b * np.roll(y, 1)


def spring(y, k):
    return -k * y[0] - y[0] ** 3


def calling(t, y, a, b):
    _, v = y
    return [v, spring(y, a) - b * v]


def looped(t, y, a, b):
    total = 0.0
    for k in range(3):
        total = total + a * y[0] ** k
    return [total, b * y[1]]


def held_by(f):
    """The same with its parameters captured, in an array and in a number."""

    def made(p):
        k, c = p, p[1] * 2.0
        return lambda t, y: f(t, y, k[0] * k[1], c)

    return made


def varied(f: Any, x: tuple[Any, ...], wanted: tuple[bool, ...], times: int = Settings.runs) -> Any:
    for _ in range(times):
        known = pullbacks.pullbacks_of(f, x, x[1], wanted)
    assert known is not None
    return known.varied(x)


def jacobian(f: Any, x: tuple[Any, ...], i: int) -> Any:
    """By argument i, by differences."""
    columns = []
    for k in range(np.size(x[i])):
        step = (np.eye(np.size(x[i]))[k] * 1e-6).reshape(np.shape(x[i]))[()]
        near, far = ([*x[:i], x[i] + s * step, *x[i + 1 :]] for s in (1, -1))
        columns.append((np.asarray(f(*near)) - np.asarray(f(*far))) / 2e-6)
    return np.stack(columns, axis=1)


FUNCTIONS = [as_list, as_array, filled, whole, calling, looped]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: str(f.__name__))
@pytest.mark.parametrize("by_rows", [True, False], ids=["rows", "columns"])
def test_tangents_by_state_and_parameters(f: Any, by_rows: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chainrules.engines.specialised.running.rows.Rows.beats_columns", lambda *x: by_rows)
    x = (0.3, Y, 1.1, 0.6)
    known = varied(f, x, (False, False, True, True, True))
    assert (known.rows is not None) == by_rows
    for at in (Y, Y * 1.7, Y - 3.0):  # one after the other, by the same texts
        tangents = np.array([[1.0, 0.5], [-2.0, 0.3], [0.4, 0.1], [0.0, 0.0]])
        value, found = known(0.3, at, tangents)
        x = (0.3, at, 1.1, 0.6)
        expected = tangents @ jacobian(f, x, 1).T
        expected[2] += jacobian(f, x, 2)[:, 0]
        expected[3] += jacobian(f, x, 3)[:, 0]
        np.testing.assert_allclose(value, f(*x), rtol=1e-14)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: str(f.__name__))
def test_by_what_is_captured(f: Any) -> None:
    made, p = held_by(f), np.array([1.2, 0.7])
    known = varied(made(p), (0.3, Y), (True, False, True))
    value, found = known(0.3, Y, np.eye(5, 2))
    np.testing.assert_allclose(value, made(p)(0.3, Y), rtol=1e-14)
    np.testing.assert_allclose(found[:2].T, jacobian(made(p), (0.3, Y), 1), rtol=1e-6, atol=1e-8)
    first = 1 if known.sizes[1] == () else 2  # of what is held: the number or the array
    c, k = (found[2], found[3:].T) if first == 1 else (found[4], found[2:4].T)
    np.testing.assert_allclose(
        k + np.outer(c, [0.0, 2.0]), jacobian(lambda p: made(p)(0.3, Y), (p,), 0), rtol=1e-6, atol=1e-8
    )


def test_a_branch_that_no_run_took() -> None:
    def f(t, y, a):
        if y[0] > 5.0:
            return [a * y[0] ** 2, y[1]]
        return [a * y[0], y[1]]

    known = varied(f, (0.0, Y, 2.0), (False, False, True, True))
    assert known.rows is not None
    value, found = known(0.0, np.array([6.0, 1.0]), np.eye(3, 2))
    np.testing.assert_allclose(value, [72.0, 1.0])
    np.testing.assert_allclose(found, [[24.0, 0.0], [0.0, 1.0], [36.0, 0.0]])


def test_a_function_that_is_another_one_now(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(t, y, a):
        return [a * TURN(y[0]), y[1]]

    known = varied(f, (0.0, Y, 2.0), (False, False, True, True))
    assert known.rows is not None
    monkeypatch.setitem(globals(), "TURN", math.cos)
    value, found = known(0.0, Y, np.eye(3, 2))
    np.testing.assert_allclose(value, [2.0 * math.cos(0.7), 1.3])
    np.testing.assert_allclose(found, [[-2.0 * math.sin(0.7), 0.0], [0.0, 1.0], [math.cos(0.7), 0.0]])


def test_matrices_of_parameters() -> None:
    def f(t, y, w):
        return w @ np.tanh(y) - y

    w = np.array([[0.3, -0.2], [0.7, 0.1]])
    known = varied(f, (0.0, Y, w), (False, False, True, True))
    _, found = known(0.0, Y, np.zeros((6, 2)))
    np.testing.assert_allclose(found[2:].T, jacobian(f, (0.0, Y, w), 2), rtol=1e-6, atol=1e-8)


def test_a_fault_that_zeros_hide_is_found_nearby(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is right at the first state, and wrong where that has no zero, is not used."""

    def f(t, y, a):
        return [a * y[0] * y[1], y[0] - y[1]]

    run = Rows.run

    def faulty(self: Any, *x: Any) -> Any:
        value, rows = run(self, *x)
        return value, rows * (1.0 + x[1][0])

    monkeypatch.setattr(Rows, "run", faulty)
    known = varied(f, (0.0, np.array([0.0, 1.0]), 2.0), (False, False, True, True))
    assert known.rows is None
    value, found = known(0.0, Y, np.eye(3, 2))
    np.testing.assert_allclose(value, [2.0 * 0.7 * 1.3, 0.7 - 1.3])
    np.testing.assert_allclose(found, [[2.6, 1.0], [1.4, -1.0], [0.91, 0.0]])


def bent(v):
    return v * v


def test_a_rule_that_is_registered_later_holds() -> None:
    def f(t, y, a):
        return [a * bent(y[0]), y[1]]

    x = (0.0, Y, 2.0)
    known = varied(f, x, (False, False, True, True))
    np.testing.assert_allclose(known(0.0, Y, np.eye(3, 2))[1][0], [2.8, 0.0])

    @cr.rrule(bent)
    def bent_rrule(v: float):
        return bent(v), lambda y_bar: (10.0 * y_bar,)

    @cr.frule(bent)
    def bent_frule(tangents, v: float):
        return bent(v), 10.0 * tangents[0]

    known = varied(f, x, (False, False, True, True), Settings.runs + 1)
    np.testing.assert_allclose(known(0.0, Y, np.eye(3, 2))[1][0], [20.0, 0.0])
