"""Methods and attributes of arrays whose signature is their own, and those of NumPy's scalars.

`reshape(2, 3)` and `transpose(1, 0)` take sizes and axes one by one: these stand among the data and
have no tangent. `astype` to integers or truth values has derivative zero and ends activity; one to
objects or texts is refused. What an attribute says about shape and type has no derivative. Methods that
agree with a function of NumPy are registered beside it. Absent: methods that write (`sort`, `fill`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import frule, non_differentiable, rrule
from ...core.seeds import absorbs, answer_to, light, ready
from ...tangents import NO_TANGENT, ZERO
from .axes import beyond, inverse_of, layout_order, rounds

_NUMPY = np.ndarray | np.generic


@frule(np.ndarray.reshape)
def reshape_method_frule(tangents, x: np.ndarray, *shape, order="C"):
    """y = x in another shape        ẏ = ẋ in that shape"""
    order = layout_order(np.ndarray.reshape, x, order)
    return x.reshape(*shape, **beyond(order=order)), tangents[0].reshape(*shape, **beyond(order=order))


@rrule(np.ndarray.reshape, light_seed=True)
def reshape_method_rrule(x: np.ndarray, *shape, order="C"):
    """y = x in another shape        x̄ = ȳ in the shape of x"""
    order = layout_order(np.ndarray.reshape, x, order)
    x_shape, no_tangents = np.shape(x), (NO_TANGENT,) * len(shape)

    def reshape_pullback(y_bar):
        return (np.reshape(y_bar, x_shape, **beyond(order=order)), *no_tangents)

    return x.reshape(*shape, **beyond(order=order)), reshape_pullback


@frule(np.ndarray.transpose)
def transpose_method_frule(tangents, x: np.ndarray, *axes):
    """y = x with its axes permuted        ẏ = ẋ permuted"""
    return x.transpose(*axes), tangents[0].transpose(*axes)


@rrule(np.ndarray.transpose, light_seed=True)
def transpose_method_rrule(x: np.ndarray, *axes):
    """y = x with its axes permuted        x̄ = ȳ permuted back"""
    back, no_tangents = inverse_of(order_of(axes), np.ndim(x)), (NO_TANGENT,) * len(axes)

    def transpose_pullback(y_bar):
        return (np.transpose(y_bar, back), *no_tangents)

    return x.transpose(*axes), transpose_pullback


def order_of(axes: tuple[Any, ...]) -> Any:
    """The axes of `x.transpose(*axes)`: none, one tuple, or one by one."""
    if not axes:
        return None
    return axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes


non_differentiable(order_of, why="computes with axes alone")


@frule(np.ndarray.flatten)
def flatten_frule(tangents, x: np.ndarray, *, order="C"):
    """y = x as a new vector        ẏ = ẋ as a vector"""
    order = layout_order(np.ndarray.flatten, x, order)
    return x.flatten(order), np.ravel(tangents[0], order=order)


@rrule(np.ndarray.flatten)
def flatten_rrule(x: np.ndarray, *, order="C"):
    """y = x as a new vector        x̄ = ȳ in the shape of x"""
    order = layout_order(np.ndarray.flatten, x, order)
    shape = np.shape(x)

    def flatten_pullback(y_bar):
        return np.reshape(y_bar, shape, order=order)

    return x.flatten(order), flatten_pullback


@frule(np.generic.astype)
@frule(np.ndarray.astype)
def astype_frule(tangents, x: _NUMPY, *, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """y = x in another type        ẏ = ẋ in it; zero for integers and truth values"""
    y = x.astype(dtype, order=order, casting=casting, subok=subok, copy=copy)
    if rounds(x, dtype):
        return y, ZERO
    return y, tangents[0]


@rrule(np.generic.astype, light_seed=True)
@rrule(np.ndarray.astype, light_seed=True)
def astype_rrule(x: _NUMPY, *, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """y = x in another type        x̄ = ȳ; zero for integers and truth values"""
    ended = rounds(x, dtype)

    def astype_pullback(y_bar):
        return ZERO if ended else y_bar

    return x.astype(dtype, order=order, casting=casting, subok=subok, copy=copy), astype_pullback


@frule(np.generic.item)
def scalar_item_frule(tangents, x: np.generic):
    """y = a scalar as Python's own number        ẏ = ẋ"""
    return x.item(), tangents[0]


@rrule(np.generic.item)
def scalar_item_rrule(x: np.generic):
    """y = a scalar as Python's own number        x̄ = ȳ"""

    def item_pullback(y_bar):
        return y_bar

    return x.item(), item_pullback


@frule(getattr, np.ndarray, "T", complete=True)
def t_frule(tangents, x):
    """y = x with its axes reversed        ẏ = ẋ likewise"""
    (dx,) = tangents
    return x.T, dx if absorbs(dx) else np.transpose(ready(dx))


@rrule(getattr, np.ndarray, "T", complete=True)
def t_rrule(x):
    """y = x with its axes reversed        x̄ = ȳ likewise"""

    def t_pullback(y_bar):
        return (answer_to(y_bar) if absorbs(y_bar) else np.transpose(light(y_bar)),)

    return x.T, t_pullback


@frule(getattr, np.ndarray, "mT")
def mt_frule(tangents, x):
    """y = xᵀ, the last two axes        ẏ = ẋᵀ"""
    return x.mT, tangents[0].mT


@rrule(getattr, np.ndarray, "mT", light_seed=True)
def mt_rrule(x):
    """y = xᵀ, the last two axes        x̄ = ȳᵀ"""

    def mt_pullback(y_bar):
        return np.matrix_transpose(y_bar)

    return x.mT, mt_pullback


@frule(getattr, np.ndarray, "real")
def real_frule(tangents, x):
    """y = Re x        ẏ = Re ẋ"""
    return x.real, np.real(tangents[0])


@rrule(getattr, np.ndarray, "real", light_seed=True)
def real_rrule(x):
    """y = Re x        x̄ = ȳ"""

    def real_pullback(y_bar):
        return y_bar

    return x.real, real_pullback


@frule(getattr, np.ndarray, "imag")
def imag_frule(tangents, x):
    """y = Im x        ẏ = Im ẋ"""
    return x.imag, np.imag(tangents[0])


@rrule(getattr, np.ndarray, "imag", light_seed=True)
def imag_rrule(x):
    """y = Im x        x̄ = i ȳ; zero for a real x"""

    def imag_pullback(y_bar):
        return 1j * y_bar

    return x.imag, imag_pullback


def _says_no_more(P: Any, name: str) -> None:
    """An attribute that tells of shape or type: it runs as written and has no tangent."""

    @frule(getattr, P, name, complete=True)
    def attribute_frule(tangents, x):
        return getattr(x, name), ZERO

    @rrule(getattr, P, name, complete=True)
    def attribute_rrule(x):
        def attribute_pullback(y_bar):
            return (NO_TANGENT,)

        return getattr(x, name), attribute_pullback

    attribute_rrule.without_tangent = True  # type: ignore[attr-defined]  # read by engines


for _P in (np.ndarray, np.generic):
    for _name in ("shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides", "flags"):
        _says_no_more(_P, _name)
