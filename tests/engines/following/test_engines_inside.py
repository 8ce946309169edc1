"""Engines that a followed function calls, or a rule does: values and derivatives are followed, too."""

from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.core.engine import call
from chainrules.engines.source import SourceEngine

X = np.array([1.3, 0.7, 2.1])
ALONG = np.array([1.0, -0.5, 2.0])


def changing_captured(x: Any) -> Any:
    z = x * x

    def f(v: Any) -> Any:
        z[0] = v[1]
        return z * v

    return f


def changing_an_object(x: Any) -> Any:
    held = {"v": x * x}

    def f(v: Any) -> Any:
        held["v"] = held["v"] * v
        return held["v"] * v

    return f


def changing_what_it_is_given(x: Any) -> Any:
    def f(v: Any) -> Any:
        v[0] = v[1] * x[2]
        return v * v

    return f


def appending(x: Any) -> Any:
    kept = [x]

    def f(v: Any) -> Any:
        kept.append(v * v)
        return kept[0] * kept[1]

    return f


def by_rule(f: Any, x: Any) -> Any:
    return f(x)


@cr.frule(by_rule)
def by_rule_frule(tangents, f: object, x: object, *, engine):
    """ẏ"""
    y, push = engine.value_and_pushforward(call, f, x)
    return y, push(*tangents)


@cr.rrule(by_rule)
def by_rule_rrule(f: object, x: object, *, engine):
    """f̄, x̄"""
    return engine.value_and_pullback(call, f, x)


MAKERS = [changing_captured, changing_an_object, changing_what_it_is_given, appending]


def jacobian_by_differences(f: Any) -> Any:
    steps = 1e-6 * np.eye(3)
    return np.stack([(f(X + h) - f(X - h)) / 2e-6 for h in steps], axis=-1)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("engine", [SourceEngine()])
def test_values_tangents_and_cotangents(make: Any, engine: Any) -> None:
    def pushed(x: Any) -> Any:
        y, pushforward = engine.value_and_pushforward(make(x), x * 1.0)
        return y * 3.0 + pushforward(ALONG)

    def pulled(x: Any) -> Any:
        y, pullback = engine.value_and_pullback(make(x), x * 1.0)
        return y * 3.0 + cr.materialize(pullback(ALONG)[0], like=x)

    for f in (pushed, pulled):
        wanted = jacobian_by_differences(f)
        for jacobian in (cr.jacfwd, cr.jacrev):
            got = jacobian(f)(X)
            np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("derivative", [cr.jacfwd, cr.jacrev])
def test_a_rule_that_calls_its_function_by_an_engine(derivative: Any) -> None:
    def total(x: Any) -> Any:
        return by_rule(lambda v: np.sum(x * v * v) * v[1], x * 2.0)

    plain = lambda x: np.sum(4.0 * x * x * x) * 2.0 * x[1]  # noqa: E731
    got = derivative(cr.grad(total))(X)
    np.testing.assert_allclose(got, jacobian_by_differences(cr.grad(plain)), rtol=1e-6)


@pytest.mark.parametrize("derivative", [cr.jacfwd, cr.jacrev])
def test_the_value_of_a_rule_forward(derivative: Any) -> None:
    def moved(x: Any) -> Any:
        y, dy = cr.jvp(lambda a: by_rule(lambda v: a * v * v, a), (x,), (ALONG,))
        return y + dy

    got = derivative(moved)(X)
    np.testing.assert_allclose(got, jacobian_by_differences(lambda x: x**3 + 3.0 * x**2 * ALONG), rtol=1e-6)
