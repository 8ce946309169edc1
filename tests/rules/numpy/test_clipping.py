"""Clipping against differences: bounds by position and by name, arrays to write into, decisions at bounds."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, normal, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule

CASES = [
    case(np.clip, normal(2, 3), -0.3, 0.4),
    case(np.clip, normal(2, 3), np.array([-0.3, 0.0, 0.2]), normal(2, 1) + 1, why="array bounds"),
    case(np.clip, normal(5), 0.5, -0.5, why="bounds crossed: the upper one wins"),
    case(np.clip, normal(3), -0.1, None),
    case(np.clip, normal(3), None, 0.1),
    case(np.clip, normal(3), min=0.1, max=0.2),
    case(np.clip, normal(2, 3), min=normal(3, seed=1)),
    case(np.clip, normal(3).astype(np.float32), max=np.float32(0.1)),
    case(np.clip, 0.5, 0.0, 1.0),
    case(np.clip, normal(2, 3), 0.0, 0.5, np.ones((2, 3))),
    case(np.clip, normal(2, 1), normal(3, seed=1), None, np.ones((2, 3)), why="a bound that is wider than x"),
    case(np.ndarray.clip, normal(3), -0.1, 0.1),
    case(np.ndarray.clip, normal(3), max=0.1),
]
X = np.array([-0.8, 0.3, 0.9])


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def in_place(x: Any) -> Any:
    a = x * x[1]
    np.clip(a, -0.1, x[2] * 0.2, out=a)
    a.clip(min=x[0] * 0.05, out=a)
    return np.sum(a * x)


def by_name(x: Any) -> Any:
    return np.sum(np.clip(x * x, min=x[1], max=x[2] * 0.8) * x)


@pytest.mark.parametrize("f", [in_place, by_name])
def test_programs_to_second_order(f: Any) -> None:
    check_grads(f, X, order=2)


def test_x_passes_at_its_bounds() -> None:
    x = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    x_bar, low_bar, high_bar = rrule_of(np.clip, x, 0.0, 1.0)[1](np.ones(5))
    np.testing.assert_array_equal(x_bar, [0, 1, 1, 1, 0])
    assert (low_bar, high_bar) == (1.0, 1.0)


def test_a_bound_given_by_name_has_its_cotangent() -> None:
    x_bar, max_bar = cr.grad(lambda x, m: np.sum(np.clip(x, max=m)), argnums=(0, 1))(np.ones(2), 0.5)
    np.testing.assert_array_equal(x_bar, [0.0, 0.0])
    assert max_bar == 2.0


def test_a_bound_given_twice_is_numpy_s_error() -> None:
    with pytest.raises(ValueError, match="min"):
        cr.grad(lambda x: np.sum(np.clip(x, 0.0, 1.0, min=0.5)))(X)
