"""Rosenbrock's function, its derivatives, and differences of a function."""

import numpy as np
import pytest
from scipy import optimize
from tests.rules.cases import case, held, normal

from chainrules.testing import check_rule

CASES = [
    case(optimize.rosen, normal(4)),
    case(optimize.rosen, normal(3, 2), why="several points"),
    case(optimize.rosen_der, normal(4)),
    case(optimize.rosen_hess, normal(4)),
    case(optimize.rosen_hess_prod, normal(4), normal(4, seed=1)),
    case(optimize.approx_fprime, normal(3), held(optimize.rosen), held(1e-3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_written_out_as_scipy_computes():
    x, p = normal(5), normal(5, seed=1)
    slopes = (optimize.rosen(x + 1e-6 * e) - optimize.rosen(x - 1e-6 * e) for e in np.eye(5))
    np.testing.assert_allclose(optimize.rosen_der(x), [s / 2e-6 for s in slopes], rtol=1e-6)
    np.testing.assert_allclose(optimize.rosen_hess_prod(x, p), optimize.rosen_hess(x) @ p)
