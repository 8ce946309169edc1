"""Logarithms, roots, powers and signs of matrices, and where they jump."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule


def regular(*shape: int, numbers: Any = normal, seed: int = 0) -> Any:
    return numbers(*shape, seed=seed) + 4 * np.eye(shape[-1])


ROTATION = np.array([[0.0, -1.0], [1.0, 0.2]])
DEFECTIVE = np.array([[2.0, 1.0], [0.0, 2.0]])
MATRICES = [regular(3, 3), regular(3, 3, numbers=complex_normal), regular(2, 2, 2), ROTATION, DEFECTIVE]
CASES = [
    *(case(f, x) for f in (linalg.logm, linalg.sqrtm) for x in MATRICES),
    *(case(linalg.fractional_matrix_power, x, 0.3) for x in MATRICES[:4]),
    case(linalg.fractional_matrix_power, regular(3, 3), -1.4),
    case(linalg.fractional_matrix_power, np.ones((2, 2)), 2, why="an integer power of a singular matrix"),
    case(linalg.signm, normal(3, 3)),
    case(linalg.signm, complex_normal(3, 3)),
    case(linalg.signm, np.stack([np.array([[1.0, 0.4], [0.3, -1.2]]), np.array([[-1.5, 0.2], [0.7, 0.6]])])),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [linalg.logm, linalg.sqrtm, linalg.signm])
def test_second_order(f: Any) -> None:
    check_grads(f, np.array([[1.0, 0.4], [0.3, -1.2]]) if f is linalg.signm else regular(2, 2))


def test_second_order_of_powers() -> None:
    check_grads(linalg.fractional_matrix_power, regular(2, 2), 0.3)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("f", [linalg.logm, linalg.sqrtm, lambda a: linalg.fractional_matrix_power(a, 0.5)])
@pytest.mark.parametrize("x", [np.diag([1.0, -2.0]), np.diag([1.0, 0.0]), -np.eye(2)])
def test_the_negative_axis_is_refused(f: Any, x: Any) -> None:
    with pytest.raises(cr.NotDifferentiableError, match="negative axis"):
        cr.grad(lambda a: np.sum(np.real(f(a))))(x)
    with pytest.raises(cr.NotDifferentiableError, match="negative axis"):
        cr.jvp(f, (x,), (np.ones((2, 2)),))


def test_a_sign_on_the_imaginary_axis_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="imaginary axis"):
        cr.grad(lambda a: np.sum(linalg.signm(a)))(np.array([[0.0, 1.0], [-1.0, 0.0]]))


def test_the_error_estimate_is_refused() -> None:
    for f in (linalg.logm, linalg.sqrtm, linalg.signm):
        with pytest.raises(cr.UnsupportedArgument, match="disp"):
            cr.jvp(lambda a, f=f: f(a, disp=False), (np.eye(2),), (np.eye(2),))
