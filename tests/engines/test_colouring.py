"""Jacobians and Hessians of a known pattern: against dense ones, their passes, patterns that lack places."""

import numpy as np
import pytest
import scipy.sparse as sp

import chainrules as cr
from chainrules.engines.colouring import Pattern, colours
from chainrules.engines.patterns import halved

MODES = ("auto", "fwd", "rev")


def chain(u, scale=1.0):
    return scale * np.concatenate([u[:1] ** 2, u[:-2] * u[1:-1] ** 2 + np.sin(u[2:]), u[-1:] ** 3])


def band(n):
    return sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(n, n))


def energy(u):
    return np.sum((u[1:] - u[:-1]) ** 4) + np.sum(np.sin(u))


U = np.linspace(0.1, 1.0, 12)


@pytest.mark.parametrize("mode", MODES)
def test_is_the_dense_jacobian(mode):
    made = cr.jacobian(chain, sparsity=band(12), jac_mode=mode)(U, scale=2.0)
    assert isinstance(made, sp.csr_array)
    assert made.nnz == 34
    assert np.allclose(made.toarray(), cr.jacobian(chain)(U, scale=2.0), rtol=1e-14)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shape", [(7, 13), (13, 7), (1, 5), (5, 1)])
def test_of_random_patterns(mode, shape):
    for seed in range(5):
        a = sp.random_array(shape, density=0.3, rng=seed).toarray()
        f = lambda x, a=a: np.sin(a @ x) + a @ x**2  # noqa: E731
        x = np.linspace(-1.0, 1.0, shape[1])
        made = cr.jacobian(f, sparsity=a, jac_mode=mode)(x)
        assert made.nnz == np.count_nonzero(a)
        assert np.allclose(made.toarray(), cr.jacobian(f)(x), rtol=1e-12)


def test_columns_of_one_colour_share_no_row():
    a = sp.coo_array(sp.random_array((40, 60), density=0.08, rng=1))
    row, column = a.coords
    found = np.asarray(colours(row, column, a.shape))
    for k in range(found.max() + 1):
        assert (a.tocsc()[:, np.flatnonzero(found == k)] != 0).sum(axis=1).max() <= 1


def test_the_number_of_passes_does_not_grow():
    assert [Pattern(band(n), "fwd").count for n in (10, 100, 10_000)] == [3, 3, 3]
    arrow = sp.lil_array((50, 50))
    arrow[0, :] = 1.0
    arrow.setdiag(1.0)
    assert Pattern(arrow, "fwd").count == 50
    assert Pattern(arrow, "rev").count == 2
    assert Pattern(arrow, "auto").count == 2
    m = 100
    one, line = sp.eye_array(m), band(m)
    grid = Pattern(sp.kron(one, line) + sp.kron(line, one), "fwd")
    assert grid.shape == (10_000, 10_000)
    assert grid.count <= 9


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("place", [(0, 0), (5, 6), (5, 4), (11, 11)])
def test_a_pattern_that_lacks_one_place_is_refused(mode, place):
    lacking = band(12).tolil()
    lacking[place] = 0.0
    f = lambda u: chain(u) + 0.3 * u  # noqa: E731
    if place == (5, 6):  # of the chain it is cos u₆
        assert cr.jacobian(f)(U)[place] != 0
    if cr.jacobian(f)(U)[place]:
        with pytest.raises(cr.UnsupportedArgument, match="not in this pattern"):
            cr.jacobian(f, sparsity=lacking.tocsr(), jac_mode=mode)(U)


def test_of_single_precision():
    made = cr.jacobian(chain, sparsity=band(12))(U.astype("f4"))
    assert made.dtype == np.float32
    assert np.allclose(made.toarray(), cr.jacobian(chain)(U), rtol=1e-5)


def test_hessian():
    assert np.allclose(cr.hessian(energy, sparsity=band(12))(U).toarray(), cr.hessian(energy)(U), rtol=1e-13)
    with pytest.raises(cr.UnsupportedArgument, match="not in this pattern"):
        cr.hessian(energy, sparsity=sp.eye_array(12))(U)


