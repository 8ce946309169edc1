"""Integrals of samples: trapezoid, cumulative_trapezoid, romb. Linear in the samples, and by their places."""

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


@written_out(integrate.romb)
def romb(y: Array, dx: object = 1.0, *, axis=-1, show=False):
    """Romberg's extrapolation, linear in the samples: its weights are those of unit samples"""
    y = np.moveaxis(np.asarray(y), axis, -1)
    weights = own(weights_of, np.shape(y)[-1])
    return np.sum(y * weights, axis=-1) * dx


def weights_of(count: int) -> Any:
    """The weights of Romberg's rule for so many samples."""
    return integrate.romb(np.eye(count), axis=0)
