"""Values with something beside them: the gradient by a text, the rest as the function itself gives it."""

import functools

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines import operators
from chainrules.engines.specialised.running.of_pairs import first_of

X = np.array([0.3, 2.0])


class Report:
    """What a function gives beside its value."""

    def __init__(self, parts):
        self.parts = parts


def with_dictionary(x, scale=2.0):
    y = np.sin(x) * scale
    return np.sum(y * x), {"y": y, "x": x, "name": "loss", "count": 3}


def with_object(x):
    y = np.exp(x)
    return np.sum(y), Report([y, x])


def of_parameters(p):
    y = p["w"] * p["b"]
    return y**2, (y, p)


class Model:
    """An object whose method gives two results."""

    def __init__(self, scale):
        self.scale = scale

    def loss(self, x):
        return np.sum(x**2) * self.scale, np.max(x)


CASES = [
    (with_dictionary, (X,), {}),
    (with_dictionary, (X,), {"scale": 3.0}),
    (with_dictionary, (X, 0.5), {}),
    (of_parameters, ({"w": 2.0, "b": 3.0},), {}),
    (Model(1.5).loss, (X,), {}),
    (functools.partial(with_dictionary, scale=1.5), (X,), {}),
]


@pytest.mark.parametrize("form", [None, "plain"])
@pytest.mark.parametrize(("f", "x", "kwargs"), CASES)
def test_a_gradient_with_something_beside_the_value(f, x, kwargs, form, monkeypatch):
    operator = cr.value_and_grad(f, has_aux=True, form=form)
    (value, _), gradient = operator(*x, **kwargs)
    for _ in range(6):
        operator(*x, **kwargs)

    def ordinary(*args):
        raise AssertionError("the ordinary program")

    monkeypatch.setattr(operators, "reverse_of", ordinary)
    (found, aux), again = operator(*x, **kwargs)
    assert found == value
    assert repr(aux) == repr(f(*x, **kwargs)[1])
    assert repr(again) == repr(gradient)
    if not kwargs and isinstance(f, type(with_object)):
        assert repr(cr.grad(f, has_aux=True, form=form)(*x)[0]) == repr(gradient)


def test_what_is_beside_the_value_is_the_functions_own():
    operator = cr.value_and_grad(with_object, has_aux=True)
    for _ in range(6):
        (_, report), gradient = operator(X)
        assert type(report) is Report
        assert report.parts[1] is X
        np.testing.assert_array_equal(report.parts[0], gradient)
        assert not np.shares_memory(report.parts[0], gradient)


def test_effects_happen_once():
    seen: list[int] = []

    def f(x):
        seen.append(len(seen))
        return np.sum(x**2), len(seen)

    def writes(x):
        x[0] = 3.0
        return np.sum(x**2), x

    for count in range(1, 8):
        (_, aux), _ = cr.value_and_grad(f, has_aux=True)(X)
        assert (aux, len(seen)) == (count, count)
        own = X.copy()
        (value, aux), gradient = cr.value_and_grad(writes, has_aux=True)(own)
        assert aux is own
        assert own.tolist() == [3.0, 2.0]
        assert (value, gradient.tolist()) == (13.0, [0.0, 4.0])


def test_a_function_that_gives_no_pair_later():
    pair = True

    def f(x):
        return (np.sum(x), 1.0) if pair else np.sum(x)

    operator = cr.grad(f, has_aux=True)
    for _ in range(5):
        operator(X)
    pair = False
    with pytest.raises(cr.NonScalarOutputError, match="not \\(value, aux\\)"):
        operator(X)


def test_derivatives_of_such_gradients():
    for _ in range(5):
        cr.grad(with_dictionary, has_aux=True)(X)
    second = cr.grad(lambda x: np.sum(cr.grad(with_dictionary, has_aux=True)(x)[0]))(X)
    np.testing.assert_allclose(second, 4.0 * np.cos(X) - 2.0 * X * np.sin(X))


def test_which_functions_have_a_part():
    made = first_of(with_dictionary, (X,), {"scale": 1.0})
    assert made is not None
    assert made(X, scale=1.0) == with_dictionary(X, scale=1.0)[0]
    assert first_of(with_dictionary, (X,), {"scale": 1.0}) is made
    assert first_of(len, (X,), {}) is None


def test_the_ordinary_program_runs_where_two_runs_differ(monkeypatch):
    """As they do of a function that reads a clock."""
    operator = cr.value_and_grad(with_dictionary, has_aux=True)
    (value, _), expected = operator(X)
    monkeypatch.setattr(operators, "specialised", lambda *args: (value + 1e-3, None))
    (found, aux), gradient = operator(X)
    assert found == value
    assert aux["x"] is X
    np.testing.assert_array_equal(gradient, expected)
