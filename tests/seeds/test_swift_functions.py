"""The cases on functions that carry their derivatives (AM38–AM47, SI6–SI21, SI38–SI51), under their numbers.

The documents ask for a function type that bundles a function with its derivatives, and for conversions to it.
The design has none: derivatives are registered for the callable itself and found wherever it is called. So
where a case wraps a function, here a callable has rules; what it computes and what it refuses is the same.
So a kind of function (AM45–AM47) is a callable in C with such rules, and it converts to another kind where
an operator takes it. AM46 differs in one row: a declared constant has no transposed, of one argument as of
two. A witness (SI10, SI44) is the program of a mode, made when it is first asked for. AM65 and SI9 are
remarks.
"""

from __future__ import annotations

import abc
import ctypes
import math
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.following import twins


class Wrapped:
    """A callable object that is given its derivative."""

    def __init__(self, f):
        self.f = f

    def __call__(self, x):
        return self.f(x)


def test_AM38_SI19_SI21_a_callable_carries_its_derivative():
    """The vjp v·2x at 10 gives 20, through a further doubling 40."""

    def opaque(x):
        return float(str(x)) ** 2

    @cr.rrule(opaque)
    def opaque_rrule(x: cr.Array):
        return opaque(x), lambda y_bar: (y_bar * 2 * x,)

    assert cr.grad(opaque)(10.0) == 20.0
    assert cr.grad(lambda x: 2 * opaque(x))(10.0) == 40.0
    y, pullback = cr.vjp(np.sin, 0.0)
    assert y == 0.0
    assert pullback(1.0) == (1.0,)


def test_AM39_SI3_SI11_SI20_plain_functions_are_taken_as_they_are():
    def takes_a_function(f, x):
        return cr.grad(f)(x)

    assert takes_a_function(lambda x: x * x, 3.0) == 6.0
    assert list(map(cr.grad(np.sin), [0.0])) == [1.0]


def test_AM40_what_is_not_differentiable_is_named():
    with pytest.raises(cr.NoRuleError, match="fromhex"):
        cr.grad(lambda x: float.fromhex(x.hex()))(2.0)


class Layer(abc.ABC):
    @abc.abstractmethod
    def __call__(self, x): ...


class Sum(Layer):
    def __call__(self, x):
        return np.sum(x)


class SumOfSquares(Layer):
    def __call__(self, x):
        return np.sum(x**2)


def test_AM41_each_subclass_is_differentiated_by_its_own_body():
    x = np.array([1.0, 2.0])
    gradients = [cr.grad(lambda x, layer=layer: layer(x))(x) for layer in (Sum(), SumOfSquares())]
    np.testing.assert_array_equal(gradients, [np.ones(2), 2 * x])


def test_AM42_SI43_no_body_is_needed_where_there_is_a_rule():
    @cr.rrule(Wrapped.__call__)
    def wrapped_rrule(w: Wrapped, x: cr.Array):
        return w.f(x), lambda y_bar: (cr.Zero(), y_bar * 3.0)

    assert cr.grad(Wrapped(math.gamma))(2.0) == 3.0


def test_SI6_arguments_that_are_changed():
    def multiply_into(total, v):
        total *= v

    def product(values):
        total = np.ones(1)
        for v in values:
            multiply_into(total, v)
        return total[0]

    np.testing.assert_allclose(cr.grad(product)(np.array([3.0, 4.0, 5.0])), [20.0, 15.0, 12.0])


def test_SI7_SI16_a_rule_with_a_wrong_form_is_refused():
    def f(x, y):
        return x * y

    @cr.rrule(f)
    def f_rrule(x: float, y: float):
        return x * y, lambda y_bar: (y_bar,)

    with pytest.raises(cr.RuleContractError, match="f_rrule"):
        cr.grad(f)(1.0, 2.0)


def test_SI12_what_has_no_derivative_is_not_asked_for():
    def f(x, n):
        return x * len(n)

    assert cr.vjp(f, 2.0, "abc")[1](1.0)[0] == 3.0


def test_SI13_a_rule_for_some_types_only():
    """The function is written in C, so that other types than the rule's are refused, naming what there is."""

    @cr.rrule(Decimal.sqrt)
    def square_rrule(x: float):
        return x * x, lambda y_bar: (2 * x * y_bar,)

    assert cr.grad(Decimal.sqrt)(3.0) == 6.0  # type: ignore[arg-type]  # no number of its class
    with pytest.raises(cr.NoRuleError, match="square_rrule"):
        cr.grad(lambda x: float(Decimal.sqrt(x)))(Decimal(3))


