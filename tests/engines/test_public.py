"""What operators make of a function: its name, signature and documentation, as a method, and pickled."""

import copy
import functools
import inspect
import pickle

import numpy as np
import pytest

import chainrules as cr

MAKERS = [
    cr.grad,
    cr.value_and_grad,
    cr.derivative,
    cr.value_and_derivative,
    cr.elementwise_grad,
    cr.jacobian,
    cr.jacfwd,
    cr.jacrev,
    cr.value_and_jacobian,
    cr.hessian,
]


def cube(x: float, scale: float = 1.0) -> float:
    """The cube of x, scaled."""
    return scale * x**3


@cr.grad
def slope_of_square(x):
    return x * x


class Model:
    """A parabola."""

    def __init__(self, a):
        self.a = a

    def loss(self, x):
        return self.a * x * x

    @functools.partial(cr.grad, argnums=1)
    def slope(self, x):
        return self.loss(x)

    @cr.grad
    def by_itself(self, x):
        return self.loss(x)


@pytest.mark.parametrize("operator", MAKERS, ids=lambda f: f.__name__)
def test_it_is_named_and_documented_as_the_function(operator):
    made = operator(cube)
    assert (made.__name__, made.__qualname__, made.__module__) == ("cube", "cube", __name__)
    assert made.__wrapped__ is cube
    assert inspect.signature(made) == inspect.signature(cube)
    assert "test_public.cube" in made.__doc__.splitlines()[0]
    assert "The cube of x, scaled." in made.__doc__
    assert operator.__name__ in repr(made)


@pytest.mark.parametrize("operator", MAKERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("again", [lambda f: pickle.loads(pickle.dumps(f)), copy.copy, copy.deepcopy])
def test_it_is_pickled_and_copied(operator, again):
    made = operator(cube)
    assert again(made)(2.0, scale=2.0) == made(2.0, scale=2.0)


def test_options_are_pickled():
    made = pickle.loads(pickle.dumps(cr.grad(cube, argnums=(0, 1))))
    assert made(2.0, 1.0) == (12.0, 8.0)


def test_second_derivatives_and_what_holds_them_are_pickled():
    assert pickle.loads(pickle.dumps(cr.grad(cr.grad(cube))))(2.0) == 12.0
    assert pickle.loads(pickle.dumps(functools.partial(cr.grad(cube), 2.0)))() == 12.0


def test_a_function_under_the_decorator_is_pickled_by_its_name():
    assert pickle.loads(pickle.dumps(slope_of_square)) is slope_of_square
    assert slope_of_square(3.0) == 6.0


def test_a_lambda_is_not_pickled_as_any_function():
    made = cr.grad(lambda x: x)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(made)


def test_the_decorator_works_on_methods():
    model = Model(2.0)
    assert model.slope(3.0) == 12.0
    assert Model.slope(model, 3.0) == 12.0
    assert model.by_itself(3.0).a == 9.0


@pytest.mark.parametrize("engine", ["source", "tape"])
def test_what_it_made_is_differentiated(engine):
    slope, model = cr.grad(cube), Model(2.0)
    assert cr.grad(lambda x: slope(x) * x, engine=engine)(2.0) == pytest.approx(9.0 * 4.0)
    assert cr.derivative(lambda x: slope_of_square(x) ** 2, engine=engine)(3.0) == pytest.approx(24.0)
    assert cr.grad(lambda x: functools.partial(slope, x)(), engine=engine)(2.0) == pytest.approx(12.0)
    assert cr.grad(lambda x: model.slope(x), engine=engine)(3.0) == pytest.approx(4.0)


def test_what_a_function_captured_is_differentiated_through_it():
    def outer(a):
        return cr.grad(lambda x: a * x**3)(2.0)

    def held(slope, x):
        return slope(x)

    assert cr.grad(outer)(5.0) == pytest.approx(12.0)
    a = 5.0
    slope = cr.grad(lambda x: a * x**3)
    g = cr.grad(held)(slope, 2.0)
    assert 12.0 in cr.ravel(g)[0]


def test_keywords_reach_the_function():
    assert cr.grad(cube)(2.0, scale=3.0) == 36.0
    assert cr.value_and_grad(cube)(2.0, scale=3.0) == (24.0, 36.0)


def test_the_operators_themselves_keep_their_names():
    assert cr.grad.__name__ == "grad"
    assert inspect.signature(cr.grad).parameters.keys() >= {"argnums", "has_aux", "form", "engine"}
    assert pickle.loads(pickle.dumps(cr.grad)) is cr.grad


def test_arrays_of_the_result_are_as_before():
    assert np.array_equal(cr.grad(lambda x: np.sum(x * x))(np.arange(3.0)), [0.0, 2.0, 4.0])
