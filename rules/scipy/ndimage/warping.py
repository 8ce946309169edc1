"""Images at other places: coordinates, affine maps, shifts, zooms, rotations; by image and by place.

A spline of orders 0 to 5 goes through the image; it is read at places that depend on a matrix, an angle,
a shift. Beyond the edges a place is mapped back, forwards or backwards, and the derivative by it has that
sign; where it is held at an edge (`nearest`) or replaced by a constant, the derivative is zero. On an
edge itself it is the inner one. A spline of order 0 is a step, one of order 1 has corners at the samples,
where the derivative is that from the right.

See [Unser 1999].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import ndimage

from ....core import Array, UnsupportedArgument, non_differentiable
from ...written import written_out
from .arguments import delivered, dtype_of
from .edges import extended
from .sampling import sampled
from .splines import coefficients

PAD = 12  # as SciPy extends an image before it filters it, where no exact condition is known


def back(q: Any, n: int, mode: str) -> tuple[Any, Any, Any]:
    """Where a place beyond the edges is read, with which sign, and whether it is read at all."""
    inside = np.ones(q.shape, dtype=bool)
    if mode == "constant":
        inside = (q >= 0) & (q <= n - 1)
        return np.where(inside, q, 0.0), inside.astype(float), inside
    if mode == "grid-constant":
        inside = (q > -1 - PAD) & (q < n + PAD)
        return np.where(inside, q, 0.0), inside.astype(float), inside
    if mode == "nearest":
        low, high = -PAD, n - 1 + PAD  # the spline itself is constant further out
        return np.clip(q, low, high), ((q >= low) & (q <= high)).astype(float), inside
    if n == 1 and mode != "grid-wrap":
        return np.zeros_like(q), np.zeros_like(q), inside
    if mode in ("wrap", "grid-wrap"):
        period = n - 1 if mode == "wrap" else n
        within = (q >= 0) & (q <= n - 1)
        return np.where(within, q, q % period), np.ones_like(q), inside
    edge = 0.0 if mode == "mirror" else 0.5
    turn = 2 * (n - 1 + 2 * edge)
    there = (q + edge) % turn
    down = there > turn / 2
    return np.where(down, turn - there, there) - edge, np.where(down, -1.0, 1.0), inside


def reading(coordinates: Any, shape: tuple[int, ...], mode: str) -> tuple[Any, Any, Any]:
    """For all axes: signs, what is added to a place times its sign, and which places are read."""
    found = [back(q, n, mode) for q, n in zip(coordinates, shape, strict=True)]
    signs = np.stack([sign for _, sign, _ in found])
    shifts = np.stack([there for there, _, _ in found]) - signs * coordinates
    return signs, shifts, np.all([inside for _, _, inside in found], axis=0)


def continued(mode: str) -> str:
    """How the coefficients of a spline go on beyond the edges."""
    return {"constant": "mirror", "wrap": "mirror"}.get(mode, mode)


def checked(order: int, mode: str) -> None:
    """Refuse orders that SciPy has not."""
    if order not in range(6):
        raise UnsupportedArgument("scipy.ndimage", "order", order, supported=list(range(6)))


non_differentiable(reading, continued, checked, why="computes with places alone")


def warped(x: Any, places: Any, order: int, mode: str, cval: Any, prefilter: bool) -> Any:
    """The spline through x, read at places: an array for each axis of x, all of one shape."""
    checked(order, mode)
    c = x
    ndim = np.ndim(x)  # by itself: what is bound with something that varies counts as varying
    pad = PAD if prefilter and order > 1 and mode in ("nearest", "grid-constant") else 0
    if pad:
        c = extended(c, widths=((pad, pad),) * ndim, modes=(mode,) * ndim, cval=cval)
    if prefilter and order > 1:
        for axis in range(ndim):
            c = coefficients(c, order=order, axis=axis, mode=mode)
    q = np.reshape(places, (ndim, -1)) + pad
    signs, shifts, inside = reading(q, np.shape(c), mode)
    beyond = (PAD if mode in ("nearest", "grid-constant") else 0) + order + 2
    around = extended(c, widths=((beyond, beyond),) * ndim, modes=(continued(mode),) * ndim, cval=cval)
    y = sampled(around, signs * q + (shifts + beyond), order=order, nus=((0,) * ndim,))[0]
    return np.reshape(np.where(inside, y, cval), np.shape(places)[1:])


def rounded(y: Any, dtype: Any) -> Any:
    """y as an array with the dtype that was asked for; where these are whole numbers, the nearest ones."""
    if dtype.kind == "i":
        y = y + np.where(y > 0, 0.5, -0.5)
    elif dtype.kind == "u":
        y = np.maximum(y + 0.5, 0.0)
    return delivered(y, dtype)


@written_out(ndimage.map_coordinates)
def map_coordinates(
    input: np.ndarray | list,
    coordinates: object,
    *,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    """y_i = the spline through x, at the place q_i"""
    x = np.asarray(input)
    dtype = dtype_of("scipy.ndimage.map_coordinates", output, x)
    return rounded(warped(x, np.asarray(coordinates), order, mode, cval, prefilter), dtype)


def grid(shape: tuple[int, ...]) -> Any:
    """The places of an image: an array for each axis."""
    return np.indices(shape, dtype=float)


def centre(shape: Any) -> Any:
    """The middle of a plane."""
    return (np.asarray(shape) - 1) / 2


def size_of(given: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that was asked for, or that of the image."""
    return shape if given is None else tuple(int(n) for n in given)


