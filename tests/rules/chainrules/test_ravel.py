"""Rules of `ravel` and `unravel`: a program of structured parameters as a function of one vector."""

from dataclasses import dataclass
from typing import Any

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


@dataclass
class Net:
    w: Any
    b: Any
    name: str = "net"


NET = Net(np.array([[0.3, -0.7], [0.2, 0.5]]), (0.1, 1.5))


def energy(net):
    return np.sum(np.tanh(net.w @ np.array([1.0, 2.0]))) * net.b[0] ** 3 + np.sum(net.w**3) * net.b[1]


def differences(f, v, h=1e-5):
    return np.array([(f(v + d) - f(v - d)) / (2 * h) for d in h * np.eye(v.size)])


def test_second_order_forward_and_reverse_over_reverse():
    start, unravel = cr.ravel(NET)

    def of_vector(v):
        return energy(unravel(v))

    gradient = cr.grad(of_vector)
    hessian = differences(gradient, start)
    direction = np.cos(np.arange(start.size))
    forward = cr.jvp(gradient, (start,), (direction,))[1]
    np.testing.assert_allclose(forward, hessian @ direction, rtol=1e-6, atol=1e-8)
    reverse = cr.grad(lambda v: gradient(v) @ direction)(start)
    np.testing.assert_allclose(reverse, hessian @ direction, rtol=1e-6, atol=1e-8)


def third_powers(net):
    return np.sum(cr.ravel(net)[0] ** 3)


def test_ravel_itself_is_differentiated_to_second_order():
    t = cr.grad(third_powers)(NET)
    np.testing.assert_allclose(t.w, 3 * NET.w**2)
    np.testing.assert_allclose(t.b, [3 * 0.1**2, 3 * 1.5**2])
    step = cr.Composite[Net](w=np.ones((2, 2)), b=cr.Composite[tuple](2.0, 0.0))
    assert cr.jvp(third_powers, (NET,), (step,))[1] == pytest.approx(cr.inner(t, step))

    def slope(b):
        return cr.grad(lambda net: third_powers(net))(Net(NET.w, (b, 1.5))).b[0]

    assert cr.derivative(slope)(0.1) == pytest.approx(0.6)


def test_round_trip_is_the_identity():
    def again(net):
        vector, unravel = cr.ravel(net)
        return energy(unravel(vector))

    direct, round_trip = cr.grad(energy)(NET), cr.grad(again)(NET)
    np.testing.assert_allclose(round_trip.w, direct.w)
    np.testing.assert_allclose(round_trip.b, direct.b)
