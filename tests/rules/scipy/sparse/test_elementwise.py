"""Functions of each entry, other dtypes, parts and powers: their rules, and what is stored."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from tests.rules.cases import case

import chainrules as cr
from chainrules.rules.scipy.sparse.elementwise import OF_NUMPY, ZERO_AT_ZERO
from chainrules.rules.scipy.sparse.entries import CLASSES
from chainrules.testing import check_grads, check_rule

D = np.array([[0.4, 0.1, 0.0], [0.0, 0.3, 0.55], [0.7, 0.0, 0.25]])
A, DATA = sp.csr_array(D), (sp.csr_array, sp.csc_array, sp.coo_array, sp.bsr_array, sp.dia_array)

CASES = [
    *(case(getattr(P, name), P(D)) for P in (sp.csr_array, sp.coo_matrix) for name in ZERO_AT_ZERO),
    *(case(getattr(np, name), A) for name in (*OF_NUMPY, "absolute", "negative")),
    case(np.conjugate, A * (1 + 1j)),
    case(np.sum, A),
    case(np.sum, A, axis=1),
    *(case(P.astype, P(D), dtype) for P in CLASSES for dtype in (complex, np.float32)),
    *(case(P.__pow__, P(D), 3) for P in (sp.csr_array, sp.lil_array, sp.csc_matrix)),
    *(case(getattr, P(D) * (1 + 2j), part) for P in CLASSES for part in ("real", "imag")),
    case(getattr, A, "imag"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("P", DATA)
def test_a_gradient_keeps_the_pattern(P: Any) -> None:
    a_bar = cr.grad(lambda a: np.sum(np.sin(a).tocsr().data))(P(D))
    assert type(a_bar) is P
    np.testing.assert_allclose(a_bar.toarray(), np.cos(D) * (D != 0))


def test_a_stored_zero_has_its_own_derivative() -> None:
    a = sp.csr_array((np.array([0.0, 4.0]), (np.array([0, 1]), np.array([0, 1]))), shape=(2, 2))
    np.testing.assert_array_equal(cr.grad(lambda a: a.expm1().sum())(a).data, [1.0, np.exp(4.0)])
    np.testing.assert_array_equal(cr.grad(lambda a: a.sqrt().sum())(a).data, [np.inf, 0.25])


def test_second_order() -> None:
    check_grads(lambda a: np.sqrt(a).power(3).sum() + np.sum((a**2).sum(axis=0) ** 2), A, order=2)


def test_where_entries_are_does_not_move() -> None:
    f = lambda a: np.sum(a.toarray()[a.nonzero()] ** 2) + a.argmax() + a.count_nonzero()  # noqa: E731
    np.testing.assert_allclose(cr.grad(f)(A).toarray(), 2 * D)
