"""Bessel functions, windows and logarithmic spacings, against differences and known values."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of, uniform

import chainrules as cr
from chainrules.rules.numpy.special import i1
from chainrules.testing import check_grads, check_rule

N = constant(4)
CASES = [
    *(case(f, normal(2, 3)) for f in (np.i0, i1)),
    *(case(f, np.array([0.0, 1.0], np.float32)) for f in (np.i0, i1)),
    *(case(f, 2.0) for f in (np.i0, i1)),
    case(np.kaiser, constant(5), 2.0),
    case(np.kaiser, constant(1), 2.0),
    case(np.kaiser, constant(4), np.float64(14.0)),
    case(np.kaiser, constant(0), 2.0),
    case(np.geomspace, 1.0, 8.0, N),
    case(np.geomspace, uniform(2), uniform(3, 1, seed=1), N, endpoint=False, axis=-1),
    case(np.geomspace, -uniform(2).astype(np.float32), np.float32(-1.0), N),
    case(np.geomspace, complex_normal(2), complex_normal(2, seed=3), N),
    case(np.logspace, 0.1, 1.5, N),
    case(np.logspace, normal(2), normal(3, 1), N, False, 2.0, axis=-1),
    case(np.logspace, normal(2), 1.0, N, base=uniform(2)),
    case(np.logspace, complex_normal(2), 1.0, N),
    case(np.logspace, normal(2).astype(np.float32), np.ones(2, np.float32), N, base=2.0),
    case(np.i0, normal(2).astype(np.longdouble)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda x: np.i0(x**3), normal(3))
    check_grads(lambda b: np.kaiser(4, b * b), 1.5)
    check_grads(lambda a, b: np.geomspace(a * a, b**3, 4), 1.2, 1.5)
    check_grads(lambda a, b: np.logspace(a * a, 1.0, 4, base=b), 0.3, 1.5)


def test_the_second_derivative_of_i0_at_zero_is_a_half() -> None:
    assert cr.grad(cr.grad(np.i0))(0.0) == 0.5  # type: ignore[arg-type]  # of several overloads the checker takes the first


def test_spaced_integers_have_no_derivative() -> None:
    assert cr.grad(lambda a: np.sum(1.0 * np.geomspace(a, 8.0, 4, dtype=int)))(1.0) == 0.0
    assert cr.grad(lambda a: np.sum(1.0 * np.logspace(a, 1.0, 4, dtype=int)))(0.5) == 0.0


def test_single_precision_is_kept() -> None:
    x = np.array([0.5, 1.0], np.float32)
    y, expected = rrule_of(np.logspace, x, x, 3)[0], np.logspace(x, x, 3)
    assert y.dtype == expected.dtype == np.float32
