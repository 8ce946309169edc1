"""Singular value decompositions, bases of spans and null spaces, and angles between them."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

THIN: dict[str, Any] = {"full_matrices": False}
SHAPES = [(3, 3), (4, 2), (2, 4), (2, 3, 2)]
CASES = [
    *(case(linalg.svd, normal(*shape), **THIN) for shape in SHAPES),
    *(case(linalg.svd, complex_normal(*shape), **THIN) for shape in SHAPES[:3]),
    case(linalg.svd, normal(3, 3)),
    case(linalg.svd, complex_normal(3, 2), lapack_driver="gesvd", **THIN),
    case(linalg.svd, normal(3, 2), compute_uv=False),
    *(case(linalg.svdvals, x) for x in (normal(3, 3), complex_normal(2, 4), normal(2, 3, 2))),
    case(linalg.orth, normal(4, 2)),
    case(linalg.orth, complex_normal(2, 3, 2)),
    case(linalg.orth, np.diag([3.0, 1.0, 1e-3]) + 1e-4 * normal(3, 3), rcond=0.1),
    case(linalg.null_space, normal(2, 3)),
    case(linalg.null_space, np.stack([normal(2, 3), normal(2, 3, seed=4)]), lapack_driver="gesvd"),
    case(linalg.subspace_angles, normal(5, 2), normal(5, 3, seed=1)),
    case(linalg.subspace_angles, normal(5, 3), 0.2 * normal(5, 2, seed=1) + normal(5, 3)[:, :2]),
    case(linalg.subspace_angles, complex_normal(4, 2), complex_normal(4, 2, seed=3)),
    case(linalg.subspace_angles, normal(2, 4, 2), normal(4, 1, seed=3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a: linalg.svd(a, full_matrices=False)[0], normal(3, 2))
    check_grads(linalg.subspace_angles, normal(4, 2), normal(4, 2, seed=1))


def test_coinciding_values() -> None:
    tied = np.diag([2.0, 2.0, 1.0])
    np.testing.assert_allclose(cr.grad(lambda a: np.sum(linalg.svdvals(a) ** 2))(tied), 2 * tied, atol=1e-12)
    with pytest.raises(cr.NotDifferentiableError, match="values coincide"):
        cr.grad(lambda a: np.sum(linalg.svd(a)[0] ** 3))(tied)


@pytest.mark.parametrize("x", [normal(2, 4), complex_normal(2, 4)])
def test_the_projector_onto_a_null_space(x: Any) -> None:
    def projector(a: Any) -> Any:
        n = linalg.null_space(a)
        return n @ n.conj().T

    check_grads(projector, x, modes=("rev",))


def test_a_basis_of_a_null_space_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="basis of a null space"):
        cr.grad(lambda a: np.sum(linalg.null_space(a)))(normal(2, 4))
    _, dn = cr.jvp(lambda a: linalg.null_space(a) * 2, (normal(2, 4),), (normal(2, 4),))
    assert isinstance(dn, cr.NotImplementedTangent)


def test_an_angle_that_is_zero_has_derivative_zero() -> None:
    a, b = np.eye(3)[:, :2], np.eye(3)[:, 1:]
    gradient = cr.grad(lambda b: np.sum(linalg.subspace_angles(a, b)[1:]))(b)
    np.testing.assert_array_equal(gradient, 0)
