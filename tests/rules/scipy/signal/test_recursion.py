"""Recursive filters by coefficients, signal and state; the final state is a result; both orders."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.rules.scipy.signal.recursion import recursive
from chainrules.testing import check_grads, check_rule

B, A = np.array([0.3, 0.2, -0.1]), np.array([1.2, -0.5, 0.3])
X = normal(2, 6)
CASES = [
    case(signal.lfilter, B, A, X),
    case(signal.lfilter, B, A, X, axis=0),
    case(signal.lfilter, normal(4), A, X, zi=normal(2, 3)),
    case(signal.lfilter, B, A, X, zi=normal(2, 6, seed=2), axis=0),
    case(signal.lfilter, B, np.array([1.5]), X, why="without a recursion"),
    case(signal.lfilter, B[:1], A, X, zi=normal(2, 2)),
    case(signal.lfilter, B[:1], A[:1], X, why="a factor alone"),
    case(signal.lfilter, complex_normal(2) * 0.3, A.astype(complex), complex_normal(5)),
    case(signal.lfilter, B, A, X[:, :1], zi=normal(2, 2), why="shorter than the state"),
    case(recursive, B, A[1:], X, normal(2, 2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda b, a, x: signal.lfilter(b, a, x) ** 2, B, A, normal(5))


def test_states_by_the_initial_state():
    check_grads(lambda b, a, x, z: signal.lfilter(b, a, x, zi=z), B, A, X, normal(2, 2), order=1)


def test_coefficients_may_be_lists():
    got = cr.grad(lambda x: np.sum(signal.lfilter([0.5, 0.5], [1.0, -0.2], x) ** 2))(X[0])
    expected = cr.grad(lambda x: np.sum(signal.lfilter(np.array([0.5, 0.5]), np.array([1.0, -0.2]), x) ** 2))(
        X[0]
    )
    np.testing.assert_allclose(got, expected)


def test_an_impulse_response_is_a_geometric_sequence():
    impulse = np.eye(6)[0]
    got = cr.derivative(lambda r: signal.lfilter([1.0], np.stack([1.0, -r]), impulse))(0.7)
    n = np.arange(6)
    np.testing.assert_allclose(got, n * 0.7 ** np.maximum(n - 1, 0), rtol=1e-12)
