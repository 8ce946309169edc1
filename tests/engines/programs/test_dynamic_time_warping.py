"""Dynamic time warping (Sakoe, Chiba 1978), and its smooth form (Cuturi, Blondel, ICML 2017)."""

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


def dtw(a, b):
    n, m = len(a), len(b)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            D[i, j] = cost + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


def softmin(values, gamma):
    low = min(values)
    return low - gamma * np.log(sum(np.exp((low - v) / gamma) for v in values))


def soft_dtw(a, b, gamma=0.5):
    D = {(0, 0): 0.0}
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            before = [D[k] for k in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if k in D]
            D[i, j] = (x - y) ** 2 + softmin(before, gamma)
    return D[len(a), len(b)]


A, B = np.array([0.1, 1.0, 2.3, 1.9]), np.array([0.4, 1.3, 2.0])


def test_along_the_best_path():
    check_grads(dtw, A, B)
    np.testing.assert_allclose(cr.grad(dtw)(A, B), 2 * (A - np.array([0.4, 1.3, 2.0, 2.0])))


def test_the_smooth_form():
    check_grads(soft_dtw, A, B)
    np.testing.assert_allclose(cr.grad(soft_dtw)(A, B, 1e-3), cr.grad(dtw)(A, B), rtol=1e-6)
