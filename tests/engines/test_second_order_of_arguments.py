"""Second derivatives of functions that change their arguments: the user's own, copies, or refused."""

import itertools

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads


def heat(u, k):
    u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2]) * u[1:-1]
    return np.sum(u**2)


class Sum:
    def __init__(self):
        self.t = np.zeros(4)

    def add(self, u, k):
        self.t += k * u * u
        u *= self.t
        return np.sum(u)


U = np.array([0.3, 1.0, 0.5, 2.0])


def add_to_a_copy(u, k):
    return Sum().add(u.copy(), k)


@pytest.mark.parametrize("f", [lambda u, k: heat(u.copy(), k), add_to_a_copy])
def test_functions_that_change_copies_of_their_arguments(f):
    check_grads(lambda u, k: cr.grad(f, argnums=(0, 1))(u, k), U, 0.2, order=1)
    check_grads(lambda u, k: cr.jvp(f, (u, k), (u, 1.0))[1], U, 0.2, order=1)
    assert U.tolist() == [0.3, 1.0, 0.5, 2.0]


@pytest.mark.parametrize("made", [lambda: heat, lambda: Sum().add], ids=["heat", "add"])
def test_functions_that_change_their_arguments(made):
    def gradient(u, k):
        by_u, by_k = cr.grad(made(), argnums=(0, 1))(u.copy(), k)
        return np.append(by_u, by_k)

    v, h, left, u = np.array([0.2, -0.7, 1.1, 0.4]), 1e-5, U.copy(), U.copy()
    made()(left, 0.2)
    _, (by_u, by_k) = cr.jvp(cr.grad(made(), argnums=(0, 1)), (u, 0.2), (v, 1.0))
    expected = (gradient(U + h * v, 0.2 + h) - gradient(U - h * v, 0.2 - h)) / (2 * h)
    np.testing.assert_allclose(np.append(by_u, by_k), expected, rtol=1e-7)
    np.testing.assert_array_equal(u, left)


@pytest.mark.parametrize("made", [lambda: heat, lambda: Sum().add], ids=["heat", "add"])
def test_functions_that_change_what_the_caller_may_use(made):
    gradient = [np.sum(cr.grad(made())(U + h, 0.2)) for h in (1e-5, -1e-5)]
    found = cr.grad(lambda u: np.sum(cr.grad(made())(u, 0.2)))(U.copy())
    np.testing.assert_allclose(np.sum(found), (gradient[0] - gradient[1]) / 2e-5, rtol=1e-6)


def test_three_times_through_what_a_closure_changes():
    def slope(k):
        def energy(u):
            u *= k * u
            return np.sum(u * u)

        return np.sum(cr.grad(lambda u: energy(u.copy()))(U))  # 4 k² Σ u³

    twice = 8.0 * np.sum(U**3)
    for outer, inner in itertools.product((cr.derivative, cr.grad), repeat=2):
        assert outer(inner(slope))(1.3) == pytest.approx(twice)
