"""Singular value decompositions of every shape, with LAPACK's phases, and what has no derivative."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

import chainrules as cr
from chainrules.testing import check_grads, check_rule

SHAPES = [(3, 3), (4, 2), (2, 4), (2, 3, 2), (1, 1), (2, 7)]
THIN: dict[str, Any] = {"full_matrices": False}
CASES = [
    *(case(np.linalg.svd, normal(*shape), **THIN) for shape in SHAPES),
    *(case(np.linalg.svd, complex_normal(*shape), **THIN) for shape in SHAPES),
    *(case(np.linalg.svd, x) for x in (normal(3, 3), complex_normal(2, 2, 2))),
    *(case(np.linalg.svd, normal(*shape), compute_uv=False) for shape in SHAPES),
    *(case(np.linalg.svd, x, hermitian=True) for x in (normal(3, 3), complex_normal(3, 3))),
    case(np.linalg.svd, normal(2, 3, 3), compute_uv=False, hermitian=True),
    case(np.linalg.svd, normal(3, 2).astype(np.float32), **THIN),
    case(np.linalg.svd, np.zeros((0, 2)), **THIN),
    case(np.linalg.svd, np.zeros((0, 0), complex)),
    *(case(np.linalg.svdvals, x) for x in (normal(3, 3), complex_normal(2, 4), normal(2, 3, 2))),
]
TIED = np.diag([2.0, 2.0, 1.0])


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("x", [normal(3, 3), normal(3, 2), complex_normal(2, 3), complex_normal(3, 2)])
def test_second_order(x: Any) -> None:
    check_grads(lambda a: np.linalg.svd(a, full_matrices=False)[0], x)
    check_grads(lambda a: np.linalg.svd(a, full_matrices=False)[2], x)
    check_grads(np.linalg.svdvals, x)


def low_rank(a: Any) -> Any:
    u, s, vh = np.linalg.svd(a)
    return (u[:, :2] * s[:2] ** 2) @ vh[:2]


@pytest.mark.parametrize(
    "x", [normal(4, 3), complex_normal(2, 7), complex_normal(7, 2), complex_normal(3, 3)]
)
def test_full_matrices_of_which_the_first_vectors_are_used(x: Any) -> None:
    check_grads(low_rank, x, order=1, modes=("rev",))


def test_vectors_of_a_null_space_are_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="full_matrices"):
        cr.grad(lambda a: np.sum(np.linalg.svd(a)[0]))(normal(3, 2))
    _, du = cr.jvp(lambda a: np.linalg.svd(a)[0], (normal(3, 2),), (normal(3, 2),))
    assert isinstance(du, cr.NotImplementedTangent)


def test_singular_values_that_coincide() -> None:
    gradient = cr.grad(lambda a: np.sum(np.linalg.svdvals(a) ** 2))(TIED)
    np.testing.assert_allclose(gradient, 2 * TIED, atol=1e-12)
    with pytest.raises(cr.NotDifferentiableError, match="values coincide"):
        cr.grad(lambda a: np.sum(np.linalg.svd(a)[0] ** 3))(TIED)


def test_a_product_of_the_factors_is_the_matrix_also_at_lower_rank() -> None:
    def product(a: Any) -> Any:
        u, s, vh = np.linalg.svd(a, full_matrices=False)
        return np.sum((u * s) @ vh * normal(3, 3, seed=3))

    singular = normal(3, 2) @ normal(2, 3, seed=1)
    np.testing.assert_allclose(cr.grad(product)(singular), normal(3, 3, seed=3), rtol=1e-6)


def test_vectors_of_a_vanishing_value_of_a_tall_matrix_are_refused() -> None:
    y, pullback = rrule_of(np.linalg.svd, np.array([[1.0, 1], [1, 1], [1, 1]]), full_matrices=False)
    with pytest.raises(cr.NotDifferentiableError, match="singular value is zero"):
        pullback(cr.Composite[type(y)](U=normal(3, 2)))
