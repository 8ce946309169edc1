"""Operators inside of what is differentiated, applied to methods, partials and objects that vary."""

import functools
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.fuzzing import PAIRS, Compared, X

import chainrules as cr


class Model:
    def __init__(self, w: Any) -> None:
        self.w = w

    def loss(self, v: Any) -> Any:
        return np.sum(self.w * v**2)

    def predict(self, v: Any) -> Any:
        return self.w * v**2

    def __call__(self, v: Any) -> Any:
        return np.sum(self.w * v**3)


def product(p: Any, v: Any, power: int = 2) -> Any:
    return np.sum(p * v**power)


NAMES = {"np": np, "cr": cr, "functools": functools, "Model": Model, "product": product}
OPERATORS = {
    "gradient of a method": "np.sum(cr.grad(s.loss)(x))",
    "of a function that calls it": "np.sum(cr.grad(lambda v: s.loss(v))(x))",
    "of an object": "np.sum(cr.grad(s)(x))",
    "of a partial": "np.sum(cr.grad(functools.partial(product, a))(x))",
    "of a partial with words": "np.sum(cr.grad(functools.partial(product, power=3), argnums=1)(a, x))",
    "of a partial of a method": "np.sum(cr.grad(functools.partial(s.loss))(x))",
    "of a partial of the library": "np.sum(cr.grad(functools.partial(np.dot, a))(x) * x)",
    "of a method of an array": "np.sum(cr.grad(a.dot)(x) * x)",
    "with the value": "np.sum(cr.value_and_grad(s.loss)(x)[1])",
    "pushforward": "cr.jvp(s.loss, (x,), (a,))[1]",
    "pullback": "np.sum(cr.vjp(s.loss, x)[1](2.0)[0])",
    "Jacobian": "np.sum(cr.jacobian(s.predict)(x))",
    "Hessian": "np.sum(cr.hessian(s.loss)(x) @ x)",
    "Hessian times a vector": "np.sum(cr.hvp(s, x, a))",
    "linear map": "cr.linearize(s.loss, x)[1](a)",
    "checkpoint": "cr.checkpoint(s.loss)(x)",
    "in a list": "np.sum(cr.grad([s][0].loss)(x))",
    "in a dict": "np.sum(cr.grad({'k': s.loss}['k'])(x))",
    "kept": "np.sum((lambda g: g(x) + g(x * x))(cr.grad(s.loss)))",
    "twice": "cr.grad(lambda v: np.sum(cr.grad(s.loss)(v) ** 2))(x)[0]",
}


def program(value: str, change: str) -> Compared:
    lines = ["a = x * 1.5", "s = Model(a)", f"m = {value}", change, "return m * np.sum(a) * np.sum(s.w)"]
    return Compared("def program(x):\n" + "".join(f"    {line}\n" for line in lines), NAMES)


@pytest.mark.parametrize("value", OPERATORS.values(), ids=OPERATORS)
def test_their_derivatives(value: str) -> None:
    program(value, "pass").first_order()


REFUSED = ("checkpoint", "of a function that calls it")


@pytest.mark.parametrize("change", ["a[0] = x[1] * m", "s.w = x * m"])
@pytest.mark.parametrize("value", [v for k, v in OPERATORS.items() if k not in REFUSED])
def test_what_they_were_applied_to_is_changed_later(value: str, change: str) -> None:
    program(value, change).first_order()


def test_that_a_checkpoint_is_refused_where_what_it_reads_is_changed() -> None:
    with pytest.raises(cr.AliasedMutationError, match="in place"):
        cr.grad(program(OPERATORS["checkpoint"], "a[0] = x[1] * m").f)(X)


def test_a_function_that_calls_what_changes_it() -> None:
    made = program(OPERATORS["of a function that calls it"], "a[0] = x[1] * m")
    np.testing.assert_allclose(rightly.grad(made.f)(X), made.slopes, rtol=1e-5)
    rightly.jvp(made.f, (X,), (np.ones(3),))


@pytest.mark.parametrize("name", ["gradient of a method", "of a partial", "pushforward"])
def test_their_second_derivatives(name: str) -> None:
    assert len(program(OPERATORS[name], "pass").second_order()) == len(PAIRS)


def test_an_object_that_was_adapted_by_its_own_gradient() -> None:
    """One step of descent inside of a loss, as when one learns to learn."""

    def adapted(w: Any) -> Any:
        model = Model(w)
        v = np.ones(3)
        for _ in range(3):
            v = v - 0.1 * cr.grad(model.loss)(v)
        return model(v)

    w = np.array([0.3, 0.7, 1.1])
    slopes = [(adapted(w + h) - adapted(w - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(adapted)(w), slopes, rtol=1e-6)
    np.testing.assert_allclose([cr.jvp(adapted, (w,), (e,))[1] for e in np.eye(3)], slopes, rtol=1e-6)
