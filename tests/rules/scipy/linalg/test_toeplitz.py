"""Systems and products with Toeplitz and circulant matrices."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.rules.scipy.linalg.toeplitz import toeplitz_system
from chainrules.testing import check_grads, check_rule


def column(*shape: int, numbers: Any = normal, seed: int = 0) -> Any:
    c = numbers(*shape, seed=seed)
    c[..., 0] += 5.0
    return c


CASES = [
    case(linalg.solve_toeplitz, (column(4), normal(4, seed=3)), normal(4)),
    case(linalg.solve_toeplitz, (column(3, numbers=complex_normal), complex_normal(3)), complex_normal(3, 2)),
    case(linalg.solve_toeplitz, column(3), normal(3, 2)),
    case(linalg.solve_toeplitz, column(3, numbers=complex_normal), complex_normal(3)),
    case(linalg.solve_toeplitz, (column(2, 3), normal(3)), normal(3), why="a stack of columns"),
    case(toeplitz_system, column(3), normal(3), normal(3, 2)),
    case(linalg.matmul_toeplitz, (normal(4), normal(3)), normal(3)),
    case(linalg.matmul_toeplitz, (complex_normal(3), complex_normal(4)), complex_normal(4, 2)),
    case(linalg.matmul_toeplitz, normal(3), normal(3)),
    case(linalg.matmul_toeplitz, (normal(2, 3), normal(3)), normal(3, 2), check_finite=True),
    case(linalg.solve_circulant, column(4), normal(4)),
    case(linalg.solve_circulant, column(3, numbers=complex_normal), complex_normal(3, 2)),
    case(linalg.solve_circulant, column(2, 3), normal(3), outaxis=-1),
    case(linalg.solve_circulant, column(3, 2).T, normal(2, 3), caxis=1, baxis=1, outaxis=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda c: linalg.solve_toeplitz((c, 0.3 * c), np.sin(c)), column(3))
    check_grads(lambda c: linalg.solve_circulant(c, c * c), column(3))
    check_grads(lambda c: linalg.matmul_toeplitz((c, c * c), c), column(3))


def test_the_first_entry_of_the_row_is_not_read() -> None:
    _, pullback = rrule_of(linalg.solve_toeplitz, (column(3), normal(3)), normal(3))
    assert pullback(normal(3, seed=2))[0][1][0] == 0


def test_vanishing_frequencies_stay_so() -> None:
    c = np.array([1.0, -1.0, 0.0, 0.0])

    def least_squares(b: Any) -> Any:
        return linalg.solve_circulant(c, b, singular="lstsq")

    check_grads(least_squares, normal(4), order=1)
    with pytest.raises(np.linalg.LinAlgError):
        cr.grad(lambda c: np.sum(linalg.solve_circulant(c, np.ones(4))))(c)
