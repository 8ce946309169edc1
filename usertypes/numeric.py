"""Arithmetic and vectors as protocols, for programs that are written over any of them.

No rule and no engine asks for these: what a tangent must be able to do is to be added and to have a zero.
They are what the manifesto calls `Arithmetic` and `VectorNumeric`, with adapters for floats and arrays, and a
decorator that derives both for a dataclass whose fields have them, over one type of scalar.
"""

from __future__ import annotations

import operator
from collections import namedtuple
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from ..core.errors import RegistrationError

_Class = TypeVar("_Class", bound=type)


@runtime_checkable
class Arithmetic(Protocol):
    """What adds, subtracts and multiplies.

    Example: >>> isinstance(np.ones(2), Arithmetic), isinstance("text", Arithmetic)
             (True, False)
    """

    def __add__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...


@runtime_checkable
class VectorNumeric(Arithmetic, Protocol):
    """What has a shape, and multiples by scalars."""

    @property
    def shape(self) -> Any:
        """The shape."""

    def __rmul__(self, other: Any, /) -> Any: ...


def repeating(P: Any, value: Any, shape: Any) -> Any:
    """The vector of a type with one scalar everywhere.

    Example: >>> repeating(np.ndarray, 1.5, (2,)), repeating(float, 2.0, ())
             (array([1.5, 1.5]), 2.0)
    """
    if P is np.ndarray:
        return np.full(shape, value)
    if hasattr(P, "repeating"):
        return P.repeating(value, shape)
    if shape != ():
        raise TypeError(f"a {P.__qualname__} has shape (), not {shape}")
    return P(value)


def shape_of(x: Any) -> Any:
    """The shape of a vector: () for a number.

    Example: >>> shape_of(np.ones(2)), shape_of(3.0)
             ((2,), ())
    """
    return x.shape if hasattr(x, "shape") else np.shape(x)


def vector_numeric(P: _Class) -> _Class:
    """Derive `+`, `-`, multiples, `shape` and `repeating` for a dataclass, field by field.

    Raises:  RegistrationError for what is no dataclass, and for fields over different scalars.
    Example: >>> from dataclasses import dataclass
             >>> @vector_numeric
             ... @dataclass
             ... class Pair: a: float; b: float
             >>> Pair(1.0, 2.0) + 2.0 * Pair(1.0, 1.0)
             Pair(a=3.0, b=4.0)
    """
    if not is_dataclass(P):
        raise RegistrationError(
            f"{P.__qualname__} is no dataclass", next="put @vector_numeric above @dataclass"
        )
    made: Any = P
    names = [f.name for f in fields(P)]
    Shape = namedtuple("Shape", names)  # type: ignore[misc]  # named by the class

    def each(operation: Callable[[Any, Any], Any]) -> Any:
        def combined(a: Any, b: Any) -> Any:
            if type(b) is not P:
                return NotImplemented
            return made(*[operation(getattr(a, n), getattr(b, n)) for n in names])

        return combined

    def times(x: Any, factor: Any) -> Any:
        return made(*[factor * getattr(x, n) for n in names]) if np.ndim(factor) == 0 else NotImplemented

    scalars = {_scalar(f.type) for f in fields(P)} - {None}
    if len(scalars) > 1:
        named = ", ".join(sorted(s.__name__ for s in scalars))
        raise RegistrationError(
            f"the fields of {P.__qualname__} have different scalars: {named}",
            next="give them one type of scalar",
        )
    made.__add__, made.__sub__ = each(operator.add), each(operator.sub)
    made.__mul__ = made.__rmul__ = times
    made.Shape = Shape
    made.shape = property(lambda x: Shape(*[shape_of(getattr(x, n)) for n in names]))
    kinds = {f.name: f.type for f in fields(P)}
    made.repeating = staticmethod(
        lambda value, shape: made(*[repeating(kinds[n], value, getattr(shape, n)) for n in names])
    )
    return P


def _scalar(hint: Any) -> Any:
    """The type of scalars of a field; None where its hint does not say."""
    if not isinstance(hint, type):
        return None
    if issubclass(hint, float | complex | np.inexact):
        return hint
    return getattr(hint, "Scalar", None)
