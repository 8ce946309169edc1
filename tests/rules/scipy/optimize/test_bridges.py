"""Programs with a solver inside, as operators of PyTorch and JAX."""

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr


def kepler(mean, eccentricity):
    return optimize.brentq(lambda x: x - eccentricity * np.sin(x) - mean, 0.0, 10.0)


def cooled(rate):
    return integrate.solve_ivp(
        lambda t, y, k: -k * y, (0.0, 1.0), np.array([1.0, 2.0]), args=(rate,), rtol=1e-8, atol=1e-10
    ).y[:, -1]


def least(centre):
    return optimize.minimize(lambda x: np.sum((x - centre) ** 2) + np.sum(x**4), np.zeros(2), tol=1e-10).x


CENTRE = np.array([0.5, -0.7])


def expected_of_kepler():
    anomaly = kepler(1.0, 0.3)
    return 1 / (1 - 0.3 * np.cos(anomaly)), np.sin(anomaly) / (1 - 0.3 * np.cos(anomaly))


def expected_of_least():
    return np.diag(1 / (1 + 6 * least(CENTRE) ** 2))


def test_in_torch():
    torch = pytest.importorskip("torch")
    mean, eccentricity, rate, centre = (
        torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (1.0, 0.3, 0.7, CENTRE)
    )
    cr.to_torch(kepler)(mean, eccentricity).backward()
    np.testing.assert_allclose([mean.grad, eccentricity.grad], expected_of_kepler(), rtol=1e-9)
    cr.to_torch(cooled)(rate).sum().backward()
    np.testing.assert_allclose(rate.grad, -3 * np.exp(-0.7), rtol=1e-7)
    jacobian = torch.autograd.functional.jacobian(cr.to_torch(least), centre)
    np.testing.assert_allclose(jacobian, expected_of_least(), rtol=1e-6, atol=1e-8)


def test_in_jax():
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True):
        program = cr.to_jax(kepler)
        np.testing.assert_allclose(jax.grad(program, (0, 1))(1.0, 0.3), expected_of_kepler(), rtol=1e-9)
        np.testing.assert_allclose(
            jax.jvp(program, (1.0, 0.3), (1.0, 0.0))[1], expected_of_kepler()[0], rtol=1e-9
        )
        slope = jax.jit(jax.grad(lambda rate: jax.numpy.sum(cr.to_jax(cooled)(rate))))
        np.testing.assert_allclose(slope(0.7), -3 * np.exp(-0.7), rtol=1e-7)
        np.testing.assert_allclose(
            jax.jacobian(cr.to_jax(least))(CENTRE), expected_of_least(), rtol=1e-6, atol=1e-8
        )
