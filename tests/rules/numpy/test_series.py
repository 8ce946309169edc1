"""Series at points, by points and coefficients, and the derivative of one of powers."""

from typing import Any

import numpy as np
import pytest
from numpy.polynomial import chebyshev, legendre, polynomial
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_grads, check_rule

VALUES = (polynomial.polyval, chebyshev.chebval, legendre.legval)
CASES = [
    *(case(f, normal(3), normal(5, seed=1)) for f in VALUES),
    *(case(f, 0.7, normal(4)) for f in VALUES),
    *(case(f, normal(2, 3), normal(2, seed=1), why="a line, at a table of points") for f in VALUES),
    *(case(f, normal(3), normal(1), why="a constant") for f in VALUES),
    *(case(f, normal(3), normal(4, 2, seed=1), why="several") for f in VALUES),
    *(case(f, normal(2), normal(4, 2, seed=1), tensor=False) for f in VALUES),
    *(case(f, complex_normal(3), complex_normal(4)) for f in VALUES),
    case(polynomial.polyval, [0.2, 0.4], [1.0, 2.0, 0.5], why="lists"),
    case(polynomial.polyder, normal(5)),
    case(polynomial.polyder, normal(5), m=2, scl=3.0),
    case(polynomial.polyder, normal(2), m=3, why="nothing is left"),
    case(polynomial.polyder, normal(2, 4), axis=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", VALUES)
def test_second_order(f: Any) -> None:
    check_grads(f, normal(3), normal(4, seed=1), order=2)


@pytest.mark.parametrize("f", VALUES)
def test_values_and_types_are_those_of_numpy(f: Any) -> None:
    for x in (0.3, np.array([0.2, -0.4]), np.array(0.5), 2):
        for c in ([1, 2, 3], np.array([1.0, 0.5]), np.array([2]), np.ones((3, 2))):
            found = check_value(f, x, c)
            assert type(found) is type(f(x, c)) and np.shape(found) == np.shape(f(x, c))
            np.testing.assert_allclose(found, f(x, c), rtol=1e-14)


def check_value(f: Any, x: Any, c: Any) -> Any:
    """What the program of the rule computes."""
    from chainrules.rules.numpy import series

    programs = series.power_series, series.chebyshev_series, series.legendre_series
    return programs[VALUES.index(f)](x, c)
