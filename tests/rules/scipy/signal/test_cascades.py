"""Recursive filters in sections: by coefficients, signal and states, with final states; both orders."""

from typing import Any

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.rules.scipy.signal.cascades import cascade
from chainrules.testing import check_grads, check_rule

SOS = signal.butter(4, 0.3, output="sos")
X = normal(2, 6)
CASES = [
    case(signal.sosfilt, held(SOS), X),
    case(signal.sosfilt, held(SOS), X, axis=0),
    case(signal.sosfilt, held(SOS), X[0]),
    case(signal.sosfilt, held(SOS), X, zi=normal(2, 2, 2)),
    case(signal.sosfilt, held(SOS), X, zi=normal(2, 2, 6, seed=2), axis=0),
    case(signal.sosfilt, held(SOS.astype(complex)), complex_normal(5)),
    case(cascade, SOS[:, :3], SOS[:, 4:], X, normal(2, 2, 2)),
    case(cascade, SOS[:1, :3], SOS[:1, 4:], X[0, :1], normal(1, 2), why="shorter than the state"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def sections(b: Any, a: Any) -> Any:
    """Sections of second order, whose a₀ has to be one."""
    one = np.ones((np.shape(b)[0], 1))
    return np.concatenate([b, one, a], axis=1)


@pytest.mark.parametrize("f", [signal.sosfilt, signal.sosfiltfilt])
def test_sections_by_their_coefficients(f):
    x = normal(16)
    check_grads(lambda b, a: f(sections(b, a), x), SOS[:, :3], SOS[:, 4:], order=1)


def test_second_order():
    check_grads(lambda b, x: signal.sosfilt(sections(b, SOS[:, 4:]), x) ** 2, SOS[:, :3], normal(5))


def test_sections_are_those_of_one_filter():
    x = normal(20)
    b, a = signal.butter(4, 0.3)
    got = cr.grad(lambda x: np.sum(signal.sosfilt(SOS, x) ** 3))(x)
    np.testing.assert_allclose(got, cr.grad(lambda x: np.sum(signal.lfilter(b, a, x) ** 3))(x), rtol=1e-9)


def test_states_by_the_initial_state():
    check_grads(lambda x, z: signal.sosfilt(SOS, x, zi=z), X, normal(2, 2, 2), order=1)
