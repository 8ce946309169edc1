"""Displacements are as meant, the gradients those of differences, and the pictures come together."""

from pathlib import Path

import numpy as np
import pytest
from examples import register_images
from examples.register_images import (
    KNOTS,
    affine,
    bent,
    copied,
    difference_error,
    displacement,
    picture,
    roughness,
)


def test_a_flat_grid_moves_everything_alike() -> None:
    field = displacement(np.stack([np.full((KNOTS, KNOTS), 2.0), np.zeros((KNOTS, KNOTS))]), (16, 20))
    np.testing.assert_allclose(field, np.stack([np.full((16, 20), 2.0), np.zeros((16, 20))]), atol=1e-12)
    image = picture(32)
    moved = bent(np.stack([np.full((KNOTS, KNOTS), 2.0), np.zeros((KNOTS, KNOTS))]), image)
    np.testing.assert_allclose(moved[:-2], image[2:], atol=1e-9)


def test_the_identity_leaves_the_picture_as_it_is() -> None:
    image = picture(32)
    np.testing.assert_allclose(affine(np.array([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]), image), image, atol=1e-9)


def test_a_slope_is_not_rough() -> None:
    slope = np.stack([np.indices((KNOTS, KNOTS))[0] * 0.3, np.indices((KNOTS, KNOTS))[1] * 0.2])
    np.testing.assert_allclose(roughness(slope), 0.0, atol=1e-20)


def test_the_gradients_are_those_of_differences() -> None:
    image = picture(32)
    assert difference_error(image, copied(image)) < 1e-5


def test_the_pictures_come_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error, (before, moved, final), places = register_images.main(size=64, iterations=25, output=tmp_path)
    assert error < 1e-5
    assert moved < before / 1.5
    assert final < moved / 2
    assert places < 0.5
    shown = capsys.readouterr()
    assert "after the free one" in shown.out
    assert "affine, blurred by 4" in shown.err
    assert (tmp_path / "register_images.png").stat().st_size > 10_000
