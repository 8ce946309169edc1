"""Derivatives of derivatives: every pair of modes, several orders, through every kind of call.

Expected values come from differences of the derivative one order below, or from calculus.
"""

import dataclasses
import itertools
import operator

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

MODES = {"forward": cr.derivative, "reverse": cr.grad}
PAIRS = list(itertools.product(MODES, MODES))
X = np.array([0.3, 0.7, 1.1])


def differences(f, x, step=1e-6):
    """The gradient of f by central differences."""
    gradient = np.zeros_like(x)
    for i in range(x.size):
        e = np.zeros_like(x)
        e[i] = step
        gradient[i] = (f(x + e) - f(x - e)) / (2 * step)
    return gradient


def loop(x):
    s = 0.0
    for i in range(len(x)):
        s = s + np.sin(x[i]) * x[i] * s + x[i] ** 3
        if s > 100:
            break
    return s


def closure(x):
    k = np.sum(x * x)

    def g(z):
        return z * k * np.sum(x)

    return g(x[0]) + g(g(x[1]))


def recursive_closure(x):
    k = x[1]

    def power(z, n):
        return 1.0 if n == 0 else z * k * power(z, n - 1)

    return power(x[0], 3) + x[2] ** 2


@dataclasses.dataclass
class Layer:
    w: np.ndarray
    b: float

    def __call__(self, h):
        return np.tanh(h @ self.w + self.b)


def model(x):
    layer = Layer(np.outer(x, x), x[0])
    h = layer(x)
    solved = np.linalg.solve(np.outer(x, x) + np.eye(3) * 5, h)
    return h.sum(axis=0) + np.sum(np.outer(h, h), 0)[1] + solved[0]


def mixture(x):
    a, b = x[:2], x[1:]
    c = np.concatenate([a, b * a])
    m = np.where(c > 0.5, c, c**2).max() + np.mean(c)
    n = np.exp(m) / (1 + np.log1p(np.abs(m)))
    return n * np.dot(a, b) if n > 0 else -n


def reductions(x):
    y = np.reshape(np.stack([x, x * 2, x**2]), (3, 3))
    logdet = np.linalg.slogdet(y @ y.T + np.eye(3))[1]
    return np.einsum("ij,jk->", y, y.T) + logdet + np.prod(x) + np.std(x) + np.linalg.norm(x)


def starred(x):
    def weigh(*parts, scale=1.0):
        return scale * sum(parts, 0.0)

    parts = (x[0] * x[1], x[2])
    return weigh(*parts, x[0], scale=x[1]) * operator.mul(*parts)


PROGRAMS = [loop, closure, recursive_closure, model, mixture, reductions, starred]
WEIGHTS = np.array([1.0, -2.0, 0.5])


def lowered(f):
    """A real function of the gradient of f."""
    gradient = cr.grad(f)

    def weighed(x):
        return np.sum(gradient(x) * WEIGHTS)

    return weighed


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradient(f):
    np.testing.assert_allclose(cr.grad(f)(X), differences(f, X), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_reverse_over_reverse(f):
    second = lowered(f)
    np.testing.assert_allclose(cr.grad(second)(X), differences(second, X), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_forward_over_reverse(f):
    gradient = cr.grad(f)
    _, moved = cr.jvp(gradient, (X,), (WEIGHTS,))
    e = 1e-6 * WEIGHTS
    np.testing.assert_allclose(moved, (gradient(X + e) - gradient(X - e)) / 2e-6, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("f", [loop, closure, model, mixture, reductions], ids=lambda f: f.__name__)
def test_third_order(f):
    third = lowered(lowered(f))
    np.testing.assert_allclose(cr.grad(third)(X), differences(third, X, 1e-5), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("outer", "inner"), PAIRS)
def test_every_pair_of_modes(outer, inner):
    fourth = MODES[inner](lambda x: x * x * x * x)
    assert MODES[outer](fourth)(4.0) == 192.0


@pytest.mark.parametrize(("outer", "inner"), PAIRS)
def test_perturbations_are_not_confused(outer, inner):
    """d/dx [x · d/dy (x + y)] = 1, not 2"""
    assert MODES[outer](lambda x: x * MODES[inner](lambda y: x + y)(1.0))(1.0) == 1.0


@pytest.mark.parametrize("mode", MODES)
def test_through_jvp_and_vjp(mode):
    def along(t):
        _, moved = cr.jvp(lambda x: np.sum(np.sin(x) * x * x), (X * t,), (WEIGHTS,))
        return moved

    def back(t):
        _, pullback = cr.vjp(lambda x: np.exp(x * t), X)
        return np.sum(pullback(WEIGHTS * t)[0])

    for f in (along, back):
        expected = (f(1.0 + 1e-6) - f(1.0 - 1e-6)) / 2e-6
        np.testing.assert_allclose(MODES[mode](f)(1.0), expected, rtol=1e-7)


def test_a_user_writes_hvp_in_one_line():
    def hvp(f, x, v):
        return cr.jvp(cr.grad(f), (x,), (v,))[1]

    np.testing.assert_allclose(hvp(lambda x: np.sum(x**3), np.array([1.0, 2.0]), np.ones(2)), [6.0, 12.0])


def test_value_and_grad_inside_a_gradient():
    def f(x):
        value, gradient = cr.value_and_grad(lambda z: np.sum(z**3))(x)
        return value + np.sum(gradient * x)

    np.testing.assert_allclose(cr.grad(f)(X), 3 * X**2 + 9 * X**2)


def test_gradients_of_several_arguments_inside_a_gradient():
    def f(x):
        a, b = cr.grad(lambda u, v: u * u * v, argnums=(0, 1))(x, 2 * x)
        return a * b

    assert cr.grad(f)(1.5) == pytest.approx(16 * 1.5**3)  # a b = 4x² · x²


def test_a_rule_without_a_second_derivative_says_so():
    def opaque(x):
        return x * x

    @cr.rrule(opaque)
    def opaque_rrule(x: float):
        def opaque_pullback(y_bar):
            return float(f"{2 * x * y_bar!r}")

        return x * x, opaque_pullback

    assert cr.grad(opaque)(3.0) == 6.0
    with pytest.raises(cr.ChainRulesError):
        cr.grad(cr.grad(opaque))(3.0)


def test_an_engine_asked_directly_is_differentiated_too():
    """As `check_grads` asks it: all four combinations of the modes."""
    check_grads(lambda x, y: np.sum(np.tanh(x) * y), X, 0.7)
