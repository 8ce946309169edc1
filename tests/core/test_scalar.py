"""`scalar_rule`: whose row it is, and both modes of what it makes."""

import math
from typing import Any

import numpy as np
import pytest
from tests.core.calls import pulled, pushed, value_and_pullback

import chainrules as cr
from chainrules.core import RegistrationError, apply_rrule, rules_for
from chainrules.rules.quiet import divide

ROW = "scalar_rule(f, lambda y, x: {slope})"


def run(module: str, f: Any, slope: float) -> None:
    """Call `scalar_rule` from a file of this module."""
    scope: dict[str, Any] = {"__name__": module, "f": f}
    exec("from chainrules.core import scalar_rule\n", scope)
    exec(compile(ROW.format(slope=slope), f"{module}.py", "exec"), scope)


def slope_of(f: Any) -> Any:
    applied = apply_rrule(f, 1.0)
    assert applied is not None
    return applied[1](1.0)[0]


def test_another_module_may_not_replace_a_scalar_rule_and_its_own_may() -> None:
    f = np.frompyfunc(math.cbrt, 1, 1)
    run("first", f, 2.0)
    with pytest.raises(RegistrationError, match=r"first\.py:1"):
        run("second", f, 3.0)
    assert slope_of(f) == 2.0
    run("first", f, 5.0)
    assert slope_of(f) == 5.0


def test_it_stands_where_it_was_called() -> None:
    f = np.frompyfunc(math.expm1, 1, 1)
    run("written_here", f, 1.0)
    assert str(rules_for(f)).count("written_here.py:1") == 4  # also for writing into out=


def differences(f: Any, x: tuple[Any, ...], i: int, step: float = 1e-6) -> Any:
    """∂f/∂xᵢ by central differences, summed over the broadcast value."""
    x_bar = np.zeros(np.shape(x[i]))
    for index in np.ndindex(*np.shape(x[i])):
        moved = []
        for h in (step, -step):
            each = np.array(x[i], float)
            each[index] += h
            moved.append(np.sum(f(*x[:i], each, *x[i + 1 :])))
        x_bar[index] = (moved[0] - moved[1]) / (2 * step)
    return x_bar


def tangled(x, y, z):
    return x * np.exp(y) / z


cr.scalar_rule(
    tangled,
    lambda v, x, y, z: (np.exp(y) / z, v, -v / z),  # one joint function
)


def weighted(x, y):
    return 2.0 * x - 3 * y


cr.scalar_rule(weighted, 2.0, -3)

MATRIX, ROW_, COLUMN = np.arange(1.0, 7.0).reshape(2, 3), np.array([0.5, 1.0, 2.0]), np.array([[2.0], [3.0]])


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (tangled, (1.5, 0.5, 2.0)),
        (tangled, (MATRIX, ROW_, COLUMN)),
        (tangled, (2.0, ROW_, COLUMN)),
        (weighted, (1.5, 0.5)),
        (weighted, (MATRIX, 2.0)),
        (weighted, (2.0, ROW_)),
        (weighted, (ROW_, COLUMN)),
        (np.multiply, (np.array(3.0), ROW_)),
        (np.hypot, (MATRIX, COLUMN)),
    ],
)
def test_both_modes_agree_with_differences_and_broadcasting_is_undone(f: Any, x: Any) -> None:
    y = f(*x)
    cotangents = pulled(f, *x, seed=np.ones(np.shape(y)) if np.ndim(y) else 1.0)
    for i, x_bar in enumerate(cotangents):
        assert np.shape(x_bar) == np.shape(x[i])
        np.testing.assert_allclose(x_bar, differences(f, x, i), rtol=1e-6, atol=1e-8)
        dx: list[Any] = [cr.Zero()] * len(x)
        dx[i] = np.ones(np.shape(x[i])) if np.ndim(x[i]) else 1.0
        _, dy = pushed(f, x, tuple(dx))
        assert np.shape(dy) == np.shape(y)
        np.testing.assert_allclose(np.sum(dy), np.sum(x_bar), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.float32(2), 3.0),
        (np.ones(2, np.float32), np.ones(2)),
        (2, 3.0),
        (np.arange(3), 2.0),
        (True, 2.0),
        (np.array([True, False]), 2.0),
        (1.0 + 2.0j, 3.0),
        (np.ones(2, complex), np.ones(2)),
        (np.array(2.0), np.array(3.0)),
        (np.zeros((0, 3)), np.ones(3)),
    ],
)
def test_each_cotangent_is_in_its_argument_s_space(x: Any, y: Any) -> None:
    z, back = value_and_pullback(np.multiply, x, y)
    for argument, bar in zip((x, y), back(np.ones_like(z) if np.ndim(z) else type(z)(1)), strict=True):
        dtype = np.asarray(argument).dtype
        if dtype.kind == "b":
            assert bar is cr.NoTangent()
            continue
        assert np.shape(bar) == np.shape(argument)
        expected = dtype if dtype.kind in "fc" else np.dtype(float)
        assert np.asarray(bar).dtype == expected


