"""Largest and smallest entries: along each axis, explicit or not, at ties, with zeros that are not stored."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_grads, check_rule

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [-1.3, 0.0, -5.0]])
E = np.array([[1.0, 0.0, 2.0], [-4.0, 2.0, 0.0], [0.0, 0.0, -6.0]])
A, FORMATS = sp.csr_array(D), (sp.csr_array, sp.csc_array, sp.coo_array, sp.bsr_array)

CASES = [
    *(
        case(getattr(P, name), P(D), axis=axis, explicit=explicit)
        for P in FORMATS
        for name in ("max", "min")
        for axis in (None, 0, -1)
        for explicit in (False, True)
    ),
    *(case(getattr(P, name), P(D), P(E)) for P in FORMATS for name in ("maximum", "minimum")),
    *(
        case(getattr(P, name), P(D), sp.csr_array(E))
        for P in (sp.csr_matrix, sp.coo_matrix)
        for name in ("maximum", "minimum")
    ),
    case(sp.dia_array.maximum, sp.dia_array(D), sp.csr_array(E)),
    case(sp.lil_array.minimum, sp.lil_array(D), sp.lil_array(E)),
    case(sp.csr_matrix.max, sp.csr_matrix(D)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_ties_share_the_cotangent() -> None:
    tied = sp.csr_array(np.array([[2.0, 2.0, 1.0], [1.0, 2.0, 0.0]]))
    whole = cr.grad(lambda a: a.max())(tied).toarray()
    np.testing.assert_allclose(whole, np.array([[1, 1, 0], [0, 1, 0]]) / 3)
    rows = cr.grad(lambda a: a.max(axis=1).sum())(tied).toarray()
    np.testing.assert_allclose(rows, [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0]])
    both = cr.grad(lambda a, b: a.maximum(b).sum(), argnums=(0, 1))(tied, tied)
    assert all(np.array_equal(t.data, np.full(5, 0.5)) for t in both)


def test_a_zero_that_is_not_stored_is_no_entry_of_an_array() -> None:
    negative = sp.csr_array(np.array([[-2.0, 0.0], [-1.0, -3.0]]))
    np.testing.assert_array_equal(cr.grad(lambda a: a.max())(negative).data, 0.0)
    np.testing.assert_array_equal(cr.grad(lambda a: a.max(explicit=True))(negative).data, [0.0, 1.0, 0.0])
    np.testing.assert_array_equal(cr.grad(lambda a: a.max(axis=1).sum())(negative).data, [0.0, 1.0, 0.0])


def test_second_order() -> None:
    check_grads(lambda a: a.max() ** 3 + (a.max(axis=0).power(2)).sum(), A, order=2)


def test_what_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="axis"):
        cr.grad(lambda a: a.max(axis=0).sum())(sp.csr_matrix(D))
