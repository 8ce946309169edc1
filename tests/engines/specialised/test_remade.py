"""Functions that are made again for each derivative: closures, lambdas, methods and partials."""

import functools
import warnings
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running import entry
from chainrules.engines.specialised.running.entry import Settings

from .compared import differences

X = np.random.default_rng(13).normal(size=(6, 3))
Y = np.random.default_rng(14).normal(size=6)
W = np.array([0.3, -0.5, 0.8])


@pytest.fixture
def runs_of_texts(monkeypatch):
    """How often a text answered."""
    found = []
    plain = entry.specialised

    def noted(f, *given):
        answer = plain(f, *given)
        found.append(answer is not None)
        return answer

    from chainrules.engines.specialised.running import remade

    monkeypatch.setattr(remade, "specialised", noted)
    return found


def loss(w, X, y, rate=0.1):
    return np.sum((np.tanh(X @ w) - y) ** 2) + rate * np.sum(w**2)


def each_time(made, runs_of_texts, count=9, changing=lambda k: None):
    """Hold the gradients of functions that are made again, to differences; the last by texts."""
    for k in range(count):
        w = W + 0.05 * k
        changing(k)
        np.testing.assert_allclose(cr.grad(made(k))(w), differences(made(k), w), rtol=1e-6, atol=1e-8)
        value, found = cr.value_and_grad(made(k))(w)
        assert value == made(k)(w)
        np.testing.assert_allclose(found, differences(made(k), w), rtol=1e-6, atol=1e-8)
    assert runs_of_texts[-1]


def test_lambdas(runs_of_texts):
    each_time(lambda k: lambda w: loss(w, X, Y, 0.1), runs_of_texts)


def test_functions_that_captured_what_changes(runs_of_texts):
    data = X.copy()

    def changing(k):
        data[0] += 0.01

    def made(k):
        rate, count = 0.1 * k, k % 3
        y = Y * (1.0 + k)

        def objective(w):
            total = loss(w, data, y, rate)
            for i in range(count):
                total = total + w[i] ** 3
            return total if k < 6 else total * 2.0

        return objective

    each_time(made, runs_of_texts, 14, changing)


def test_functions_that_captured_functions(runs_of_texts):
    def made(k):
        f = (np.sin, np.cos, np.exp)[k % 3]
        inner = lambda t: f(t) * (1.0 + k)  # noqa: E731
        return lambda w: np.sum(inner(w)) * w[0]

    each_time(made, runs_of_texts, 18)


class Model:
    def __init__(self, X, y, rate):
        self.X, self.y, self.rate, self.calls = X, y, rate, 0

    def predict(self, w):
        return np.tanh(self.X @ w)

    def loss(self, w):
        return np.sum((self.predict(w) - self.y) ** 2) + self.rate * np.sum(w**2)

    def counted(self, w):
        self.calls += 1
        return np.sum(w**2) * self.calls


class Linear(Model):
    def predict(self, w):
        return self.X @ w


def test_methods(runs_of_texts):
    models = [Model(X, Y, 0.1), Linear(X, Y, 0.2), Model(X[:4], Y[:4], 0.3)]

    def changing(k):
        models[k % 3].rate += 0.01

    each_time(lambda k: models[k % 3].loss, runs_of_texts, 14, changing)


class Fitting:
    def __init__(self, scale):
        self.scale, self.layers = scale, [(np.eye(3) * scale, np.ones(3)), (np.eye(3), np.zeros(3))]

    def network(self, w):
        for A, b in self.layers:
            w = np.tanh(A @ w + b)
        return np.sum(w**2) * self.scale

    def objective(self, options, k):
        return lambda w: self.network(w) * options["rate"] + sum(v * w[0] for v in options["shifts"]) * k


def test_functions_that_captured_objects_and_containers(runs_of_texts):
    fits = [Fitting(1.0), Fitting(0.5)]
    options: dict[str, Any] = {"rate": 0.1, "shifts": [0.5, 1.5]}

    def changing(k):
        options["rate"] += 0.05
        fits[k % 2].scale += 0.1
        options["shifts"][0] = 0.3 * k

    each_time(lambda k: fits[k % 2].objective(options, 1.0 + k), runs_of_texts, 12, changing)


def test_methods_that_change_their_objects():
    model = Model(X, Y, 0.1)
    for k in range(1, 9):
        np.testing.assert_allclose(cr.grad(model.counted)(W), 2.0 * W * k)
        assert model.calls == k


def test_partials(runs_of_texts):
    def made(k):
        if k % 2:
            return functools.partial(loss, X=X, y=Y * k)
        return functools.partial(loss, X=X, y=Y, rate=0.1 * k)

    each_time(made, runs_of_texts, 12)


def test_arguments_that_are_chosen(runs_of_texts):
    def made(k):
        scale = 1.0 + k
        return lambda a, b: np.sum(a * b) * scale + np.sum(b**3)

    a, b = W, W * 2.0
    for k in range(8):
        by_a, by_b = cr.grad(made(k), (0, 1))(a, b)
        np.testing.assert_allclose(by_a, b * (1.0 + k))
        np.testing.assert_allclose(by_b, a * (1.0 + k) + 3.0 * b**2)
        np.testing.assert_allclose(cr.grad(functools.partial(made(k), a))(b), by_b)
        np.testing.assert_allclose(cr.grad(made(k), 1)(a, b), by_b)
        (_, aux), found = cr.value_and_grad(lambda a: (made(k)(a, b), a * 2.0), has_aux=True)(a)  # noqa: B023
        np.testing.assert_allclose(found, by_a)
        np.testing.assert_allclose(aux, a * 2.0)


