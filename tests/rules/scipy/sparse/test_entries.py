"""Sparse arrays of every format: both modes against differences, whole programs to second order, refusals."""

import operator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse import linalg
from tests.rules.cases import case, constant

import chainrules as cr
from chainrules.core.callables import attribute
from chainrules.rules.scipy.sparse.entries import entries, filled, keeping, placed, product
from chainrules.rules.scipy.sparse.products import times
from chainrules.rules.scipy.sparse.solving import solved
from chainrules.testing import check_grads, check_rule, exempt

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
E = np.array([[4.2, 0.0, 0.3], [0.0, 3.3, 0.7], [1.9, -2.0, 5.3]])
X = np.array([1.0, 2.0, 3.0])
LOWER = sp.csr_array(np.tril(D + D.T))
A, B, S = sp.csr_array(D), sp.csr_array(E), sp.csr_array(D + D.T)
FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
CLASSES = [getattr(sp, f"{name}_{kind}") for name in FORMATS for kind in ("array", "matrix")]
ARRAYS = CLASSES[::2]
KEYS = ((0, 0), (0, 2), slice(0, 2), (slice(None), [2, 0, 2]))
ONE = [
    "__neg__",
    "__abs__",
    "conj",
    "tocsr",
    "tocsc",
    "tocoo",
    "tolil",
    "todia",
    "tobsr",
    "todok",
    "copy",
    "transpose",
]
ONE += ["toarray", "diagonal", "sum", "mean", "trace"]
KRYLOV = ["cg", "bicg", "bicgstab", "cgs", "gmres", "lgmres", "gcrotmk", "minres", "tfqmr"]
PLACED = (np.array([1.0, 2.0, 3.0, 4.0]), (np.array([0, 1, 2, 2]), np.array([0, 0, 1, 1])))
POINTED = (np.array([1.0, 2.0, 3.0]), np.array([0, 2, 1]), np.array([0, 1, 2, 3]))

HERE = (np.array([0, 1, 2]), np.array([1, 1, 0]))

CASES = [
    *(case(getattr(P, name), P(D)) for P in ARRAYS for name in ONE),
    *(case(P.__matmul__, P(D), X) for P in CLASSES),
    *(case(times, P(D), X) for P in ARRAYS),
    *(case(P.__matmul__, P(D), P(E)) for P in ARRAYS),
    *(case(P.dot, P(D), X) for P in ARRAYS),
    *(case(P.__rmatmul__, P(D), X) for P in ARRAYS),
    *(case(P.__mul__, P(D), 2.0) for P in CLASSES),
    *(case(P.__truediv__, P(D), 2.0) for P in ARRAYS),
    *(case(P.__add__, P(D), P(E)) for P in CLASSES),
    *(case(P.__sub__, P(D), P(E)) for P in ARRAYS),
    *(case(P.multiply, P(D), P(E)) for P in ARRAYS if P is not sp.bsr_array),
    *(case(P.multiply, P(D), E + 3.0) for P in ARRAYS),
    *(case(P.power, P(D), n=2) for P in ARRAYS),
    *(case(P, D + 1.0, why="dense") for P in CLASSES[:6]),
    *(case(P, PLACED, shape=(3, 3), why="a place given twice") for P in CLASSES[:6]),
    *(case(P, POINTED, shape=(3, 3), why="compressed") for P in CLASSES[:4]),
    *(case(P, A, why="another format") for P in CLASSES[:6]),
    case(sp.csr_array.__matmul__, A * 1j, E * (1 + 1j), why="complex"),
    *(case(sp.csr_array.sum, A, axis=axis) for axis in (0, 1, -1)),
    case(sp.csr_array.mean, A, axis=0),
    *(
        case(sp.csr_array.__getitem__, A, constant(key))
        for key in ((0, 0), (0, 2), slice(0, 2), (slice(None), [2, 0, 2]))
    ),
    case(sp.tril, A),
    case(sp.triu, A, k=1),
    case(sp.hstack, [A, B]),
    case(sp.vstack, (A, B)),
    case(sp.block_diag, [A, B]),
    case(sp.block_array, [[A, None], [B, A]]),
    case(sp.kron, A, B),
    case(sp.diags, [X, X[:2]], offsets=[0, 1]),
    case(sp.diags_array, X, offsets=0),
    *(case(linalg.norm, A, ord=order) for order in (None, "fro", 1, np.inf)),
    *(case(linalg.onenormest, x) for x in (A, D + 1.0)),
    case(linalg.spsolve, sp.csc_array(D), X),
    case(linalg.spsolve, sp.csc_array(D), E),
    case(linalg.spsolve, sp.csc_array(D), X * (1 - 2j), why="real and complex"),
    case(linalg.spsolve, sp.csc_array(D * (1 + 1j) + sp.eye_array(3).toarray()), X * (1 - 2j)),
    case(linalg.spsolve_triangular, LOWER, X),
    *(case(P.multiply, P(D), B) for P in ARRAYS),
    *(case(P.dot, P(D), B) for P in ARRAYS),
    *(case(P.__rmul__, P(D), 2.0) for P in (sp.csr_array, sp.csr_matrix)),
    *(case(P.conjugate, P(D)) for P in (sp.csr_array, sp.lil_array)),
    *(case(P.reshape, P(D), (1, 9), why="one row") for P in (sp.csr_array, sp.coo_array, sp.lil_array)),
    case(sp.csr_array.reshape, A, 9, 1, order="F"),
    *(case(P.__getitem__, P(D), constant((slice(0, 2), slice(1, 3)))) for P in (sp.coo_array, sp.lil_array)),
    case(sp.csr_array.asformat, A, format="coo"),
    case(sp.bmat, [[A, None], [B, A]]),
    case(operator.matmul, X, A),
    case(operator.matmul, E, A),
    *(case(getattr, P(D), "T") for P in CLASSES),
    *(case(getattr, P(D), "data") for P in CLASSES[:6]),
    *(case(f, A, B) for f in (sp.csr_array.__mul__, sp.csr_array.__rmul__)),
    case(entries, A, HERE),
    case(entries, D, HERE),
    case(product, X, X * 2.0, HERE, shape=(3, 3)),
    case(placed, X, HERE, shape=(3, 3), kind=sp.csr_array),
    case(placed, X, HERE, shape=(3, 3), kind=None),
]
EXEMPT = [
    exempt(filled, why="its value is given to it; every rule has it"),
    exempt(keeping, why="its value is given to it; what keeps zeros is in test_products.py"),
    exempt(solved, why="takes a solver, which has to agree with the values; spsolve has cases"),
    *(exempt(getattr(linalg, name), why="returns a count; each has a program below") for name in KRYLOV),
    *(
        exempt(attribute(name), why="says how numbers are stored, and does not move")
        for name in ("shape", "ndim", "nnz", "size", "format", "dtype")
    ),
    *(
        exempt(P.__getitem__, why="SciPy refuses every key, or gives what coo_array gives")
        for P in (sp.bsr_array, sp.coo_matrix)
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("name", KRYLOV)
def test_iterations_differentiate_the_exact_solution(name: str) -> None:
    f = getattr(linalg, name)

    def loss(c: Any, b: Any) -> Any:
        return np.sum(f(S * c, b, rtol=1e-12)[0] ** 3)

    def direct(c: float, b: Any) -> Any:
        return np.sum(np.linalg.solve(S.toarray() * c, b) ** 3)

    got, want = cr.grad(loss, argnums=(0, 1))(1.5, X), cr.grad(direct, argnums=(0, 1))(1.5, X)
    assert np.allclose(got[0], want[0], rtol=1e-8)
    assert np.allclose(got[1], want[1], rtol=1e-8)


def test_an_iteration_that_stops_early_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="has not converged"):
        cr.grad(lambda b: np.sum(linalg.cg(S, b, rtol=1e-14, maxiter=1)[0]))(X)


def system(d: Any, b: Any) -> Any:
    a = sp.csc_array((d, (np.array([0, 1, 2, 0]), np.array([0, 1, 2, 2]))), shape=(3, 3))
    return np.sum(linalg.spsolve(a, b) ** 3)


PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (system, (np.array([2.0, 3.0, 4.0, 2.0]), X)),
    (lambda a, b: np.sum(linalg.spsolve(a, b) ** 3), (sp.csc_array(D), X)),
    (lambda a: np.sum((a @ a.T + a).multiply(a).data ** 2), (A,)),
    (lambda a: np.sum((2 * a - a).toarray() ** 2) + np.sum((a * a).sum(axis=0) ** 2), (A,)),
    (lambda a: np.sum(X @ a * (a @ X)), (A,)),
]


