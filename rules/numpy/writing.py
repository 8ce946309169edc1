"""Functions that write into their first argument: put, place, putmask, copyto, fill_diagonal, put_along_axis.

The state that is left is made of entries of the argument before and of the values, which the function
tells when it is run on their numbers (`moving`): where a place is named twice the last value stands. What
is overwritten has no influence, and its cotangent is zero. Places and masks have no tangent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import Array, non_differentiable
from ...tangents import NO_TANGENT, project_to
from ..written import like_program
from .axes import float_dtype
from .moving import brought_back, filled, frames_of, given, numbers_in


def origins_written(program: Callable[..., Any], frames: tuple[Any, ...], metadata: Any) -> Any:
    """For each entry of the first argument, after it was written into, the number of the entry that it is."""
    numbers = [numbers_in(frame) for frame in frames]
    program(*numbers, **metadata)
    return numbers[0]


non_differentiable(origins_written, why="computes with places alone")


def in_line(moved: Any) -> Any:
    """The entries of several tangents one after another, in the order of their numbers."""
    return np.concatenate([np.zeros(1), *[np.reshape(dx, -1) for dx in moved]])


def writes_entries(*functions: Callable[..., Any], signature: str | None = None) -> Callable[[Any], Any]:
    """Register both rules of functions that do no more than write entries into their first argument."""

    def declare(program: Any) -> Any:
        def written_frule(tangents: Any, a: Any, values: Any, **metadata: Any) -> Any:
            dtype = a.dtype
            frames, _ = frames_of(given(program, (a, values)), dtype)
            moved = filled(tangents[0], a, dtype), filled(tangents[1], values, dtype)
            da = in_line(moved)[origins_written(program, frames, metadata)]
            program(a, values, **metadata)
            return None, NO_TANGENT, {0: project_to(a)(da)}

        def written_rrule(a: Any, values: Any, **metadata: Any) -> Any:
            dtype = float_dtype(a)
            frames, total = frames_of(given(program, (a, values)), a.dtype)
            places = origins_written(program, frames, metadata)
            program(a, values, **metadata)

            def written_pullback(y_bar: Any, states: Any) -> Any:
                return brought_back(states[0], dtype, places, frames, total)

            return None, written_pullback

        for f in functions:
            like_program(f, written_frule, "forward", program, declared=signature, mutates=(0,))
            like_program(f, written_rrule, "reverse", program, declared=signature, mutates=(0,))
        return program

    return declare


@writes_entries(np.put)
def put(a: np.ndarray, v: Array, *, ind, mode="raise"):
    """a at flat places = v, repeated as often as it takes"""
    np.put(a, ind, v, mode)


@writes_entries(np.ndarray.put, signature="self, indices, values, mode='raise'")
def put_method(a: np.ndarray, v: Array, *, indices, mode="raise"):
    """a at flat places = v, repeated as often as it takes"""
    a.put(indices, v, mode)


@writes_entries(np.place)
def place(arr: np.ndarray, vals: Array, *, mask):
    """arr where the mask holds = the values in order, repeated as often as it takes"""
    np.place(arr, mask, vals)


@writes_entries(np.putmask, signature="a, /, mask, values")
def putmask(a: np.ndarray, values: Array, *, mask):
    """a where the mask holds = the values there, repeated to the length of a"""
    np.putmask(a, mask, values)


@writes_entries(np.copyto, signature="dst, src, casting='same_kind', where=True")
def copyto(dst: np.ndarray, src: Array, *, casting="same_kind", where=True):
    """dst = src where the mask holds"""
    np.copyto(dst, src, casting=casting, where=where)


@writes_entries(np.fill_diagonal)
def fill_diagonal(a: np.ndarray, val: Array, *, wrap=False):
    """the diagonal of a = the values, repeated as often as it takes"""
    np.fill_diagonal(a, val, wrap)


@writes_entries(np.ndarray.fill, signature="self, value")
def fill(a: np.ndarray, value: Array):
    """a = the value everywhere"""
    a.fill(value)


@writes_entries(np.put_along_axis)
def put_along_axis(arr: np.ndarray, values: Array, *, indices, axis):
    """arr at an index of its own for each line = the values"""
    np.put_along_axis(arr, indices, values, axis)
