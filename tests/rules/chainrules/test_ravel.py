"""Rules of `unravel`: a program of structured parameters as a function of one vector."""

import numpy as np
import pytest
from scipy.sparse import coo_array

import chainrules as cr

VECTOR, UNRAVEL = cr.ravel({"w": np.array([1.0, 2.0]), "unused": 4.0, "z": 1 + 2j})


def loss(v):
    p = UNRAVEL(v)
    return np.sum(p["w"] ** 3) + np.real(p["z"]) * np.imag(p["z"])


def test_value_and_grad_of_a_vector_of_parameters() -> None:
    value, gradient = cr.value_and_grad(loss)(VECTOR)
    assert value == 11.0
    steps = 1e-6 * np.eye(VECTOR.size)
    expected = [(loss(VECTOR + h) - loss(VECTOR - h)) / 2e-6 for h in steps]
    np.testing.assert_allclose(gradient, expected, rtol=1e-8, atol=1e-8)


def test_jvp_agrees() -> None:
    _, dy = cr.jvp(loss, (VECTOR,), (np.ones(VECTOR.size),))
    assert dy == pytest.approx(cr.grad(loss)(VECTOR).sum())


def test_a_sparse_leaf_keeps_the_order_of_its_entries() -> None:
    x = coo_array((np.array([1.0, 2.0, 3.0]), (np.array([1, 0, 1]), np.array([1, 1, 0]))), shape=(2, 2))
    vector, unravel = cr.ravel(x)
    weights = np.array([[0.0, 20.0], [30.0, 10.0]])
    answer = cr.apply_rrule(type(unravel).__call__, unravel, vector)
    assert answer is not None
    steps = np.eye(3)
    expected = [np.sum(weights * (unravel(vector + h) - unravel(vector)).toarray()) for h in steps]
    np.testing.assert_allclose(answer[1](weights)[1], expected)
