"""`Quantized`: numbers kept in few bits, whose gradients have full precision.

A value is scale · (data − zero_point). Its tangents are arrays of floats like the numbers that it stands for,
so a gradient step has full precision and only its end is rounded again. `+` and `*` dequantize, work, and
quantize anew. Rounding is passed straight through: the derivative of `quantize` is one where it does not
clip, and zero where it does [Bengio, Léonard & Courville 2013, 4].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.decorators import frule, rrule
from ..core.errors import ShapeMismatch
from ..tangents import NO_TANGENT, Composite, natural_tangent
from ..tangents.containers import mismatched


class Quantized:
    """An array of integers that stands for one of real numbers: scale · (data − zero_point).

    Example: >>> q = Quantized(np.array([10, 20], np.int8), scale=0.1)
             >>> g = cr.grad(lambda q: np.sum(q.dequantize() ** 2))(q)
             >>> g, cr.move(q, -0.25 * g).data
             (array([2., 4.]), array([ 5, 10], dtype=int8))
    """

    __slots__ = ("data", "scale", "zero_point")

    def __init__(self, data: Any, scale: float = 1.0, zero_point: int = 0) -> None:
        values = np.asarray(data)
        if values.dtype.kind not in "iu":
            raise TypeError(
                f"Quantized holds integers, not {values.dtype}: Quantized.quantize(x, like=...) makes them"
            )
        self.data, self.scale, self.zero_point = values, float(scale), int(zero_point)

    def dequantize(self) -> Any:
        """The real numbers."""
        return self.scale * (self.data.astype(float) - self.zero_point)

    @staticmethod
    def quantize(x: Any, like: Any) -> Quantized:
        """The nearest numbers that are kept as those of `like` are; what is out of range is clipped."""
        width = np.iinfo(like.data.dtype)
        steps = np.rint(np.asarray(x) / like.scale) + like.zero_point
        return Quantized(
            np.clip(steps, width.min, width.max).astype(like.data.dtype), like.scale, like.zero_point
        )

    def __add__(self, other: Any) -> Quantized:
        return quantize(self.dequantize() + _real(other), self)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Quantized:
        return quantize(self.dequantize() * _real(other), self)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quantized):
            return NotImplemented
        same = (self.scale, self.zero_point) == (other.scale, other.zero_point)
        return same and np.array_equal(self.data, other.data)

    __hash__ = None  # type: ignore[assignment]  # an array is in it

    def __repr__(self) -> str:
        return f"Quantized({self.data!r}, scale={self.scale}, zero_point={self.zero_point})"


def _real(x: Any) -> Any:
    return x.dequantize() if isinstance(x, Quantized) else x


def quantize(x: Any, like: Any) -> Quantized:
    """`Quantized.quantize`, which has rules."""
    return Quantized.quantize(x, like)


def _inside(x: Any, like: Any) -> Any:
    """One where quantizing does not clip."""
    width = np.iinfo(like.data.dtype)
    steps = np.asarray(x) / like.scale + like.zero_point
    return ((steps >= width.min) & (steps <= width.max)).astype(float)


def _project(q: Quantized, t: Any) -> Any:
    if isinstance(t, Composite):
        raise mismatched(q, t, "projected on one another")
    v = np.asarray(t, float)
    if v.shape != q.data.shape:
        raise ShapeMismatch(f"a tangent of shape {v.shape} is none of a Quantized of {q.data.shape}")
    return v


natural_tangent(
    Quantized,
    np.ndarray,
    zero=lambda q: np.zeros(q.data.shape),
    move=lambda q, t: quantize(q.dequantize() + t, q),
    difference=lambda a, b: a.dequantize() - b.dequantize(),
    project=_project,
)


@frule(Quantized.dequantize)
def dequantize_frule(tangents: Any, q: Quantized) -> Any:
    """ẏ = q̇: tangents are of the real numbers already"""
    return q.dequantize(), tangents[0]


@rrule(Quantized.dequantize)
def dequantize_rrule(q: Quantized) -> Any:
    """q̄ = ȳ"""

    def dequantize_pullback(y_bar: Any) -> Any:
        return (y_bar,)

    return q.dequantize(), dequantize_pullback


@frule(quantize)
def quantize_frule(tangents: Any, x: np.ndarray, like: object) -> Any:
    """ẏ = ẋ where nothing is clipped; `like` says how numbers are kept"""
    return quantize(x, like), tangents[0] * _inside(x, like)


@rrule(quantize)
def quantize_rrule(x: np.ndarray, like: object) -> Any:
    """x̄ = ȳ where nothing is clipped; `like` says how numbers are kept"""
    inside = _inside(x, like)

    def quantize_pullback(y_bar: Any) -> Any:
        return y_bar * inside, NO_TANGENT

    return quantize(x, like), quantize_pullback