def test_is_differentiated():
    sparse = cr.grad(lambda u: np.sum(cr.jacobian(chain, sparsity=band(12))(u).data ** 2))(U)
    assert np.allclose(sparse, cr.grad(lambda u: np.sum(cr.jacobian(chain)(u) ** 2))(U), rtol=1e-12)


def test_argument_by_number_and_name():
    f = lambda a, u: a * chain(u)  # noqa: E731
    dense = cr.jacobian(f, 1)(2.0, U)
    assert np.allclose(cr.jacobian(f, 1, sparsity=band(12))(2.0, U).toarray(), dense)
    assert np.allclose(cr.jacobian(f, argnames="u", sparsity=band(12))(2.0, U).toarray(), dense)


def test_what_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="no vector of 9"):
        cr.jacobian(chain, sparsity=band(9))(U)
    with pytest.raises(cr.UnsupportedArgument, match="no vector"):
        cr.jacobian(lambda u: u, sparsity=band(12))(U.reshape(3, 4))
    with pytest.raises(cr.UnsupportedArgument, match="has_aux"):
        cr.jacobian(chain, sparsity=band(12), has_aux=True)
    with pytest.raises(cr.UnsupportedArgument, match="argnums"):
        cr.jacobian(chain, (0, 1), sparsity=band(12))
    with pytest.raises(cr.UnsupportedArgument, match="jac_mode"):
        cr.jacobian(chain, sparsity=band(12), jac_mode="both")
    with pytest.raises(cr.UnsupportedArgument, match="sparsity"):
        cr.jacobian(chain, sparsity=np.ones(12))
    with pytest.raises(cr.UnsupportedArgument, match="not finite"):
        cr.jacobian(lambda x: np.sqrt(x), sparsity=sp.eye_array(2))(np.array([0.0, 1.0]))


@pytest.mark.parametrize("mode", MODES)
def test_a_pattern_is_found(mode):
    for u in (U, np.zeros(12)):  # where u is zero, so are some derivatives; their places stay
        made = cr.jacobian(chain, sparsity="auto", jac_mode=mode)(u)
        assert made.nnz == 34 - 2  # u₁₀ alone is in no sine; the first and last row have one place
        assert np.allclose(made.toarray(), cr.jacobian(chain)(u), rtol=1e-14)


def test_a_found_pattern_is_of_the_branch_taken():
    f = lambda u: u[::-1] if u[0] > 0.0 else np.cumsum(u)  # noqa: E731
    jacobian = cr.jacobian(f, sparsity="auto")
    assert np.array_equal(jacobian(U).toarray(), np.eye(12)[::-1])
    assert np.array_equal(jacobian(-U).toarray(), np.tri(12))


def test_a_found_pattern_is_differentiated_where_derivatives_are_zero():
    f = lambda u: np.sum(cr.jacobian(lambda v: v**2, sparsity="auto")(u).data)  # noqa: E731
    assert np.array_equal(cr.grad(f)(np.zeros(3)), [2.0, 2.0, 2.0])
    found = cr.hessian(energy, sparsity="auto")(U)
    assert found.nnz == 34
    assert np.allclose(found.toarray(), cr.hessian(energy)(U), rtol=1e-13)


def test_runs_that_find_a_pattern_grow_with_the_logarithm():
    runs = []
    for n in (64, 4096):
        count = [0]

        def reached(columns, count=count):
            count[0] += 1
            return columns | np.roll(columns, 1) | np.roll(columns, -1)

        row, column = halved(reached, n, n)
        assert len(set(zip(row.tolist(), column.tolist(), strict=True))) == 3 * n
        runs.append(count[0])
    assert runs[1] <= 2.2 * runs[0]


def test_what_finding_refuses():
    with pytest.raises(cr.UnsupportedArgument, match="no vector of real numbers"):
        cr.jacobian(lambda u: u, sparsity="auto")(U.reshape(3, 4))
    with pytest.raises(cr.UnsupportedArgument, match="auto"):
        cr.jacobian(chain, sparsity="found")
