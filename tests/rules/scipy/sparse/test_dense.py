"""Dense matrices where SciPy's sparse functions take them: as sparse ones that store each entry."""

import numpy as np
import pytest
from scipy.sparse import linalg

import chainrules as cr
from chainrules.testing import check_grads

A = np.array([[4.0, 1.0, 0.0, 0.2], [1.0, 3.0, 0.5, 0.0], [0.0, 0.5, 5.0, 0.3], [0.2, 0.0, 0.3, 2.0]])
B = np.array([1.0, 2.0, 3.0, -1.0])
KRYLOV = ("cg", "bicg", "bicgstab", "cgs", "gmres", "lgmres", "gcrotmk", "minres", "tfqmr", "qmr")


@pytest.mark.parametrize("name", KRYLOV)
def test_iterations(name):
    solve = getattr(linalg, name)

    def f(a, b):
        return np.sum(solve(a, b, rtol=1e-12)[0] ** 3)

    expected = cr.grad(lambda a, b: np.sum(np.linalg.solve(a, b) ** 3), (0, 1))(A, B)
    for got, want in zip(cr.grad(f, (0, 1))(A, B), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-8, atol=1e-9)


@pytest.mark.filterwarnings("ignore:.*requires A be CSC:scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.filterwarnings("ignore:.*converted its input:scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.filterwarnings("ignore:The problem size:UserWarning")
@pytest.mark.parametrize(
    "f",
    [
        lambda a: linalg.spsolve(a, B),
        lambda a: linalg.factorized(a)(B),
        lambda a: linalg.expm_multiply(a, B),
        lambda a: linalg.eigsh(a, k=2, v0=B)[0],
        lambda a: linalg.lobpcg(a, np.eye(4)[:, :1], tol=1e-12, maxiter=200)[0],
        lambda a: linalg.svds(a, k=2, v0=B)[1],
        lambda a: np.real(linalg.eigs(a, k=2, v0=B)[0]),
    ],
    ids=["spsolve", "factorized", "expm_multiply", "eigsh", "lobpcg", "svds", "eigs"],
)
def test_direct_solvers_and_eigenpairs(f):
    check_grads(lambda a: f((a + a.T) / 2), A, order=1)


def test_the_zeros_of_a_dense_matrix_have_a_gradient():
    gradient = cr.grad(lambda a: np.sum(linalg.expm_multiply(a, B)))(np.zeros((4, 4)))
    np.testing.assert_allclose(gradient, np.outer(np.ones(4), B))
