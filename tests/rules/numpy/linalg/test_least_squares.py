"""Least squares and pseudo-inverses, of full and of constant lower rank."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule, checking

SHAPES = [(4, 2), (2, 4), (3, 3)]
CASES = [
    *(case(np.linalg.pinv, normal(*shape)) for shape in [*SHAPES, (2, 2, 3), (0, 2)]),
    case(np.linalg.pinv, complex_normal(2, 3)),
    case(np.linalg.pinv, normal(3, 2), rtol=1e-8),
    case(np.linalg.pinv, normal(3, 2), held(1e-8), why="rcond"),
    case(np.linalg.pinv, normal(3, 3), hermitian=True),
    case(np.linalg.pinv, complex_normal(3, 3), hermitian=True),
    case(np.linalg.pinv, normal(3, 2).astype(np.float32)),
    *(case(np.linalg.lstsq, normal(*s), normal(s[0], seed=2)) for s in SHAPES),
    *(case(np.linalg.lstsq, normal(*s), normal(s[0], 2, seed=2)) for s in SHAPES),
    *(case(np.linalg.lstsq, complex_normal(*s), complex_normal(s[0], 2, seed=2)) for s in SHAPES),
    case(np.linalg.lstsq, normal(4, 2), complex_normal(4)),
    case(np.linalg.lstsq, normal(4, 2).astype(np.float32), normal(4).astype(np.float32)),
    case(np.linalg.lstsq, normal(4, 2), normal(4, 0)),
]


def with_values(s: Any, matrix: Any) -> Any:
    """A matrix of these singular values, with the singular vectors of another."""
    u, _, vh = np.linalg.svd(matrix, full_matrices=False)
    return (u * s) @ vh


DROPPED = [
    with_values([2.0, 0.7, 0.1], m) for m in (normal(3, 3), normal(5, 3), normal(3, 4), complex_normal(4, 3))
]
"""With the cut-off 0.1, each loses its last singular value."""


@pytest.mark.parametrize("a", DROPPED, ids=["square", "tall", "wide", "complex"])
def test_a_cut_off_that_drops_what_is_not_zero(a: Any) -> None:
    b = complex_normal(len(a), 2, seed=3) if np.iscomplexobj(a) else normal(len(a), 2, seed=3)
    check_grads(lambda a: np.linalg.pinv(a, 0.1), a)
    check_grads(lambda a, b: np.linalg.lstsq(a, b, rcond=0.1)[0], a, b)
    check_rule(np.linalg.pinv, a, rtol=0.1)
    check_rule(np.linalg.lstsq, a, b, rcond=0.1)


def test_a_cut_off_of_hermitian_matrices_and_of_stacks() -> None:
    q = np.linalg.qr(complex_normal(3, 3))[0]
    check_rule(np.linalg.pinv, (q * [-2.0, 0.7, 0.1]) @ q.conj().T, rcond=0.1, hermitian=True)
    check_rule(np.linalg.pinv, np.stack([DROPPED[0], normal(3, 3) + 3 * np.eye(3)]), rcond=0.1)


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("shape", SHAPES)
def test_second_order(shape: Any) -> None:
    check_grads(lambda a, b: np.linalg.lstsq(a, b)[0], normal(*shape), normal(shape[0], seed=1))
    check_grads(np.linalg.pinv, normal(*shape))


def test_residuals_of_a_fit() -> None:
    check_grads(lambda a, b: np.linalg.lstsq(a, b)[1], normal(4, 2), normal(4, 2, seed=1))


def at_rank_two(p: Any, q: Any, b: Any) -> Any:
    return np.linalg.lstsq(p @ q, b, rcond=1e-8)[0]


def test_constant_lower_rank() -> None:
    with checking(max_range=1e-2):
        check_grads(at_rank_two, normal(4, 2), normal(2, 3, seed=1), normal(4, seed=2), order=1)


def test_normal_equations() -> None:
    a, b = normal(5, 2), normal(5, seed=1)
    expected = cr.jacobian(lambda a: np.linalg.solve(a.T @ a, a.T @ b))(a)
    np.testing.assert_allclose(cr.jacobian(lambda a: np.linalg.lstsq(a, b)[0])(a), expected, atol=1e-12)
