"""The matrix stays orthogonal by itself, and gets further than steps that are projected back."""

from pathlib import Path

import numpy as np
import pytest
from examples import orthogonal_factors

import chainrules as cr
from chainrules.types import Orthogonal, SkewSymmetric


def test_it_stays_on_the_group_and_gets_further(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    group, plain = orthogonal_factors.main(steps=60, output=tmp_path)
    shown = capsys.readouterr()
    assert max(group.errors) < 1e-12
    assert max(plain.errors) > 1e-3
    assert group.losses[-1] < plain.losses[-1] < group.losses[0]
    assert "120/120" in shown.err  # progress
    assert (tmp_path / "orthogonal_factors.png").stat().st_size > 10_000


def test_its_gradient_agrees_with_differences() -> None:
    x, _ = orthogonal_factors.whitened(4)
    w = Orthogonal(np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0])
    turn = SkewSymmetric(np.random.default_rng(2).normal(size=(4, 4)))
    along = cr.inner(cr.grad(orthogonal_factors.loss)(w, x), turn)
    ahead, behind = (orthogonal_factors.loss(cr.move(w, cr.scale(h, turn)), x) for h in (1e-5, -1e-5))
    assert along == pytest.approx((ahead - behind) / 2e-5, rel=1e-5, abs=1e-10)