def zoomed(shape: tuple[int, ...], zoom: Any) -> tuple[int, ...]:
    """The shape of an image after a zoom."""
    zooms = np.broadcast_to(zoom, len(shape))
    return tuple(round(float(n * z)) for n, z in zip(shape, zooms, strict=True))


def steps(shape: tuple[int, ...], new: tuple[int, ...], grid_mode: bool) -> Any:
    """How far apart an image is read, along each axis."""
    less = 0 if grid_mode else 1
    return np.array([(n - less) / (m - less) if m != less else 1.0 for n, m in zip(shape, new, strict=True)])


def turned(shape: tuple[int, ...], axes: Any, angle: Any, reshape: bool) -> tuple[int, ...]:
    """The shape of an image after a rotation."""
    y, x = (shape[axis] for axis in axes)
    t = np.deg2rad(float(angle))
    if reshape:
        c, s = np.cos(t), np.sin(t)
        corners = np.array([[c, s], [-s, c]]) @ np.array([[0, 0, y, y], [0, x, 0, x]])
        y, x = (int(n) for n in np.ptp(corners, axis=1) + 0.5)
    return tuple(y if i == axes[0] else x if i == axes[1] else n for i, n in enumerate(shape))


def plane(axes: Any, ndim: int) -> tuple[int, int]:
    """The two axes of a rotation, in order."""
    first, second = sorted(axis + ndim if axis < 0 else int(axis) for axis in axes)
    return first, second


non_differentiable(grid, centre, size_of, zoomed, steps, turned, plane, why="computes with shapes alone")


