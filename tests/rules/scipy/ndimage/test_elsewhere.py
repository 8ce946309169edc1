"""`map_coordinates` beside that of JAX, which has the orders 0 and 1."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import normal, uniform
from tests.rules.elsewhere import agrees_with_jax, jax

PLACES = uniform(2, 7, low=-1.4, high=5.3, seed=2)


@pytest.mark.parametrize("mode", ["constant", "nearest", "mirror", "reflect"])
@pytest.mark.parametrize("order", [0, 1])
def test_map_coordinates(order: int, mode: str) -> None:
    inside = PLACES if mode != "constant" else np.clip(PLACES, 0.1, 2.9)
    native = jax.scipy.ndimage.map_coordinates
    agrees_with_jax(
        lambda x, at: ndimage.map_coordinates(x, at, order=order, mode=mode),
        lambda x, at: native(x, [at[0], at[1]], order=order, mode=mode),
        normal(4, 5),
        inside,
    )
