"""A `functools.partial` that varies: what it holds has derivatives, in both modes."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import chainrules as cr


class Scale:
    def __init__(self, w: float) -> None:
        self.w = w

    def apply(self, x: float, shift: float = 0.0) -> float:
        return self.w * x**2 + shift


def power(a: float, x: float, n: int = 2, shift: float = 0.0) -> float:
    return a * x**n + shift * x


def line(slope: float) -> Any:
    return lambda x, y=1.0: slope * x * y


def called(f: Any) -> Any:
    return f(3.0) ** 2


def called_by_name(f: Any) -> Any:
    return f(3.0, shift=5.0) * f(x=2.0)


def called_twice(f: Any) -> Any:
    return f(1.0) * f(2.0)


CASES = [
    (called, partial(power, 2.0)),
    (called, partial(power, 2.0, shift=4.0)),
    (called, partial(power, 2.0, n=3)),
    (called, partial(partial(power, 2.0), shift=4.0)),
    (called, partial(Scale(2.0).apply)),
    (called, partial(Scale(2.0).apply, shift=4.0)),
    (called, partial(line(2.0), y=4.0)),
    (called, partial(np.multiply, 2.0)),
    (called_by_name, partial(power, 2.0, shift=4.0)),
    (called_twice, partial(power, 2.0)),
]


@pytest.mark.parametrize(("f", "held"), CASES)
def test_what_a_partial_holds_has_derivatives(f: Any, held: Any) -> None:
    vector, unravel = cr.ravel(held)
    gradient = cr.ravel(cr.canonicalize(cr.vjp(f, held)[1](1.0)[0], like=held))[0]
    steps = 1e-6 * np.eye(vector.size)
    expected = [(f(unravel(vector + h)) - f(unravel(vector - h))) / 2e-6 for h in steps]
    if "n" in held.keywords:  # an integer, which moves by whole steps only
        gradient, expected = gradient[:-1], expected[:-1]
    np.testing.assert_allclose(gradient, expected, rtol=1e-7)
    _, tangents = cr.ravel(cr.zero_tangent(held))
    forward = [cr.jvp(f, (held,), (tangents(e),))[1] for e in np.eye(vector.size)]
    np.testing.assert_allclose(forward[: len(expected)], expected, rtol=1e-7)


def test_the_pullback_is_linear_in_its_seed() -> None:
    _, pullback = cr.vjp(called, partial(power, 2.0, shift=4.0))

    def of_seed(s: float) -> Any:
        t = pullback(s)[0]
        return t.args[0] + t.keywords["shift"]

    assert cr.grad(of_seed)(1.5) == pytest.approx(of_seed(1.0))


def test_arguments_of_the_call_keep_their_cotangents() -> None:
    gradients = cr.grad(lambda f, x: f(x), argnums=(0, 1))(partial(power, 2.0, n=3), 2.0)
    assert gradients[0].args == (8.0,)
    assert gradients[1] == pytest.approx(24.0)


def test_one_that_does_not_vary_is_looked_through() -> None:
    assert cr.grad(partial(power, 2.0))(3.0) == 12.0
    assert cr.vjp(lambda f: 2.0, partial(power, 2.0))[1](1.0)[0] is cr.Zero()


def test_the_derivative_by_what_a_partial_holds_is_differentiated_again() -> None:
    def slope(x: float) -> Any:
        return cr.grad(lambda f: f(x))(partial(power, 2.0)).args[0]

    assert cr.grad(slope)(3.0) == cr.derivative(slope)(3.0) == 6.0  # d²(a x²)/da dx


def with_shift(a: float) -> Any:
    held = partial(power, a, shift=a * a)
    return held(3.0) * held(1.0, shift=a)


def of_another(a: float) -> Any:
    return partial(partial(power, a, shift=2.0 * a), a, shift=a)() * partial(partial(power, a), n=3)(a)


MAKING = [
    lambda a: partial(power, a)(3.0, shift=a),
    lambda a: called(partial(power, 2.0, shift=a)),
    lambda a: sum(map(partial(power, a), [1.0, a, 3.0])),
    lambda a: partial(Scale(a).apply, a)(shift=a),
    lambda a: partial(lambda x, y: a * x * y, a)(2.0),
    lambda a: np.sum(partial(np.multiply, a * np.ones(3))(np.arange(3.0))),
    with_shift,
    of_another,
]


@pytest.mark.parametrize("f", MAKING)
def test_one_made_of_what_varies(f: Any) -> None:
    expected = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    assert cr.grad(f)(1.5) == pytest.approx(expected, rel=1e-7)
    assert cr.derivative(f)(1.5) == pytest.approx(expected, rel=1e-7)


def test_one_that_is_returned() -> None:
    made, pullback = cr.vjp(lambda a: partial(power, a, shift=3.0 * a), 2.0)
    seed = cr.Composite[partial](args=cr.Composite[tuple](5.0), keywords=cr.Composite[dict]({"shift": 1.0}))
    assert made(2.0) == 20.0
    assert pullback(seed) == (8.0,)
    _, tangent = cr.jvp(lambda a: partial(power, a, shift=3.0 * a), (2.0,), (1.0,))
    assert (tangent.args, tangent.keywords) == ((1.0,), {"shift": 3.0})
