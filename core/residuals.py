"""Residuals: what the implicit function theorem differentiates, as vectors or numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tangents import ShapeMismatch, materialize, ravel
from .callables import name_of
from .calls import reverse_of
from .decorators import non_differentiable
from .holdings import for_all


class Gradient:
    """The residual of a stationary point: the gradient of an objective, as a vector; as a number by one."""

    def __init__(self, objective: Any) -> None:
        self.objective = objective

    def __call__(self, x: Any, *parameters: Any) -> Any:
        _, back = reverse_of(self.objective, (x, *parameters), {}, (True,) + (False,) * len(parameters), None)
        slope = materialize(back(1.0)[0], like=x)
        return slope if is_number(slope) else ravel(slope)[0]


class Excess:
    """The residual of a fixed point, a vector or a number: by how much a function exceeds its argument."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, x: Any, *parameters: Any) -> Any:
        y = self.function(x, *parameters)
        return y - x if is_number(y) and is_number(x) else ravel(y)[0] - ravel(x)[0]


class Linear:
    """The residual of a linear system: a product less its right-hand side."""

    def __init__(self, product: Any) -> None:
        self.product = product

    def __call__(self, w: Any, b: Any) -> Any:
        return like(self.product(w), b) - b


def is_number(x: Any) -> bool:
    """Whether x is a float as it stands."""
    return type(x) is float or type(x) is np.float64


def is_vector(x: Any) -> bool:
    """Whether x is a vector of floats as it stands."""
    return type(x) is np.ndarray and x.ndim == 1 and x.dtype == float


def numbers_of(x: Any) -> Any:
    """x as a vector, and how to make its like from one; None where it is one as it stands."""
    return (x, None) if is_vector(x) else ravel(x)


@for_all
def as_vectors(residual: Any, unravel: Any, v: Any, *parameters: Any) -> Any:
    """The residual as a vector, at the x with these numbers."""
    y = residual(v if unravel is None else unravel(v), *parameters)
    return y if is_vector(y) else ravel(y)[0]


@for_all
def as_number(residual: Any, v: Any, *parameters: Any) -> Any:
    """The residual as a number, at the x that is one."""
    y = residual(v, *parameters)
    if not isinstance(y, np.ndarray | list | tuple | dict):
        return y
    numbers = ravel(y)[0]
    refuse_several(residual, numbers)
    return numbers[0]


def refuse_several(residual: Any, numbers: Any) -> None:
    """Raise unless there is one number."""
    if len(numbers) != 1:
        raise ShapeMismatch(f"{named(residual)} has {len(numbers)} numbers where its root has one")


def like(t: Any, v: Any) -> Any:
    """A tangent as a vector like v, zeros written out."""
    return materialize(t, like=v)


def named(residual: Any) -> str:
    """What messages call a residual."""
    if isinstance(residual, Gradient):
        return f"the gradient of {name_of(residual.objective)}"
    if isinstance(residual, Excess):
        return f"the excess of {name_of(residual.function)}"
    return "a linear residual" if isinstance(residual, Linear) else name_of(residual)


non_differentiable(is_number, is_vector, refuse_several, why="checks a value")
