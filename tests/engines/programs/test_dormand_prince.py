"""Dormand and Prince's pair of orders 5 and 4 (J. Comput. Appl. Math. 6, 1980) with a step that adapts."""

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads

C = [0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0]
A = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
B4 = [5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40]


def solve(rhs, y, t, end, rtol=1e-7, atol=1e-9, h=0.1):
    steps = rejected = 0
    while t < end:
        h = min(h, end - t)
        k: list[np.ndarray] = []
        for c, row in zip(C, A, strict=True):
            inner = y.copy()
            for a, kj in zip(row, k, strict=True):
                inner += h * a * kj
            k.append(rhs(t + c * h, inner))
        y5 = y + h * sum(a * kj for a, kj in zip(A[6], k[:6], strict=True))
        y4 = y + h * sum(b * kj for b, kj in zip(B4, k, strict=True))
        scale = atol + rtol * np.maximum(np.abs(y), np.abs(y5))
        error = float(np.sqrt(np.mean(((y5 - y4) / scale) ** 2)))
        if error <= 1.0:
            t, y = t + h, y5
            steps += 1
        else:
            rejected += 1
        h *= min(5.0, max(0.2, 0.9 * error**-0.2)) if error > 0 else 5.0
    return y, steps, rejected


def predators(start, rates):
    growth, hunt, death, gain = rates

    def rhs(t, y):
        prey, hunters = y[0], y[1]
        return np.array([growth * prey - hunt * prey * hunters, gain * prey * hunters - death * hunters])

    y, steps, _ = solve(rhs, start, 0.0, 2.0)
    assert steps > 5
    return np.log(y[0]) - 0.5 * y[1]


def test_lotka_and_volterra_by_start_and_rates():
    check_grads(predators, np.array([1.2, 0.8]), np.array([1.1, 0.6, 0.9, 0.4]), order=1)


def test_the_logistic_curve():
    def at_two(rate):
        return solve(lambda t, y: rate * y * (1 - y), np.array([0.1]), 0.0, 2.0)[0][0]

    def exact(rate):
        return 1 / (1 + 9 * np.exp(-2 * rate))

    y = exact(1.3)
    assert abs(at_two(1.3) - y) < 1e-6
    assert abs(cr.grad(at_two)(1.3) - 2 * y * (1 - y)) < 1e-5
    assert abs(cr.derivative(at_two)(1.3) - 2 * y * (1 - y)) < 1e-5
