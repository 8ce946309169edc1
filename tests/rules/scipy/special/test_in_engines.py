"""Functions of `scipy.special` inside JAX, PyTorch and PyTensor: transformations there run our rules.

Every argument is differentiated, orders and parameters included: of some rows the last ones, as many as stand
beside them.
"""

import functools

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import uniform

import chainrules as cr

A, B, C = (uniform(3, seed=seed) for seed in range(3))
X = uniform(3, low=0.5, high=4.0, seed=3)
FUNCTIONS = [
    (special.jv, (A + 1, X), 2),
    (special.kv, (A + 1, X), 2),
    (special.betainc, (A, X, B), 3),
    (special.gammainc, (A, X), 2),
    (special.logsumexp, (X,), 1),
    (special.expit, (X,), 1),
    (special.gammaln, (A,), 1),
    (special.digamma, (A,), 1),
    (special.erf, (A,), 1),
    (special.betaln, (A, B), 2),
    (special.expi, (A,), 1),
    (special.ellipk, (A,), 1),
    (special.ellipkinc, (A, B), 2),
    (special.elliprf, (A, B, C), 3),
    (special.eval_legendre, (A + 2, B), 1),
    (special.eval_gegenbauer, (A + 2, B, C), 1),
    (special.pro_cv, (np.ones(3), np.full(3, 2.0), A), 1),
]
every = pytest.mark.parametrize(
    ("f", "x", "moved"), FUNCTIONS, ids=[f"{f.__name__}, {k} of {len(x)}" for f, x, k in FUNCTIONS]
)


def split(f, x, moved):
    """f of the arguments that are differentiated, and those."""
    held = len(x) - moved
    return functools.partial(f, *x[:held]), x[held:]


def gradients(f, x):
    """Of the sum, by every argument, by our own engine."""
    return cr.grad(lambda *v: np.sum(f(*v)), tuple(range(len(x))))(*x)


def agree(found, expected, rtol=1e-9):
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=rtol)


@every
def test_in_jax(f, x, moved):
    jax = pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")
    host, v = split(f, x, moved)
    expected = gradients(host, v)
    rows = [[a * s for a in v] for s in (1.0, 0.9)]
    with jax.enable_x64(True):
        ours, _ = split(cr.to_jax(f), x, moved)
        every_one = tuple(range(len(v)))
        gradient = jax.grad(lambda *w: jax.numpy.sum(ours(*w)), argnums=every_one)
        agree(gradient(*v), expected)
        agree(jax.jit(gradient)(*v), expected)
        np.testing.assert_allclose(jax.jit(ours)(*v), host(*v), rtol=1e-12)
        stacked = [np.stack(column) for column in zip(*rows, strict=True)]
        np.testing.assert_allclose(jax.vmap(ours)(*stacked), [host(*row) for row in rows], rtol=1e-12)
        of_rows = zip(*jax.vmap(gradient)(*stacked), strict=True)
        for found, row in zip(of_rows, rows, strict=True):
            agree(found, gradients(host, row))
        slope = jax.jvp(ours, v, v)[1]
        assert np.sum(slope) == pytest.approx(sum(np.sum(g * a) for g, a in zip(expected, v, strict=True)))


@every
def test_in_torch(f, x, moved):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: chainrules[torch]")
    held = len(x) - moved
    ours = functools.partial(cr.to_torch(f), *map(torch.tensor, x[:held]))
    v = [torch.tensor(a, requires_grad=True) for a in x[held:]]
    np.testing.assert_allclose(ours(*v).detach(), f(*x), rtol=1e-12)
    assert torch.autograd.gradcheck(ours, v)


@every
def test_in_pytensor(f, x, moved):
    pytensor = pytest.importorskip("pytensor", reason="PyTensor is not installed: chainrules[pytensor]")
    host, v = split(f, x, moved)
    ours, _ = split(cr.to_pytensor(f), x, moved)
    names = [pytensor.tensor.dvector() for _ in v]
    y = ours(*names)
    run = pytensor.function(names, [y, *pytensor.grad(y.sum(), names)], mode="FAST_COMPILE")
    value, *found = run(*v)
    np.testing.assert_allclose(value, host(*v), rtol=1e-12)
    agree(found, gradients(host, v))
