"""The name a person knows a callable by."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import special

from chainrules.core.callables import name_of


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (np.sin, "numpy.sin"),
        (special.owens_t, "scipy.special.owens_t"),
        (np.frompyfunc(abs, 1, 1), "abs (vectorized)"),
        (np.linalg.solve, "numpy.linalg.solve"),
        (np.ndarray.sum, "ndarray.sum"),
        (math.erf, "math.erf"),
        (len, "len"),
    ],
)
def test_a_callable_is_named_by_where_it_is_found(f: Any, name: str) -> None:
    assert name_of(f) == name
