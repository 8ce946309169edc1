"""Integrals by their parameters and limits, against closed forms, in both modes and orders."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, special

import chainrules as cr
from chainrules import implicit


def power(x, k):
    return x**k


# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "args": (lambda t: integrate.quad(power, 0.0, 2.0, (t,))[0], lambda t: 2.0 ** (t + 1) / (t + 1)),
    "one argument alone": (
        lambda t: integrate.quad(power, 0.0, 2.0, t)[0],
        lambda t: 2.0 ** (t + 1) / (t + 1),
    ),
    "captured": (
        lambda t: integrate.quad(lambda x: np.exp(-t * x), 0.0, 1.0)[0],
        lambda t: (1 - np.exp(-t)) / t,
    ),
    "limits": (lambda t: integrate.quad(np.cos, -t, t * t)[0], lambda t: np.sin(t * t) + np.sin(t)),
    "a limit and a parameter": (
        lambda t: integrate.quad(lambda x: t * x * x, 1.0, t)[0],
        lambda t: t * (t**3 - 1) / 3,
    ),
    "limits the other way": (
        lambda t: integrate.quad(lambda x: t * x, 2.0, t)[0],
        lambda t: t * (t * t - 4) / 2,
    ),
    "an infinite limit": (
        lambda t: integrate.quad(lambda x: np.exp(-t * x), t, np.inf)[0],
        lambda t: np.exp(-t * t) / t,
    ),
    "both infinite": (
        lambda t: integrate.quad(lambda x: np.exp(-t * x * x), -np.inf, np.inf)[0],
        lambda t: np.sqrt(np.pi / t),
    ),
    "a singular end": (lambda t: integrate.quad(lambda x: math.log(x) * t, 0.0, 1.0)[0], lambda t: -t),
    "a break point": (
        lambda t: integrate.quad(lambda x: t * abs(x - 0.3) ** 1.5, 0.0, 1.0, points=[0.3])[0],
        lambda t: t * (0.3**2.5 + 0.7**2.5) / 2.5,
    ),
    "full_output": (lambda t: integrate.quad(lambda x: x * t, 0.0, 1.0, full_output=1)[0], lambda t: t / 2),
    "a vector": (
        lambda t: np.sum(integrate.quad_vec(lambda x: np.array([x * t, x**t]), 0.0, 1.0)[0]),
        lambda t: t / 2 + 1 / (t + 1),
    ),
    "two dimensions": (
        lambda t: integrate.dblquad(lambda y, x: t * x * y, 0.0, 1.0, 0.0, lambda x: t * x)[0],
        lambda t: t**3 / 8,
    ),
    "several dimensions": (
        lambda t: integrate.nquad(
            lambda x, y, k: k * x * y, [lambda y, k: (0.0, k * y), (0.0, t)], (t,), {"epsabs": 1e-7}
        )[0],
        lambda t: t**7 / 8,
    ),
    "a fixed order": (lambda t: integrate.fixed_quad(lambda x: x**3 * t, 0.0, t)[0], lambda t: t**5 / 4),
}

# whose second derivatives are integrals of integrals of integrals, or of thousands of points: seconds each
SLOW = {"two dimensions", "several dimensions", "a singular end", "both infinite", "a vector"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes_and_orders(name):
    f, closed = PROGRAMS[name]
    t = 1.3
    assert f(t) == pytest.approx(closed(t), rel=1e-8)
    for _ in range(5):  # by the engine's programs, when there are some
        assert cr.grad(f)(t) == pytest.approx(cr.grad(closed)(t), rel=1e-7)
    assert cr.derivative(f)(t) == pytest.approx(cr.grad(closed)(t), rel=1e-7)
    if name not in SLOW:
        second = cr.grad(cr.grad(closed))(t)
        assert cr.grad(cr.grad(f))(t) == pytest.approx(second, rel=1e-6, abs=1e-7)
        assert cr.derivative(cr.grad(f))(t) == pytest.approx(second, rel=1e-6, abs=1e-7)


def test_structured_parameters():
    def f(model):
        return integrate.quad(lambda x: model["scale"] * np.sum(model["w"] * x), 0.0, 1.0)[0]

    model = {"scale": 3.0, "w": np.array([1.0, 2.0])}
    g = cr.grad(f)(model)
    assert g["scale"] == pytest.approx(1.5)
    np.testing.assert_allclose(g["w"], [1.5, 1.5])


def bump(x, a, b, c):
    return a * np.exp(-b * (x - c) ** 2)


@pytest.mark.parametrize("limits", [(0.0, 2.0), (-np.inf, 1.0), (0.5, np.inf)], ids=str)
def test_by_several_parameters(limits):
    def f(p, low, high):
        value, _ = integrate.quad(bump, low, high, args=(p[0], p[1], p[2]))
        return np.sin(value) + integrate.quad(lambda x: p[0] * bump(x, *p), low, high)[0]

    p = np.array([1.3, 0.8, 0.4])
    for k in range(6):
        at = p * (1.0 + 0.05 * k)
        found = cr.grad(f, (0, 1, 2))(at, *limits)
        steps = 1e-5 * np.eye(3)
        near, far = ([f(at + s * step, *limits) for step in steps] for s in (1, -1))
        np.testing.assert_allclose(found[0], (np.array(near) - far) / 2e-5, rtol=1e-6, atol=1e-8)
        for i, limit in enumerate(limits):
            value = bump(limit, *at) if np.isfinite(limit) else 0.0
            total = np.cos(integrate.quad(bump, *limits, args=tuple(at))[0]) + at[0]
            assert found[1 + i] == pytest.approx((-1.0) ** (i + 1) * value * total, rel=1e-6, abs=1e-12)


def test_many_parameters():
    def f(w):
        return integrate.quad(lambda x: np.tanh(np.sum(w * np.cos(np.arange(len(w)) * x))), 0.0, 1.0)[0]

    w = np.linspace(-0.5, 0.7, 30)
    for _ in range(5):
        found = cr.grad(f)(w)
    step = 1e-5 * np.eye(30)[7]
    assert found[7] == pytest.approx((f(w + step) - f(w - step)) / 2e-5, rel=1e-6)


def test_the_integrand_runs_once_for_a_constant_integral():
    assert cr.grad(lambda t: t * integrate.quad(np.cos, 0.0, 1.0)[0])(2.0) == pytest.approx(np.sin(1.0))


def test_a_root_of_an_integral():
    def median(t):
        """The x with half of the mass of an exponential distribution below it."""
        x = math.log(2.0) / cr.stop_gradient(t)
        return implicit.root(lambda x, t: integrate.quad(lambda u: t * np.exp(-t * u), 0.0, x)[0] - 0.5, x, t)

    assert cr.grad(median)(1.5) == pytest.approx(-math.log(2.0) / 1.5**2, rel=1e-7)


def test_a_special_function_by_its_integral():
    def gamma(a):
        return integrate.quad(lambda x: x ** (a - 1) * np.exp(-x), 0.0, np.inf)[0]

    assert cr.grad(gamma)(2.5) == pytest.approx(special.gamma(2.5) * special.digamma(2.5), rel=1e-6)


def test_refused():
    with pytest.raises(cr.UnsupportedArgument, match="weight"):
        cr.grad(lambda t: integrate.quad(lambda x: t * x, 0.0, 1.0, weight="cos", wvar=2.0)[0])(1.0)
    with pytest.raises(cr.UnsupportedArgument, match="complex_func"):
        cr.grad(lambda t: integrate.quad(lambda x: t * x * 1j, 0.0, 1.0, complex_func=True)[0].imag)(1.0)
    with pytest.raises(cr.ChainRulesError, match="of the error"):
        cr.grad(lambda t: integrate.quad(lambda x: t * x, 0.0, 1.0)[1])(1.0)
    with pytest.raises(cr.ChainRulesError, match="not finite at a limit"):
        cr.grad(lambda t: integrate.quad(lambda x: 1 / math.sqrt(x), t, 1.0)[0])(0.0)
