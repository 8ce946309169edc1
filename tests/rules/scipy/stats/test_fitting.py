"""Fits: the estimate moves with the data and with what is fixed as the exact solution does."""

import numpy as np
import pytest
from scipy import optimize, stats
from tests.rules.cases import case

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.rules.scipy.stats.fitting import FITS
from chainrules.testing import check_grads, exempt

CASES = [case(stats.gamma.fit_loc_scale, np.array([0.4, 1.2, 2.5]), 1.7)]
EXEMPT = [
    *(exempt(f, why="stops where its optimiser does: checked against one that stops later") for f in FITS),
    exempt(stats.rv_continuous.nnlf, why="its parameters are a tuple: checked below"),
]
RNG = np.random.default_rng(0)


def tight(f, x0, args=(), disp=0):
    """A fit to more digits."""
    options = {"xatol": 1e-9, "fatol": 1e-13, "maxiter": 20000}
    return optimize.minimize(f, x0, args, method="Nelder-Mead", options=options).x


@pytest.mark.parametrize(
    ("dist", "shapes", "given"),
    [
        (stats.norm, (), {}),
        (stats.expon, (), {}),  # loc is at the least datum
        (stats.uniform, (), {}),  # both ends are
        (stats.pareto, (2.5,), {"floc": 0.0}),  # the scale is
        (stats.gamma, (2.3,), {"floc": 0.0}),
        (stats.t, (4.0,), {"f0": 4.0, "optimizer": tight}),
        (stats.gamma, (2.3,), {"floc": 0.0, "method": "MM"}),
    ],
)
def test_by_the_data(dist, shapes, given):
    x = dist.rvs(*shapes, size=25, random_state=1)
    along = RNG.normal(size=25) * 1e-2

    def fitted(t, **more):
        return np.stack(dist.fit(x + t * along, **given, **more))

    def exactly(t):
        closed = dist.name in ("norm", "expon", "uniform", "pareto") or len(given) > 1
        return fitted(t) if closed else fitted(t, optimizer=tight)

    exact = (exactly(1e-2) - exactly(-1e-2)) / 2e-2
    forward = cr.jvp(fitted, (0.0,), (1.0,))[1]
    assert np.allclose(forward, exact, rtol=2e-4, atol=2e-6)
    assert np.allclose(cr.jacobian(fitted)(0.0), forward, rtol=1e-8, atol=1e-12)


def test_by_what_is_fixed():
    x = stats.gamma.rvs(2.3, size=25, random_state=1)
    by_loc = cr.grad(lambda m: stats.gamma.fit(x, floc=m)[2])(-0.1)
    exact = [stats.gamma.fit(x, floc=m, optimizer=tight)[2] for m in (-0.101, -0.099)]
    assert by_loc == pytest.approx((exact[1] - exact[0]) / 2e-3, rel=1e-3)
    assert cr.grad(lambda m: stats.gamma.fit(x, floc=m)[1])(-0.1) == 1.0
    assert cr.grad(lambda s: stats.norm.fit(x, fscale=s)[1])(1.3) == 1.0


def test_nnlf():
    x = np.array([0.4, 1.2, 2.5])
    check_grads(lambda a, s, x: stats.gamma.nnlf((a, 0.0, s), x), 1.7, 1.3, x, order=2)
    assert np.isinf(stats.gamma.nnlf((1.7, 1.0, 1.3), x))
    assert np.array_equal(cr.grad(lambda x: stats.gamma.nnlf((1.7, 1.0, 1.3), x))(x), np.zeros(3))


def nowhere(f, x0, args=(), disp=0):
    """A fit that does not begin."""
    return np.asarray(x0)


def test_what_is_refused():
    x = stats.laplace.rvs(size=11, random_state=1)
    with pytest.raises(NotDifferentiableError, match="the gradient of"):
        cr.grad(lambda t: stats.laplace.fit(x + t)[0])(0.0)
    with pytest.raises(NotDifferentiableError, match="a fit that stopped"):
        cr.grad(lambda t: stats.t.fit(x * t, 4.0, optimizer=nowhere)[0])(1.0)
