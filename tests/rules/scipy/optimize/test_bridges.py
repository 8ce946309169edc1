"""Programs with a solver inside, as operators of PyTorch and JAX, and by parameters in structures."""

import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import integrate, optimize

import chainrules as cr
from chainrules.tangents import Composite


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


FIRST = """
from tests.rules.scipy.optimize.test_bridges import cooled
from chainrules.engines.source.reruns import changes
import chainrules
assert not changes(cooled, (0.7,), {}, unknown=False)
"""


def test_a_program_with_a_solver_changes_nothing_before_any_rules_are_loaded():
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


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


@dataclass
class Orbit:
    """An orbit, as users keep their parameters."""

    mean: float
    shape: dict[str, float]


WAYS = {
    "args": lambda o: optimize.brentq(
        lambda x, o: x - o.shape["eccentricity"] * np.sin(x) - o.mean, 0.0, 10.0, args=(o,)
    ),
    "captured": lambda o: (
        optimize.root_scalar(
            lambda x: x - o.shape["eccentricity"] * np.sin(x) - o.mean, bracket=(0.0, 10.0)
        ).root
    ),
    "a system": lambda o: optimize.root(
        lambda x: x - o.shape["eccentricity"] * np.sin(x) - o.mean, np.array([1.0]), tol=1e-13
    ).x[0],
    "a minimum": lambda o: optimize.minimize(
        lambda x, o: x[0] ** 2 / 2 + o.shape["eccentricity"] * np.cos(x[0]) - o.mean * x[0],
        np.array([1.0]),
        args=(o,),
        options={"gtol": 1e-9},
    ).x[0],
    "an event": lambda o: integrate.solve_ivp(
        lambda t, y: np.array([1.0 - o.shape["eccentricity"] * np.cos(t)]),
        (0.0, 10.0),
        np.array([0.0]),
        events=lambda t, y: y[0] - o.mean,
        rtol=1e-9,
        atol=1e-11,
    ).t_events[0][0],
}


@pytest.mark.parametrize("way", WAYS)
def test_parameters_in_structures(way):
    by_mean, by_eccentricity = expected_of_kepler()
    orbit = Orbit(1.0, {"eccentricity": 0.3})
    assert WAYS[way](orbit) == pytest.approx(kepler(1.0, 0.3), rel=1e-7)
    found = cr.grad(WAYS[way])(orbit)
    assert found.mean == pytest.approx(by_mean, rel=1e-6)
    assert found.shape["eccentricity"] == pytest.approx(by_eccentricity, rel=1e-6)
    step = Composite[Orbit](mean=2.0, shape=Composite[dict]({"eccentricity": 1.0}))
    moved = cr.jvp(WAYS[way], (orbit,), (step,))[1]
    assert moved == pytest.approx(2 * by_mean + by_eccentricity, rel=1e-6)
