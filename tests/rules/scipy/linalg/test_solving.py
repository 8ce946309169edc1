"""Linear systems and inverses of every structure: the cotangent stands where the matrix is read."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.core import reverse
from chainrules.tangents import Zero
from chainrules.testing import check_grads, check_rule


def regular(*shape: int, seed: int = 0) -> Any:
    return normal(*shape, seed=seed) + 4 * np.eye(shape[-1])


def irregular(*shape: int, seed: int = 0) -> Any:
    return complex_normal(*shape, seed=seed) + 5 * np.eye(shape[-1])


STRUCTURES = [
    "gen",
    "sym",
    "her",
    "pos",
    "upper triangular",
    "lower triangular",
    "diagonal",
    "tridiagonal",
    "banded",
]
CASES = [
    *(case(linalg.solve, regular(4, 4), normal(4, 2), assume_a=kind) for kind in STRUCTURES),
    *(case(linalg.solve, irregular(3, 3), complex_normal(3), assume_a=kind) for kind in STRUCTURES),
    *(
        case(linalg.solve, irregular(3, 3), normal(3), assume_a=kind, lower=True)
        for kind in ("sym", "her", "pos")
    ),
    case(linalg.solve, regular(3, 3), normal(3)),
    case(linalg.solve, regular(3, 3), normal(3), transposed=True),
    case(linalg.solve, regular(3, 3), normal(3, 2), transposed=True, assume_a="upper triangular"),
    case(linalg.solve, regular(3, 3), normal(3), check_finite=False),
    case(linalg.solve, regular(4, 3, 3), normal(3), why="a stack, one vector"),
    case(linalg.solve, regular(3, 3), normal(4, 3, 2), why="one matrix, a stack on the right"),
    case(linalg.solve, regular(2, 1, 3, 3), normal(4, 3, 1), assume_a="sym"),
    case(linalg.solve, regular(3, 3).astype(np.float32), normal(3).astype(np.float32)),
    *(case(linalg.inv, regular(3, 3), assume_a=kind) for kind in STRUCTURES[:6]),
    *(case(linalg.inv, irregular(2, 3, 3), assume_a=kind, lower=True) for kind in STRUCTURES[:4]),
    case(linalg.inv, regular(2, 3, 3)),
    *(
        case(linalg.solve_triangular, a, b, trans=trans, lower=lower)
        for a, b in ((regular(3, 3), normal(3)), (irregular(3, 3), complex_normal(3, 2)))
        for trans in (0, "T", 2)
        for lower in (False, True)
    ),
    case(linalg.solve_triangular, regular(3, 3), normal(3), unit_diagonal=True),
    case(linalg.solve_triangular, regular(2, 3, 3), normal(3), lower=True),
    case(linalg.solve_triangular, regular(3, 3), normal(2, 3, 2), trans=1, unit_diagonal=True),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("kind", ["sym", "her", "pos"])
@pytest.mark.parametrize("lower", [False, True])
def test_the_triangle_that_is_not_read_has_no_influence(kind: str, lower: bool) -> None:
    _, pullback = rrule_of(linalg.solve, regular(3, 3), normal(3), assume_a=kind, lower=lower)
    a_bar = pullback(normal(3, seed=5))[0]
    np.testing.assert_array_equal(np.triu(a_bar, 1) if lower else np.tril(a_bar, -1), 0)


def test_the_matrix_is_left_out_where_it_is_constant() -> None:
    for f in (linalg.solve, linalg.solve_triangular):
        found = reverse(f, (regular(3, 3), normal(3)), needs=(False, True))
        assert found is not None
        assert isinstance(found[1](np.ones(3))[0], Zero)


def test_an_argument_is_not_overwritten_where_it_may_be() -> None:
    a = np.asfortranarray(regular(3, 3))
    before = a.copy()
    cr.grad(lambda b: np.sum(linalg.solve(a, b, overwrite_a=True)))(normal(3))
    np.testing.assert_array_equal(a, before)


def test_a_singular_matrix_raises_what_scipy_raises() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        cr.grad(lambda a: np.sum(linalg.solve(a, np.ones(2))))(np.ones((2, 2)))


def test_a_number_for_a_matrix_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="as many rows"):
        cr.grad(lambda a: np.sum(linalg.solve(a, np.ones(2))))(np.array([[2.0]]))


def test_a_matrix_called_diagonal_is_one() -> None:
    check_grads(lambda d: linalg.inv(np.diag(d), assume_a="diagonal"), normal(3))
    with pytest.raises(cr.UnsupportedArgument, match="beside the diagonal"):
        cr.grad(lambda a: np.sum(linalg.inv(a, assume_a="diagonal")))(regular(3, 3))
