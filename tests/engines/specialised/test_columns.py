"""Directions of gradients, and Jacobians by columns, by specialised programs."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules import Composite
from chainrules.engines.specialised.running import columns
from chainrules.engines.specialised.running.entry import Settings, specialised_after
from chainrules.engines.specialised.running.many import along_units

X = np.array([0.4, -1.3, 2.2, 0.7])
A = np.array([[0.3, 1.1, -0.2, 0.5], [1.4, 0.2, 0.1, -0.7], [0.2, 0.9, 0.3, 0.8]])


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def turned(x):
    return np.sin(x) * x[0] + np.concatenate([x[1:], x[:1]]) ** 2


def tall(x):
    return np.outer(np.sin(x), x)


def wave(t):
    return np.sin(t) * t * t


def pair(w, m, s=0.5):
    return np.sum(np.tanh(m @ w) ** 2 * s)


def stepped(x):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[i] * x[i - 1] + y[i - 1]
    return y * y


def scaled(x):
    return np.sum(x * 3.0)


def changing(x):
    x[0] = 2.0
    return x * x


@pytest.fixture(autouse=True)
def texts() -> Iterator[None]:
    with specialised_after(1):
        yield


def ran(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the texts answer from now on."""
    found: list[Any] = []
    answer = columns.Way.answer

    def noted_at_once(*given: Any, **named: Any) -> Any:
        units = along_units(*given, **named)
        found.extend([] if units is None else units)
        return units

    monkeypatch.setattr(columns, "along_units", noted_at_once)

    def noted(self: Any, variant: Any) -> Any:
        found.append(answer(self, variant))
        return found[-1]

    monkeypatch.setattr(columns.Way, "answer", noted)
    return found


def ordinary(call: Any) -> Any:
    """What a call gives without specialised texts."""
    before, Settings.on = Settings.on, False
    try:
        return call()
    finally:
        Settings.on = before


def by_differences(f: Any, x: Any, step: float = 1e-6) -> Any:
    shape = np.shape(x)
    size = np.size(x)
    units = (np.eye(size)[k].reshape(shape) * step for k in range(size))
    made = [(np.asarray(f(x + e)) - np.asarray(f(x - e))) / (2 * step) for e in units]
    return np.stack(made, axis=-1).reshape(np.shape(f(x)) + shape)


CALLS = {
    "jvp of a gradient": lambda: cr.jvp(cr.grad(rosenbrock), (X,), (X - 1.0,)),
    "jvp of the gradient by the first": lambda: cr.jvp(cr.grad(pair), (X, A), (X, A)),
    "jvp of the gradient by the second": lambda: cr.jvp(cr.grad(pair, 1), (X, A), (X, A)),
    "jvp of the gradient by both, turned": lambda: cr.jvp(cr.grad(pair, (1, 0)), (X, A), (X, A)),
    "jvp of a gradient along another": lambda: cr.jvp(cr.grad(pair), (X, A), (np.zeros(4), A)),
    "jvp of a gradient with a default given": lambda: cr.jvp(cr.grad(pair), (X, A, 0.3), (X, A, 0.1)),
    "derivative of a gradient": lambda: cr.derivative(cr.grad(wave))(0.3),
    "jacfwd": lambda: cr.jacfwd(turned)(X),
    "jacobian": lambda: cr.jacobian(turned)(X),
    "jacobian of a matrix": lambda: cr.jacobian(tall)(X),
    "jacobian of a gradient": lambda: cr.jacobian(cr.grad(rosenbrock))(X),
    "jacfwd of a gradient": lambda: cr.jacfwd(cr.grad(rosenbrock))(X),
    "jacfwd of a number": lambda: cr.jacfwd(wave)(0.3),
    "jacfwd by a matrix": lambda: cr.jacfwd(lambda m: m @ X, 0)(A),
    "jacfwd by both": lambda: cr.jacfwd(pair, (1, 0))(X, A),
    "jacfwd of stores": lambda: cr.jacfwd(stepped)(X),
}


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, tuple | Composite):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    else:
        assert np.shape(a) == np.shape(b)
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", [n for n in CALLS if n != "jacfwd by a matrix"])
def test_texts_answer_as_the_ordinary_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call = CALLS[name]
    expected = ordinary(call)
    for _ in range(3):
        same(call(), expected)
    found = ran(monkeypatch)
    same(call(), expected)
    assert found
    assert None not in found


