"""Eigenvalues and vectors of Hermitian matrices of every storage, all and some, with their phases and
coincidences."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, constant, normal

import chainrules as cr
from chainrules.rules.scipy.linalg.eigenpairs import all_pairs, some_pairs
from chainrules.testing import check_grads, check_rule


def positive(x: Any) -> Any:
    return x @ x.conj().swapaxes(-1, -2) + np.eye(x.shape[-1])


REAL, COMPLEX = normal(4, 4), complex_normal(4, 4)
BOTH = (REAL, COMPLEX)
ALL_OR_SOME: tuple[dict[str, Any], ...] = ({}, {"select": "i", "select_range": (1, 2)})
MIDDLE = (1, 2)
CASES = [
    *(case(linalg.eigh, x, lower=lower, driver="evd") for x in BOTH for lower in (True, False)),
    *(case(linalg.eigvalsh, x, lower=lower) for x in BOTH for lower in (True, False)),
    case(linalg.eigh, REAL),
    *(case(linalg.eigh, COMPLEX, driver=d) for d in ("ev", "evd", "evx")),
    case(linalg.eigh, REAL, constant(None), eigvals_only=True),
    case(linalg.eigh, normal(2, 3, 3), driver="ev"),
    *(case(linalg.eigh, x, subset_by_index=MIDDLE, lower=low) for x in BOTH for low in (True, False)),
    case(linalg.eigh, normal(2, 3, 3), subset_by_index=(0, 1)),
    case(linalg.eigvalsh, REAL, subset_by_value=(-1.0, np.inf)),
    *(
        case(linalg.eigh, x, positive(x), type=kind, lower=lower)
        for x in BOTH
        for kind in (1, 2, 3)
        for lower in (True, False)
    ),
    case(linalg.eigh, REAL, positive(REAL), subset_by_index=MIDDLE),
    case(linalg.eigvalsh, COMPLEX, positive(REAL) + 0j, driver="gvd"),
    case(linalg.eigh, normal(2, 3, 3), positive(normal(2, 3, 3))),
    *(
        case(linalg.eig_banded, x[:3], lower=lower, **options)
        for x in BOTH
        for lower in (True, False)
        for options in ALL_OR_SOME
    ),
    case(linalg.eig_banded, REAL[:2], eigvals_only=True),
    *(case(linalg.eig_banded, x[:3, :n], lower=True) for x in BOTH for n in (1, 2)),
    *(case(linalg.eig_banded, x[:3, :2]) for x in BOTH),
    *(case(linalg.eig_banded, x[:1, :1]) for x in BOTH),
    *(case(linalg.eig_banded, x[:3, :1], select="i", select_range=(0, 0)) for x in BOTH),
    case(linalg.eigvals_banded, REAL[:3, :1], select="v", select_range=(-100.0, 100.0)),
    case(linalg.eig_banded, normal(2, 2, 3), lower=True),
    case(linalg.eigvals_banded, COMPLEX[:3]),
    case(linalg.eigvals_banded, REAL[:2], lower=True, select="i", select_range=MIDDLE),
    case(linalg.eigh_tridiagonal, normal(4), normal(3, seed=2)),
    case(linalg.eigh_tridiagonal, normal(4), normal(3, seed=2), select="i", select_range=MIDDLE),
    case(linalg.eigh_tridiagonal, normal(2, 3), normal(2, 2)),
    case(linalg.eigvalsh_tridiagonal, normal(4), normal(3, seed=2)),
    case(linalg.eigvalsh_tridiagonal, normal(4), normal(3, seed=2), lapack_driver="sterf"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("x", [normal(3, 3), complex_normal(3, 3)])
def test_second_order(x: Any) -> None:
    check_grads(lambda a: linalg.eigh(a, driver="evd")[1], x)
    check_grads(lambda a: linalg.eigh(a, subset_by_index=(0, 1), driver="evx")[1], x)
    check_grads(lambda a: linalg.eigvalsh(a, a @ a.conj().T + np.eye(3)), x)


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_vectors_of_generalised_problems_are_those_of_scipy(kind: int) -> None:
    a, b = COMPLEX + COMPLEX.conj().T, positive(COMPLEX)
    w, u = cr.vjp(lambda a: linalg.eigh(a, b, type=kind), a)[0]
    expected = linalg.eigh(a, b, type=kind)
    np.testing.assert_allclose(w, expected[0], atol=1e-12)
    np.testing.assert_allclose(u, expected[1], atol=1e-12)


TIED = np.diag([2.0, 2.0, 5.0, 7.0])


def test_coinciding_eigenvalues_alone_have_a_derivative() -> None:
    for f in (linalg.eigvalsh, lambda a: linalg.eigh(a, subset_by_index=(0, 0))[0]):
        gradient = cr.grad(lambda a, f=f: np.sum(f(a) ** 2))(TIED)
        assert np.isfinite(gradient).all()
    whole = cr.grad(lambda a: np.sum(linalg.eigvalsh(a) ** 2))(TIED)
    np.testing.assert_allclose(whole, 2 * TIED, atol=1e-12)


def test_a_chosen_span_is_differentiated_where_its_values_coincide() -> None:
    seed = normal(4, 4)

    def projector(a: Any) -> Any:
        u = linalg.eigh(a, subset_by_index=(0, 1))[1]
        return np.sum(u @ u.T * seed)

    found = cr.grad(projector)(TIED)
    step = np.tril(normal(4, 4, seed=2))
    h = 1e-5
    slope = (projector(TIED + h * step) - projector(TIED - h * step)) / (2 * h)
    np.testing.assert_allclose(np.sum(found * step), slope, rtol=1e-8)


def test_vectors_that_mix_are_refused() -> None:
    for options in ({}, {"subset_by_index": (0, 1)}, {"subset_by_index": (0, 0)}):
        with pytest.raises(cr.NotDifferentiableError, match="values coincide"):
            cr.grad(lambda a, o=options: np.sum(linalg.eigh(a, **o)[1] * normal(4, 1)))(TIED)


def test_pairs_are_what_they_are_given() -> None:
    assert some_pairs(None, REAL, 1.0, 2.0, False, False) == (1.0, 2.0)
    assert all_pairs(None, REAL, 1.0, 2.0, False, False) == (1.0, 2.0)


@pytest.mark.parametrize("f", [linalg.eig_banded, linalg.eigvals_banded])
@pytest.mark.parametrize("a_band", [REAL[:2, :1], COMPLEX[:3, :1], normal(2, 2, 1)])
def test_a_number_that_scipy_reads_from_a_corner_is_refused(f: Any, a_band: Any) -> None:
    with pytest.raises(cr.NotDifferentiableError, match="outside the matrix"):
        cr.vjp(f, a_band)
    with pytest.raises(cr.NotDifferentiableError, match="outside the matrix"):
        cr.jvp(f, (a_band,), (a_band,))


def test_a_number_stored_in_the_last_row_is_the_eigenvalue() -> None:
    a_band = np.array([[5.0], [6.0], [7.0]])
    gradient = cr.grad(lambda x: linalg.eigvals_banded(x, select="i", select_range=(0, 0))[0])(a_band)
    np.testing.assert_array_equal(gradient, [[0.0], [0.0], [1.0]])
