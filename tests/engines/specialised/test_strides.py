"""Windows that are made of strides, in programs that ask arrays for theirs."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.random.default_rng(11).normal(size=24)


def frames(x):
    step = x.strides[0]
    parts = as_strided(x, shape=(5, 8), strides=(4 * step, step))
    return np.sum(np.abs(np.fft.rfft(parts * np.hanning(8))) ** 2)


def patches(x):
    image = np.outer(x[:6], x[6:12])
    a, b = image.strides
    windows = as_strided(image, (4, 4, 3, 3), (a, b, a, b))
    return np.sum(np.einsum("ijkl,kl->ij", windows, x[:9].reshape(3, 3)) ** 3)


def after_a_store(x):
    y = x * 2.0
    y[3] = x[0] * x[1]
    windows = as_strided(y, (22, 3), (y.strides[0], y.itemsize))
    z = np.sum(windows**2, axis=1) * (y.nbytes // y.itemsize)
    y[5] = x[2]
    return np.sum(z) + np.sum(y)


@pytest.mark.parametrize("f", [frames, patches])
def test_windows_by_strides(f):
    assert is_right(f, X)
    hold_directions(f, X)


def test_windows_of_what_is_written_into():
    with specialised_after(1, compared=True):
        for k in range(4):
            np.testing.assert_allclose(
                cr.grad(after_a_store)(X + k), differences(after_a_store, X + k), rtol=1e-6, atol=1e-7
            )


def test_arguments_that_lie_otherwise():
    wide = np.zeros((24, 2))
    wide[:, 1] = X
    for x in (X, X, X, X, wide[:, 1], X[::-1].copy()[::-1], X):
        try:
            found = cr.grad(frames)(x)
        except cr.UnsupportedArgument:
            assert not x.flags.c_contiguous
            continue
        np.testing.assert_allclose(found, differences(frames, X), rtol=1e-6, atol=1e-7)
