"""Functions of `scipy.special` inside JAX, PyTorch and PyTensor: transformations there run our rules."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import uniform

import chainrules as cr

A, B, C = (uniform(3, seed=seed) for seed in range(3))
FUNCTIONS = [
    (special.gammaln, (A,)),
    (special.digamma, (A,)),
    (special.erf, (A,)),
    (special.betaln, (A, B)),
    (special.expi, (A,)),
    (special.ellipk, (A,)),
    (special.ellipkinc, (A, B)),
    (special.elliprf, (A, B, C)),
    (special.eval_legendre, (A + 2, B)),
    (special.eval_gegenbauer, (A + 2, B, C)),
    (special.pro_cv, (np.ones(3), np.full(3, 2.0), A)),
]
every = pytest.mark.parametrize(("f", "x"), FUNCTIONS, ids=[f.__name__ for f, _ in FUNCTIONS])


def last(f, x):
    """The gradient of the sum by the last argument, by our own engine."""
    return cr.grad(lambda v: np.sum(f(*x[:-1], v)))(x[-1])


@every
def test_in_jax(f, x):
    jax = pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")
    with jax.enable_x64(True):
        ours = cr.to_jax(f)

        def total(v):
            return jax.numpy.sum(ours(*x[:-1], v))

        np.testing.assert_allclose(jax.jit(ours)(*x), f(*x), rtol=1e-12)
        np.testing.assert_allclose(jax.grad(total)(x[-1]), last(f, x), rtol=1e-9)
        np.testing.assert_allclose(jax.jit(jax.grad(total))(x[-1]), last(f, x), rtol=1e-9)
        np.testing.assert_allclose(jax.vmap(ours)(*x), f(*x), rtol=1e-12)
        entry = jax.vmap(jax.grad(lambda v, *rest: ours(*rest, v)))(x[-1], *x[:-1])
        np.testing.assert_allclose(entry, last(f, x), rtol=1e-9)


@every
def test_in_torch(f, x):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: chainrules[torch]")
    ours = cr.to_torch(f)
    rest = [torch.tensor(v) for v in x[:-1]]
    moved = torch.tensor(x[-1], requires_grad=True)
    assert torch.autograd.gradcheck(lambda v: ours(*rest, v), (moved,))


@every
def test_in_pytensor(f, x):
    pytensor = pytest.importorskip("pytensor", reason="PyTensor is not installed: chainrules[pytensor]")
    ours = cr.to_pytensor(f)
    v = pytensor.tensor.dvector()
    y = ours(*x[:-1], v)
    run = pytensor.function([v], [y, pytensor.grad(y.sum(), v)], mode="FAST_COMPILE")
    value, gradient = run(x[-1])
    np.testing.assert_allclose(value, f(*x), rtol=1e-12)
    np.testing.assert_allclose(gradient, last(f, x), rtol=1e-9)
