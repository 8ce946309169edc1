"""The digits are learnt, by a gradient that differences confirm."""

from pathlib import Path

import numpy as np
import pytest
from examples import fit_digits
from scipy.optimize import check_grad

import chainrules as cr


def test_it_reads_held_out_digits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    accuracy = fit_digits.main(iterations=50, output=tmp_path)
    shown = capsys.readouterr()
    assert accuracy > 0.95
    assert f"accuracy on held-out digits: {accuracy:.3f}" in shown.out
    assert "50/50" in shown.err  # progress
    assert str(tmp_path / "fit_digits.png") in shown.out
    assert (tmp_path / "fit_digits.png").stat().st_size > 10_000


def test_its_gradient_agrees_with_differences() -> None:
    images, digits = np.random.default_rng(1).normal(size=(7, 5)), np.array([0, 2, 1, 1, 0, 2, 2])
    network = fit_digits.initial_network(seed=2, pixels=5, hidden=4, classes=3)
    vector, unravel = cr.ravel(network)

    def loss(v: np.ndarray) -> float:
        return float(fit_digits.penalised_loss(unravel(v), images, digits))

    def gradient(v: np.ndarray) -> np.ndarray:
        return cr.ravel(cr.grad(fit_digits.penalised_loss)(unravel(v), images, digits))[0]

    assert np.linalg.norm(gradient(vector)) > 0.1
    assert check_grad(loss, gradient, vector) < 1e-6
