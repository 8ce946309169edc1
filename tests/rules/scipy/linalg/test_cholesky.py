"""Cholesky factors: the derivative is that of the triangle which is read."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal, rrule_of

from chainrules.testing import check_grads, check_rule


def positive(x: Any) -> Any:
    return x @ x.conj().swapaxes(-1, -2) + np.eye(x.shape[-1])


CASES = [
    case(f, positive(x), lower=lower)
    for f in (linalg.cholesky, linalg.cho_factor)
    for x in (normal(3, 3), normal(2, 3, 3), complex_normal(3, 3))
    for lower in (False, True)
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("lower", [False, True])
def test_the_triangle_that_is_not_read_has_no_influence(lower: bool) -> None:
    _, pullback = rrule_of(linalg.cholesky, positive(normal(3, 3)), lower=lower)
    a_bar = pullback(normal(3, 3))[0]
    np.testing.assert_array_equal(np.triu(a_bar, 1) if lower else np.tril(a_bar, -1), 0)


def test_a_system_solved_by_its_factor() -> None:
    def solved(a: Any, b: Any) -> Any:
        return linalg.cho_solve(linalg.cho_factor(a, lower=True), b)

    check_grads(solved, positive(normal(3, 3)), normal(3))
