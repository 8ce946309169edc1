"""Cholesky factors: the derivative is that of the triangle which is read."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

from chainrules.testing import check_rule


def positive(x: Any) -> Any:
    return x @ x.conj().swapaxes(-1, -2) + np.eye(x.shape[-1])


OPTIONS: list[dict[str, Any]] = [{}, {"upper": True}]
CASES = [
    case(np.linalg.cholesky, positive(x), **kwargs)
    for x in (normal(3, 3), normal(2, 3, 3), complex_normal(3, 3), normal(1, 1))
    for kwargs in OPTIONS
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("upper", [False, True])
def test_the_triangle_that_is_not_read_has_no_influence(upper: bool) -> None:
    _, pullback = rrule_of(np.linalg.cholesky, positive(normal(3, 3)), upper=upper)
    a_bar = pullback(normal(3, 3))[0]
    np.testing.assert_array_equal(np.tril(a_bar, -1) if upper else np.triu(a_bar, 1), 0)
