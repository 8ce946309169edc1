"""The cases of the document on Swift's implementation (SI) on operators and diagnostics, under its numbers.

SI27 asks for an error for `float(int(x))`; the design gives it the derivative zero, and a warning
that nothing can depend on the argument. SI3, SI7, SI10, SI18–SI21, SI29 and SI42–SI47 concern a function
type that carries its derivatives, which the design does not have (rules belong to the callable); they
stand in test_swift_functions.py.
"""

import functools
import math

import numpy as np
import pytest

import chainrules as cr

opaque = memoryview.tobytes


def test_SI1_verification_finds_a_call_without_rule_before_anything_runs():
    with pytest.raises(cr.NoRuleError, match="tobytes"):
        cr.verify(lambda x: opaque(x) + x, 1.0)


def product(x, y):
    return x * y


def test_SI4_SI5_forward_and_reverse_operators_give_maps():
    y, df = cr.linearize(product, 4.0, 5.0)
    assert (y, df(1.0, 0.0), df(0.0, 1.0)) == (20.0, 5.0, 4.0)
    y, pullback = cr.vjp(product, 4.0, 5.0)
    assert (y, pullback(1.0)) == (20.0, (5.0, 4.0))


def test_SI14_there_must_be_something_to_differentiate_by():
    with pytest.raises(cr.NotDifferentiableError):
        cr.grad(lambda text: 1.0)("text")
    with pytest.raises(cr.UnsupportedArgument):
        cr.grad(lambda x: x, argnums=(0, 1))(1.0)


def test_SI15_the_result_must_be_differentiable():
    with pytest.raises(cr.NonScalarOutputError):
        cr.grad(lambda x: "text")(1.0)
    with pytest.raises(cr.NotDifferentiableError):
        cr.jacobian(lambda x: "text")(1.0)


def scale(x, y):
    return x * y


ASKED: list[tuple[bool, ...]] = []


@cr.rrule(scale)
def scale_rrule(x: cr.Array, y: cr.Array, *, needs):
    ASKED.append(needs)

    def scale_pullback(s_bar):
        return s_bar * y, s_bar * x

    return x * y, scale_pullback


def test_SI26_a_rule_hears_which_arguments_matter():
    ASKED.clear()
    assert cr.grad(lambda x: scale(x, 3.0))(2.0) == 3.0
    assert ASKED == [(True, False)]


def test_SI27_a_value_that_passes_through_an_integer_warns():
    with pytest.warns(cr.ZeroDerivativeWarning, match="stop_gradient"):
        assert cr.grad(lambda x: float(int(x)) + 2)(1.0) == 0.0


def test_SI28_a_constant_warns_and_stop_gradient_silences():
    with pytest.warns(cr.ZeroDerivativeWarning):
        assert cr.grad(lambda x: math.sqrt(3.0))(1.0) == 0.0
    assert cr.grad(lambda x: cr.stop_gradient(math.sqrt(3.0)))(1.0) == 0.0


def test_SI30_the_differential():
    _, df = cr.linearize(lambda x: np.sin(x) * np.cos(x), 1.0)
    np.testing.assert_allclose(df(1.0), -0.416147, rtol=1e-5)


def test_SI31_effects_happen_once_and_not_in_the_differential(capsys):
    def f(x):
        print("effect")
        return x * x

    _, df = cr.linearize(f, 3.0)
    assert (df(1.0), df(2.0)) == (6.0, 12.0)
    assert capsys.readouterr().out == "effect\n"


def test_SI32_the_differential_of_a_product():
    _, df = cr.linearize(product, 4.0, 5.0)
    assert (df(1.0, 0.0), df(0.0, 1.0), df(1.0, 1.0)) == (5.0, 4.0, 9.0)


def test_SI33_the_pullback_is_made_of_the_active_calls_only():
    (function,) = cr.explain(lambda x: math.floor(2.5) * x, 3.0).functions
    assert [n.callee for n in function.notes] == ["operator.mul"]


def test_SI37_adjoints_add_up():
    assert cr.grad(lambda x: x + x)(3.0) == 2.0


def test_SI48_all_faults_are_reported_together():
    def first(x):
        return opaque(x)

    def second(x):
        return eval("x") + x

    with pytest.raises(cr.VerificationError) as caught:
        cr.verify(lambda x: first(x) + second(x), 1.0)
    assert "tobytes" in str(caught.value)
    assert "eval" in str(caught.value)


class Scaled:
    def __init__(self, k):
        self.k = k

    def times(self, x):
        return self.k * x


def test_SI49_partials_and_bound_methods():
    assert cr.grad(functools.partial(product, 3.0))(2.0) == 3.0
    assert cr.grad(Scaled(3.0).times)(2.0) == 3.0


def twice(f, x):
    return f(f(x))


def test_SI50_functions_as_arguments():
    assert cr.grad(lambda x: twice(lambda v: v * v, x))(2.0) == 32.0
    assert cr.derivative(lambda x: twice(lambda v: v * v, x))(2.0) == 32.0


def test_SI52_the_second_derivative_of_a_linear_map_is_zero():
    _, df = cr.linearize(lambda x: 3 * x, 2.0)
    assert cr.grad(lambda v: cr.grad(df)(v))(1.0) == 0.0


def forward_only(x, y):
    return x * y


@cr.frule(forward_only)
def forward_only_frule(tangents, x: cr.Array, y: cr.Array):
    dx, dy = tangents
    return x * y, dx * y + x * dy


def test_SI53_a_pullback_is_the_transposed_of_a_pushforward():
    def differential(dx, dy):
        return cr.jvp(forward_only, (4.0, 5.0), (dx, dy))[1]

    assert cr.linear_transpose(differential, 0.0, 0.0)(1.0) == (5.0, 4.0)


def test_SI54_transposition():
    A, y_bar = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 0.0])
    np.testing.assert_array_equal(A @ y_bar, [1.0, 3.0])
    np.testing.assert_array_equal(cr.linear_transpose(lambda x: A @ x, y_bar)(y_bar)[0], [1.0, 2.0])


def test_SI55_what_is_not_linear_is_no_linear_map():
    with pytest.raises(cr.NotDifferentiableError, match="not linear"):
        cr.linear_transpose(np.sin, 1.0)
