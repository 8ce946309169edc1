"""Look-up: dispatch on the types of the data, truth values in numeric slots, lists where arrays are taken."""

import operator
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.core.calls import pulled, pushed

import chainrules as cr
from chainrules.tangents.sparse import is_sparse


def test_the_most_specific_rule_answers() -> None:
    class Mine(np.ndarray): ...

    def f(x):
        return x

    @cr.rrule(f)
    def any_rrule(x: object):
        return x, lambda y_bar: (1.0,)

    @cr.rrule(f)
    def number_rrule(x: float | complex):
        return x, lambda y_bar: (2.0,)

    @cr.rrule(f)
    def array_rrule(x: np.ndarray):
        return x, lambda y_bar: (np.full(x.shape, 3.0),)

    @cr.rrule(f)
    def mine_rrule(x: Mine):
        return x, lambda y_bar: (np.full(x.shape, 4.0),)

    for x, slope in ((1.0, 2.0), (1j, 2.0), (1, 1.0), (np.ones(1), 3.0), (np.ones(1).view(Mine), 4.0)):
        assert pulled(f, x, seed=np.ones(1) if np.ndim(x) else 1.0)[0] == slope


def test_where_nothing_matches_the_answer_is_none() -> None:
    def f(x):
        return x

    assert cr.apply_rrule(f, 1.0) is None
    assert cr.apply_frule(f, (1.0,), (1.0,)) is None
    cr.scalar_rule(f, 1.0)
    assert cr.apply_rrule(f, "text") is None
    assert cr.apply_frule(f, ("text",), (cr.NoTangent(),)) is None


@pytest.mark.parametrize("flag", [True, False, np.True_, np.False_])
def test_a_truth_value_stands_in_a_numeric_slot_as_a_number_does(flag: Any) -> None:
    assert pulled(np.multiply, 3.0, flag) == (float(flag), cr.NoTangent())
    assert pushed(np.multiply, (3.0, flag), (1.0, cr.NoTangent())) == (3.0 * flag, float(flag))


def test_a_comparison_may_switch_a_term_on_and_off() -> None:
    x = np.array([-1.0, 2.0])
    assert cr.grad(lambda x: x * (x > 0))(2.0) == 1.0
    np.testing.assert_array_equal(cr.grad(lambda x: np.sum(x * (x > 0)))(x), [0.0, 1.0])


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_or_tuple_reaches_a_numeric_rule_as_an_array(kind: type) -> None:
    x = kind([1.0, 2.0, 3.0])
    (x_bar,) = pulled(np.sum, x)
    assert x_bar == cr.Composite[kind](1.0, 1.0, 1.0)
    (x_bar, y_bar) = pulled(np.multiply, x, np.ones(3), seed=np.arange(3.0))
    assert x_bar == cr.Composite[kind](0.0, 1.0, 2.0)
    np.testing.assert_array_equal(y_bar, [0.0, 2.0, 6.0])
    y, dy = pushed(np.sum, (x,), (cr.Composite[kind](1.0, cr.Zero(), 10.0),))
    assert (y, dy) == (6.0, 11.0)


def test_python_s_own_operators_do_not_make_arrays_of_lists() -> None:
    assert cr.apply_rrule(operator.mul, [1.0, 2.0], [3.0]) is None
    assert pulled(operator.add, [1.0], [3.0], seed=[5.0, 7.0]) == (
        cr.Composite[list](5.0),  # a rule for lists: they are joined
        cr.Composite[list](7.0),
    )
    y, back = cr.apply_rrule(operator.mul, [1.0, 2.0], np.ones(2)) or (None, None)
    assert back is not None
    np.testing.assert_array_equal(y, [1.0, 2.0])
    assert back(np.ones(2))[0] == cr.Composite[list](1.0, 1.0)


class Meters(float):
    """A number for which a general rule must not apply."""


def opted() -> Any:
    """A function with both rules for floats, opted out for `Meters`."""

    def f(x):
        return x * x

    cr.scalar_rule(f, lambda y, x: -1.0)  # wrong on purpose: it shows who answered
    cr.opt_out(f, Meters)
    return f


