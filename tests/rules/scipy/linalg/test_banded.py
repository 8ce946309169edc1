"""Systems and Cholesky factors of matrices stored by diagonals."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule


def half(m: int, n: int, lower: bool, numbers: Any = normal, seed: int = 0) -> Any:
    """One half of the diagonals of a Hermitian positive definite matrix, with garbage in the corners."""
    ab = numbers(m + 1, n, seed=seed) * 0.5
    ab[0 if lower else m] = 4.0 + np.abs(ab[0 if lower else m])
    return ab


def band(low: int, up: int, n: int, numbers: Any = normal) -> Any:
    ab = numbers(low + up + 1, n)
    ab[up] += 4.0
    return ab


COUNTS = {pair: constant(pair) for pair in ((1, 2), (1, 1), (2, 0), (0, 0))}
CASES = [
    *(case(linalg.solve_banded, c, band(*pair, 5), normal(5)) for pair, c in COUNTS.items()),
    case(linalg.solve_banded, COUNTS[1, 2], band(1, 2, 4, complex_normal), complex_normal(4, 2)),
    case(linalg.solve_banded, COUNTS[1, 2], np.stack([band(1, 2, 4), band(1, 2, 4) + 1]), normal(4)),
    *(
        case(linalg.solveh_banded, half(m, 5, lower, numbers), numbers(5, 2, seed=3), lower=lower)
        for m in (1, 2)
        for lower in (False, True)
        for numbers in (normal, complex_normal)
    ),
    case(linalg.solveh_banded, half(1, 4, True), normal(4), lower=True),
    *(case(linalg.solve_banded, COUNTS[1, 2], band(1, 2, n), normal(n)) for n in (1, 2)),
    *(
        case(linalg.cholesky_banded, half(3, n, lower), lower=lower)
        for n in (1, 2)
        for lower in (False, True)
    ),
    *(case(linalg.solveh_banded, half(3, 2, lower), normal(2), lower=lower) for lower in (False, True)),
    *(
        case(linalg.cho_solve_banded, (half(3, n, lower), lower), normal(n))
        for n in (1, 2)
        for lower in (False, True)
    ),
    *(
        case(linalg.cholesky_banded, half(2, 4, lower, numbers), lower=lower)
        for lower in (False, True)
        for numbers in (normal, complex_normal)
    ),
    case(linalg.cholesky_banded, np.stack([half(1, 3, True), half(1, 3, True, seed=4)]), lower=True),
    *(
        case(linalg.cho_solve_banded, (half(2, 4, lower, numbers), lower), numbers(4, 2, seed=2))
        for lower in (False, True)
        for numbers in (normal, complex_normal)
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    def solved(ab: Any, b: Any) -> Any:
        return linalg.solveh_banded(ab, b, lower=True)

    check_grads(solved, half(1, 3, True), normal(3))
    check_grads(lambda ab: linalg.solve_banded((1, 1), ab, ab[0]), band(1, 1, 3))
    check_grads(linalg.cholesky_banded, half(1, 3, False))


def test_corners_that_are_not_read_have_no_cotangent() -> None:
    ab_bar = rrule_of(linalg.solve_banded, (1, 2), band(1, 2, 5), normal(5))[1](normal(5, seed=1))[1]
    assert ab_bar[0, 0] == ab_bar[0, 1] == ab_bar[1, 0] == ab_bar[3, 4] == 0


def test_no_whole_matrix_is_made() -> None:
    n = 200_000
    ab = np.ones((3, n))
    ab[1] = 4.0
    _, pullback = rrule_of(linalg.solve_banded, (1, 1), ab, np.ones(n))
    assert pullback(np.ones(n))[1].shape == (3, n)


def test_lists_beside_the_numbers_of_diagonals() -> None:
    """Diagonals and right-hand sides may be lists; the pair of numbers stays a tuple."""
    ab, b = np.array([[0.0, 1.0, 1.0], [4.0, 4.0, 4.0], [1.0, 1.0, 0.0]]), np.array([1.0, 2.0, 3.0])

    def f(ab: Any, b: Any) -> Any:
        return np.sum(linalg.solve_banded((1, 1), ab, b) ** 2)

    by_ab, by_b = cr.grad(f, (0, 1))(ab, b)
    np.testing.assert_allclose(cr.grad(f, 1)(ab.tolist(), b), by_b)
    np.testing.assert_allclose(cr.grad(f)(ab, tuple(b)), by_ab)
    for _ in range(5):
        np.testing.assert_allclose(cr.grad(lambda t: f(ab.tolist(), t * b))(1.0), by_b @ b)
