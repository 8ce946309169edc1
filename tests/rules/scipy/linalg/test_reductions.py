"""Hessenberg's form and balanced matrices."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

UNEVEN = np.array([[1.0, 200.0, 0.0], [0.01, 1.0, 0.03], [0.5, 100.0, 2.0]])
CASES = [
    *(
        case(linalg.hessenberg, x, calc_q=q)
        for x in (normal(4, 4), complex_normal(4, 4))
        for q in (False, True)
    ),
    case(linalg.hessenberg, normal(2, 2), calc_q=True),
    case(linalg.hessenberg, normal(2, 3, 3)),
    *(case(linalg.matrix_balance, UNEVEN, separate=separate) for separate in (False, True)),
    case(linalg.matrix_balance, UNEVEN, permute=False),
    case(linalg.matrix_balance, UNEVEN + 1j * UNEVEN.T, scale=False),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(linalg.hessenberg, normal(3, 3))


def test_a_column_that_is_reduced_already_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="reduced already"):
        cr.grad(lambda a: np.sum(linalg.hessenberg(a)))(np.eye(3))
