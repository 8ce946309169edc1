"""Sums, differences, products and quotients with dense arrays, from either side."""

import operator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.rules.scipy.sparse.entries import CLASSES
from chainrules.testing import check_grads, check_rule

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
A, X = sp.csr_array(D), normal(3, 3) + 4.0
ARRAYS = CLASSES[:6]

CASES = [
    *(case(f, P(D), X) for P in ARRAYS for f in (P.__add__, P.__sub__, P.__mul__, P.__truediv__)),
    case(sp.csr_array.__add__, A, 0),
    case(sp.csr_array.__sub__, A, 0),
    case(sp.csr_array.__mul__, A, X[0]),
    case(sp.csr_array.__truediv__, A, X[:, :1]),
    *(case(f, X, P(D)) for P in ARRAYS for f in (operator.add, operator.sub)),
    case(operator.add, 0, A),
    case(operator.sub, 0, A),
    *(case(P.todense, P(D)) for P in ARRAYS),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_programs_to_second_order() -> None:
    check_grads(lambda a, x: np.sum((x - a) * (a + x) ** 2) + (a / x).sum() + (a * x).sum(), A, X, order=2)


@pytest.mark.parametrize("f", [lambda a: a + X, lambda a: X - a, lambda a: a + 2.0])
def test_what_is_no_array_is_refused(f: Any) -> None:
    with pytest.raises((cr.UnsupportedArgument, NotImplementedError), match=r"numpy.matrix|nonzero"):
        cr.vjp(f, sp.csr_matrix(D))
