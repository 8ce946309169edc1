"""A gradient is the user's own: writable, and sharing memory with nothing else."""

import numpy as np
import pytest

import chainrules as cr

A, B = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 2.0])


def test_gradients_of_two_arguments_are_two_arrays():
    a, b = cr.grad(lambda x, y: np.sum((x + y) ** 2), argnums=(0, 1))(A, B)
    np.testing.assert_array_equal(a, b)
    a *= 0.0
    np.testing.assert_array_equal(b, 2 * (A + B))


def test_gradients_inside_a_container_are_separate_arrays():
    g = cr.grad(lambda p: np.sum((p["a"] + p["b"]) ** 2))({"a": A, "b": B})
    assert not np.shares_memory(g["a"], g["b"])


@pytest.mark.parametrize(
    "f",
    [
        np.sum,
        lambda x: np.sum(x.reshape(3, 1)),
        lambda x: np.sum(np.broadcast_to(x, (2, 3))),
        lambda x: x @ B,
        lambda x: x[0] + np.sum(x),
    ],
)
def test_a_gradient_can_be_written_to(f):
    x = A.copy()
    g = cr.grad(f)(x)
    g += 1.0
    np.testing.assert_array_equal(x, A)
    np.testing.assert_array_equal(B, [0.5, -1.0, 2.0])
    np.testing.assert_allclose(cr.grad(f)(x) + 1.0, g)


def test_a_pullback_gives_the_same_after_its_answer_was_written_to():
    value_and_grad = cr.value_and_grad(lambda x, w: np.sum(x * w), argnums=(0, 1))
    _, (x_bar, w_bar) = value_and_grad(A, B)
    x_bar *= 0
    w_bar *= 0
    _, again = value_and_grad(A, B)
    np.testing.assert_array_equal(again[0], B)
    np.testing.assert_array_equal(again[1], A)
