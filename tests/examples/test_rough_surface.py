"""The covariance is Matérn's, its gradient that of differences, and the chain draws what it should."""

from pathlib import Path

import numpy as np
import pytest
from examples import rough_surface
from examples.rough_surface import START, Surface, covariance, hmc, load, log_likelihood, matern, patch
from scipy.stats import multivariate_normal
from sklearn.gaussian_process.kernels import Matern

import chainrules as cr

LOGS = np.log([1.3, 0.8, 0.6, 0.02])


@pytest.fixture(scope="module")
def surface() -> Surface:
    return patch(load(), 6)


@pytest.mark.parametrize("smoothness", [0.4, 0.5, 1.5, 1.7, 2.5])
def test_the_correlation_is_materns(smoothness: float) -> None:
    d = np.array([1e-3, 0.1, 0.9, 4.0, 40.0])
    expected = Matern(length_scale=0.8, nu=smoothness)(d[:, None], [[0.0]])[:, 0]
    np.testing.assert_allclose(matern(d, smoothness, 0.8), expected, rtol=1e-9, atol=1e-15)


def test_every_pair_of_points_has_its_distance(surface: Surface) -> None:
    south, east = load().cell
    i, j = np.divmod(np.arange(36), 6)
    places = rough_surface.STRIDE * np.stack([i * south, j * east], axis=1)
    apart = np.linalg.norm(places[:, None] - places, axis=-1)
    np.testing.assert_allclose(surface.distances[surface.pairs], apart, rtol=1e-13)


def test_the_likelihood_is_that_of_a_normal_distribution(surface: Surface) -> None:
    k = covariance(LOGS, surface)
    np.testing.assert_allclose(np.diag(k), 0.62)
    expected = multivariate_normal(np.zeros(36), k).logpdf(surface.heights)
    assert log_likelihood(LOGS, surface) == pytest.approx(expected, rel=1e-10)


def test_curvature_is_as_differences_of_the_gradient_say(surface: Surface) -> None:
    step, gradient = 1e-5, cr.grad(log_likelihood)
    slopes = [
        (gradient(LOGS + e, surface) - gradient(LOGS - e, surface)) / (2 * step) for e in step * np.eye(4)
    ]
    np.testing.assert_allclose(cr.hessian(log_likelihood)(LOGS, surface), slopes, rtol=1e-6, atol=1e-6)


def test_the_chain_draws_from_the_density_it_is_given() -> None:
    centre, precision = np.array([1.0, -2.0]), np.array([[2.0, 0.6], [0.6, 1.0]])

    def density(x: np.ndarray) -> tuple[float, np.ndarray]:
        slope = -precision @ (x - centre)
        return 0.5 * float(slope @ (x - centre)), slope

    draws, accepted = hmc(density, centre, np.eye(2), 4000, seed=1)
    assert accepted > 0.9
    np.testing.assert_allclose(np.mean(draws, axis=0), centre, atol=0.1)
    np.testing.assert_allclose(np.cov(draws.T), np.linalg.inv(precision), atol=0.15)


def test_it_finds_the_smoothness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error, history, (smoothnesses, values), draws = rough_surface.main(
        side=10, iterations=30, samples=10, points=3, output=tmp_path
    )
    shown = capsys.readouterr()
    assert error < 1e-6
    assert history[-1] > history[0] + 1
    assert np.all(values <= history[-1] + 1e-3)
    assert np.isclose(values[1], history[-1], atol=1.0)  # the middle one stands near the maximum
    assert smoothnesses.shape == (3,)
    assert draws.shape == (10, 4)
    assert len(np.unique(draws, axis=0)) > 3
    assert f"log-likelihood {history[0]:.2f} → {history[-1]:.2f}" in shown.out
    for stage in ("fitting", "profile", "sampling: 100%"):
        assert stage in shown.err
    assert str(tmp_path / "rough_surface.png") in shown.out
    assert (tmp_path / "rough_surface.png").stat().st_size > 10_000


def test_a_singular_covariance_is_left_out_of_the_chain(surface: Surface) -> None:
    visited = []

    def density(logs: np.ndarray) -> tuple[float, np.ndarray]:
        visited.append(logs)
        if len(visited) % 3 == 0:
            raise np.linalg.LinAlgError
        value, slope = cr.value_and_grad(log_likelihood)(logs, surface)
        return value, slope

    draws, _ = hmc(density, START, 0.1 * np.eye(4), 10, seed=2)
    assert np.all(np.isfinite(draws))