class Pair(NamedTuple):
    a: float
    b: float

    @property
    def reciprocal(self):
        return 1.0 / self.a

    def scaled(self, k):
        return self.b * k


class Items:
    def __init__(self, values):
        self.values = values

    def __getitem__(self, i):
        return self.values[i]


def test_SI17_initializers_properties_and_subscripts():
    def through_the_constructor(x):
        p = Pair(x, 2 * x)
        return p.a * p.b

    assert cr.grad(through_the_constructor)(3.0) == 12.0
    assert cr.grad(lambda x: Pair(x, 0.0).reciprocal)(2.0) == -0.25
    assert cr.grad(lambda x: Items([x * x, x])[0])(3.0) == 6.0


def test_SI18_the_rules_of_a_function_can_be_listed():
    assert "rrule" in str(cr.rules_for(np.sin))


def test_SI29_only_what_is_missing_is_made():
    """A function with a reverse rule keeps it; forward its body is followed."""
    seen = []

    def f(x):
        return x * x

    @cr.rrule(f)
    def f_rrule(x: float):
        seen.append(x)
        return x * x, lambda y_bar: (2 * x * y_bar,)

    assert cr.grad(f)(3.0) == 6.0
    assert seen == [3.0]
    assert cr.jvp(f, (3.0,), (1.0,)) == (9.0, 6.0)


def test_SI38_SL31_stores_read_out_the_slot_and_zero_it():
    def last_of_two(a, b):
        buffer = [a, b]
        buffer[0] = buffer[1]
        return buffer[0]

    assert cr.grad(last_of_two, argnums=(0, 1))(1.0, 3.0) == (0.0, 1.0)

    def overwritten(a, b):
        buffer = np.zeros(1)
        buffer[0] = a
        buffer[0] = b
        return buffer[0]

    assert cr.grad(overwritten, argnums=(0, 1))(1.0, 3.0) == (0.0, 1.0)


def test_SL28_SL30_results_written_through_an_argument():
    def add_into(a, b, out):
        out[:] = a + b

    def added(a, b):
        out = np.zeros(1)
        add_into(a, b, out)
        return out

    _, pullback = cr.vjp(added, np.array([1.0]), np.array([2.0]))
    np.testing.assert_array_equal(pullback(np.array([3.0])), [[3.0], [3.0]])
    _, pullback = cr.vjp(lambda a: added(a, a), np.array([1.0]))
    np.testing.assert_array_equal(pullback(np.array([3.0])), [[6.0]])


def test_SI42_functions_of_other_modules_are_followed():
    from tests.engines.programs.test_option_prices import normal_cdf

    np.testing.assert_allclose(cr.grad(normal_cdf)(0.0), 1 / math.sqrt(2 * math.pi))


def test_SI46_the_derivative_of_one_argument_of_two():
    assert cr.grad(lambda x, y: x * y)(2.0, 3.0) == 3.0


def test_SI45_SI47_a_program_is_made_once():
    made = []
    make = twins._made

    def counting(f):
        made.append(f)
        return make(f)

    def f(x):
        return x * np.cos(x)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twins, "_made", counting)
        first, second = cr.grad(f)(1.0), cr.grad(f)(1.0)
    assert first == second
    assert made == [f]


def test_SI51_forward_and_reverse_answer_for_one_another():
    """⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩; every rule is held to it by `check_rule`."""

    def f(x):
        return np.sort(np.tanh(np.outer(x, x)), axis=0)

    x, dx, y_bar = np.array([0.3, -1.0]), np.array([1.0, 2.0]), np.arange(4.0).reshape(2, 2)
    (x_bar,) = cr.vjp(f, x)[1](y_bar)
    np.testing.assert_allclose(np.sum(y_bar * cr.jvp(f, (x,), (dx,))[1]), x_bar @ dx)


def test_SI41_forward_keeps_no_tape():
    """The memory of a forward derivative does not grow with the steps."""
    import tracemalloc

    def walk(x, steps):
        for _ in range(steps):
            x = x + 1e-6 * np.sin(x)
        return x

    def peak(steps):
        cr.jvp(walk, (1.0, steps), (1.0, 0))
        tracemalloc.start()
        cr.jvp(walk, (1.0, steps), (1.0, 0))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(10_000) < 2 * peak(100) + 10_000