@written_out(ndimage.affine_transform)
def affine_transform(
    input: np.ndarray | list,
    matrix: object,
    offset: object = 0.0,
    *,
    output_shape=None,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    """y_i = the spline through x, at M i + o"""
    x = np.asarray(input)
    m = np.asarray(matrix)
    dtype = dtype_of("scipy.ndimage.affine_transform", output, x)
    shape = size_of(output_shape, np.shape(x))
    if np.ndim(m) == 2 and np.shape(m)[1] == np.ndim(x) + 1:
        offset = m[: np.ndim(x), np.ndim(x)]
        m = m[: np.ndim(x), : np.ndim(x)]
    o = np.reshape(np.broadcast_to(np.asarray(offset), (np.ndim(x),)), (np.ndim(x),) + (1,) * len(shape))
    if np.ndim(m) == 1:
        places = np.reshape(m, (np.ndim(x),) + (1,) * len(shape)) * grid(shape) + o
    else:
        places = np.tensordot(m, grid(shape), 1) + o
    return rounded(warped(x, places, order, mode, cval, prefilter), dtype)


@written_out(ndimage.shift)
def shift(
    input: np.ndarray | list,
    shift: object,
    *,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    """y_i = the spline through x, at i − s"""
    x = np.asarray(input)
    dtype = dtype_of("scipy.ndimage.shift", output, x)
    s = np.reshape(np.broadcast_to(np.asarray(shift), (np.ndim(x),)), (np.ndim(x),) + (1,) * np.ndim(x))
    return rounded(warped(x, grid(np.shape(x)) - s, order, mode, cval, prefilter), dtype)


@written_out(ndimage.zoom)
def zoom(
    input: np.ndarray | list,
    *,
    zoom,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    grid_mode=False,
):
    """y_i = the spline through x, at i h: linear in x; the zoom gives a shape, a whole number"""
    x = np.asarray(input)
    dtype, shape = dtype_of("scipy.ndimage.zoom", output, x), zoomed(np.shape(x), zoom)
    if shape == np.shape(x) and prefilter:
        return delivered(x + np.zeros_like(x), dtype)
    h = np.reshape(steps(np.shape(x), shape, grid_mode), (np.ndim(x),) + (1,) * np.ndim(x))
    places = (grid(shape) + 0.5) * h - 0.5 if grid_mode else grid(shape) * h
    return rounded(warped(x, places, order, mode, cval, prefilter), dtype)


@written_out(ndimage.rotate)
def rotate(
    input: np.ndarray | list,
    angle: Array,
    *,
    axes=(1, 0),
    reshape=True,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
):
    """y = x turned by an angle in degrees about its middle; its shape is held constant"""
    x = np.asarray(input)
    dtype, (a, b) = dtype_of("scipy.ndimage.rotate", output, x), plane(axes, np.ndim(x))
    shape = turned(np.shape(x), (a, b), angle, reshape)
    if np.size(x) == 0:
        return np.full(shape, cval, dtype=dtype)
    t = angle * (np.pi / 180.0)
    c, s = np.cos(t), np.sin(t)
    source = np.moveaxis(x, (a, b), (-2, -1))
    new, old = (shape[a], shape[b]), np.shape(source)[-2:]
    i, j = grid(new) - np.reshape(centre(new), (2, 1, 1))
    middle = centre(old)
    places = np.stack([c * i + s * j + middle[0], c * j - s * i + middle[1]])
    flat = np.reshape(source, (-1, *old))
    planes = []
    for k in range(np.shape(flat)[0]):
        planes.append(warped(flat[k], places, order, mode, cval, prefilter))
    y = np.reshape(np.stack(planes), (*np.shape(source)[:-2], *new))
    return rounded(np.moveaxis(y, (-2, -1), (a, b)), dtype)


@written_out(ndimage.geometric_transform)
def geometric_transform(
    input: np.ndarray | list,
    mapping: Callable,
    *,
    output_shape=None,
    output=None,
    order=3,
    mode="constant",
    cval=0.0,
    prefilter=True,
    extra_arguments=(),
    extra_keywords=None,
):
    """y_i = the spline through x, at the place that the caller's function gives for i"""
    x = np.asarray(input)
    dtype = dtype_of("scipy.ndimage.geometric_transform", output, x)
    shape = size_of(output_shape, np.shape(x))
    keywords = {} if extra_keywords is None else extra_keywords
    if 0 in shape:
        return np.zeros(shape, dtype=dtype)
    places = np.stack(
        [np.stack([*mapping(i, *extra_arguments, **keywords)]) for i in np.ndindex(shape)], axis=1
    )
    return rounded(warped(x, np.reshape(places, (np.ndim(x), *shape)), order, mode, cval, prefilter), dtype)
