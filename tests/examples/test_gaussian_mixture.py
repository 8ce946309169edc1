"""The mixture is the distribution that SciPy computes, and its fit rises to the known optimum."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from examples import gaussian_mixture
from examples.gaussian_mixture import Mixture, factors, log_likelihood, log_posterior, log_wishart_prior
from scipy.optimize import check_grad
from scipy.special import logsumexp, softmax
from scipy.stats import multivariate_normal, wishart

import chainrules as cr

RNG = np.random.default_rng(3)
MIXTURE = Mixture(RNG.normal(size=2), RNG.normal(size=(2, 3)), 0.5 * RNG.normal(size=(2, 6)))
PRECISIONS = [q.T @ q for q in factors(MIXTURE.icf, 3)]


def test_a_row_is_log_diagonals_then_the_lower_triangle_by_columns() -> None:
    (q,) = factors(np.array([[0.0, np.log(2), np.log(3), 4.0, 5.0, 6.0]]), 3)
    np.testing.assert_allclose(q, [[1, 0, 0], [4, 2, 0], [5, 6, 3]])


def test_the_likelihood_is_that_of_a_mixture_of_normals() -> None:
    x = RNG.normal(size=(5, 3))
    weights = np.log(softmax(MIXTURE.alphas))
    normals = [
        multivariate_normal(mean, np.linalg.inv(precision)).logpdf(x)
        for mean, precision in zip(MIXTURE.means, PRECISIONS, strict=True)
    ]
    expected = np.sum(logsumexp(weights[:, None] + normals, axis=0))
    assert log_likelihood(MIXTURE, x) == pytest.approx(expected)


@pytest.mark.parametrize(("gamma", "m"), [(0.1, 0), (1.3, 2)])
def test_the_prior_is_wisharts(gamma: float, m: int) -> None:
    expected = sum(wishart(df=3 + m + 1, scale=np.eye(3) / gamma**2).logpdf(p) for p in PRECISIONS)
    assert log_wishart_prior(MIXTURE.icf, 3, gamma, m) == pytest.approx(expected)


def test_its_gradient_agrees_with_differences() -> None:
    x = RNG.normal(size=(5, 3))
    vector, unravel = cr.ravel(MIXTURE)

    def posterior(v: np.ndarray) -> float:
        return float(log_posterior(unravel(v), x))

    def gradient(v: np.ndarray) -> np.ndarray:
        return cr.ravel(cr.grad(log_posterior)(unravel(v), x))[0]

    assert np.linalg.norm(gradient(vector)) > 1
    assert check_grad(posterior, gradient, vector) < 1e-4


def test_the_fit_rises(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error, history = gaussian_mixture.main(output=tmp_path)
    shown = capsys.readouterr()
    assert error < 1e-8
    assert all(later > earlier - 0.05 for earlier, later in pairwise(history))
    assert history[-1] == pytest.approx(-290.53, abs=0.1)  # where scikit-learn's EM ends, best of 20 starts
    assert "fitting: 100%" in shown.err
    assert str(tmp_path / "gaussian_mixture.png") in shown.out
    assert (tmp_path / "gaussian_mixture.png").stat().st_size > 10_000
