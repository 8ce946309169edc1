"""Broadcasting undone: the cotangent of a stretched argument is the sum along what it lacked."""

from typing import Any

import numpy as np
import pytest

from chainrules.core import unbroadcast
from chainrules.core.broadcasting import fit

SHAPES: list[Any] = [
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
    ((2, 3), (1, 3)),
    ((2, 3), (2, 1)),
    ((2, 3), (1, 1)),
    ((2, 3), ()),
]
SHAPES += [((4, 2, 3), (2, 1)), ((0, 3), (3,)), ((0, 3), (1, 3)), ((1, 1), (1,)), ((), ())]


@pytest.mark.parametrize(("wide", "shape"), SHAPES)
def test_it_is_the_adjoint_of_broadcasting(wide: tuple[int, ...], shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    x_bar, x = rng.standard_normal(wide), rng.standard_normal(shape)
    summed = unbroadcast(x_bar, shape)
    assert np.shape(summed) == shape
    np.testing.assert_allclose(np.sum(summed * x), np.sum(x_bar * np.broadcast_to(x, wide)), atol=1e-12)


def test_what_was_not_stretched_is_given_back_itself() -> None:
    x_bar = np.ones((2, 3))
    assert unbroadcast(x_bar, (2, 3)) is x_bar


@pytest.mark.parametrize("wide", [(2, 3), (4, 2, 3)])
def test_an_array_of_a_class_of_its_own_keeps_its_shape(wide: tuple[int, ...]) -> None:
    class Own(np.ndarray):
        pass

    fitted = fit(np.ones(wide), np.ones((2, 3), np.float32).view(Own))
    assert fitted.dtype == np.float32
    np.testing.assert_array_equal(fitted, np.full((2, 3), np.prod(wide) / 6))


def test_an_integer_array_has_cotangents_of_double_precision() -> None:
    assert fit(np.ones(2, np.float16), np.array([1, 2], np.int8)).dtype == np.float64
