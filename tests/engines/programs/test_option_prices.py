"""Black and Scholes (1973), and the binomial tree of Cox, Ross and Rubinstein (1979) in one array."""

import math
from functools import partial

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


def normal_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def black_scholes(spot, strike, rate, volatility, time):
    spread = volatility * math.sqrt(time)
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * time) / spread
    return spot * normal_cdf(d1) - strike * math.exp(-rate * time) * normal_cdf(d1 - spread)


def binomial(spot, strike, rate, volatility, time, steps=20, call=False, american=True):
    dt = time / steps
    up = np.exp(volatility * np.sqrt(dt))
    down = 1 / up
    p = (np.exp(rate * dt) - down) / (up - down)
    sign = 1 if call else -1
    prices = spot * up ** np.arange(-steps, steps + 1, 2)
    values = np.maximum(sign * (prices - strike), 0.0)
    for step in range(steps - 1, -1, -1):
        values[: step + 1] = np.exp(-rate * dt) * (p * values[1 : step + 2] + (1 - p) * values[: step + 1])
        if american:
            for j in range(step + 1):
                exercise = sign * (spot * up ** (2 * j - step) - strike)
                if exercise > values[j]:
                    values[j] = exercise
    return values[0]


POINT = (100.0, 95.0, 0.03, 0.25, 0.75)


def test_the_greeks():
    spot, strike, rate, volatility, time = POINT
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * time) / (volatility * time**0.5)
    density = np.exp(-(d1**2) / 2) / np.sqrt(2 * np.pi)
    greeks = cr.grad(black_scholes, argnums=(0, 3))(*POINT)
    np.testing.assert_allclose(greeks, [normal_cdf(d1), spot * density * time**0.5], rtol=1e-12)
    gamma = cr.derivative(cr.grad(lambda s: black_scholes(s, *POINT[1:])))(spot)
    np.testing.assert_allclose(gamma, density / (spot * volatility * time**0.5), rtol=1e-12)


def test_black_scholes_against_differences():
    check_grads(black_scholes, *POINT)


def test_the_tree_against_differences():
    check_grads(lambda s, k, r, v, t: binomial(s, k, r, v, t, 6), 103.7, 95.0, 0.03, 0.25, 0.75)


def test_the_tree_approaches_the_formula():
    tree = partial(binomial, steps=200, call=True, american=False)
    np.testing.assert_allclose(cr.grad(tree)(*POINT), cr.grad(black_scholes)(*POINT), rtol=2e-2)
