"""The heat equation by explicit steps (Courant, Friedrichs, Lewy 1928), in one array, with a source."""

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


def simulate(u, conductivity, steps=30, dt=0.2, source=None):
    for step in range(steps):
        lap = u[:-2] - 2 * u[1:-1] + u[2:]
        u[1:-1] += dt * conductivity * lap
        if source is not None:
            u[len(u) // 2] += dt * source(step * dt)
        u[0] = 0.0
        u[-1] = u[-2]
    return u


def misfit(u, conductivity, strength):
    return np.sum(simulate(u, conductivity, 8, source=lambda t: strength * np.exp(-t)) ** 2)


def test_by_start_conductivity_and_source():
    start = np.array([0.0, 1.0, 0.5, -0.3, 0.8, 0.0])
    given, plain = start.copy(), start.copy()
    misfit(plain, 0.9, 0.4)
    cr.grad(misfit, argnums=(0, 1, 2))(given, 0.9, 0.4)
    np.testing.assert_array_equal(given, plain)
    check_grads(lambda u, k, strength: misfit(u.copy(), k, strength), start, 0.9, 0.4)


def test_a_sine_decays_by_its_eigenvalue():
    n, steps, k = 9, 30, 0.8
    grid = np.sin(np.pi * np.arange(n + 1) / n)
    factor = 1 - 4 * 0.2 * k * np.sin(np.pi / (2 * n)) ** 2

    def height(a):
        u = a * grid
        for _ in range(steps):
            u[1:-1] += 0.2 * k * (u[:-2] - 2 * u[1:-1] + u[2:])
        return u[4]

    np.testing.assert_allclose(cr.grad(height)(1.7), factor**steps * grid[4], rtol=1e-12)