def test_SI8_a_derivative_takes_the_original_arguments_and_may_keep_what_was_computed():
    computed = []

    def softplus(x):
        return math.log1p(math.exp(x))

    @cr.rrule(softplus)
    def softplus_rrule(x: float):
        e = math.exp(x)
        computed.append(e)

        def softplus_pullback(y_bar):
            return (y_bar * e / (1.0 + e),)

        return math.log1p(e), softplus_pullback

    _, pullback = cr.vjp(lambda x: softplus(x) * 2.0, 0.5)
    assert math.isclose(pullback(1.0)[0], 2.0 / (1.0 + math.exp(-0.5)))
    assert math.isclose(pullback(2.0)[0], 4.0 / (1.0 + math.exp(-0.5)))
    assert computed == [math.exp(0.5)]


# AM45–AM47, SI10, SI44: kinds of functions, and what they convert to


def doubling():
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: 2.0 * x)


def of_kind(*modes, inner=lambda y_bar: 2.0 * y_bar):
    """A callable in C, x ↦ 2 x, with rules for these modes."""
    f = doubling()
    if "forward" in modes:

        @cr.frule(f)
        def doubled_frule(tangents, x: float):
            return f(x), 2.0 * tangents[0]

    if "reverse" in modes:

        @cr.rrule(f)
        def doubled_rrule(x: float):
            def doubled_pullback(y_bar):
                return (inner(y_bar),)

            return f(x), doubled_pullback

    if "constant" in modes:
        cr.non_differentiable(f, why="the case says so")
    return f


def test_AM45_a_function_of_a_higher_order_serves_where_a_lower_one_is_needed():
    assert cr.derivative(cr.derivative(cr.derivative(lambda x: x**6)))(1.0) == pytest.approx(120.0)
    once = of_kind("reverse", inner=doubling())
    assert cr.grad(once)(3.0) == 2.0
    with pytest.raises(TypeError, match=r"no reverse rule for .*CFunctionType"):
        cr.grad(lambda x: cr.grad(lambda x: once(x) * x)(x))(3.0)


OPERATORS = {
    "none": lambda f: f(3.0),
    "linear": lambda f: cr.linear_transpose(f, 3.0)(1.0)[0],
    "forward": lambda f: cr.jvp(f, (3.0,), (1.0,))[1],
    "reverse": lambda f: cr.vjp(f, 3.0)[1](1.0)[0],
}
CONVERSIONS = [  # (kind, what it converts to, what it does not, its derivative); bidirectional is both modes
    (of_kind(), "none", "linear forward reverse", None),
    (np.negative, "none linear forward reverse", "", -1.0),
    (of_kind("constant"), "none forward reverse", "linear", 0.0),
    (of_kind("forward"), "none forward", "linear reverse", 2.0),
    (of_kind("reverse"), "none reverse", "forward", 2.0),  # whether a rule is linear is not declared
    (of_kind("forward", "reverse"), "none forward reverse", "", 2.0),
]


@pytest.mark.parametrize(("f", "kinds", "others", "slope"), CONVERSIONS)
@pytest.mark.parametrize("wrapped", [False, True], ids=["itself", "in a function"])
def test_AM46_AM47_a_function_converts_where_an_operator_takes_it(f, kinds, others, slope, wrapped):
    g = (lambda x: f(x)) if wrapped else f
    for kind in kinds.split():
        expected = f(3.0) if kind == "none" else slope
        assert cr.materialize(OPERATORS[kind](g), like=3.0) == expected
    for kind in others.split():
        with pytest.raises(TypeError):
            OPERATORS[kind](g)


def test_SI10_SI44_one_program_does_both_modes_and_is_made_once(monkeypatch):
    def f(x):
        return np.sin(x) * x

    made, make = [], twins._made

    def noted(g):
        made.append(g)
        return make(g)

    monkeypatch.setattr(twins, "_made", noted)
    expected = math.cos(1.0) + math.sin(1.0)
    for _ in range(2):
        assert cr.vjp(f, 1.0)[1](1.0)[0] == pytest.approx(expected)
        assert cr.jvp(f, (1.0,), (1.0,))[1] == pytest.approx(expected)
        assert made == [f]
