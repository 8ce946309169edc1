"""Operators: what goes in, what comes out, and in which form; what is refused by name."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse import coo_array

import chainrules as cr

SCALARS = [
    (3, float),
    (3.0, float),
    (np.float32(3), np.float32),
    (np.float64(3), np.float64),
    (np.int64(3), np.float64),
]


@pytest.mark.parametrize(("x", "kind"), SCALARS)
def test_a_scalars_gradient_is_a_scalar_of_its_precision(x, kind):
    for gradient in (cr.grad(lambda x: x * x)(x), cr.derivative(lambda x: x * x)(x)):
        assert type(gradient) is kind
        assert gradient == 6.0


@pytest.mark.parametrize(
    ("x", "dtype"),
    [(np.ones(2, np.float32), np.float32), (np.ones(2), np.float64), (np.array([1, 1]), np.float64)],
)
def test_an_arrays_gradient_has_its_shape_and_precision(x, dtype):
    value, gradient = cr.value_and_grad(lambda x: np.sum(x * x))(x)
    assert gradient.dtype == dtype
    np.testing.assert_array_equal(gradient, [2.0, 2.0])
    assert value == 2
    assert cr.grad(lambda x: cr.stop_gradient(1.0))(x).dtype == dtype


@dataclass
class Parameters:
    w: float
    name: str = "linear"


def test_gradients_of_containers_and_objects():
    gradient = cr.grad(lambda p: p["a"] * p["b"][1])({"a": 2.0, "b": [1.0, 3.0], "c": "text"})
    assert gradient["a"] == 3.0
    assert list(gradient["b"]) == [0.0, 2.0]
    assert tuple(cr.grad(lambda p: p[0] * p[1])((2.0, 3.0))) == (3.0, 2.0)
    assert list(cr.grad(lambda p: p[0] * p[1])([2.0, 3.0])) == [3.0, 2.0]
    gradient = cr.grad(lambda p: p.w**2 * len(p.name))(Parameters(3.0))
    assert isinstance(gradient, cr.Composite[Parameters])
    assert gradient.w == 36.0


@pytest.mark.parametrize("x", [(3.0, 1.0), [3.0, 1.0]])
def test_a_gradient_of_which_one_item_is_used_has_them_all(x):
    def squared(p):
        return p[0] ** 2

    def gradients(t):
        g = cr.grad(squared)((t * t, t))
        return g[0] * t + g[1]

    assert list(cr.grad(squared)(x)) == [6.0, 0.0]
    assert cr.grad(gradients)(3.0) == 54.0


def test_argnums():
    f = cr.value_and_grad(lambda x, y, z: x * y * z, argnums=(-1, 0))
    assert f(2.0, 3.0, 5.0) == (30.0, (6.0, 15.0))
    assert cr.grad(lambda x, y: x * y, argnums=-1)(2.0, 3.0) == 2.0
    assert cr.grad(lambda x, y: x * y, argnums=())(2.0, 3.0) == ()


@pytest.mark.parametrize("argnums", [2, -3, (0, 5)])
def test_argnums_out_of_range(argnums):
    with pytest.raises(cr.UnsupportedArgument, match=r"argnums=.*2 positional arguments"):
        cr.grad(lambda x, y: x * y, argnums)(2.0, 3.0)


def test_has_aux():
    def f(x):
        return x * x, {"twice": 2 * x}

    assert cr.grad(f, has_aux=True)(3.0) == (6.0, {"twice": 6.0})
    assert cr.value_and_grad(f, has_aux=True)(3.0) == ((9.0, {"twice": 6.0}), 6.0)
    with pytest.raises(cr.NonScalarOutputError, match=r"returned float, not \(value, aux\)"):
        cr.grad(lambda x: x * x, has_aux=True)(3.0)


def test_forms():
    x = np.arange(100.0)
    kinds = {None: np.ndarray, "dense": np.ndarray, "sparse": coo_array}
    for form, kind in kinds.items():
        gradient = cr.grad(lambda x: x[2] * x[2], form=form)(x)
        assert type(gradient) is kind
        assert gradient[2] == 4.0
    raw = cr.grad(lambda x: x[2] * 4.0, form="raw")(x)
    assert not isinstance(raw, np.ndarray | coo_array)
    assert cr.grad(lambda x: 2.0, form="raw")(x) is cr.Zero()
    assert isinstance(cr.grad(lambda x: x[0, 1])(np.zeros((1000, 1001))), coo_array)
    with pytest.raises(cr.UnsupportedArgument, match="form='wrong'"):
        cr.grad(lambda x: x[0], form="wrong")(x)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (lambda x: x * np.ones(2), r"ndarray\[2\] of float64"),
        (lambda x: x * np.ones(1), r"ndarray\[1\] of float64"),
        (lambda x: None, "NoneType"),
        (lambda x: x > 0, "bool"),
        (lambda x: x * 1j, "complex"),
        (lambda x: (x, x), "tuple"),
        (lambda x: "text", "str"),
    ],
)
def test_the_gradient_of_what_is_no_real_scalar_is_refused(output, said):
    with pytest.raises(cr.NonScalarOutputError, match=said) as caught:
        cr.grad(output)(2.0)
    assert "next: " in str(caught.value)


@pytest.mark.parametrize("x", [True, np.True_, "text", b"text", None, np.array([True])])
def test_an_argument_without_derivatives_is_refused(x):
    with pytest.raises(cr.NotDifferentiableError, match="argument 0"):
        cr.grad(lambda x: 1.0)(x)
    with pytest.raises(cr.NotDifferentiableError):
        cr.derivative(lambda x: 1.0)(x)


def test_other_arguments_may_be_anything():
    assert cr.grad(lambda x, flag, text: x * len(text) if flag else 0.0)(2.0, True, "abc") == 3.0


def test_derivatives_of_values_of_every_kind():
    value, (first, rest) = cr.value_and_derivative(lambda t: (t**2, [t, 3 * t]))(2.0)
    assert value == (4.0, [2.0, 6.0])
    assert first == 4.0
    assert list(rest) == [1.0, 3.0]
    np.testing.assert_array_equal(cr.derivative(lambda t: np.array([t, 3 * t]))(2.0), [1.0, 3.0])


def test_vjp_answers_for_every_argument_and_jvp_needs_every_tangent():
    value, pullback = cr.vjp(lambda x, y, k: x * y * k, 2.0, 3.0, k=10.0)
    assert value == 60.0
    assert pullback(1.0) == (30.0, 20.0)
    assert cr.jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, cr.Zero())) == (6.0, 3.0)


def test_the_tangent_of_a_value_that_does_not_depend_is_like_the_value() -> None:
    x = np.array([0.5, 1.5])
    assert cr.jvp(lambda x: 2.0, (1.0,), (1.0,)) == (2.0, 0.0)
    np.testing.assert_array_equal(cr.jvp(np.floor, (x,), (x,))[1], np.zeros(2))
    assert cr.jvp(np.floor, (x,), (cr.Zero(),))[1] is cr.Zero()
    gradient = cr.grad(lambda x: np.sum(x * cr.jvp(np.floor, (x,), (x,))[1]) + x[0])(x)
    np.testing.assert_array_equal(gradient, [1.0, 0.0])
    with pytest.raises(cr.ShapeMismatch):
        cr.jvp(lambda x, y: x * y, (2.0, 3.0), (1.0,))
    with pytest.raises(cr.ShapeMismatch):
        cr.jvp(np.sum, (np.ones(3),), (np.ones(2),))


def test_a_tangent_that_is_zero_has_a_gradient():
    def steps(x):
        return cr.jvp(lambda z: np.sum(np.floor(z)), (x,), (np.ones(2),))[1]

    x = np.array([0.3, 1.4])
    assert cr.grad(steps, form="raw")(x) is cr.Zero()
    np.testing.assert_array_equal(cr.grad(steps)(x), np.zeros(2))
