"""Series of `numpy.polynomial`: Python programs that the engine follows, by coefficients and points."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from chainrules.testing import check_grads

C, X = np.array([1.0, -0.5, 0.3]), np.array([0.2, 0.7, 0.9])
BASES = {
    "poly": polynomial,
    "cheb": chebyshev,
    "leg": legendre,
    "herm": hermite,
    "herme": hermite_e,
    "lag": laguerre,
}
PROGRAMS: dict[str, Callable[..., Any]] = {
    "val": lambda f, c, x: f(x, c),
    "der": lambda f, c, x: f(c**2) * x[:2],
    "int": lambda f, c, x: f(c)[1:] * x,
    "vander": lambda f, c, x: f(x, 2) * c,
    "fit": lambda f, c, x: f(x, c, 1),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("basis", BASES)
def test_programs(basis: str, name: str) -> None:
    f = getattr(BASES[basis], basis + name)
    program = PROGRAMS[name]
    check_grads(lambda c, x: program(f, c, x), C, X, order=1)
