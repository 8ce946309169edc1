"""Polynomials: values, powers and roots."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

CASES = [
    case(np.polyval, normal(4), normal(3, seed=1)),
    case(np.polyval, normal(4), 0.7),
    case(np.polyval, complex_normal(3), complex_normal(2, 2, seed=1)),
    case(np.polyval, normal(3), complex_normal(2)),
    case(np.polyval, normal(1), normal(2), why="a constant"),
    case(np.polyval, normal(0), normal(2), why="nothing"),
    case(np.polyval, normal(3).astype(np.float32), normal(2).astype(np.float32)),
    *(case(np.vander, normal(3), N=n) for n in (None, 0, 1, 2, 5)),
    case(np.vander, complex_normal(3), increasing=True),
    case(np.vander, normal(2).astype(np.float32), 3),
    case(np.roots, np.array([2.0, -1.0, -3.0])),
    case(np.roots, np.array([1.0, 2.0, 3.0, 4.0]), why="complex roots"),
    case(np.roots, complex_normal(4)),
    case(np.roots, np.array([1.0, -3.0, 2.0], dtype=np.float32)),
    case(np.roots, np.array([3.0]), why="no roots"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(np.polyval, normal(4), normal(2, seed=1))
    check_grads(lambda x: np.vander(x, 4), normal(2))
    check_grads(lambda p: np.abs(np.roots(p)), normal(4))


def test_roots_of_a_quadratic() -> None:
    def larger(b: float) -> Any:
        return np.max(np.roots(np.array([1.0, b, 2.0])))

    b = -5.0
    np.testing.assert_allclose(cr.grad(larger)(b), (-1 + b / np.sqrt(b**2 - 8)) / 2)


def test_repeated_roots_are_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="repeated root"):
        cr.grad(lambda p: np.sum(np.real(np.roots(p))))(np.array([1.0, -2.0, 1.0]))
