"""What tells the structure of a matrix, and constant matrices."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, constant, normal

import chainrules as cr
from chainrules.testing import check_rule

SIZED = (linalg.dft, linalg.helmert, linalg.hilbert, linalg.invhilbert, linalg.invpascal, linalg.pascal)
CASES = [
    *(case(f, normal(3, 3)) for f in (linalg.bandwidth, linalg.ishermitian, linalg.issymmetric)),
    *(case(f, constant(4)) for f in (*SIZED, linalg.hadamard)),
    case(linalg.find_best_blas_type, constant((normal(3, 3),))),
    case(linalg.get_blas_funcs, constant("gemm"), constant((normal(3, 3),))),
    case(linalg.get_lapack_funcs, constant("getrf"), constant((normal(3, 3),))),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_a_matrix_whose_structure_is_asked_for() -> None:
    def loss(a: Any) -> Any:
        return np.sum(a) if linalg.issymmetric(a) else np.sum(a**2)

    np.testing.assert_array_equal(cr.grad(loss)(np.eye(2)), 1.0)