def test_a_holomorphic_function_pulls_back_by_the_conjugate() -> None:
    z, seed, h = 0.3 + 0.4j, 2.0 - 1.0j, 1e-7
    (z_bar,) = pulled(np.exp, z, seed=seed)
    for direction in (1.0, 1.0j):
        dy = (np.exp(z + h * direction) - np.exp(z - h * direction)) / (2 * h)
        assert (z_bar.conjugate() * direction).real == pytest.approx((seed.conjugate() * dy).real, rel=1e-6)


def test_what_is_not_holomorphic_refuses_complex_arguments_by_name() -> None:
    def flatten(x):
        return np.real(x) + 0.0

    cr.scalar_rule(flatten, 1.0, holomorphic=False)
    assert pulled(flatten, 2.0) == (1.0,)
    for x in (1j, np.ones(2, complex)):
        with pytest.raises(cr.UnsupportedArgument, match="flatten does not take argument 0"):
            cr.apply_rrule(flatten, x)
        with pytest.raises(cr.UnsupportedArgument, match="not holomorphic"):
            cr.apply_frule(flatten, (x,), (x,))


def test_a_strong_zero_wins_over_an_infinite_partial() -> None:
    def root(x):
        return np.sqrt(x)

    cr.scalar_rule(root, lambda y, x: divide(0.5, y), strong_zero=True)
    x = np.array([0.0, 4.0, 0.0])
    np.testing.assert_array_equal(pulled(root, x, seed=np.array([0.0, 1.0, 1.0]))[0], [0.0, 0.25, np.inf])
    np.testing.assert_array_equal(pushed(root, (x,), (np.array([0.0, 1.0, 1.0]),))[1], [0.0, 0.25, np.inf])
    assert pulled(root, 0.0, seed=0.0) == (0.0,)


@pytest.mark.parametrize(
    ("partials", "what"),
    [
        ((), "without partials"),
        ((lambda y, a, b: a, lambda y, a: a), "2 partials, functions of"),
        ((lambda y, a: a, lambda y, a: a, lambda y, a: a), "3 partials, functions of"),
        ((lambda y, a, b, c: (a, b, c),), "has 3 data parameters, the primal has 2"),
    ],
)
def test_partials_that_do_not_take_every_argument_are_refused(partials: Any, what: str) -> None:
    def f(a, b): ...

    with pytest.raises(cr.RegistrationError, match=what):
        cr.scalar_rule(f, *partials)
    assert cr.rules_for(f).reverse == cr.rules_for(f).forward == ()


def test_an_option_that_leaves_numbers_unknown_is_refused_and_its_default_passes() -> None:
    x = np.ones(2)
    np.testing.assert_array_equal(pulled(np.exp, x, where=True, seed=x)[0], np.exp(x))
    with pytest.raises(cr.UnsupportedArgument, match="where="):
        cr.apply_rrule(np.exp, x, where=x > 2)


def test_a_traceback_names_the_function_and_not_the_helper() -> None:
    assert cr.apply_rrule(np.tanh, 1.0) is not None  # loads the rules
    rules = {r.rule.__name__: r.rule for r in cr.rules_for(np.tanh).reverse if r.rule is not None}
    rule = rules["tanh_rrule"]  # others are for arrays that some libraries have
    assert rule(1.0)[1].__code__.co_name == "tanh_pullback"


@pytest.mark.parametrize("x", [0.5, np.array([0.5, 2.0])])
def test_a_partial_may_be_missing_for_numbers_too(x):
    def scaled(x, degree):
        return x * degree

    missing = cr.NotImplementedTangent("by the degree")
    cr.scalar_rule(scaled, lambda y, x, degree: degree, missing)
    x_bar, degree_bar = pulled(scaled, x, 3.0, seed=np.ones_like(x)[()])
    assert np.all(x_bar == 3.0)
    assert degree_bar == missing
    assert np.all(cr.grad(lambda x: np.sum(scaled(x, 3.0)))(x) == 3.0)
    with pytest.raises(cr.NoRuleError, match="by the degree"):
        cr.grad(lambda degree: np.sum(scaled(x, degree)))(3.0)


@pytest.mark.parametrize("x", [(1.5, 0.5), (MATRIX, 2.0)])
def test_one_function_for_all_partials_that_returns_one_is_refused_by_name(x: Any) -> None:
    def crossed(x: Any, y: Any) -> Any:
        return x * y

    cr.scalar_rule(crossed, lambda v, x, y: y)
    with pytest.raises(cr.RegistrationError, match="crossed: one function for 2 partials"):
        cr.grad(lambda x, y: np.sum(crossed(x, y)))(*x)
