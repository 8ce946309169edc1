"""Polynomials as objects: made of coefficients or roots, called, differentiated, integrated."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule

C, X = np.array([1.0, -0.5, 0.3]), np.array([0.2, 0.7])
PROGRAMS: dict[str, Callable[..., Any]] = {
    "call": lambda c, x: np.poly1d(c)(x),
    "deriv": lambda c, x: np.poly1d(c).deriv()(x),
    "integ": lambda c, x: np.poly1d(c).integ()(x),
    "of roots": lambda c, x: np.poly1d(c, True)(x),
    "roots": lambda c, x: np.abs(np.poly1d(c).r) * x,
    "copy": lambda c, x: np.poly1d(np.poly1d(c))(x),
}

NAMES = ("_coeffs", "coeffs", "coef", "coefficients", "c")
CASES = [
    case(np.poly1d, C),
    case(np.poly1d, C.astype(np.float32)),
    case(np.poly1d, np.poly1d(C)),
    *(case(getattr, np.poly1d(c), name) for name in NAMES for c in (C, C.astype("f4"), C[:1] + 1j)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    check_grads(PROGRAMS[name], C, X, order=1)


def test_the_gradient_by_a_polynomial() -> None:
    gradient = cr.grad(lambda p: p(2.0) * p.coeffs[0])(np.poly1d(C))
    np.testing.assert_allclose(gradient.coeffs, [4.0 + float(np.polyval(C, 2.0)), 2.0, 1.0])


def test_leading_zeros_are_constants() -> None:
    _, pullback = rrule_of(np.poly1d, np.array([0.0, 2.0, 1.0]))
    np.testing.assert_array_equal(pullback(cr.Composite[np.poly1d](coeffs=np.ones(2)))[0], [0.0, 1.0, 1.0])
