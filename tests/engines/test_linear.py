"""`linearize` and `linear_transpose`: f runs once, the maps are linear, what is not linear is refused."""

import numpy as np
import pytest

import chainrules as cr

X = np.array([0.3, 0.7, 1.1])
V = np.array([1.0, 2.0, -1.0])


def loop(x):
    s = 0.0
    for i in range(3):
        if x[i] > 0.5:
            s = s + np.sin(x[i] * i) * x
        elif x[i] > 0:
            s = s * x[i] + x
    return s


@pytest.mark.parametrize(
    "f",
    [
        np.sin,
        loop,
        lambda x: x @ np.outer(x, x),
        lambda x: [x[0], (x * 2, x.T)],
        lambda x: np.sum(x, axis=0),
        lambda x: x.sum() * 1j * x,
    ],
)
def test_the_pushforward_is_that_of_forward_mode(f):
    y, pushforward = cr.linearize(f, X)
    value, expected = cr.jvp(f, (X,), (V,))
    assert np.array_equal(cr.ravel(y)[0], cr.ravel(value)[0])
    np.testing.assert_allclose(cr.ravel(pushforward(V))[0], cr.ravel(expected)[0], rtol=1e-12)


def test_f_runs_once_and_the_pushforward_is_linear():
    runs = []

    def f(x, y, k):
        runs.append(0)
        return np.sin(x) * y * k

    value, pushforward = cr.linearize(f, 1.0, 2.0, k=3.0)
    assert value == np.sin(1.0) * 6.0
    one, two = pushforward(1.0, 0.0), pushforward(0.0, 1.0)
    np.testing.assert_allclose(pushforward(3.0, -2.0), 3 * one - 2 * two)
    np.testing.assert_allclose([one, two], [6 * np.cos(1.0), 3 * np.sin(1.0)])
    assert pushforward(cr.Zero(), cr.Zero()) is cr.Zero()
    assert len(runs) == 1
    with pytest.raises(cr.ShapeMismatch, match="2 primals and 1 tangents"):
        pushforward(1.0)


def test_linearize_refuses_a_value_without_derivative():
    with pytest.raises(cr.NotDifferentiableError, match="str"):
        cr.linearize(lambda x: "text", 1.0)


def test_linearize_and_linear_transpose_nest():
    def through_linearize(x):
        return cr.linearize(lambda z: z**3 * x, x)[1](1.0)

    def through_transpose(x):
        return cr.linear_transpose(lambda z: z * x * x, 1.0)(1.0)[0]

    for operator in (cr.grad, cr.derivative):
        np.testing.assert_allclose(operator(through_linearize)(2.0), 9 * 4.0)
        np.testing.assert_allclose(operator(through_transpose)(2.0), 4.0)
    tall = cr.grad(lambda x: np.sum(cr.linearize(lambda z: np.outer(z, z), x)[1](np.ones(3))))(X)
    np.testing.assert_allclose(tall, [6.0, 6.0, 6.0])


def test_the_transposed_of_a_linear_map():
    A = np.arange(6.0).reshape(2, 3)
    y_bar = np.array([1.0, -2.0])
    np.testing.assert_array_equal(cr.linear_transpose(lambda x: A @ x, X)(y_bar)[0], A.T @ y_bar)
    a, b = cr.linear_transpose(lambda a, b: [a[0] - 2 * b["b"], a[1]], (0.0, 0.0), {"b": 0})([1.0, 5.0])
    assert (list(a), b["b"]) == ([1.0, 5.0], -2.0)


@pytest.mark.parametrize("f", [np.sin, lambda x: x + 1.0, abs, lambda x: np.maximum(x, 0), lambda x: x * x])
def test_what_is_not_linear_has_no_transposed(f):
    with pytest.raises(cr.NotDifferentiableError, match=r"is not linear(.|\n)*next: "):
        cr.linear_transpose(f, X)
