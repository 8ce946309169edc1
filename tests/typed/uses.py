"""What an editor and a type checker know of the operators: `mypy` reads this file, and the suite runs it.

A line that is wrong on purpose says which error it must be; one that were right would be an error itself.
"""

from collections.abc import Callable
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import chainrules as cr

Floats = npt.NDArray[np.float64]


def loss(w: Floats, x: Floats, *, scale: float = 1.0) -> float:
    """A loss with one argument by keyword."""
    return float(scale) * np.sum((w * x) ** 2)


def growth(t: float) -> Floats:
    """An array for a time."""
    return np.exp(np.arange(3.0) * t)


@cr.grad
def slope(x: float) -> float:
    """A gradient made by the decorator."""
    return x * x


class Model:
    """A parabola with a gradient as a method."""

    @cr.checkpoint
    def loss(self, x: float) -> float:
        """The value."""
        return x * x


def uses(w: Floats, x: Floats) -> list[Any]:
    """Right uses, with the types that come of them."""
    value, gradient = cr.value_and_grad(loss)(w, x, scale=2.0)
    assert_type(value, float)
    growth_and_rate = cr.value_and_derivative(growth)(0.5)
    assert_type(growth_and_rate, tuple[Floats, Any])
    y, pullback = cr.vjp(growth, 0.5)
    assert_type(y, Floats)
    assert_type(pullback(np.ones(3)), tuple[Any, ...])
    made: Callable[[float], Any] = cr.grad(slope)
    twice: float = cr.grad(cr.grad(slope))(2.0)
    assert_type(Model().loss(2.0), float)
    assert_type(cr.jvp(growth, (0.5,), (1.0,)), tuple[Floats, Any])
    return [value, gradient, made(2.0), twice, cr.jacobian(growth)(0.5), cr.vmap(slope)(w)]


def wrong(w: Floats, x: Floats) -> None:
    """Uses that a checker finds before they run."""
    cr.grad(loss)(w)  # type: ignore[call-arg]
    cr.grad(loss)(w, x, factor=2.0)  # type: ignore[call-arg]
    cr.value_and_grad(loss)(w, "x")  # type: ignore[arg-type]
    cr.grad(loss, argnums="w")  # type: ignore[arg-type]
    cr.derivative(growth)("t")  # type: ignore[arg-type]
    slope("x")  # type: ignore[arg-type]
