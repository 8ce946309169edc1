"""Functions that a program calls often: by texts of their own, where the program has none as a whole."""

from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr
from chainrules.engines.specialised.running import parts
from chainrules.engines.specialised.running.entry import Settings

X = np.array([0.3, -0.4, 1.2])
LOG: list[float] = []
WEIGHTS = np.array([0.5, 1.5, -1.0])
RATE = 1.5


@pytest.fixture(autouse=True)
def used(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The values of calls that were by texts of their own, which functions get after few calls."""
    found: list[Any] = []
    recorded = parts._recorded

    def noted(*given: Any) -> Any:
        y = recorded(*given)
        if y is not NotImplemented:
            found.append(y)
        return y

    monkeypatch.setattr(parts, "_recorded", noted)
    monkeypatch.setattr(Settings, "calls", 4)
    LOG.clear()
    return found


def weighted(v, t):
    return np.sum(np.sin(v * WEIGHTS) * t)


def rated(v, t):
    return np.sum(np.sin(v * RATE) * t) * np.pi


def stepped(v, h):
    return v + h * np.tanh(v[::-1] * v)


def bent(t, u):
    if t > u:
        return t * u
    return u / (2.0 + t * t)


def filled(v):
    y = np.zeros(3)
    for i in range(3):
        y[i] = v[i] * v[i - 1]
    return y


def of_a_vector(x):
    s, y = 0.0, x
    for i in range(12):
        y = stepped(y, 0.1)
        s = s + rated(y, x[i % 3])
        LOG.append(float(s))
    return s


def of_branches(x):
    s = 0.0
    for i in range(24):
        s = s + bent(x[i % 3], x[0] * (0.3 * i - 2.05))
        LOG.append(float(s))
    return s


def of_a_closure(x):
    y = x * 2.0

    def inner(t):
        return t * y[1] + x[0]

    s = x[2]
    for _ in range(12):
        s = 0.5 * inner(s)
        LOG.append(float(s))
    return s


def of_stores(x):
    y = x * 1.0
    for _ in range(12):
        z = filled(y)
        y = y * 0.5 + z * 0.1
        z[0] = 0.0
        y[1] = y[1] + z[0]
        LOG.append(float(y[0]))
    return np.sum(y)


@pytest.mark.parametrize("f", [of_a_vector, of_branches, of_a_closure, of_stores])
def test_functions_have_texts_in_a_program_that_has_none(f: Any, used: list[Any]) -> None:
    for _ in range(2):
        rightly.grad(f)(X)
    assert used


def again() -> None:
    global RATE
    RATE = 1.5
    WEIGHTS[:] = 0.5, 1.5, -1.0


@pytest.mark.parametrize("moves", [True, False])
def test_a_number_that_is_read_from_outside_changes(moves: bool, used: list[Any]) -> None:
    def f(x):
        global RATE
        s = 0.0
        for i in range(24):
            if i == 12:
                RATE = x[1] if moves else 0.7
            s = s + rated(x, 2.0)
            LOG.append(float(s))
        return s

    rightly.grad(f, again)(X)
    assert used


@pytest.mark.parametrize("moves", [True, False])
def test_an_array_that_is_read_from_outside_changes(moves: bool) -> None:
    def f(x):
        s = 0.0
        for _ in range(12):
            s = s + weighted(x, 2.0)
            WEIGHTS[...] = WEIGHTS * (x[1] if moves else 0.9)
            LOG.append(float(s))
        return s

    rightly.grad(f, again)(X)


def test_a_function_with_effects_has_them_once(used: list[Any]) -> None:
    told: list[int] = []

    def loud(t):
        told.append(1)
        return t * t

    def f(x):
        s = 0.0
        for i in range(12):
            s = s + loud(x[i % 3])
        return s

    rightly.grad(f, told.clear)(X)
    cr.grad(f)(X)
    assert len(told) == 12
    assert not used


def root_of(t):
    return np.sqrt(t) * t


def test_a_zero_that_meets_an_infinite_partial(used: list[Any]) -> None:
    def f(x):
        s = 0.0
        for i in range(12):
            s = s + root_of(x[i % 3])
            LOG.append(float(s))
        return s

    np.testing.assert_allclose(cr.grad(f)(np.array([4.0, 1.0, 0.0])), [12.0, 6.0, 0.0])
    assert used


def scaled_roots(v):
    c = WEIGHTS * 1.0
    return np.sum(np.sqrt(v) * v * c)


def test_an_array_from_outside_changes_and_a_zero_meets_an_infinite_partial() -> None:
    def f(x):
        s = 0.0
        for _ in range(12):
            s = s + scaled_roots(x)
            WEIGHTS[...] = WEIGHTS * 0.5
            LOG.append(float(s))
        return s

    again()
    found = cr.grad(f)(np.array([4.0, 1.0, 0.0]))
    again()
    halves = sum(0.5**k for k in range(12))
    np.testing.assert_allclose(found, [3.0 * 0.5 * halves, 1.5 * 1.5 * halves, 0.0], rtol=1e-12)


def test_a_pullback_is_differentiated(used: list[Any]) -> None:
    _, back = cr.vjp(of_a_vector, X)
    assert used
    gradient = back(1.0)[0]
    np.testing.assert_allclose(cr.grad(lambda s: back(s * s)[0][1])(3.0), 6.0 * gradient[1], rtol=1e-12)


def test_a_rule_that_is_registered_later_holds(used: list[Any]) -> None:
    def scaled(t):
        return t * 3.0

    def outer(t):
        return scaled(t) + t

    def f(x):
        s = 0.0
        for _ in range(12):
            s = s + outer(x)
            LOG.append(float(s))
        return s

    assert np.isclose(cr.grad(f)(0.5), 48.0)
    assert used
    cr.rrule(scaled)(lambda t: (t * 3.0, lambda y_bar: (10.0 * y_bar,)))
    assert np.isclose(cr.grad(f)(0.5), 132.0)


def test_a_whole_number_of_numpy_that_varies(used: list[Any]) -> None:
    def scaled(a, k):
        return np.sum(a) * k

    def f(p):
        s = 0.0
        for _ in range(12):
            s = s + scaled(p["a"], p["k"])
            LOG.append(float(s))
        return s

    for k in (2.0, np.int64(2), 3.0, np.int64(3)):
        gradient = cr.grad(f)({"a": np.array([1.0, 2.0, 3.0]), "k": k})
        assert gradient["k"] == 72.0
        np.testing.assert_allclose(gradient["a"], np.full(3, 12.0 * k))
    assert used
