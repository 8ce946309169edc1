"""Specialised programs of methods, objects, partials and decorated functions that an operator is given."""

import functools

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.standing import standing_for, stood_for
from chainrules.tangents import ZERO

X = np.array([0.7, 1.3, -0.4])
DATA = np.arange(12.0).reshape(4, 3) / 7


class Model:
    def __init__(self):
        self.data, self.weight, self.calls = DATA, 0.1, 0

    def loss(self, w, scale=1.0):
        return scale * np.sum((self.data @ w - 1.0) ** 2) + self.weight * np.sum(w**3)

    def counted(self, w):
        self.calls += 1
        return self.loss(w) * self.calls

    def __call__(self, w):
        return self.loss(w)


def loss(w, data, weight=0.1):
    return np.sum((data @ w - 1.0) ** 2) + weight * np.sum(w**3)


def decorated(f):
    @functools.wraps(f)
    def g(*args, **kwargs):
        return f(*args, **kwargs)

    return g


MODEL = Model()
CALLABLES = {
    "a method": MODEL.loss,
    "an object": MODEL,
    "a partial": functools.partial(loss, data=DATA),
    "a decorated function": decorated(functools.partial(loss, data=DATA)),
    "decorated twice": decorated(decorated(MODEL)),
}


def expected(w, weight=0.1, scale=1.0):
    return scale * 2 * DATA.T @ (DATA @ w - 1.0) + weight * 3 * w**2


def has_text(gradient, *x, **kwargs):
    """Whether the operator's function has one for such a call."""
    f = gradient.func
    cells = dict(zip(f.__code__.co_freevars, f.__closure__, strict=True))
    standing = stood_for(cells["f"].cell_contents, cells["stands"].cell_contents, x, kwargs)
    known = standing.__dict__["__chainrules_specialised__"]
    return all(v.program is not None for v in known.values())


@pytest.mark.parametrize("f", CALLABLES.values(), ids=list(CALLABLES))
def test_gradients_and_hessians(f):
    with specialised_after(1):
        gradient, hessian = cr.grad(f), cr.hessian(f)
        for k in range(4):
            w = X + 0.1 * k
            np.testing.assert_allclose(gradient(w), expected(w), rtol=1e-10)
            curvature = 2 * DATA.T @ DATA + np.diag(0.6 * w)
            np.testing.assert_allclose(hessian(w), curvature, rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(cr.jacobian(f)(w), expected(w), rtol=1e-10)
        assert has_text(gradient, X)


def test_arguments_by_name():
    with specialised_after(1):
        gradient = cr.grad(MODEL.loss)
        for scale in (1.0, 2.0, 0.5, 3.0):
            np.testing.assert_allclose(gradient(X, scale=scale), expected(X, scale=scale), rtol=1e-10)
        assert has_text(gradient, X, scale=2.0)


def test_arguments_with_names_that_cannot_be_written():
    f = decorated(lambda w, **parts: np.sum(w**2) * parts["a part"])
    gradient = cr.grad(f)
    for _ in range(6):
        np.testing.assert_allclose(gradient(X, **{"a part": 3.0}), 6 * X)


def test_what_an_object_holds_may_change():
    model = Model()
    with specialised_after(1):
        gradient = cr.grad(model.loss)
        for weight in (0.1, 0.1, 0.1, 0.3, 0.3, 0.5):
            model.weight = weight
            np.testing.assert_allclose(gradient(X), expected(X, weight), rtol=1e-10)
        model.data = 2 * DATA
        np.testing.assert_allclose(gradient(X), cr.grad(loss)(X, 2 * DATA, 0.5), rtol=1e-10)


def test_effects_are_done_once_for_each_call():
    model = Model()
    with specialised_after(1):
        gradient = cr.grad(model.counted)
        for k in range(1, 6):
            np.testing.assert_allclose(gradient(X), k * expected(X), rtol=1e-10)
            assert model.calls == k


def test_an_operator_that_is_asked_for_anew_each_time_writes_nothing():
    stands = standing_for(MODEL.loss)
    assert stands is not None
    for _ in range(2):
        assert stood_for(MODEL.loss, stands, (X,), {}) == MODEL.loss
    assert stood_for(MODEL.loss, stands, (X,), {}) is stood_for(MODEL.loss, stands, (X,), {})
    assert standing_for(loss) is None
    assert standing_for(np.sin) is None


def test_a_rule_of_an_object_is_used():
    model = Model()

    @cr.rrule(model)
    def rule(w):
        return model.loss(w), lambda y_bar: (y_bar * np.full(3, 7.0),)

    with specialised_after(1):
        gradient = cr.grad(model)
        for _ in range(5):
            np.testing.assert_allclose(gradient(X), np.full(3, 7.0))


def test_a_rule_of_a_class_is_used():
    class Ruled(Model):
        def __call__(self, w):
            return self.loss(w)

    @cr.rrule(Ruled.__call__)
    def rule(self, w):
        return self.loss(w), lambda y_bar: (ZERO, y_bar * np.full(3, 7.0))

    with specialised_after(1):
        for f in (Ruled(), Ruled().__call__):
            gradient = cr.grad(f)
            for _ in range(5):
                np.testing.assert_allclose(gradient(X), np.full(3, 7.0))


def test_a_bound_method_stays_the_function_that_it_was():
    class Changed:
        weight = 0.1

        def loss(self, w):
            return np.sum(w**2) * self.weight

    f = Changed().loss
    with specialised_after(1):
        gradient = cr.grad(f)
        for k in range(8):
            if k == 4:
                setattr(Changed, "loss", lambda self, w: np.sum(w))  # noqa: B010  as a user patches it
            np.testing.assert_allclose(gradient(X + k), 0.2 * (X + k), rtol=1e-12)
