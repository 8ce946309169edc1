"""`stop_gradient` and `with_gradient`: in both modes, of any structure, at any nesting."""

import itertools

import numpy as np
import pytest

import chainrules as cr

MODES = {"forward": cr.derivative, "reverse": cr.grad}


@pytest.mark.parametrize("mode", MODES)
def test_stop_gradient_makes_a_constant(mode):
    assert MODES[mode](lambda x: x * cr.stop_gradient(x))(3.0) == 3.0
    assert MODES[mode](lambda x: x * cr.stop_gradient({"a": [x]})["a"][0])(3.0) == 3.0


def test_stop_gradient_of_an_argument_with_parts():
    gradient = cr.grad(lambda p: p["a"] * cr.stop_gradient(p)["b"][0])({"a": 3.0, "b": [2.0]})
    assert gradient["a"] == 2.0
    assert list(gradient["b"]) == [0.0]


def test_with_gradient_clips_the_cotangent_that_passes():
    assert cr.grad(lambda x: cr.with_gradient(x, lambda t: np.clip(t, -1, 1)) ** 2)(4.0) == 1.0


def test_with_gradient_passes_a_cotangent_like_the_value_once():
    seen = []

    def look(t):
        seen.append(t)
        return t

    gradient = cr.grad(lambda x: cr.with_gradient(x + x[0], look)[1])(np.ones(2))
    np.testing.assert_array_equal(gradient, [1.0, 1.0])
    assert [list(t) for t in seen] == [[0.0, 1.0]]
    assert cr.grad(lambda x: cr.with_gradient((x, 2 * x), lambda t: 3.0 * t)[1])(1.0) == 6.0


def test_with_gradient_in_forward_mode_is_the_transposed():
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])

    def f(t):
        return cr.with_gradient(np.array([t, 2 * t]), lambda a: turn @ a)

    np.testing.assert_array_equal(cr.derivative(f)(1.0), turn.T @ [1.0, 2.0])
    y_bar = np.array([5.0, 7.0])
    assert cr.vjp(f, 1.0)[1](y_bar)[0] == cr.derivative(f)(1.0) @ y_bar


def test_with_gradient_in_forward_mode_refuses_what_is_not_linear():
    with pytest.raises(cr.NotDifferentiableError, match=r"not linear(.|\n)*next: "):
        cr.derivative(lambda x: cr.with_gradient(x, lambda t: t * t))(3.0)
    with pytest.raises(cr.NotDifferentiableError, match="not linear"):
        cr.derivative(lambda x: cr.with_gradient(3 * x, lambda t: np.clip(t, -1, 1)))(3.0)


@pytest.mark.parametrize(("outer", "inner"), list(itertools.product(MODES, MODES)))
def test_with_gradient_nests(outer, inner):
    def f(x):
        return cr.with_gradient(x * x, lambda t: 10 * t) ** 2

    assert MODES[outer](MODES[inner](f))(3.0) == 10 * 12 * 9


def test_an_exception_of_the_function_passes():
    class StopHere(Exception):
        pass

    def stop(t):
        raise StopHere

    with pytest.raises(StopHere):
        cr.grad(lambda x: cr.with_gradient(x, stop) ** 2)(1.0)
    assert cr.grad(lambda x: x**2)(1.0) == 2.0
