"""Images read at other places: values, and derivatives by image, places, matrix, shift and angle."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, complex_normal, held, normal, uniform

import chainrules as cr
from chainrules.rules.scipy.ndimage.edges import MODES
from chainrules.rules.scipy.ndimage.sampling import sampled, scattered
from chainrules.rules.scipy.ndimage.warping import warped
from chainrules.testing import check_grads, check_rule

N = ndimage
X = normal(4, 5)
INSIDE = np.array([[0.3, 1.2, 2.6], [0.4, 3.3, 2.2]])
BEYOND = np.array([[-1.3, 4.4, 1.2, -6.7], [2.3, 7.6, -2.2, 9.3]])
C, Q = normal(8, 9), uniform(2, 5, low=2.1, high=5.4)
NUS = ((0, 0), (1, 0), (2, 1))


def swirl(place, turn=0.1):
    return (place[0] + turn * place[1], place[1] - 0.2 * place[0])


CASES = [
    *(case(N.map_coordinates, X, INSIDE, order=order) for order in (1, 2, 3, 4, 5)),
    *(case(N.map_coordinates, X, BEYOND, mode=mode, cval=0.3) for mode in MODES),
    *(case(N.map_coordinates, X, BEYOND, mode=mode, order=2, prefilter=False) for mode in MODES),
    case(N.map_coordinates, X, held(INSIDE), order=0),
    case(N.map_coordinates, complex_normal(4, 5), INSIDE),
    case(N.map_coordinates, X.astype(np.float32), INSIDE),
    case(N.map_coordinates, normal(6), uniform(1, 2, 3, low=0.1, high=4.9), order=3),
    case(N.affine_transform, X, np.array([[0.9, 0.2], [-0.1, 1.1]]), np.array([0.3, 0.1]), mode="mirror"),
    case(N.affine_transform, X, np.array([[0.9, 0.2, 0.3], [-0.1, 1.1, 0.1]]), mode="reflect"),
    case(N.affine_transform, X, np.array([0.9, 1.05]), 0.21, mode="nearest", output_shape=(3, 6)),
    case(N.shift, X, np.array([0.3, -0.6]), mode="wrap"),
    case(N.shift, X, 0.4, order=1),
    *(case(N.zoom, X, zoom=1.6, grid_mode=grid, mode="grid-constant") for grid in (False, True)),
    case(N.zoom, X, zoom=(1, 2), order=2, mode="reflect"),
    case(N.zoom, X, zoom=1, why="nothing to do"),
    case(N.rotate, X, 27.0, mode="mirror"),
    case(N.rotate, normal(3, 4, 2), 200.0, axes=(0, 1), reshape=False, order=1, mode="nearest"),
    case(N.geometric_transform, X, held(swirl), mode="mirror"),
    case(
        N.geometric_transform,
        X,
        held(swirl),
        extra_keywords={"turn": 0.3},
        output_shape=(2, 3),
        mode="mirror",
    ),
    case(sampled, C, Q, order=3, nus=NUS),
    case(scattered, normal(3, 5), Q, shape=(8, 9), order=3, nus=NUS),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("mode", MODES)
def test_values_are_those_of_scipy(mode):
    for x in (normal(7), X):
        q = uniform(x.ndim, 60, low=-9.0, high=15.0)
        for order in range(6):
            for prefilter in (True, False):
                expected = N.map_coordinates(x, q, order=order, mode=mode, cval=0.7, prefilter=prefilter)
                np.testing.assert_allclose(warped(x, q, order, mode, 0.7, prefilter), expected, atol=1e-9)


def test_second_order():
    check_grads(lambda x, q: N.map_coordinates(x, q, mode="mirror") ** 2, X, INSIDE)


def test_what_a_mapping_captured_has_its_derivative():
    def loss(turn):
        return np.sum(N.geometric_transform(X, lambda i: swirl(i, turn), mode="mirror") ** 2)

    expected = (loss(0.15 + 1e-6) - loss(0.15 - 1e-6)) / 2e-6
    np.testing.assert_allclose(cr.grad(loss)(0.15), expected, rtol=1e-7)


def test_gradients_of_linear_interpolation_are_those_of_jax():
    jax = pytest.importorskip("jax")
    from jax.scipy.ndimage import map_coordinates as in_jax

    with jax.enable_x64(True):
        expected = jax.grad(lambda x, q: jax.numpy.sum(in_jax(x, q, 1, "nearest") ** 2), argnums=(0, 1))(
            X, INSIDE
        )
    got = cr.grad(lambda x, q: np.sum(N.map_coordinates(x, q, order=1, mode="nearest") ** 2), argnums=(0, 1))(
        X, INSIDE
    )
    for mine, theirs in zip(got, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9)


def test_an_order_that_does_not_exist_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="order"):
        cr.grad(lambda x: np.sum(N.shift(x, 0.5, order=6)))(X)
