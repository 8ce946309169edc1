"""Scaled Bessel functions: jve, yve, ive, kve, hankel1e, hankel2e; i0e, i1e, k0e, k1e.

The scale keeps values in range and cancels nearly all of a derivative by the argument: far out, where the
argument exceeds 10⁴(1 + v²), it is taken from an expansion of the logarithmic derivative, which Bessel's
equation gives. `jve` and `yve` have a corner on the real axis, `ive` on the imaginary one, where the slope is
the middle one; so `i0e` has derivative 0 at 0. Those by the order are for a real argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import scalar_rule
from ....tangents import NotImplementedTangent
from .damped import damped_rule
from .orders import by_order

FAR = 1e4


def far(y: Any, v: Any, z: Any) -> Any:
    """y′ of y ∝ eᶻKᵥ(z), far out: u = eᶻ√z Kᵥ has u″ − 2u′ = κ u/z², κ = v² − ¼: u′/u ≈ −κ/2z² + κ/2z³"""
    square = z * z
    kappa = v * v - 0.25
    return -y * (0.5 / z + 0.5 * kappa / square - 0.5 * kappa / (square * z))


def pieced(y: Any, v: Any, z: Any, near: Any, turn: Any) -> Any:
    """`near`, and far out the derivative of a function that is proportional to eʷKᵥ(w), w = z turn."""
    out = abs(z) > FAR * (1 + v * v)
    if not np.any(out):
        return near
    return np.where(out, turn * far(y, v, turn * np.where(out, z, 1.0)), near)


def inward(z: Any) -> Any:
    """−1 for a positive number, 1 for a negative one: e^{−|z|}Iᵥ(z) expands as K's multiple does, at −|z|."""
    return np.where(np.less(z, 0), 1.0, -1.0)


def half(f: Any, v: Any, z: Any, sign: int) -> Any:
    """½ (fᵥ₋₁ ± fᵥ₊₁), DLMF 10.6.1 and 10.29.1"""
    return 0.5 * (f(v - 1, z) + sign * f(v + 1, z))


def scaled_slope(factor: Any, slope: Any) -> Any:
    """A derivative by the order, scaled; what is missing stays so."""
    return slope if type(slope) is NotImplementedTangent else factor * slope


def ive_slope(y: Any, v: Any, z: Any) -> Any:
    """The derivative of ive at a real argument."""
    return pieced(y, v, z, half(special.ive, v, z, 1) - np.sign(z) * y, inward(z))


damped_rule(
    special.jve,
    lambda y, v, z: half(special.jve, v, z, -1),
    lambda v, z: half(special.jve, v, z, -1),
    lambda y, v, z: (-np.sign(np.imag(z)) * y, -1j),
    lambda y, v, z: by_order(v, z, kind="j", k=1),
)
damped_rule(
    special.yve,
    lambda y, v, z: half(special.yve, v, z, -1),
    lambda v, z: half(special.yve, v, z, -1),
    lambda y, v, z: (-np.sign(np.imag(z)) * y, -1j),
    lambda y, v, z: by_order(v, z, kind="y", k=1),
)
damped_rule(
    special.ive,
    ive_slope,
    lambda v, z: half(special.ive, v, z, 1),
    lambda y, v, z: (-np.sign(np.real(z)) * y, 1.0),
    lambda y, v, z: by_order(v, z, kind="ie", k=1),
)
scalar_rule(
    special.kve,
    lambda y, v, z: by_order(v, z, kind="ke", k=1),
    lambda y, v, z: pieced(y, v, z, y - half(special.kve, v, z, 1), 1.0),
    strong_zero=True,
)
scalar_rule(
    special.hankel1e,
    lambda y, v, z: scaled_slope(np.exp(-1j * z), by_order(v, z, kind="h1", k=1)),
    lambda y, v, z: pieced(y, v, z, half(special.hankel1e, v, z, -1) - 1j * y, -1j),
    strong_zero=True,
)
scalar_rule(
    special.hankel2e,
    lambda y, v, z: scaled_slope(np.exp(1j * z), by_order(v, z, kind="h2", k=1)),
    lambda y, v, z: pieced(y, v, z, half(special.hankel2e, v, z, -1) + 1j * y, 1j),
    strong_zero=True,
)

scalar_rule(
    special.i0e, lambda y, x: pieced(y, 0, x, special.i1e(x) - np.sign(x) * y, inward(x)), strong_zero=True
)
scalar_rule(
    special.i1e,
    lambda y, x: pieced(y, 1, x, 0.5 * (special.i0e(x) + special.ive(2, x)) - np.sign(x) * y, inward(x)),
    strong_zero=True,
)
scalar_rule(special.k0e, lambda y, x: pieced(y, 0, x, y - special.k1e(x), 1.0), strong_zero=True)
scalar_rule(
    special.k1e,
    lambda y, x: pieced(y, 1, x, y - 0.5 * (special.k0e(x) + special.kve(2, x)), 1.0),
    strong_zero=True,
)
