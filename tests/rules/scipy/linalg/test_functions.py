"""Functions of a matrix by Daleckii and Krein, with coinciding eigenvalues and captured numbers."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

CASES = [
    case(linalg.funm, normal(3, 3), np.exp),
    case(linalg.funm, complex_normal(3, 3), np.sin),
    case(linalg.funm, normal(3, 3) + 5 * np.eye(3), np.log),
    case(linalg.funm, np.array([[0.0, -1.0], [1.0, 0.0]]), np.cosh, why="a complex pair"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_what_the_function_captured_has_its_cotangent() -> None:
    def scaled(a: Any, c: Any) -> Any:
        return linalg.funm(a, lambda w: np.exp(c * w))

    check_grads(scaled, normal(2, 2), 0.7)


@pytest.mark.parametrize("x", [np.eye(3), np.diag([1.0, 1.0, 2.0]), np.diag([1.0, 1.0 + 1e-9, 2.0])])
def test_coinciding_eigenvalues(x: Any) -> None:
    seed = normal(3, 3)
    found = cr.grad(lambda a: np.sum(linalg.funm(a, np.exp) * seed))(x)
    np.testing.assert_allclose(found, linalg.expm_frechet(x.T, seed, compute_expm=False), rtol=1e-9)


def test_a_defective_matrix_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="defective"):
        cr.grad(lambda a: np.sum(linalg.funm(a, np.exp)))(np.array([[1.0, 1.0], [0.0, 1.0]]))
