"""The scaled forward pass of a hidden Markov model (Rabiner, Proc. IEEE 77, 1989), in tables."""

import itertools

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


def log_probability(initial, transition, emission, seen):
    T, N = len(seen), len(initial)
    alpha = np.zeros((T, N))
    scale = np.zeros(T)
    alpha[0] = initial * emission[:, seen[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, T):
        for j in range(N):
            for i in range(N):
                alpha[t, j] += alpha[t - 1, i] * transition[i, j]
            alpha[t, j] *= emission[j, seen[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    return np.log(scale).sum()


INITIAL = np.array([0.6, 0.4])
TRANSITION = np.array([[0.7, 0.3], [0.4, 0.6]])
EMISSION = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
SEEN = [0, 2, 1, 2]


def test_by_all_probabilities():
    def f(initial, transition, emission):
        return log_probability(initial, transition, emission, SEEN)

    check_grads(f, INITIAL, TRANSITION, EMISSION)


def test_the_gradient_counts_transitions():
    """a_ij ∂log p/∂a_ij is the expected number of transitions from i to j, by summing over all paths."""
    total, count = 0.0, np.zeros((2, 2))
    for path in itertools.product(range(2), repeat=len(SEEN)):
        p = INITIAL[path[0]] * EMISSION[path[0], SEEN[0]]
        for a, b, o in zip(path, path[1:], SEEN[1:], strict=False):
            p *= TRANSITION[a, b] * EMISSION[b, o]
        total += p
        for a, b in itertools.pairwise(path):
            count[a, b] += p
    gradient = cr.grad(log_probability, argnums=1)(INITIAL, TRANSITION, EMISSION, SEEN)
    np.testing.assert_allclose(TRANSITION * gradient, count / total, rtol=1e-12)