def test_what_is_opted_out_has_no_rule_in_either_mode() -> None:
    f = opted()
    assert pulled(f, 3.0) == (-1.0,)
    assert cr.apply_rrule(f, Meters(3.0)) is None
    assert cr.apply_frule(f, (Meters(3.0),), (1.0,)) is None


def test_an_engine_then_takes_the_python_source() -> None:
    f = opted()
    assert cr.grad(lambda x: f(x))(3.0) == -1.0
    assert cr.grad(lambda x: f(x))(Meters(3.0)) == 6.0
    assert cr.jvp(lambda x: f(x), (Meters(3.0),), (1.0,)) == (9.0, 6.0)


def test_an_opt_out_does_not_reach_more_special_rules() -> None:
    class Feet(Meters): ...

    f = opted()

    @cr.rrule(f)
    def feet_rrule(x: Feet):
        return x, lambda y_bar: (5.0,)

    assert pulled(f, Feet(1.0)) == (5.0,)
    assert cr.apply_rrule(f, Meters(1.0)) is None


def test_opting_a_list_out_keeps_it_from_becoming_an_array() -> None:
    def f(x):
        return np.sum(x)

    @cr.rrule(f)
    def f_rrule(x: np.ndarray):
        return np.sum(x), lambda y_bar: (np.full(x.shape, y_bar),)

    assert pulled(f, [1.0]) == (cr.Composite[list](1.0),)
    cr.opt_out(f, list)
    assert cr.apply_rrule(f, [1.0]) is None
    assert pulled(f, (1.0,)) == (cr.Composite[tuple](1.0),)


def test_an_opt_out_of_what_has_a_rule_for_these_types_is_refused_in_both_modes() -> None:
    def f(x):
        return x

    @cr.rrule(f)
    def f_rrule(x: float):
        return x, lambda y_bar: (y_bar,)

    with pytest.raises(cr.RegistrationError, match="has a reverse rule for these types already"):
        cr.opt_out(f, float)
    assert cr.rules_for(f).opt_outs == ()

    @cr.frule(f)  # the refused opt-out left no forward half behind
    def f_frule(tangents, x: float):
        return x, tangents[0]

    assert pushed(f, (1.0,), (2.0,)) == (1.0, 2.0)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("f", [operator.mul, np.sum, np.multiply], ids=["*", "sum", "multiply"])
def test_a_matrix_is_refused_by_name(f: Any) -> None:
    x = np.asmatrix([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(cr.NotDifferentiableError, match=r"numpy\.matrix"):
        cr.apply_rrule(f, *((x,) if f is np.sum else (x, x)))
    with pytest.raises(cr.NotDifferentiableError, match=r"numpy\.matrix"):
        cr.grad(lambda x: np.sum(x * x))(x)


def test_a_list_becomes_an_array_beside_a_tuple_that_the_rule_takes() -> None:
    def f(places, x, y):
        return np.sum(np.asarray(x)[list(places)]) * np.sum(y)

    @cr.rrule(f)
    def f_rrule(places: tuple, x: cr.Array, y: cr.Array | list):
        def f_pullback(seed):
            x_bar = np.zeros(3)
            x_bar[list(places)] = seed * np.sum(y)
            return cr.NoTangent(), x_bar, cr.NoTangent()

        return f(places, x, y), f_pullback

    for y in (np.ones(2), [1, 1], (1, 1)):
        _, x_bar, _ = pulled(f, (0, 2), [1.0, 2.0, 3.0], y)
        np.testing.assert_array_equal(list(x_bar), [2.0, 0.0, 2.0])


@pytest.mark.parametrize("module", ["numpy.ma", "scipy.sparse"])
def test_a_library_that_another_thread_is_importing_is_not_asked(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def f(x):
        return x

    @cr.rrule(f)
    def array_rrule(x: np.ndarray):
        return x, lambda y_bar: (2.0 * y_bar,)

    monkeypatch.setitem(sys.modules, module, ModuleType(module))
    assert not is_sparse(np.ones(1))
    np.testing.assert_array_equal(pulled(f, np.ones(1), seed=np.ones(1))[0], [2.0])
