"""The equations keep what they should, the gradient is that of differences, and the fit is found."""

from pathlib import Path

import numpy as np
import pytest
from examples import lynx_and_hare
from examples.lynx_and_hare import PELTS, START, YEARS, numbers, surprise

import chainrules as cr


def test_the_cycle_closes() -> None:
    """Of a h, b h l, c h l, d l the combination c h − d log h + b l − a log l stays as it is."""
    a, b, c, d = np.exp(START[:4])
    hares, lynxes = numbers(START, YEARS)
    kept = c * hares - d * np.log(hares) + b * lynxes - a * np.log(lynxes)
    np.testing.assert_allclose(kept, kept[0], rtol=1e-4)


def test_the_spread_of_greatest_likelihood_is_that_of_the_residuals() -> None:
    residuals = np.log(PELTS) - np.log(numbers(START, YEARS))
    logs = np.concatenate([START[:6], 0.5 * np.log(np.mean(residuals**2, axis=1))])
    np.testing.assert_allclose(cr.grad(surprise)(logs)[6:], 0.0, atol=1e-9)


def test_it_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lynx_and_hare, "curvature", lambda logs: 100.0 * np.eye(8))  # takes 16 gradients
    error, history, best, covariance = lynx_and_hare.main(iterations=3, draws=3, output=tmp_path)
    assert error < 1e-4
    assert history[-1] < history[0] - 5
    assert best.shape == (8,)
    np.testing.assert_allclose(covariance, 0.01 * np.eye(8))
    shown = capsys.readouterr()
    assert f"surprise {history[0]:.2f} → {history[-1]:.2f}" in shown.out
    assert "fitting" in shown.err
    assert (tmp_path / "lynx_and_hare.png").stat().st_size > 10_000


def test_the_curvature_is_the_second_derivative(monkeypatch: pytest.MonkeyPatch) -> None:
    form = np.diag(np.arange(1.0, 9.0)) + 0.5
    monkeypatch.setattr(lynx_and_hare, "surprise", lambda logs: 0.5 * logs @ form @ logs)
    np.testing.assert_allclose(lynx_and_hare.curvature(START), form, rtol=1e-9)
