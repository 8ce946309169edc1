"""Correlation and convolution by image and weights, in every mode, and against JAX's."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.rules.scipy.ndimage.correlation import along_line, correlated, transposed
from chainrules.rules.scipy.ndimage.edges import MODES
from chainrules.testing import check_grads, check_rule

X = normal(4, 5)
BOTH = [ndimage.correlate, ndimage.convolve]
LINES = [ndimage.correlate1d, ndimage.convolve1d]
CASES = [
    *(case(f, X, normal(3, 2, seed=1), mode=mode, cval=0.3) for f in BOTH for mode in MODES),
    *(case(f, X, normal(4, seed=1), mode=mode, cval=0.3) for f in LINES for mode in MODES),
    *(case(f, X, normal(2, 4, seed=1), origin=(-1, 1)) for f in BOTH),
    *(case(f, X, normal(3, seed=1), axis=0, origin=1) for f in LINES),
    *(case(ndimage.correlate1d, normal(2, 3), normal(8, seed=1), mode=mode, origin=2) for mode in MODES),
    *(case(f, normal(2, 3, 4), normal(2, 2, seed=1), axes=(2, 0)) for f in BOTH),
    *(case(f, complex_normal(3, 4), complex_normal(2, 3, seed=4)) for f in BOTH),
    *(case(f, complex_normal(5), normal(3)) for f in LINES),
    *(case(f, X.astype(np.float32), normal(3, 3).astype(np.float32)) for f in BOTH),
    case(correlated, X, normal(2, 3, seed=1), modes=("reflect", "reflect"), cval=0.0, origins=(0, 1)),
    *(
        case(transposed, X, normal(*shape, seed=1), modes=(mode, mode), origins=(0, 0))
        for shape in ((2, 3), (1, 4))
        for mode in ("mirror", "constant", "nearest")
    ),
    case(
        transposed, complex_normal(2, 5), complex_normal(1, 3, seed=4), modes=("nearest",) * 2, origins=(0, 1)
    ),
    *(case(ndimage.correlate, normal(2, 7), normal(3, 5, seed=1), mode=mode, why="longer") for mode in MODES),
    case(ndimage.gaussian_filter, normal(4, 5), 0.7, mode=["reflect", "wrap"]),
    *(case(f, np.zeros((0, 3)), normal(2, 2), why="empty") for f in BOTH),
    *(case(f, np.array(2.0), np.array(0.5), why="no axes") for f in BOTH),
    case(ndimage.correlate, normal(3), normal(5, seed=1), mode="wrap", why="weights longer than the array"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda x, w: ndimage.correlate(x, w, mode="mirror") ** 2, normal(3, 4), normal(2, 3, seed=1))


def test_weights_may_be_a_list():
    got = cr.grad(lambda x: np.sum(ndimage.correlate1d(x, [1.0, -2.0, 1.0], mode="constant") ** 2))(X)
    expected = cr.grad(lambda x: np.sum(ndimage.laplace(x, mode="constant", axes=(1,)) ** 2))(X)
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_an_array_to_write_into_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="output"):
        cr.grad(lambda x: np.sum(ndimage.correlate(x, np.ones((2, 2)), output=np.zeros((4, 5)))))(X)


def test_gradients_are_those_of_jax():
    jax = pytest.importorskip("jax")
    w = normal(5, seed=1)
    with jax.enable_x64(True):
        expected = jax.grad(lambda x: jax.numpy.sum(jax.numpy.convolve(x, w, mode="same") ** 2))(X[0])
    got = cr.grad(lambda x: np.sum(ndimage.convolve1d(x, w, mode="constant") ** 2))(X[0])
    np.testing.assert_allclose(got, expected, rtol=1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_even_weights_are_their_own_transpose_or_folded(mode):
    x, w = normal(6, 5), np.array([0.3, -1.2, 0.3])
    got = cr.grad(lambda x: np.sum(along_line(x, w, 0, mode, 0.0) ** 3))(x)
    expected = cr.grad(lambda x: np.sum(ndimage.correlate1d(x, w, 0, mode=mode) ** 3))(x)
    np.testing.assert_allclose(got, expected, rtol=1e-12)


@pytest.mark.parametrize("mode", MODES)
def test_a_map_and_its_transpose_agree(mode):
    """⟨A x, y⟩ = ⟨x, Aᵀ y⟩, for weights of both parities and reaching beyond the array too."""
    for shape in ((3, 4), (2, 3), (9, 2)):
        x, w, y = normal(4, 6, seed=1), normal(*shape, seed=2), normal(4, 6, seed=3)
        out, pullback = cr.vjp(lambda x, w=w: ndimage.correlate(x, w, mode=mode), x)
        (x_bar,) = pullback(y)
        np.testing.assert_allclose(np.vdot(out, y), np.vdot(x, x_bar), rtol=1e-12)
