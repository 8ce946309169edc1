"""The likelihood is SciPy's own, its gradient that of differences, and the draws are of the posterior."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples import pymc_model
from examples.pymc_model import ENDED, SPREAD, TREATED, WEEKS, counted, lasting, log_likelihood
from scipy import stats

AT = np.array([0.3, -2.0, 1.0])


def test_the_likelihood_is_that_of_scipys_gamma_distribution() -> None:
    gamma = stats.gamma(np.exp(0.3), scale=np.exp(2.0 + TREATED))
    np.testing.assert_allclose(
        log_likelihood(AT), np.sum(np.where(ENDED, gamma.logpdf(WEEKS), gamma.logsf(WEEKS))), rtol=1e-12
    )
    np.testing.assert_allclose(lasting(WEEKS, AT[None], True)[0, :21], gamma.sf(WEEKS)[:21], rtol=1e-12)
    assert pymc_model.difference_error(AT) < 1e-8


def test_the_counted_chances() -> None:
    """Those of the first weeks by hand: 21 children, 3 of whom fell ill again in week 6, then 1 of 17."""
    weeks, chances = counted(treated=True)
    np.testing.assert_allclose(weeks[:3], [0.0, 6.0, 7.0])
    np.testing.assert_allclose(chances[:3], [1.0, 18 / 21, 18 / 21 * 16 / 17])


def means() -> Any:
    """The parameters' means by sums over a grid, which asks for no derivative."""
    axes = [np.linspace(*ends, 41) for ends in ((-0.8, 1.5), (-3.2, -0.4), (-0.2, 2.9))]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    logs = np.array([log_likelihood(p) for p in grid]) - 0.5 * np.sum((grid / SPREAD) ** 2, axis=1)
    weights = np.exp(logs - logs.max())
    return weights @ grid / weights.sum()


@pytest.mark.filterwarnings("ignore")  # PyMC's and ArviZ's own, of what is coming and of few chains
def test_it_samples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pymc", reason="PyMC is not installed: chainrules[pymc]")
    error, table, drawn = pymc_model.main(draws=400, output=tmp_path)
    assert error < 1e-8
    assert drawn.shape == (800, 3)
    assert (table["r_hat"] < 1.05).all()
    assert (np.abs(drawn.mean(axis=0) - means()) < 4 * table["mcse_mean"]).all()
    assert "divergent: 0 of 800 draws" in capsys.readouterr().out
    assert (tmp_path / "pymc_model.png").stat().st_size > 10_000
