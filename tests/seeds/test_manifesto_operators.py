"""The cases of the manifesto on operators and customised derivatives (AM38–AM85), under its numbers.

AM38–AM42 and AM45–AM47 ask for a function type that carries its derivatives, and conversions to it; they
stand in test_swift_functions.py. The design has none: any callable is differentiated where an operator is
applied, and rules belong to the callable. AM44 asks for order six and an error past a declared order;
orders are not declared, and each costs four times the analysis of the one before, so that the fourth
stands for them here. AM65 is a remark.
"""

import itertools

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.source import engine

MODES = {"forward": cr.derivative, "reverse": cr.grad}


def square(x):
    return x * x


def derivatives(f, order, operator):
    for _ in range(order):
        f = operator(f)
    return f


@pytest.mark.parametrize("operator", MODES.values())
def test_AM43_derivatives_of_three_orders(operator):
    assert sum(derivatives(lambda x: x**6, n, operator)(1.0) for n in (1, 2, 3)) == 156.0


def test_AM44_a_higher_order():
    assert derivatives(lambda x: x**6, 4, cr.derivative)(1.0) == 360.0


def test_AM48_derivative_of_a_function_and_at_a_point():
    assert cr.derivative(np.sin)(0.0) == 1.0


def test_AM55_products_with_the_jacobian():
    assert cr.jvp(square, (3.0,), (2.0,)) == (9.0, 12.0)
    assert cr.vjp(square, 3.0)[1](2.0) == (12.0,)


def test_AM56_the_differential_is_linear_and_has_a_transposed():
    _, df = cr.linearize(lambda x: np.sin(x) * x[0], np.array([0.3, 0.7]))
    v = np.array([1.0, -2.0])
    np.testing.assert_allclose(df(3 * v), 3 * df(v), rtol=1e-12)
    (v_bar,) = cr.linear_transpose(df, v)(v)
    np.testing.assert_allclose(v_bar @ v, v @ df(v), rtol=1e-12)


def test_AM57_value_and_differential():
    y, df = cr.linearize(square, 3.0)
    assert (y, df(1.0)) == (9.0, 6.0)


def test_AM58_AM59_value_and_pullback():
    y, pullback = cr.vjp(square, 3.0)
    assert (y, pullback(2.0)) == (9.0, (12.0,))


class TwoFunctions:
    """An engine with the two functions of the protocol and no more."""

    name = "two functions"

    def value_and_pullback(self, f, *x, **kwargs):
        return engine.value_and_pullback(f, *x, **kwargs)

    def value_and_pushforward(self, f, *x, **kwargs):
        return engine.value_and_pushforward(f, *x, **kwargs)


def test_AM60_every_operator_is_library_code_over_two_functions():
    mine, x = TwoFunctions(), np.array([1.0, 2.0])

    def f(x):
        return np.sum(x**3)

    np.testing.assert_allclose(cr.grad(f, engine=mine)(x), 3 * x**2)
    assert cr.derivative(square, engine=mine)(3.0) == 6.0
    assert cr.jvp(square, (3.0,), (1.0,), engine=mine) == (9.0, 6.0)
    assert cr.vjp(square, 3.0, engine=mine)[1](1.0) == (6.0,)
    assert cr.linearize(square, 3.0, engine=mine)[1](2.0) == 12.0
    assert cr.linear_transpose(lambda x: 2 * x, 1.0, engine=mine)(3.0) == (6.0,)
    for jac_mode in ("auto", "fwd", "rev"):
        made = cr.jacobian(lambda x: np.outer(x, x)[0], jac_mode=jac_mode, engine=mine)(x)
        np.testing.assert_allclose(made, [[2.0, 0.0], [2.0, 1.0]])
    np.testing.assert_allclose(cr.hessian(f, engine=mine)(x), np.diag(6 * x))
    np.testing.assert_allclose(cr.hvp(f, x, np.ones(2), engine=mine), 6 * x)


def test_AM61_a_chain_through_linear_maps():
    t = np.exp(0.5)
    _, df = cr.linearize(lambda x: np.sin(np.cos(x)), 0.5)
    np.testing.assert_allclose(df(cr.derivative(np.log)(t)), -0.185816, rtol=1e-5)
    _, pullback = cr.vjp(lambda x: np.cos(np.sin(x)), 0.5)
    np.testing.assert_allclose(pullback(cr.grad(np.log)(t))[0], -0.245525, rtol=1e-5)


def test_AM62_hessian_vector_product():
    np.testing.assert_allclose(cr.hvp(lambda x: np.sum(x**3), np.array([1.0, 2.0]), np.ones(2)), [6.0, 12.0])


@pytest.mark.parametrize(("outer", "inner"), list(itertools.product(MODES.values(), MODES.values())))
def test_AM63_modes_nest(outer, inner):
    assert outer(inner(lambda x: x**4))(4.0) == 192.0


@pytest.mark.parametrize(("outer", "inner"), list(itertools.product(MODES.values(), MODES.values())))
def test_AM64_perturbations_are_not_confused(outer, inner):
    assert outer(lambda x: x * inner(lambda y: x + y)(1.0))(1.0) == 1.0


def test_AM80_a_customised_cotangent():
    def clipped(x):
        return cr.with_gradient(x, lambda t: np.clip(t, -1.0, 1.0)) ** 2

    assert cr.grad(clipped)(4.0) == 1.0
    assert cr.grad(square)(4.0) == 8.0
    assert cr.grad(lambda x: cr.with_gradient(x, lambda t: 3 * t) * x * x)(4.0) == 16.0 * 3 + 32.0
    pieces = cr.grad(lambda x: cr.with_gradient(x, lambda t: 10 * t) + cr.with_gradient(x, lambda t: 20 * t))
    assert pieces(4.0) == 30.0


def test_AM81_a_customised_tangent():
    assert cr.derivative(lambda x: 2 * cr.with_gradient(x, lambda t: 10 * t))(3.0) == 20.0


def tripled(x):
    return x


@cr.frule(tripled)
def tripled_frule(tangents, x: cr.Array):
    return x, 3 * tangents[0]


@cr.rrule(tripled)
def tripled_rrule(x: cr.Array):
    def tripled_pullback(y_bar):
        return 3 * y_bar

    return x, tripled_pullback


def test_AM82_it_can_be_written_with_public_names_only():
    assert cr.grad(lambda x: tripled(x) ** 2)(2.0) == 12.0
    assert cr.derivative(lambda x: tripled(x) ** 2)(2.0) == 12.0


def test_AM83_the_function_sees_each_cotangent_once():
    seen = []

    def look(t):
        seen.append(t)
        return t

    assert cr.grad(lambda x: cr.with_gradient(x, look) ** 2)(4.0) == 8.0
    assert seen == [8.0]


def test_AM84_an_exception_inside_the_pullback_passes():
    class StopBackprop(Exception):
        pass

    def stop(t):
        raise StopBackprop

    with pytest.raises(StopBackprop):
        cr.grad(lambda x: cr.with_gradient(x, stop) ** 2)(4.0)
    assert cr.grad(square)(4.0) == 8.0
