"""Runs inside runs: derivatives of each run are its own, to any order, and mixtures are refused."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr

X = np.array([0.3, -0.4, 0.7])


def grad(f: Any) -> Any:
    return cr.grad(f, engine="tape")


def derivative(f: Any) -> Any:
    return cr.derivative(f, engine="tape")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (lambda: derivative(lambda x: x * derivative(lambda y: x + y)(1.0))(1.0), 1.0),
        (lambda: grad(lambda x: x * grad(lambda y: x * y)(2.0))(3.0), 6.0),
        (lambda: grad(lambda x: x * derivative(lambda y: x * y * y)(x))(3.0), 54.0),
        (lambda: derivative(lambda x: x * grad(lambda y: x * y * y)(x))(3.0), 54.0),
        (lambda: derivative(derivative(derivative(lambda t: t**5)))(2.0), 240.0),
        (lambda: grad(grad(grad(lambda t: t**5)))(2.0), 240.0),
        (lambda: grad(derivative(grad(lambda t: t**5)))(2.0), 240.0),
        (lambda: grad(lambda x: grad(lambda y: 3.0 * y)(x))(2.0), 0.0),
        (lambda: grad(lambda x: cr.grad(lambda y: x * y * y)(x))(3.0), 12.0),  # the engine of the run around
        (lambda: cr.grad(lambda x: grad(lambda y: x * y * y)(x))(3.0), 12.0),  # inside the source engine's
    ],
)
def test_values_known_from_paper(found, expected):
    assert found() == pytest.approx(expected)


def test_a_third_derivative_of_arrays():
    def f(x: Any) -> Any:
        return np.sum(np.sin(x) * x[0]) ** 2

    def third(engine: str) -> Any:
        def squared(x: Any) -> Any:
            return np.sum(cr.hvp(f, x, np.ones(3), engine=engine) ** 2)

        return cr.grad(squared, engine=engine)(X)

    np.testing.assert_allclose(third("tape"), third("source"), rtol=1e-10)


def test_a_pullback_called_inside_is_differentiated():
    def f(x: Any) -> Any:
        _, back = cr.vjp(lambda v: np.tanh(v) * x, x, engine="tape")
        return np.sum(back(x)[0] ** 2)

    cr.testing.check_grads(f, X, engine="tape")


def test_a_jacobian_of_a_jacobian():
    jacobian = cr.jacobian(lambda x: x * x * x[0], engine="tape")
    cr.testing.check_grads(jacobian, X, order=1, engine="tape")
    np.testing.assert_allclose(cr.jacobian(jacobian, engine="tape")(X)[1, 1], [2 * X[1], 2 * X[0], 0.0])


def test_a_value_that_outlives_its_run_is_refused():
    class Kept:
        x: Any = None

    def keep(x: Any) -> Any:
        Kept.x = x
        return np.sum(x)

    grad(keep)(X)
    for use in (lambda: Kept.x + 1.0, lambda: grad(lambda x: np.sum(x * Kept.x))(X)):
        with pytest.raises(cr.NotDifferentiableError, match="outside its run"):
            use()


def test_the_source_engine_refuses_a_value_of_the_tape():
    def f(x: Any) -> Any:
        return cr.grad(lambda y: np.sum(y * x), engine="source")(X)[0]

    with pytest.raises(cr.ChainRulesError):
        grad(f)(X)


def test_an_exception_leaves_nothing_behind():
    def fails(x: Any) -> Any:
        raise KeyError(float(np.sum(cr.stop_gradient(x))))

    with pytest.raises(KeyError):
        grad(fails)(X)
    assert cr.core.recording.recording_engine() is None
    assert cr.grad(lambda x: np.sum(x * x))(X).tolist() == (2 * X).tolist()
