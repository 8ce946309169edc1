"""The cases of the manifesto (AM) on what is declared at a function, under its numbers."""

import math
from typing import Annotated

import numpy as np
import pytest

import chainrules as cr
from chainrules import types as ct

LATEST = 0.0
MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])


def mul_tangent(x, y, product):
    return x[1] * y[0] + x[0] * y[1]


def mul_adjoint(x, y, product, seed):
    return seed * y, seed * x


def test_AM17_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="'sideways'"):
        ct.differentiable("sideways")
    with pytest.raises(cr.RegistrationError, match="no parameter 'z'"):
        ct.differentiable("linear", wrt="z")(lambda x: x)


def test_AM18_a_tangent_function_takes_duals_and_the_result():
    @ct.differentiable("forward", tangent=mul_tangent)
    def mul(x, y):
        return x * y

    assert mul_tangent((3, 1), (4, 0), 12) == 4
    assert cr.jvp(mul, (3.0, 4.0), (1.0, 0.0)) == (12.0, 4.0)


def test_AM19_an_adjoint_function_takes_the_result_and_its_cotangent():
    @ct.differentiable("reverse", adjoint=mul_adjoint)
    def mul(x, y):
        return x * y

    assert mul_adjoint(3, 4, 12, 1.0) == (4, 3)
    assert cr.grad(mul, argnums=(0, 1))(3.0, 4.0) == (4.0, 3.0)


def test_AM20_marked_parameters_are_not_differentiated():
    seen = []

    def tangent(x, w, stride, padding, y):
        seen.append((stride, padding))
        return x[1] * w[0] * stride + x[0] * w[1] * stride

    @ct.differentiable(
        tangent=tangent, adjoint=lambda x, w, stride, padding, y, seed: (seed * w * stride, seed * x * stride)
    )
    def conv(x, w, stride: Annotated[int, ct.nondiff], padding: Annotated[int, ct.nondiff]):
        return x * w * stride + padding

    _, pullback = cr.vjp(conv, 3.0, 4.0, 2, 1)
    assert pullback(1.0) == (8.0, 6.0, cr.NoTangent(), cr.NoTangent())
    assert cr.jvp(conv, (3.0, 4.0, 2, 1), (1.0, 0.0, cr.Zero(), cr.Zero()))[1] == 8.0
    assert seen == [(2, 1)]


class Multiplier:
    def __init__(self, w):
        self.w = w

    @ct.differentiable(
        "reverse", wrt="self", adjoint=lambda self, x, y, seed: cr.Composite[Multiplier](w=seed * x)
    )
    def times(self, x):
        return self.w * x


def test_AM21_a_method_is_differentiated_by_its_object():
    _, pullback = cr.vjp(lambda m, x: m.times(x), Multiplier(2.0), 3.0)
    m_bar, x_bar = pullback(1.0)
    assert m_bar.w == 3.0
    assert x_bar == cr.Zero()


def test_AM23_forward_needs_a_tangent():
    with pytest.raises(cr.RegistrationError, match="without tangent="):
        ct.differentiable("forward")(math.gamma)

    @ct.differentiable("forward", tangent=lambda x, y: 2 * x[0] * x[1])
    def square(x):
        return x * x

    with pytest.raises(ct.NotReverseDifferentiableError, match="declared forward"):
        cr.vjp(square, 3.0)


def test_AM24_reverse_needs_an_adjoint():
    with pytest.raises(cr.RegistrationError, match="without adjoint="):
        ct.differentiable("reverse")(math.gamma)

    @ct.differentiable("reverse", adjoint=lambda x, y, seed: 2 * x * seed)
    def square(x):
        return x * x

    assert cr.grad(square)(3.0) == 6.0
    with pytest.raises(ct.NotForwardDifferentiableError, match="declared reverse"):
        cr.jvp(square, (3.0,), (1.0,))


def test_AM25_bidirectional_needs_both():
    with pytest.raises(cr.RegistrationError, match="without adjoint="):
        ct.differentiable("bidirectional", tangent=mul_tangent)(lambda x, y: x * y)
    with pytest.raises(cr.RegistrationError, match="without tangent="):
        ct.differentiable("bidirectional", adjoint=mul_adjoint)(lambda x, y: x * y)


def test_AM26_a_constant_has_zero_derivatives_of_every_order():
    @ct.differentiable("constant")
    def seven(x):
        return 7.0

    x = np.array([1.0, 2.0])
    raw = cr.vjp(seven, x)[1](1.0)[0]
    assert isinstance(raw, cr.Zero)
    np.testing.assert_array_equal(cr.materialize(raw, like=x), [0.0, 0.0])
    third = cr.derivative(cr.derivative(cr.derivative(lambda x: x**3 + seven(x))))
    assert third(1.0) == 6.0


def test_AM27_a_linear_function_is_its_own_differential():
    """Its pullback is the transposed, which is itself only for symmetric maps."""

    @ct.differentiable("linear")
    def tripled(x):
        return 3 * x

    @ct.differentiable("linear")
    def applied(x):
        return MATRIX @ x

    assert cr.linearize(tripled, 10.0)[1](2.0) == 6.0
    np.testing.assert_array_equal(cr.vjp(applied, np.ones(2))[1](np.array([1.0, 0.0]))[0], [1.0, 2.0])


def test_AM28_a_linear_function_may_have_an_adjoint_of_its_own():
    called = []

    def adjoint(x, y, seed):
        called.append(seed)
        return 3 * seed

    @ct.differentiable("linear", adjoint=adjoint)
    def tripled(x):
        return 3 * x

    assert cr.grad(tripled)(10.0) == 3.0
    assert called == [1.0]


def test_AM30_a_derivative_that_is_taken_once():
    @ct.differentiable("reverse", adjoint=lambda x, y, seed: 3 * x**2 * seed, order=1)
    def cube(x):
        return x**3

    @ct.differentiable("reverse", adjoint=lambda x, y, seed: 3 * x**2 * seed, order=2)
    def cube_twice(x):
        return x**3

    assert cr.grad(cube)(2.0) == 12.0
    assert cr.grad(cr.grad(cube_twice))(2.0) == 12.0
    for f in (cr.grad(cr.grad(cube)), cr.grad(cr.grad(cr.grad(cube_twice)))):
        with pytest.raises(cr.HigherOrderError, match="order="):
            f(2.0)


def test_AM31_an_adjoint_that_cannot_be_differentiated_is_told_of_order():
    def adjoint(x, y, seed):
        return eval("2 * x * seed")

    @ct.differentiable("reverse", adjoint=adjoint)
    def square(x):
        return x * x

    assert cr.grad(square)(3.0) == 6.0
    with pytest.raises(cr.HigherOrderError, match="order=1"):
        cr.grad(cr.grad(square))(3.0)


def test_AM32_a_closed_form_has_derivatives_of_every_order():
    @ct.differentiable("forward", tangent=lambda x, y: x[1] * math.cos(x[0]))
    def sine(x):
        return math.sin(x)

    assert cr.derivative(cr.derivative(cr.derivative(sine)))(0.0) == -1.0
