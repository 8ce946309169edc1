"""The likelihood is SciPy's, its derivatives and those of the quantile those of differences; it samples."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples import heavy_tails
from examples.heavy_tails import NAMES, START, load, log_likelihood, value_at_risk
from scipy import stats

import chainrules as cr

AT = np.array([0.9, 1.1, 0.1, 0.6])


@pytest.fixture(scope="module")
def returns() -> Any:
    return load()


def test_the_data(returns: Any) -> None:
    assert returns.shape == (1046,)
    assert 15.0 < returns.max() < 25.0


def test_student_is_the_case_without_skew(returns: Any) -> None:
    """With a = b it is Student's t of 2a degrees of freedom."""
    expected = np.sum(stats.t.logpdf(returns, 2.0 * np.exp(1.0), 0.1, np.exp(0.5)))
    assert log_likelihood(np.array([1.0, 1.0, 0.1, 0.5]), returns) == pytest.approx(expected, rel=1e-10)


def test_curvature_is_as_differences_of_the_gradient_say(returns: Any) -> None:
    step, gradient = 1e-5, cr.grad(log_likelihood)
    slopes = [(gradient(AT + e, returns) - gradient(AT - e, returns)) / (2 * step) for e in step * np.eye(4)]
    np.testing.assert_allclose(cr.hessian(log_likelihood)(AT, returns), slopes, rtol=1e-5, atol=1e-4)


def test_the_value_at_risk_moves_as_differences_say() -> None:
    step = 1e-5
    slopes = [(value_at_risk(AT + e) - value_at_risk(AT - e)) / (2 * step) for e in step * np.eye(4)]
    np.testing.assert_allclose(cr.grad(value_at_risk)(AT), slopes, rtol=1e-6)


def test_it_fits_prices_and_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error, found, (loss, spread), drawn = heavy_tails.main(draws=60, output=tmp_path)
    shown = capsys.readouterr()
    assert error < 1e-6
    assert found.history[-1] > found.history[0]
    assert np.max(np.abs(cr.grad(log_likelihood)(found.best, load()))) < 1e-2
    assert np.all(np.linalg.eigvalsh(found.covariance) > 0)
    assert 4.0 < loss < 8.0
    assert 0.1 < spread < 1.5
    assert drawn.shape == (60, len(NAMES))
    deviations = np.sqrt(np.diag(found.covariance))
    assert np.all(np.abs(drawn.mean(axis=0) - found.best) < 1.5 * deviations)
    assert "fitting" in shown.err
    assert "one day in 100 loses more than" in shown.out
    assert (tmp_path / "heavy_tails.png").stat().st_size > 10_000


def test_the_likelihood_is_an_operation_of_pytensor(returns: Any) -> None:
    pytensor = pytest.importorskip("pytensor", reason="PyTensor is not installed: chainrules[pytensor]")
    x = pytensor.tensor.tensor("x", shape=(4,), dtype="float64")
    y = cr.to_pytensor(log_likelihood)(x, returns)
    compiled = pytensor.function([x], [y, pytensor.grad(y, x)], mode="FAST_COMPILE")
    value, gradient = compiled(START)
    np.testing.assert_allclose(value, log_likelihood(START, returns), rtol=1e-12)
    np.testing.assert_allclose(gradient, cr.grad(log_likelihood)(START, returns), rtol=1e-12)
