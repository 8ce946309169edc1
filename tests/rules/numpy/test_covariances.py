"""Covariances with every argument, and correlation coefficients."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of, uniform

from chainrules.testing import check_grads, check_rule

COUNTS = np.array([1, 2, 1, 3])
CASES = [
    *(
        case(np.cov, x)
        for x in (normal(3, 4), normal(4), complex_normal(2, 4), normal(2, 3).astype(np.float32))
    ),
    case(np.cov, normal(3, 4), rowvar=False),
    case(np.cov, normal(3, 4), bias=True),
    case(np.cov, normal(3, 4), ddof=2),
    case(np.cov, normal(4), normal(4, seed=1)),
    case(np.cov, normal(2, 4), complex_normal(4, seed=1)),
    case(np.cov, normal(4, 2), normal(4, 3, seed=1), rowvar=False),
    case(np.cov, normal(2, 4), fweights=COUNTS),
    case(np.cov, normal(2, 4), aweights=uniform(4)),
    case(np.cov, normal(2, 4), aweights=uniform(4), fweights=COUNTS, ddof=0),
    case(np.cov, normal(2, 4), aweights=uniform(4), fweights=COUNTS, ddof=1),
    case(np.cov, normal(2, 4).astype(np.float32), dtype=np.float32),
    *(case(np.corrcoef, x) for x in (normal(3, 4), complex_normal(2, 4), normal(4))),
    case(np.corrcoef, normal(4), normal(4, seed=1)),
    case(np.corrcoef, normal(4, 3), rowvar=False),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(np.cov, normal(2, 3))
    check_grads(np.corrcoef, normal(2, 4))
    check_grads(lambda x, w: np.cov(x, aweights=w), normal(3), uniform(3))


def test_the_variance_of_one_variable() -> None:
    x = np.array([1.0, 2.0, 6.0])
    np.testing.assert_allclose(rrule_of(np.cov, x)[1](1.0)[0], [-2.0, -1.0, 3.0])
