"""`RegularGridInterpolator` beside that of JAX, by values and points."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from tests.rules.cases import normal, uniform
from tests.rules.elsewhere import agrees_with_jax, jax

GRID = np.array([0.0, 0.3, 1.0, 1.2]), np.array([-1.0, 0.1, 2.0])


@pytest.mark.parametrize("method", ["linear", "nearest"])
def test_values_and_points(method: str) -> None:
    def by(made: Any) -> Any:
        return lambda values, at: made(GRID, values, method=method, bounds_error=False, fill_value=None)(at)

    native = jax.scipy.interpolate.RegularGridInterpolator
    agrees_with_jax(by(RegularGridInterpolator), by(native), normal(4, 3), uniform(6, 2, low=0.05, high=1.1))
