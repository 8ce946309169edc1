"""Derivatives of SciPy's derivatives by differences against closed forms, in both modes and orders."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import differentiate

import chainrules as cr

A = np.array([1.0, 2.0])
POINTS = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 0.5]])
WEIGHTS = np.arange(6.0).reshape(3, 2)

# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "derivative, args": (
        lambda t: np.sum(differentiate.derivative(lambda x, a: np.sin(a * x), 0.7, args=(A * t,)).df),
        lambda t: np.sum(A * t * np.cos(A * t * 0.7)),
    ),
    "derivative, where": (lambda t: differentiate.derivative(lambda x: x**3, t).df, lambda t: 3 * t * t),
    "derivative, its place": (lambda t: differentiate.derivative(np.sin, t * t).x, lambda t: t * t),
    "derivative, captured": (
        lambda t: differentiate.derivative(lambda x: t * t * x**3, 2.0).df,
        lambda t: 12 * t * t,
    ),
    "jacobian": (
        lambda t: np.sum(
            differentiate.jacobian(lambda x: np.stack([t * x[0] * x[1], x[0] ** 2, x[1] ** 3 * t]), t * A).df
            * WEIGHTS
        ),
        lambda t: t * t + 4 * t + 5 * 3 * 4 * t**3,
    ),
    "jacobian of one value": (
        lambda t: np.sum(differentiate.jacobian(lambda x: x[0] * x[1] ** 2 * t, t * A).df),
        lambda t: t * (4 * t * t + 4 * t * t),
    ),
    "jacobian at many points": (
        lambda t: np.sum(
            differentiate.jacobian(lambda x: np.stack([t * x[0] * x[1], x[0] ** 2]), t * POINTS).df ** 2
        ),
        lambda t: np.sum((t * t * POINTS) ** 2) + np.sum((2 * t * POINTS[0]) ** 2),
    ),
    "hessian": (
        lambda t: np.sum(differentiate.hessian(lambda x: x[0] ** 2 * x[1] ** 2 * t, t * A).ddf),
        lambda t: t * (8 * t * t + 2 * t * t + 16 * t * t),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes_and_orders(name):
    f, closed = PROGRAMS[name]
    assert f(1.3) == pytest.approx(closed(1.3), rel=1e-9)
    first, second = cr.grad(closed)(1.3), cr.grad(cr.grad(closed))(1.3)
    assert cr.grad(f)(1.3) == pytest.approx(first, rel=1e-12)
    assert cr.derivative(f)(1.3) == pytest.approx(first, rel=1e-12)
    assert cr.derivative(cr.grad(f))(1.3) == pytest.approx(second, rel=1e-11)
    if name != "hessian":  # by reverse mode four times over, which takes seconds
        assert cr.grad(cr.grad(f))(1.3) == pytest.approx(second, rel=1e-11)


def test_what_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="preserve_shape"):
        cr.grad(
            lambda t: np.sum(
                differentiate.derivative(lambda x: np.stack([x, t * x]), 1.0, preserve_shape=True).df
            )
        )(1.0)
    with pytest.raises(cr.NotDifferentiableError, match="not finite"):
        cr.grad(lambda t: differentiate.derivative(lambda x: t * np.where(x > 0, x, np.nan), -1.0).df)(1.0)
    with pytest.raises(cr.ChainRulesError, match="error"):
        cr.grad(lambda t: differentiate.derivative(lambda x: t * np.sin(x), 1.0).error)(1.0)