def test_second_derivatives_and_directions():
    def made(k):
        rate = 0.1 * k
        return lambda w: loss(w, X, Y, rate) + w[0] ** 4

    model = Model(X, Y, 0.2)
    v, e = np.array([1.0, -2.0, 0.5]), 1e-5
    for k in range(8):
        for f in (made(k), model.loss, functools.partial(loss, X=X, y=Y)):
            slope = (cr.grad(f)(W + e * v) - cr.grad(f)(W - e * v)) / (2 * e)
            np.testing.assert_allclose(cr.hvp(f, W, v), slope, rtol=1e-5, atol=1e-7)
            np.testing.assert_allclose(cr.hvp(f, (W,), v, argnums=0), slope, rtol=1e-5, atol=1e-7)
            np.testing.assert_allclose(cr.hessian(f)(W) @ v, slope, rtol=1e-5, atol=1e-7)
            y, dy = cr.jvp(f, (W,), (v,))
            assert y == f(W)
            np.testing.assert_allclose(dy, differences(f, W) @ v, rtol=1e-6)
        along = lambda t: made(k)(W + t * v)  # noqa: B023, E731
        np.testing.assert_allclose(cr.derivative(along)(0.0), differences(made(k), W) @ v, rtol=1e-6)


def test_jacobians():
    def made(k, tall):
        scale = 1.0 + k
        return lambda w: np.tanh(X @ w) * scale if tall else w[:2] * w[1:] * scale

    for k in range(8):
        for tall in (True, False):
            w = W + 0.1 * k
            near = [(made(k, tall)(w + e) - made(k, tall)(w - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
            expected = np.stack(near, axis=1)
            for operator in (cr.jacobian, cr.jacfwd):
                np.testing.assert_allclose(operator(made(k, tall))(w), expected, rtol=1e-6, atol=1e-8)
            value, found = cr.value_and_jacobian(made(k, tall))(w)
            np.testing.assert_allclose(value, made(k, tall)(w))
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


def test_what_functions_change_is_changed_once():
    total, seen, buffer = 0, [], np.zeros(3)

    def made():
        def counting(w):
            nonlocal total
            total += 1
            return np.sum(w**2) * total

        def noting(w):
            seen.append(w[0])
            return np.sum(w**2) * len(seen)

        def writing(w):
            buffer[:] = buffer + w
            return np.sum(buffer**2)

        return counting, noting, writing

    for k in range(1, 10):
        counting, noting, writing = made()
        np.testing.assert_allclose(cr.grad(counting)(W), 2.0 * W * k)
        assert total == k
        np.testing.assert_allclose(cr.grad(noting)(W), 2.0 * W * k)
        assert seen == [W[0]] * k
        np.testing.assert_allclose(cr.grad(writing)(W), 2.0 * W * k)
        np.testing.assert_allclose(buffer, W * k)
    for k in range(10, 16):
        counting, noting, writing = made()
        cr.hvp(counting, W, W)
        assert total == k
        cr.jvp(noting, (W,), (W,))
        assert len(seen) == k
        cr.hvp(writing, W, W)
        np.testing.assert_allclose(buffer, W * k)


def test_gradients_inside_gradients():
    def outer(k):
        return lambda w: np.sum(cr.grad(lambda v: np.sum(v**3) * w[0] * k)(w))

    for k in range(1, 8):
        np.testing.assert_allclose(cr.grad(outer(k))(W), differences(outer(k), W), rtol=1e-6)


def test_errors_and_warnings_are_those_of_the_function():
    def made(k):
        def failing(w):
            if k == 5:
                raise ValueError("the fifth")
            return np.sum(w**2) * k

        return failing

    for k in range(1, 9):
        if k == 5:
            with pytest.raises(ValueError, match="the fifth"):
                cr.grad(made(k))(W)
        else:
            np.testing.assert_allclose(cr.grad(made(k))(W), 2.0 * W * k)
    for k in range(1, 9):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            cr.grad(lambda w, z: np.sum(w**2) * k, (0, 1))(W, 2.0)  # noqa: B023
        assert ["test_errors" in str(w.message) for w in said] == [True]


class Half:
    def value(self, w, z):
        return np.sum(w**2) * 3.0


def test_warnings_of_methods_and_of_their_functions():
    half = Half()
    for _ in range(8):
        for derivative, given in (
            (lambda: cr.grad(half.value, (0, 1)), (W, 2.0)),
            (lambda: cr.grad(Half.value, (1, 2)), (half, W, 2.0)),
        ):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                by_w, by_z = derivative()(*given)
            assert len(said) == 1
            np.testing.assert_allclose(by_w, 6.0 * W)
            assert by_z == 0.0


def test_the_text_of_what_is_made_again_is_shown():
    made = lambda k: lambda w: np.sum(np.sin(w) * k)  # noqa: E731
    for k in range(6):
        cr.grad(made(k))(W)
    assert "cos" in cr.derivative_source(made(1.0), W, mode="specialised")


def test_functions_that_last_keep_their_own_texts():
    def made(k):
        return lambda w: np.sum(w**2) * k

    kept = [made(k) for k in range(1, 4)]
    for _ in range(2 * Settings.runs):
        for k, f in enumerate(kept, 1):
            np.testing.assert_allclose(cr.grad(f)(W), 2.0 * W * k)
