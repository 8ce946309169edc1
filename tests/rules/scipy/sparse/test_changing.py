"""Entries, rows and diagonals that are assigned, before and after an array is used; and what is refused."""

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import linalg
from tests.rules.cases import case

import chainrules as cr
from chainrules.rules.scipy.sparse.entries import CLASSES
from chainrules.rules.scipy.sparse.formats import BLOCKS
from chainrules.testing import check_grads, check_rule

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
X = np.array([1.0, 2.0, 3.0])
A, B = sp.csr_array(D), sp.csr_array(D[:2] + 1.0)
FULL = D + 2.0  # where no place is new, of which SciPy warns; new ones are in the programs below
pytestmark = pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
SETTABLE = tuple(
    P
    for P in (sp.csr_array, sp.csc_array, sp.lil_array, sp.coo_array, sp.csr_matrix)
    if hasattr(P, "__setitem__")  # COO arrays from SciPy 1.17 on
)

CASES = [
    *(case(P.__setitem__, P(FULL), (0, 1), 2.5) for P in SETTABLE),
    *(case(P.__setitem__, P(FULL), (1, slice(None)), X) for P in SETTABLE),
    *(case(P.__setitem__, P(FULL), (slice(0, 2), slice(None)), B) for P in SETTABLE),
    case(sp.csr_array.__setitem__, sp.csr_array(FULL), ([0, 2, 0], [1, 1, 1]), X),
    *(case(P.setdiag, P(D), X) for P in CLASSES if P not in BLOCKS),
    case(sp.csr_array.setdiag, A, 2.5, k=-1),
    *(
        case(getattr(P, name), P(D))
        for P in (sp.csr_array, sp.coo_array, sp.bsr_array)
        for name in ("sum_duplicates", "eliminate_zeros", "sort_indices")
        if hasattr(P, name)
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def assembled(v: Any, kind: Any = sp.lil_array) -> Any:
    a = kind((3, 3))
    for i in range(3):
        a[i, i] = v[i] + 3.0
        if i:
            a[i, i - 1] = -v[i] * v[i - 1]
    return linalg.spsolve(a.tocsc(), X)


def used_before_and_after(a: Any, v: Any) -> Any:
    a = a.copy()
    y = a @ X
    a[0, 0] = v[0] ** 2
    a.setdiag(v[1:], k=1)
    a[1, 1] *= v[2]
    a.sum_duplicates()
    return y * (a @ v)


@pytest.mark.parametrize("kind", [sp.csr_array, sp.coo_array])
def test_other_formats_are_filled_alike(kind: Any) -> None:
    """SciPy 1.16 and earlier fill no COO arrays."""
    if not hasattr(kind, "__setitem__"):
        pytest.skip("this SciPy fills no COO arrays")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sp.SparseEfficiencyWarning)
        found = cr.jacobian(lambda v: assembled(v, kind))(X)
    np.testing.assert_allclose(found, cr.jacobian(assembled)(X), rtol=1e-12)


def kept_by_pullbacks(a: Any, v: Any) -> Any:
    """Pullbacks of products read what the array held before it changed."""
    a = a.copy()
    y = a @ v
    a[0, 0] = v[0] ** 2
    z = a @ v
    a[1, 1] = 7.0 * v[1]
    a = a * v[2]
    return np.sum(y * z * (a @ v))


def constants_that_change(v: Any) -> Any:
    a = A.copy()
    y = a @ v**2
    a[0, 0] = 7.0
    a.data[3] = 5.0
    return np.sum(y * (a @ v))


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (assembled, (X,)),
        (used_before_and_after, (A, X)),
        (kept_by_pullbacks, (A, X)),
        (constants_that_change, (X,)),
    ],
)
def test_programs_to_second_order(f: Any, args: Any) -> None:
    check_grads(f, *args, order=2)


def test_what_is_overwritten_has_no_influence() -> None:
    def f(a: Any) -> Any:
        a = a.copy()
        a[0] = np.array([1.0, 0.0, 0.0])
        return a.sum()

    np.testing.assert_array_equal(cr.grad(f)(A).toarray(), (D != 0) * np.array([[0], [1], [1]]))


def by_its_data(v: Any) -> Any:
    a = A * v
    a.data[0] = 7.0
    return a.sum()


def by_new_data(v: Any) -> Any:
    a = A * v
    a.data = a.data**2
    return a.sum()


def by_what_it_was_made_of(v: Any) -> Any:
    w = A.data * v
    a = sp.csr_array((w, A.indices, A.indptr), shape=(3, 3))
    w[0] = 7.0 * v
    return a.sum()


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (by_its_data, "shares memory"),
        (by_new_data, "`data`.*assigned"),
        (by_what_it_was_made_of, "shares memory"),
    ],
)
def test_numbers_that_change_beside_the_array_are_refused(f: Any, why: str) -> None:
    for derivative in (lambda: cr.jvp(f, (2.0,), (1.0,)), lambda: cr.grad(f)(2.0)):
        with pytest.raises(cr.AliasedMutationError, match=why):
            derivative()
