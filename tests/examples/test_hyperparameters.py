"""The fit is a minimum, the gradient goes through it, and it finds what the grid finds."""

from pathlib import Path

import numpy as np
import pytest
from examples import hyperparameters
from examples.hyperparameters import START, curvature, fit, parts, penalised, surprise, validation_loss

import chainrules as cr


def test_the_fit_is_stationary_and_the_curvature_is_that_of_differences() -> None:
    training, _, _ = parts()
    w = fit(np.array([1.0, 0.0]), training)
    gradient = cr.grad(penalised)
    np.testing.assert_allclose(gradient(w, np.array([1.0, 0.0]), training), 0.0, atol=1e-8)
    along = np.random.default_rng(0).normal(size=31)
    ends = [gradient(w + s * 1e-4 * along, START, training) for s in (1, -1)]
    np.testing.assert_allclose(
        curvature(w, START, training) @ along, (ends[0] - ends[1]) / 2e-4, rtol=1e-5, atol=1e-8
    )


def test_the_intercept_alone_is_left_by_a_strong_penalty() -> None:
    """Then the fit says of every tumour how many are benign."""
    training, _, _ = parts()
    w = fit(np.array([14.0, 14.0]), training)
    benign = np.mean(training.sign == 1)
    np.testing.assert_allclose(w, np.append(np.zeros(30), np.log(benign / (1 - benign))), atol=1e-3)
    assert surprise(w, training) == pytest.approx(
        -benign * np.log(benign) - (1 - benign) * np.log(1 - benign), rel=1e-3
    )


def test_the_second_derivative_goes_through_the_fit() -> None:
    training, validation, _ = parts()
    rho, along = np.array([0.5, -0.5]), np.array([1.0, 2.0])
    gradient = cr.grad(validation_loss)
    turned = cr.derivative(lambda t: gradient(rho + t * along, training, validation))(0.0)
    ends = [gradient(rho + s * 1e-3 * along, training, validation) for s in (1, -1)]
    np.testing.assert_allclose(turned, (ends[0] - ends[1]) / 2e-3, rtol=1e-4)


def test_it_finds_a_better_choice_than_the_grid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hyperparameters, "START", np.array([0.0, 1.0]))
    error, found, losses = hyperparameters.main(iterations=6, side=4, output=tmp_path)
    assert error < 1e-5
    assert np.min(found) < np.min(losses)
    shown = capsys.readouterr()
    assert f"loss {np.min(found):.4f} after {len(found)} fits" in shown.out
    assert "searching the grid" in shown.err
    assert (tmp_path / "hyperparameters.png").stat().st_size > 10_000
