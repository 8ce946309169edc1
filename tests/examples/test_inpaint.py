"""The gradient by the weights is that of differences; the weights learnt fill in better than equal ones."""

from pathlib import Path

import numpy as np
import pytest
from examples import inpaint
from examples.inpaint import edges, fill, what_is_left


def test_equal_weights_fill_a_plain_slope_exactly() -> None:
    rows, columns = 8, 12
    slope = np.tile(np.arange(columns) / columns, rows)[:, None] * np.ones(3)
    known = what_is_left(rows, columns)
    known[:columns] = known[-columns:] = known[::columns] = known[columns - 1 :: columns] = True
    joined = edges(rows, columns)
    filled = fill(np.zeros(len(joined[0])), known.astype(float), slope, joined)
    np.testing.assert_allclose(filled, slope, atol=1e-4)


def test_it_fills_in_what_was_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deviation, errors = inpaint.main(rows=40, rounds=12, output=tmp_path)
    assert deviation < 1e-6
    assert errors[-1] < 0.97 * errors[0]
    shown = capsys.readouterr()
    assert "with those learnt" in shown.out
    assert "learning" in shown.err
    assert (tmp_path / "inpaint.png").stat().st_size > 10_000