def gradient(m: Any) -> Any:
    return ordinary(lambda: cr.grad(pair)(X, m))


def test_differences() -> None:
    for _ in range(4):
        np.testing.assert_allclose(cr.jacfwd(turned)(X), by_differences(turned, X), rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(cr.jacobian(tall)(X), by_differences(tall, X), rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(cr.jacfwd(stepped)(X), by_differences(stepped, X), rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(
            cr.jvp(cr.grad(pair), (X, A), (np.zeros(4), A))[1],
            (gradient(A + 1e-5 * A) - gradient(A - 1e-5 * A)) / 2e-5,
            rtol=1e-6,
            atol=1e-7,
        )


def test_wide_jacobians_stay_with_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def product(m):
        return m @ X

    expected = ordinary(lambda: cr.jacobian(product)(A))
    for _ in range(4):
        same(cr.jacobian(product)(A), expected)
    found = ran(monkeypatch)
    cr.jacobian(product)(A)
    assert not found
    for _ in range(3):
        same(cr.jacfwd(product)(A), expected)
    assert found


def test_a_zero_jacobian_still_warns() -> None:
    def flat(x):
        return np.sign(x) + 0.0 * x

    def none(x):
        return np.ones(x.size)

    for _ in range(4):
        assert not cr.jacfwd(flat)(X).any()
        with pytest.warns(cr.ZeroDerivativeWarning):
            cr.jacfwd(none)(X)


def test_a_linear_function_has_no_second_derivative() -> None:
    expected = ordinary(lambda: cr.jvp(cr.grad(scaled), (X,), (X,)))
    for _ in range(4):
        found = cr.jvp(cr.grad(scaled), (X,), (X,))
        np.testing.assert_array_equal(found[0], expected[0])
        assert type(found[1]) is type(expected[1])


def test_what_is_given_is_left_or_changed_as_by_the_ordinary_program() -> None:
    expected, given = X.copy(), X.copy()
    by_ordinary = ordinary(lambda: cr.jacfwd(changing)(expected))
    for _ in range(4):
        given = X.copy()
        np.testing.assert_array_equal(cr.jacfwd(changing)(given), by_ordinary)
        np.testing.assert_array_equal(given, expected)


def test_answers_are_arrays_of_their_own() -> None:
    def product(u, v):
        return np.dot(u, v)

    v, t = X + 1.0, X * 2.0
    for _ in range(4):
        g, dg = cr.jvp(cr.grad(product), (X, v), (t, t))
        assert not np.may_share_memory(g, v) or not g.flags.writeable or _ == 0
        dg[0] = 9.0
    np.testing.assert_array_equal(t, X * 2.0)


def test_third_derivatives_are_those_of_the_ordinary_program() -> None:
    def cubic(x):
        return np.sum(x**3 * x[0])

    expected = ordinary(lambda: cr.jacobian(cr.hessian(cubic))(X[:2]))
    for _ in range(3):
        np.testing.assert_allclose(cr.jacobian(cr.hessian(cubic))(X[:2]), expected)
        np.testing.assert_allclose(cr.jacfwd(cr.jacfwd(cr.grad(cubic)))(X[:2]), expected)
    np.testing.assert_allclose(cr.derivative(cr.grad(cr.grad(wave)))(0.3), _third(0.3), rtol=1e-9)


def _third(t: float) -> float:
    return float((6.0 - t * t * 1.0) * np.cos(t) - 6.0 * t * np.sin(t))


def test_a_gradient_along_nothing_does_not_move():
    def f(x):
        return np.sum(x**3)

    x = np.array([1.0, 2.0])
    for _ in range(5):
        y, dy = cr.jvp(cr.grad(f), (x,), (cr.Zero(),))
        np.testing.assert_allclose(y, 3.0 * x**2)
        assert dy is cr.Zero()
