"""The gradient is that of differences, the powers are of the band, and the climbs go up."""

from pathlib import Path

import numpy as np
import pytest
from examples import tune_filter
from examples.tune_filter import RATE, STARTS, coded, difference_error, parameters, powers, separation, traces


def test_numbers_without_bounds_are_a_code() -> None:
    for start in STARTS:
        np.testing.assert_allclose(parameters(coded(start)), start, rtol=1e-12)


def test_a_sine_in_the_band_keeps_its_power() -> None:
    t = np.arange(800) / RATE
    found = powers(np.array([4.0, 12.0, 0.1]), np.sin(2 * np.pi * 8.0 * t))
    np.testing.assert_allclose(found[2:-2], np.log(0.5), atol=0.05)
    assert np.all(powers(np.array([4.0, 12.0, 0.1]), np.sin(2 * np.pi * 30.0 * t))[2:-2] < -10.0)


def test_the_gradient_is_that_of_differences() -> None:
    assert difference_error(traces()[0]) < 1e-7


def test_it_climbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error, path, (grid, last) = tune_filter.main(iterations=6, resolution=4, output=tmp_path)
    trace = traces()[0]
    assert error < 1e-7
    assert np.isfinite(grid)
    assert last == separation(path[-1], trace)
    assert last > separation(path[0], trace) + 0.5
    shown = capsys.readouterr()
    assert "best: band" in shown.out
    assert "tuning" in shown.err
    assert (tmp_path / "tune_filter.png").stat().st_size > 10_000
