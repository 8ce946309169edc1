"""`Rbf`, the older surface of radial functions, by data points, values and points.

Its weights solve the system of the function between data points. The ε that SciPy chooses moves with the
box around the data points. Refused by name: functions of the user's, and norms other than Euclid's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import Rbf

from ....core import Array, UnsupportedArgument, non_differentiable
from ....tangents import construct
from ...written import as_found, own, written_out
from .kernels import KERNELS
from .objects import holding, show
from .piecewise import floats

_MULTI = {"inverse": "inverse_multiquadric", "inverse multiquadric": "inverse_multiquadric"}
_SCALED = ("multiquadric", "inverse_multiquadric", "gaussian")
for name in ("xi", "di", "epsilon", "nodes"):
    show(Rbf, name)


@construct.register(Rbf)
def make_rbf(P: Any, values: Any, like: Any) -> Any:
    """An object with these data points, values and weights, as `move` makes it."""
    made = P.__new__(P)
    vars(made).update(vars(like) | values)
    made._init_function(np.zeros(1))  # a method that reads ε of the object
    return made


def checked(function: Any, norm: Any) -> str:
    """The name of the function."""
    if not isinstance(function, str):
        raise UnsupportedArgument(Rbf, "function", function, supported=["a name"])
    if norm != "euclidean":
        raise UnsupportedArgument(Rbf, "norm", norm, supported=["'euclidean'"])
    return _MULTI.get(function.lower(), function.lower().replace("-", "_"))


def kind_of(made: Any) -> str:
    """The name of an object's function."""
    return checked(made.function, made.norm)


non_differentiable(checked, kind_of, why="checks a name")


def radial_function(kind: str, s: Any, epsilon: Any) -> Any:
    """The function at a squared distance"""
    if kind in _SCALED:
        scaled = s / (epsilon * epsilon)
        if kind == "gaussian":
            return np.exp(-scaled)
        return np.sqrt(scaled + 1.0) if kind == "multiquadric" else 1.0 / np.sqrt(scaled + 1.0)
    if kind == "thin_plate":
        return KERNELS["thin_plate_spline"](s)
    return KERNELS[kind](s) if kind == "cubic" else -KERNELS[kind](s)


def squares(x: Any, y: Any) -> Any:
    """|x_i − y_j|², for points in columns"""
    return np.sum(np.square(x[:, :, None] - y[:, None, :]), axis=0)


def default_epsilon(xi: Any) -> Any:
    """The mean distance of data points, if they fill the box around them"""
    edges = np.max(xi, axis=1) - np.min(xi, axis=1)
    edges = edges[edges != 0]
    return (np.prod(edges) / np.shape(xi)[1]) ** (1.0 / np.size(edges))


@written_out(Rbf)
def legacy_radial(
    *args: Array | list, function="multiquadric", epsilon=None, smooth=0.0, norm="euclidean", mode="1-D"
):
    """(φ(|x_i − x_j|) − σ) w = d"""
    kind = checked(function, norm)
    made = own(made_rbf, args, function, epsilon, smooth, norm, mode)
    xi = np.stack([np.reshape(floats(x), -1) for x in args[:-1]])
    values = floats(args[-1])
    values = np.reshape(values, -1) if mode == "1-D" else values
    width = default_epsilon(xi) if epsilon is None else epsilon * 1.0
    alone = np.eye(np.shape(xi)[1])
    apart = squares(xi, xi) + alone
    zero = own(np.zeros, 1)
    matrix = np.where(alone > 0, radial_function(kind, zero, width), radial_function(kind, apart, width))
    weights = as_found(made.nodes, np.linalg.solve(matrix - smooth * alone, values))
    return holding(made, ("xi", "di", "epsilon", "nodes"), xi, values, width, weights)


def made_rbf(args: Any, function: Any, epsilon: Any, smooth: Any, norm: Any, mode: Any) -> Any:
    """The object that SciPy makes."""
    return Rbf(*args, function=function, epsilon=epsilon, smooth=smooth, norm=norm, mode=mode)


@written_out(Rbf.__call__)
def legacy_radial_call(self: Rbf, *args: Array | list):
    """z = Σ_j w_j φ(|x − x_j|)"""
    kind = kind_of(self)
    own(Rbf.__call__, self, *args)
    shape = np.shape(args[0])
    at = np.stack([np.reshape(floats(x), -1) for x in args])
    z = radial_function(kind, squares(at, self.xi), self.epsilon) @ self.nodes
    return np.reshape(z, (*shape, *np.shape(self.nodes)[1:]))
