"""The gradient by a pose is that of differences, and the robust loss finds the pose that squares miss."""

from pathlib import Path

import numpy as np
import pytest
from examples import pose
from examples.pose import chart, error, landscape, scan, squares
from scipy.spatial.transform import Rotation


def test_a_scan_without_wrong_matches_is_aligned_by_squares() -> None:
    seen, matched = scan(landscape(), 300)
    degrees, kilometres = error(*squares(seen[:200], matched[:200]))
    assert degrees < 0.2
    assert kilometres < 0.02


def test_the_chart_says_how_far_a_rotation_vector_turns() -> None:
    w, e = np.array([0.2, -0.1, 0.4]), np.array([1e-6, 2e-6, -1e-6])
    turned = (Rotation.from_rotvec(w + e) * Rotation.from_rotvec(w).inv()).as_rotvec()
    np.testing.assert_allclose(chart(w) @ e, turned, rtol=1e-5)


def test_it_finds_the_pose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deviation, _, errors = pose.main(count=300, rounds=8, output=tmp_path)
    assert deviation < 1e-7
    assert errors[0, 0] > 10 * errors[-1, 0]
    assert errors[0, 1] > 0.5
    assert errors[-1, 0] < 0.2
    assert errors[-1, 1] < 0.02
    shown = capsys.readouterr()
    assert "robust loss: off by" in shown.out
    assert "aligning" in shown.err
    assert (tmp_path / "pose.png").stat().st_size > 10_000
