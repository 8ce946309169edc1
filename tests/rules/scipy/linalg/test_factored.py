"""Systems with a matrix that is factored already."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

from chainrules.rules.scipy.linalg.factored import order_of
from chainrules.testing import check_grads, check_rule


def factor(*shape: int, numbers: Any = normal, seed: int = 0) -> Any:
    return numbers(*shape, seed=seed) + 3 * np.eye(shape[-1])


CASES = [
    *(
        case(linalg.cho_solve, (factor(3, 3, numbers=numbers), lower), numbers(*shape, seed=2))
        for lower in (False, True)
        for numbers, shape in ((normal, (3,)), (complex_normal, (3, 2)))
    ),
    case(linalg.cho_solve, (factor(2, 3, 3), True), normal(3)),
    *(
        case(
            linalg.lu_solve,
            (factor(3, 3, numbers=numbers), np.array([1, 2, 2])),
            numbers(*shape),
            trans=trans,
        )
        for trans in (0, 1, 2)
        for numbers, shape in ((normal, (3,)), (complex_normal, (3, 2)))
    ),
    case(linalg.lu_solve, (factor(2, 3, 3), np.array([[0, 1, 2], [2, 2, 2]])), normal(3)),
    case(linalg.lu_solve, (factor(2, 3, 3), np.array([[0, 1, 2], [2, 2, 2]])), normal(3, 2), trans=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_exchanges_are_those_of_the_factors() -> None:
    a = normal(4, 5, 5)
    lu, piv = linalg.lu_factor(a)
    low, up = np.tril(lu, -1) + np.eye(5), np.triu(lu)
    np.testing.assert_allclose(np.take_along_axis(a, order_of(piv)[..., None], -2), low @ up, atol=1e-14)


def test_second_order() -> None:
    check_grads(lambda c: linalg.cho_solve((c, True), c[0]), factor(3, 3))
    check_grads(lambda lu: linalg.lu_solve((lu, np.array([1, 1, 2])), lu[0], 1), factor(3, 3))
