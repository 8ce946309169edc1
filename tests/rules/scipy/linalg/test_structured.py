"""Matrices built from a few numbers."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, constant, held, normal, rrule_of

from chainrules.testing import check_rule, with_tangent

PAIRED = np.array([1.0, 2 + 3j, 2 - 3j, 4.0])
MOVED = np.array([0.3, 1 - 2j, 1 + 2j, 0.5])
CASES = [
    case(linalg.toeplitz, normal(3), normal(4)),
    case(linalg.toeplitz, complex_normal(3)),
    case(linalg.toeplitz, normal(2, 3), normal(2)),
    case(linalg.toeplitz, normal(3), constant(None)),
    case(linalg.hankel, normal(3), normal(2)),
    case(linalg.hankel, complex_normal(3)),
    case(linalg.circulant, normal(4)),
    case(linalg.circulant, complex_normal(2, 3)),
    case(linalg.companion, normal(4)),
    case(linalg.companion, complex_normal(2, 3)),
    case(linalg.fiedler, normal(4)),
    case(linalg.fiedler, normal(2, 3)),
    *(case(linalg.fiedler_companion, normal(n)) for n in (2, 3, 4, 6, 7)),
    case(linalg.fiedler_companion, complex_normal(2, 5)),
    case(linalg.leslie, normal(4), normal(3)),
    case(linalg.leslie, normal(2, 3), normal(2)),
    *(
        case(linalg.convolution_matrix, normal(m), n=n, mode=mode)
        for m, n in ((4, 3), (2, 5))
        for mode in ("full", "same", "valid")
    ),
    case(linalg.convolution_matrix, complex_normal(2, 3), n=2),
    case(linalg.block_diag, normal(2, 2), normal(1, 3), normal(2)),
    case(linalg.block_diag, complex_normal(2, 1, 2), 2.0),
    case(linalg.diagsvd, normal(2), M=3, N=2),
    case(linalg.diagsvd, normal(2, 2), M=2, N=4),
    case(linalg.khatri_rao, normal(2, 3), complex_normal(4, 3)),
    case(linalg.khatri_rao, normal(2, 2, 3), normal(3, 3)),
    case(linalg.cdf2rdf, with_tangent(PAIRED, MOVED), complex_normal(4, 4)),
    case(linalg.cdf2rdf, held(np.stack([PAIRED, PAIRED[[1, 2, 0, 3]]])), complex_normal(2, 4, 4)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_the_first_entry_of_a_row_is_not_read() -> None:
    for f in (linalg.toeplitz, linalg.hankel):
        _, pullback = rrule_of(f, normal(3), normal(3, seed=1))
        assert pullback(normal(3, 3))[1][0] == 0


def test_entries_of_fiedler_that_coincide_have_derivative_zero() -> None:
    _, pullback = rrule_of(linalg.fiedler, np.array([1.0, 1.0, 3.0]))
    seed = np.zeros((3, 3))
    seed[0, 1] = 1.0
    np.testing.assert_array_equal(pullback(seed)[0], 0)
