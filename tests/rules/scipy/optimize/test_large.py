"""Solutions of ten thousand numbers: no matrix is written down."""

import tracemalloc

import numpy as np
import pytest
from scipy import optimize

import chainrules as cr

N = 10_000
LOADS = np.random.default_rng(0).normal(size=N)


def force(x, loads):
    """On each body of a ring, springs that stiffen."""
    return 3.0 * x + x**3 - 0.5 * (np.roll(x, 1) + np.roll(x, -1)) - loads


def energy(x, loads):
    return np.sum(1.5 * x**2 + x**4 / 4 - 0.5 * x * np.roll(x, 1) - loads * x)


WAYS = {
    "root": lambda loads: (
        optimize.root(force, np.zeros(N), args=(loads,), method="krylov", options={"fatol": 1e-10}).x
    ),
    "newton_krylov": lambda loads: optimize.newton_krylov(
        lambda x: force(x, loads), np.zeros(N), f_tol=1e-10
    ),
    "minimize": lambda loads: (
        optimize.minimize(
            energy,
            np.zeros(N),
            args=(loads,),
            jac=force,
            method="L-BFGS-B",
            options={"gtol": 1e-9, "ftol": 1e-16},
        ).x
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_ten_thousand_numbers_without_a_matrix(way):
    def loss(loads):
        return np.sum(WAYS[way](loads) ** 2)

    x = WAYS[way](LOADS)
    gradient = cr.grad(loss)
    gradient(LOADS)
    tracemalloc.start()
    try:
        weights = gradient(LOADS)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    turned = (3.0 + 3.0 * x**2) * weights - 0.5 * (np.roll(weights, 1) + np.roll(weights, -1))
    np.testing.assert_allclose(turned, 2 * x, atol=1e-7)
    assert most < 8 * N * N / 20
