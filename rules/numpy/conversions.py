"""Conversions of arrays: astype, require, asfortranarray, asarray_chkfinite, atleast_1d and its kin.

They pass entries on, whatever becomes of memory, type or axes. A conversion to integers or truth values ends
the derivative. Several arrays give a tuple, whose cotangent is a composite. Absent: `like=`, `device=`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import Array, frule, rrule
from ...tangents import ZERO, from_fields
from .axes import refuse_texts, rounds
from .creation import made_back, made_forward
from .joining import shapes_in
from .moving import filled
from .nesting import nest


def _made(f: Callable[..., Any]) -> None:
    @frule(f)
    def made_frule(tangents, x: Array | list | tuple, *, dtype=None, **options):
        """y = x as an array        ẏ = ẋ as an array"""
        y = f(x, dtype, **options)
        refuse_texts(f, y, x)
        return y, made_forward(y, tangents[0], x, dtype)

    @rrule(f, light_seed=True)
    def made_rrule(x: Array | list | tuple, *, dtype=None, **options):
        """y = x as an array        x̄ = ȳ taken apart as x is"""

        def made_pullback(y_bar):
            return made_back(y_bar, x, dtype)

        y = f(x, dtype, **options)
        refuse_texts(f, y, x)
        return y, made_pullback


for _f in (np.asfortranarray, np.asarray_chkfinite, np.require):
    _made(_f)


@frule(np.astype)
def astype_frule(tangents, x: Array, *, dtype, copy=True):
    """y = x in another type        ẏ = ẋ in it; zero for integers and truth values"""
    return np.astype(np.asarray(x), dtype, copy=copy), ZERO if rounds(x, dtype) else tangents[0]


@rrule(np.astype, light_seed=True)
def astype_rrule(x: Array, *, dtype, copy=True):
    """y = x in another type        x̄ = ȳ; zero for integers and truth values"""
    ended = rounds(x, dtype)

    def astype_pullback(y_bar):
        return ZERO if ended else y_bar

    return np.astype(np.asarray(x), dtype, copy=copy), astype_pullback


def _with_axes(f: Callable[..., Any]) -> None:
    @frule(f)
    def with_axes_frule(tangents, *arrays: Array):
        """y = the arrays with more axes        ẏ likewise"""
        y = f(*arrays)
        if len(arrays) == 1:
            return y, np.reshape(tangents[0], np.shape(y))
        moved = tuple(
            [np.reshape(filled(tangents[i], arrays[i], None), np.shape(y[i])) for i in range(len(arrays))]
        )
        return y, from_fields(tuple, moved)

    @rrule(f, light_seed=True)
    def with_axes_rrule(*arrays: Array):
        """y = the arrays with more axes        each cotangent without them"""
        y = f(*arrays)
        shapes = shapes_in(arrays)

        def with_axes_pullback(y_bar):
            if len(shapes) == 1:
                return np.reshape(y_bar, shapes[0])
            return tuple([np.reshape(nest(y_bar[i], np.shape(y[i])), shapes[i]) for i in range(len(shapes))])

        return y, with_axes_pullback


for _g in (np.atleast_1d, np.atleast_2d, np.atleast_3d):
    _with_axes(_g)
