"""Rules of functions that are written out as programs of others."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import normal, rrule_of

import chainrules as cr
from chainrules.rules.written import as_found, written_out
from chainrules.testing import check_grads, check_rule


def scaled_total(x: Any, y: Any, /, scale: float = 1.0) -> Any:
    """What a library has in C."""
    return np.sum(np.asarray(x) * np.asarray(y)) ** 2 * scale


@written_out(scaled_total)
def written_total(x: cr.Array, y: cr.Array, *, scale=1.0):
    return scale * np.sum(x * y) ** 2


@pytest.mark.parametrize("kwargs", [{}, {"scale": 3.0}])
def test_both_modes_and_orders(kwargs: Any) -> None:
    check_rule(scaled_total, normal(3), normal(3, seed=1), **kwargs)
    check_grads(lambda x, y: scaled_total(x, y, **kwargs), normal(3), normal(3, seed=1))


def test_metadata_by_position_has_no_tangent() -> None:
    _, pullback = rrule_of(scaled_total, normal(2), normal(2), 2.0)
    assert len(pullback(1.0)) == 3


def test_the_report_tells_where_it_is_written() -> None:
    assert __file__ in str(cr.rules_for(scaled_total))


@pytest.mark.parametrize("inner", ["forward", "reverse"])
@pytest.mark.parametrize("outer", ["forward", "reverse"])
def test_metadata_by_name_in_a_second_derivative(inner: str, outer: str) -> None:
    x, v, w = normal(3), normal(3, seed=1), normal(3, seed=2)

    def once(z: Any) -> Any:
        return scaled_total(z, z, scale=3.0)

    def slope(z: Any) -> Any:
        return cr.jvp(once, (z,), (v,))[1] if inner == "forward" else np.sum(cr.grad(once)(z) * v)

    found = cr.jvp(slope, (x,), (w,))[1] if outer == "forward" else np.sum(cr.grad(slope)(x) * w)
    h = 1e-4
    fourfold = once(x + h * (v + w)) - once(x + h * (v - w)) - once(x - h * (v - w)) + once(x - h * (v + w))
    assert found == pytest.approx(fourfold / (4 * h * h), rel=1e-5)


def test_the_value_of_the_function_with_the_derivative_of_the_program() -> None:
    x = normal(3).astype(np.float32)
    y, pullback = cr.vjp(lambda x: as_found(np.array([7.0, 8.0, 9.0], np.float32), x * 2.0), x)
    np.testing.assert_array_equal(y, [7.0, 8.0, 9.0])
    np.testing.assert_array_equal(pullback(np.ones(3))[0], 2.0)
    _, dy = cr.jvp(lambda x: as_found(x * x, x * x), (x,), (np.ones(3, np.float32),))
    np.testing.assert_array_equal(dy, 2 * x)
    check_grads(lambda x: as_found(x**3, x**3), normal(3), order=2)
