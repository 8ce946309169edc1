"""Padding in every mode: NumPy's values, differences, repeated reflections, ties."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.testing import check_grads, check_rule

MODES = ["edge", "wrap", "reflect", "symmetric", "linear_ramp", "maximum", "minimum", "mean", "median"]
CASES = [
    case(np.pad, normal(3), constant(2)),
    case(np.pad, normal(2, 3), constant((1, 2)), "constant", constant_values=2.0),
    case(np.pad, complex_normal(2, 3), constant(((1, 0), (0, 2))), constant_values=((1.0, 2.0), (3.0, 4.0))),
    case(np.pad, 2.0, constant(3), why="no axis"),
    case(np.pad, normal(0), constant(2), constant_values=1.0, why="empty"),
    case(np.pad, normal(2, 3), pad_width={-1: (1, 2)}, why="an axis by name"),
    *(case(np.pad, normal(3), constant((2, 1)), m) for m in MODES),
    *(case(np.pad, normal(2, 3).astype(np.float32), constant(((1, 2), (0, 1))), m) for m in MODES),
    *(case(np.pad, normal(2, 1, 3), constant(((3, 2), (1, 1), (7, 5))), m) for m in MODES),
    *(case(np.pad, complex_normal(2, 2), constant(1), m) for m in MODES),
    *(case(np.pad, normal(2, 3), constant(7), m, reflect_type="odd") for m in ("reflect", "symmetric")),
    *(case(np.pad, normal(5), constant((1, 2)), m, stat_length=(2, 9)) for m in MODES[5:]),
    case(np.pad, normal(2, 3), constant(2), "linear_ramp", end_values=((1.0, 2.0), (3.0, 4.0))),
    case(np.pad, normal(3), constant((2, 0)), "linear_ramp", end_values=-1.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("mode", ["constant", *MODES])
def test_second_order(mode: Any) -> None:
    check_grads(lambda x: np.pad(x**3, 2, mode), normal(3))


def test_second_order_with_ends_in_a_tuple() -> None:
    check_grads(lambda x: np.pad(x**3, 2, "linear_ramp", end_values=((1.0, 2.0),)), normal(3))


@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
@pytest.mark.parametrize("length", [1, 2, 3, 5])
@pytest.mark.parametrize("width", [(0, 1), (4, 3), (13, 22)])
def test_odd_reflections_are_numpys(mode: Any, length: int, width: Any) -> None:
    x = normal(length, seed=length)
    y, _ = rrule_of(np.pad, x, width, mode, reflect_type="odd")
    np.testing.assert_allclose(y, np.pad(x, width, mode, reflect_type="odd"), rtol=1e-12, atol=1e-12)


def test_what_is_around_an_empty_padding_is_nobodys() -> None:
    y, pullback = rrule_of(np.pad, np.ones(2), 1, "empty")
    assert y.shape == (4,)
    np.testing.assert_array_equal(pullback(np.array([1.0, 2.0, 3.0, 4.0]))[0], [2, 3])


def test_a_padding_is_differentiated_by_its_values() -> None:
    assert cr.grad(lambda c: np.sum(np.pad(np.ones((2, 3)), 1, constant_values=c)))(5.0) == 14.0
    np.testing.assert_allclose(
        cr.grad(lambda e: np.sum(np.pad(np.ones(2), 2, "linear_ramp", end_values=e)))(5.0), 3.0
    )


def test_a_value_cut_to_an_integer_has_no_derivative() -> None:
    assert cr.grad(lambda c: np.sum(1.0 * np.pad(np.arange(3), 1, constant_values=c)))(2.5) == 0.0


def test_maxima_that_tie_share() -> None:
    np.testing.assert_array_equal(
        cr.grad(lambda x: np.pad(x, 1, "maximum")[0])(np.array([2.0, 2.0, 1.0])), [0.5, 0.5, 0]
    )


def test_what_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="mode"):
        rrule_of(np.pad, normal(3), 1, lambda *_: None)
    with pytest.raises(UnsupportedArgument, match="integers"):
        rrule_of(np.pad, np.arange(3), 1, "mean")