@pytest.mark.parametrize(("f", "args"), PROGRAMS)
def test_programs_to_second_order(f: Any, args: Any) -> None:
    check_grads(f, *args, order=2)


def test_a_gradient_keeps_format_and_pattern() -> None:
    for P in CLASSES:
        a = P(D)
        a_bar = cr.grad(lambda a: np.sum((a @ X) ** 2))(a)
        assert type(a_bar) is P
        assert np.allclose(a_bar.toarray(), np.outer(2 * D @ X, X) * (D != 0))


def test_what_cancels_still_moves() -> None:
    assert np.allclose(cr.grad(lambda a: (a - A).sum())(A).toarray(), D != 0)


def test_each_of_several_values_for_a_place_has_the_whole_cotangent() -> None:
    f = lambda data: sp.csr_array((data, PLACED[1]), shape=(3, 3)).toarray()[2, 1] ** 2  # noqa: E731
    assert np.array_equal(cr.grad(f)(PLACED[0]), [0.0, 0.0, 14.0, 14.0])


def test_zeros_of_a_dense_array_are_not_stored_and_do_not_move() -> None:
    assert np.array_equal(cr.grad(lambda d: sp.csr_array(d).sum())(D), D != 0)


def test_the_data_of_an_array_that_stores_a_place_twice_is_refused() -> None:
    twice = sp.coo_array(PLACED, shape=(3, 3))
    with pytest.raises(cr.UnsupportedArgument, match="sum_duplicates"):
        cr.grad(lambda a: np.sum(a.data**2))(twice)


def test_a_singular_matrix_is_refused() -> None:
    with pytest.raises(cr.NotDifferentiableError, match="singular"):
        cr.grad(lambda a: np.sum(linalg.spsolve(a, X)))(sp.csc_array(np.diag([1.0, 0.0, 2.0]) * 1.0))


def test_a_large_system_stays_sparse() -> None:
    m = 60
    line = sp.diags_array([2 * np.ones(m), -np.ones(m - 1), -np.ones(m - 1)], offsets=[0, 1, -1])
    one = sp.eye_array(m)
    a = sp.csc_array(sp.kron(one, line) + sp.kron(line, one) + 0.1 * sp.eye_array(m * m))
    b = np.ones(m * m)
    a_bar = cr.grad(lambda a: np.sum(linalg.spsolve(a, b)))(a)
    assert a_bar.nnz == a.nnz
    x, adjoint = linalg.spsolve(a, b), linalg.spsolve(a.T.tocsc(), b)
    stored = a.tocoo()
    assert np.allclose(a_bar.tocoo().data, -adjoint[stored.coords[0]] * x[stored.coords[1]])
