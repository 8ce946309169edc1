"""Polynomials through values: `KroghInterpolator`, `BarycentricInterpolator`, and their functions.

An object holds its nodes and values, and these are its fields; SciPy makes its coefficients or weights of
them, which have no derivative of their own: read as attributes they are refused. So are nodes or values that
are added to an object later, and an object without values. Where weights are given they count as those of
the nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import (
    BarycentricInterpolator,
    KroghInterpolator,
    barycentric_interpolate,
    krogh_interpolate,
)

from ....core import Array, UnsupportedArgument, non_differentiable
from ....tangents import construct
from ...written import own, written_out
from .cubic import in_front, selected
from .objects import derived, holding
from .piecewise import floats
from .places import delivered
from .through_nodes import polynomial

_VALUES = Array | list


@construct.register(KroghInterpolator)
@construct.register(BarycentricInterpolator)
def make_interpolator(P: Any, values: Any, like: Any) -> Any:
    """An object with these nodes and values, as `move` makes it."""
    shape = (len(values["xi"]), *like._y_extra_shape)
    return P(values["xi"], np.moveaxis(np.reshape(values["yi"], shape), 0, like._y_axis), like._y_axis)


derived(KroghInterpolator, "c")
derived(BarycentricInterpolator, "wi")


def made(interpolator: Any, xi: Any, yi: Any, axis: int) -> Any:
    """The object with the derivatives of its nodes and values"""
    values = in_front(yi, axis)
    return holding(interpolator, ("xi", "yi"), floats(xi), np.reshape(values, (np.shape(values)[0], -1)))


@written_out(KroghInterpolator)
def krogh(xi: _VALUES, yi: _VALUES, *, axis=0):
    """The object holds nodes and values"""
    return made(own(KroghInterpolator, xi, yi, axis), xi, yi, axis)


@written_out(BarycentricInterpolator)
def barycentric(xi: _VALUES, yi: Array | list | None = None, *, axis=0, wi=None, rng=None):
    """The object holds nodes and values"""
    with_values(yi)
    return made(own(made_barycentric, xi, yi, axis, wi, rng), xi, yi, axis)


def with_values(yi: Any) -> None:
    """Refuse an object without values."""
    if yi is None:
        raise UnsupportedArgument(BarycentricInterpolator, "yi", yi, supported=["the values"])


non_differentiable(with_values, why="checks an argument")


def made_barycentric(xi: Any, yi: Any, axis: Any, wi: Any, rng: Any) -> Any:
    """The object that SciPy makes."""
    return BarycentricInterpolator(xi, yi, axis, wi=wi, rng=rng)


def refuse_complex(interpolator: Any, x: Any) -> None:
    """Refuse complex points of Krogh's form, of which SciPy raises or drops the imaginary parts."""
    if isinstance(interpolator, KroghInterpolator) and np.iscomplexobj(x):
        raise UnsupportedArgument(
            KroghInterpolator, "x", x, supported=["real points"], next="use BarycentricInterpolator"
        )


non_differentiable(refuse_complex, why="checks arguments")


def valued(self: Any, x: Any, der: int) -> Any:
    """A derivative of the polynomial at points of any shape"""
    refuse_complex(self, x)
    at = floats(x)
    extra = self._y_extra_shape
    values = np.reshape(floats(self.yi), (np.shape(self.xi)[0], *extra))
    y = polynomial(floats(self.xi), values, np.reshape(at, -1), der=der)
    return delivered(y, np.shape(at), self._y_axis if np.ndim(at) else 0)


@written_out(*{KroghInterpolator.__call__, BarycentricInterpolator.__call__})
def interpolator_call(self: KroghInterpolator | BarycentricInterpolator, x: _VALUES):
    """y = p(x)"""
    return valued(self, x, 0)


@written_out(*{KroghInterpolator.derivative, BarycentricInterpolator.derivative})
def interpolator_derivative(self: KroghInterpolator | BarycentricInterpolator, x: _VALUES, *, der=1):
    """y = p⁽ᵈ⁾(x)"""
    return valued(self, x, der)


@written_out(*{KroghInterpolator.derivatives, BarycentricInterpolator.derivatives})
def interpolator_derivatives(self: KroghInterpolator | BarycentricInterpolator, x: _VALUES, *, der=None):
    """y_d = p⁽ᵈ⁾(x)"""
    count = np.shape(self.xi)[0] if der is None else der
    return np.stack([valued(self, x, d) for d in range(count)])


@written_out(krogh_interpolate)
def by_krogh(xi: _VALUES, yi: _VALUES, x: _VALUES, *, der=0, axis=0):
    """y = p⁽ᵈ⁾(x)"""
    p = KroghInterpolator(xi, yi, axis)
    if selected(der):
        return p.derivative(x, der)
    return np.stack([p.derivative(x, d) for d in der])


@written_out(barycentric_interpolate)
def by_barycentric(xi: _VALUES, yi: _VALUES, x: _VALUES, *, axis=0, der=0, rng=None):
    """y = p⁽ᵈ⁾(x)"""
    p = BarycentricInterpolator(xi, yi, axis)
    if selected(der):
        return p.derivative(x, der)
    return np.stack([p.derivative(x, d) for d in der])
