"""The classical Runge–Kutta method (Hairer, Nørsett, Wanner, Solving ODEs I, II.1), on a pendulum."""

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


def rk4(rhs, y0, t0, t1, steps):
    h = (t1 - t0) / steps
    ys = np.empty((steps + 1, len(y0)))
    ys[0] = y0
    t = t0
    for n in range(steps):
        y = ys[n]
        k1 = rhs(t, y)
        k2 = rhs(t + h / 2, y + h / 2 * k1)
        k3 = rhs(t + h / 2, y + h / 2 * k2)
        k4 = rhs(t + h, y + h * k3)
        ys[n + 1] = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return ys


def final_energy(start, length, friction):
    def pendulum(t, y):
        angle, speed = y
        return np.array([speed, -9.81 / length * np.sin(angle) - friction * speed])

    angle, speed = rk4(pendulum, start, 0.0, 1.5, 12)[-1]
    return 0.5 * (length * speed) ** 2 + 9.81 * length * (1 - np.cos(angle))


def test_by_the_start_the_length_and_the_friction():
    check_grads(final_energy, np.array([0.6, -0.2]), 1.3, 0.1)


def test_the_exponential_is_its_own_derivative():
    def last(rate):
        return rk4(lambda t, y: rate * y, np.array([1.0]), 0.0, 1.0, 40)[-1, 0]

    assert abs(cr.grad(last)(0.7) - np.exp(0.7)) < 1e-6
    assert abs(cr.derivative(cr.derivative(last))(0.7) - np.exp(0.7)) < 1e-6
