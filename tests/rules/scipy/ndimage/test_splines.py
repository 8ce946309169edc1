"""Spline filters: every order and mode; transposes by inner products."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, complex_normal, normal

from chainrules.rules.scipy.ndimage.edges import MODES
from chainrules.rules.scipy.ndimage.splines import coefficients, coefficients_transposed
from chainrules.testing import check_rule

N = ndimage
CASES = [
    *(case(N.spline_filter1d, normal(2, 5), order=order, mode=mode) for order in (1, 2, 3) for mode in MODES),
    *(case(N.spline_filter1d, normal(5, 2), order=order, axis=0) for order in (4, 5)),
    case(N.spline_filter, normal(3, 4), mode="reflect"),
    case(N.spline_filter, complex_normal(3, 4), order=2, output=complex),
    case(coefficients, normal(2, 5), order=3, axis=1, mode="mirror"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [2, 3, 8, 60])
def test_every_filter_has_its_transpose(mode, n):
    for order in (2, 3, 4, 5):
        matrix = coefficients(np.eye(n), order=order, axis=0, mode=mode)
        transposed = coefficients_transposed(np.eye(n), np.eye(n), order=order, axis=0, mode=mode)
        np.testing.assert_allclose(transposed, matrix.T, rtol=1e-9, atol=1e-11, err_msg=f"order {order}")
