"""Integrals of samples: by trapezoids, Simpson's and Romberg's rule; by the samples and by their places."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import integrate

from ....core import Array
from ...written import own, written_out


def steps(y: Any, x: Any, dx: Any, axis: int) -> Any:
    """The distances between the places of samples, along their axis."""
    if x is None:
        return dx
    d = np.diff(x, axis=-1 if np.ndim(x) == 1 else axis)
    if np.ndim(x) > 1:
        return d
    shape = [1] * np.ndim(y)
    shape[axis] = np.shape(d)[0]
    return np.reshape(d, shape)


def halves(y: Any, axis: int) -> Any:
    """The mean of each sample and the next."""
    y = np.moveaxis(y, axis, -1)
    return np.moveaxis((y[..., 1:] + y[..., :-1]) / 2.0, -1, axis)


@written_out(integrate.trapezoid)
def trapezoid(y: Array, x: object = None, dx: object = 1.0, *, axis=-1):
    """Σ (yᵢ₊₁ + yᵢ) (xᵢ₊₁ − xᵢ) / 2"""
    y = np.asarray(y)
    return np.sum(steps(y, x, dx, axis) * halves(y, axis), axis=axis)


@written_out(integrate.cumulative_trapezoid)
def cumulative_trapezoid(y: Array, x: object = None, dx: object = 1.0, *, axis=-1, initial=None):
    """The partial sums of the trapezoid rule"""
    y = np.asarray(y)
    sums = np.cumsum(steps(y, x, dx, axis) * halves(y, axis), axis=axis)
    if initial is None:
        return sums
    first = np.zeros_like(np.take(sums, [0], axis=axis))
    return np.concatenate([first, sums], axis=axis)


def parabola(a: Any, b: Any, near: Any, middle: Any, far: Any) -> Any:
    """∫₀ᵃ of the parabola through (0, near), (a, middle) and (a + b, far)."""
    return (
        near * a * (2 * a + 3 * b) / (6 * (a + b))
        + middle * a * (a + 3 * b) / (6 * b)
        - far * a**3 / (6 * b * (a + b))
    )


def by_parabolas(y: Any, h: Any) -> Any:
    """The integrals between neighbours, last axis, each by the parabola through a pair's third neighbour: the
    next for every other one, the one before for the others and the last."""
    i, onward, outer, inner, third = own(neighbours, np.shape(y)[-1])
    return parabola(h[..., i], h[..., onward], y[..., outer], y[..., inner], y[..., third])


def neighbours(count: int) -> Any:
    """Of each stretch: itself, the next one that its parabola takes in, and the three points."""
    i = np.arange(count - 1)
    forward = (i % 2 == 0) & (i != count - 2)
    step = np.where(forward, 1, -1)
    return (
        i,
        i + step,
        np.where(forward, i, i + 1),
        np.where(forward, i + 1, i),
        np.where(forward, i + 2, i - 1),
    )


def stretches(y: Any, x: Any, dx: Any, axis: int) -> Any:
    """The samples and the distances between them, along the last axis."""
    moved = np.moveaxis(y, axis, -1)
    if x is None:
        return moved, dx * np.ones(np.shape(moved)[-1] - 1)
    return moved, np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1), axis=-1)


@written_out(integrate.simpson)
def simpson(y: Array, x: object = None, dx: object = 1.0, *, axis=-1):
    """Parabolas through pairs of stretches; a last one alone by the parabola through the sample before it
    [Cartwright 2017]"""
    y = np.asarray(y) * 1.0
    if np.shape(y)[axis] < 3:
        return trapezoid(y, x, dx, axis=axis)
    return np.sum(by_parabolas(*stretches(y, x, dx, axis)), axis=-1)


@written_out(integrate.cumulative_simpson)
def cumulative_simpson(y: Array, x: object = None, dx: object = 1.0, initial: object = None, *, axis=-1):
    """The partial sums of the integrals between neighbours, by parabolas"""
    y = np.asarray(y) * 1.0
    if np.shape(y)[axis] < 3:
        sums = np.moveaxis(cumulative_trapezoid(y, x, dx, axis=axis), axis, -1)
    else:
        sums = np.cumsum(by_parabolas(*stretches(y, x, dx, axis)), axis=-1)
    if initial is not None:
        given: Any = initial
        first = np.moveaxis(given, axis, -1) if np.ndim(given) else given
        first = first * np.ones_like(sums[..., :1])
        sums = np.concatenate([first, sums + first], axis=-1)
    return np.moveaxis(sums, -1, axis)


@written_out(integrate.romb)
def romb(y: Array, dx: object = 1.0, *, axis=-1, show=False):
    """Romberg's extrapolation, linear in the samples: its weights are those of unit samples"""
    y = np.moveaxis(np.asarray(y), axis, -1)
    weights = own(weights_of, np.shape(y)[-1])
    return np.sum(y * weights, axis=-1) * dx


def weights_of(count: int) -> Any:
    """The weights of Romberg's rule for so many samples."""
    return integrate.romb(np.eye(count), axis=0)
