"""Uniform and Gaussian filters by the image and the width, with modes and orders for each axis."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.rules.scipy.ndimage.edges import MODES
from chainrules.rules.scipy.ndimage.smoothing import mean_along
from chainrules.testing import check_grads, check_rule

X = normal(4, 5)
N = ndimage
CASES = [
    *(case(N.gaussian_filter1d, X, 0.8, order=order, mode="mirror") for order in (0, 1, 2, 3)),
    case(N.gaussian_filter1d, X, 0.8, axis=0, radius=3, cval=0.2, mode="constant"),
    case(N.gaussian_filter, X, 0.7, order=(0, 1), mode=("wrap", "nearest")),
    case(N.gaussian_filter, X, np.array([0.7, 1.2]), truncate=2.5),
    case(N.gaussian_filter, normal(2, 3, 4), 0.7, axes=(0, 2), radius=(1, 2)),
    case(N.gaussian_filter, complex_normal(3, 4), 0.7),
    case(N.gaussian_filter, X.astype(np.float32), 0.7),
    case(N.uniform_filter1d, X, size=4, mode="mirror", origin=1),
    case(N.uniform_filter, X, size=(2, 3), mode=("reflect", "wrap")),
    case(N.uniform_filter, complex_normal(3, 4), axes=(1,), size=2),
    *(
        case(mean_along, X, size=size, axis=0, mode=mode, cval=0.3, origin=origin)
        for size, origin in ((3, 0), (2, -1))
        for mode in MODES
    ),
    case(N.gaussian_filter, np.zeros((0, 3)), 0.7, why="empty"),
    case(N.gaussian_filter, np.array(2.0), held(0.7), why="no axes"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order_by_the_width():
    check_grads(lambda s: N.gaussian_filter(X, s, order=1) ** 2, 0.9)


def test_a_width_of_zero_leaves_the_image():
    got = cr.grad(lambda x: np.sum(N.gaussian_filter(x, (0.0, 0.8)) ** 2))(X)
    np.testing.assert_allclose(got, cr.grad(lambda x: np.sum(N.gaussian_filter1d(x, 0.8) ** 2))(X))
