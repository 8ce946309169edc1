"""Filters with a function of the caller's, and what it captured."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules.testing import check_rule

N = ndimage
X = normal(3, 4)
CROSS = N.generate_binary_structure(2, 1)


def energy(window, power=2.0):
    return np.sum(np.abs(window) ** power)


def halves(line, out):
    out[...] = 0.5 * (line[:-2] ** 2 + line[2:] * line[1:-1])


def largest(windows, axis):
    return np.sum(windows**2, axis=axis)


CASES = [
    case(N.generic_filter, X, held(energy), size=2, mode="mirror"),
    case(N.generic_filter, X, held(energy), footprint=CROSS, extra_arguments=(3.0,), origin=(1, 0)),
    case(N.generic_filter1d, X, held(halves), filter_size=3, mode="wrap"),
    case(N.generic_filter1d, X, held(halves), filter_size=3, axis=0, mode="constant", cval=0.3),
    case(N.vectorized_filter, X, held(largest), size=(2, 3)),
    case(N.vectorized_filter, X, held(largest), footprint=CROSS, mode="constant", cval=0.2),
    case(N.vectorized_filter, X, held(largest), size=2, mode="valid"),
    case(N.vectorized_filter, X, held(np.mean), size=3, axes=(0,), mode="wrap", origin=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_what_the_function_captured_has_its_derivative():
    def loss(power):
        return np.sum(N.generic_filter(X, lambda window: energy(window, power), size=2))

    expected = (loss(2.5 + 1e-6) - loss(2.5 - 1e-6)) / 2e-6
    np.testing.assert_allclose(cr.grad(loss)(2.5), expected, rtol=1e-7)
