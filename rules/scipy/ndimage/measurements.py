"""Measurements of labelled objects: sums, moments, extrema, medians, centres, any function of each.

Labels are held constant; where several entries are the greatest, they share its derivative. For an object
without an entry there is nothing to differentiate: its sum is 0, its mean and moments are NaN, as SciPy
has them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import ndimage

from ....core import UnsupportedArgument, non_differentiable
from ...written import written_out


def objects(shape: tuple[int, ...], labels: Any, index: Any) -> list[Any]:
    """For each object that is asked for, the places of its entries in the flat array."""
    size = int(np.prod(shape))
    if labels is None:
        if index is not None:
            raise UnsupportedArgument("scipy.ndimage", "index", index, why="there are no labels")
        return [np.arange(size)]
    flat = np.broadcast_to(labels, shape).ravel()
    if index is None:
        return [np.flatnonzero(flat > 0)]
    order = np.argsort(flat, kind="stable")
    kept, wanted = flat[order], np.ravel(index)
    ends = zip(np.searchsorted(kept, wanted), np.searchsorted(kept, wanted, "right"), strict=True)
    return [order[low:high] for low, high in ends]


def one_alone(labels: Any, index: Any) -> bool:
    """Whether a number is asked for, not an array."""
    return labels is None or index is None or bool(np.isscalar(index))


def result_shape(index: Any) -> tuple[int, ...]:
    """The shape of the results, one for each object."""
    return np.shape(index)


def common_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that all are broadcast to."""
    return np.broadcast_shapes(*shapes)


non_differentiable(common_shape, objects, one_alone, result_shape, why="computes with labels alone")


def spread(x: Any, labels: Any) -> Any:
    """An image over the shape that it and its labels are broadcast to, as a line; and that shape."""
    shape = np.shape(x) if labels is None else common_shape(np.shape(x), np.shape(labels))
    return np.reshape(np.broadcast_to(x, shape), -1), shape


def for_each(f: Any, x: Any, labels: Any, index: Any, empty: Any) -> Any:
    """f of the entries of each object."""
    flat, shape = spread(np.asarray(x), labels)
    parts = []
    for places in objects(shape, labels, index):
        parts.append(f(flat[places]) if len(places) else np.float64(empty))
    return parts[0] if one_alone(labels, index) else np.reshape(np.stack(parts), result_shape(index))


def precise(y: Any, x: Any) -> Any:
    """A number in double precision, complex where the entries are, as SciPy has it."""
    return y.astype(np.result_type(x.dtype, np.float64))


def mean_of(x: Any) -> Any:
    """Σ x / n"""
    return precise(np.mean(x), x)


def variance_of(x: Any) -> Any:
    """Σ |x − mean|² / n"""
    return precise(np.var(x), x)


def deviation_of(x: Any) -> Any:
    """√ of the variance"""
    return precise(np.std(x), x)


@written_out(ndimage.sum_labels)
def sum_labels(input: np.ndarray | list, *, labels=None, index=None):
    """Σ x of each object"""
    return for_each(np.sum, input, labels, index, 0.0)


@written_out(ndimage.sum)
def sum(input: np.ndarray | list, *, labels=None, index=None):
    """Σ x of each object"""
    return for_each(np.sum, input, labels, index, 0.0)


@written_out(ndimage.mean)
def mean(input: np.ndarray | list, *, labels=None, index=None):
    """Σ x / n of each object"""
    return for_each(mean_of, input, labels, index, np.nan)


@written_out(ndimage.variance)
def variance(input: np.ndarray | list, *, labels=None, index=None):
    """Σ |x − mean|² / n of each object"""
    return for_each(variance_of, input, labels, index, np.nan)


@written_out(ndimage.standard_deviation)
def standard_deviation(input: np.ndarray | list, *, labels=None, index=None):
    """√ of the variance of each object"""
    return for_each(deviation_of, input, labels, index, np.nan)


@written_out(ndimage.maximum)
def maximum(input: np.ndarray | list, *, labels=None, index=None):
    """max x of each object"""
    return for_each(np.max, input, labels, index, 0.0)


@written_out(ndimage.minimum)
def minimum(input: np.ndarray | list, *, labels=None, index=None):
    """min x of each object"""
    return for_each(np.min, input, labels, index, 0.0)


@written_out(ndimage.median)
def median(input: np.ndarray | list, *, labels=None, index=None):
    """The middle of the sorted entries of each object, the mean of two where their number is even"""
    return for_each(np.median, input, labels, index, 0.0)


def positions(f: Any, x: Any, labels: Any, index: Any) -> Any:
    """Where the extrema are."""
    return f(x, labels, index)


non_differentiable(positions, why="computes places")


@written_out(ndimage.extrema)
def extrema(input: np.ndarray | list, *, labels=None, index=None):
    """min x, max x of each object, and where they are"""
    x = np.asarray(input)
    low, high = minimum(x, labels=labels, index=index), maximum(x, labels=labels, index=index)
    return (
        low,
        high,
        positions(ndimage.minimum_position, x, labels, index),
        positions(ndimage.maximum_position, x, labels, index),
    )


def along_axis(shape: tuple[int, ...], axis: int) -> Any:
    """The place of each entry along an axis."""
    return np.broadcast_to(
        np.arange(float(shape[axis])).reshape((-1,) + (1,) * (len(shape) - axis - 1)), shape
    )


non_differentiable(along_axis, why="computes places")


@written_out(ndimage.center_of_mass)
def center_of_mass(input: np.ndarray | list, *, labels=None, index=None):
    """Σ x i / Σ x of each object, along each axis"""
    x = np.asarray(input)
    mass = sum_labels(x, labels=labels, index=index)
    centres = [
        sum_labels(x * along_axis(np.shape(x), axis), labels=labels, index=index) / mass
        for axis in range(x.ndim)
    ]
    if one_alone(labels, index):
        return tuple(centres)
    return [tuple([centre[i] for centre in centres]) for i in range(len(index))]


@written_out(ndimage.labeled_comprehension)
def labeled_comprehension(
    input: np.ndarray | list,
    labels: object,
    index: object,
    func: Callable,
    *,
    out_dtype,
    default,
    pass_positions=False,
):
    """The caller's function of the entries of each object, and of their places"""
    flat, shape = spread(np.asarray(input), labels)
    parts = []
    for places in objects(shape, labels, index):
        if not len(places) and not one_alone(labels, index):
            parts.append(np.asarray(default, dtype=out_dtype))
        elif pass_positions:
            parts.append(np.asarray(func(flat[places], places)))
        else:
            parts.append(np.asarray(func(flat[places])))
    if one_alone(labels, index):
        return parts[0][()]
    return np.reshape(np.stack(parts), result_shape(index))
