"""Functions that move entries to new places: insert, delete, resize, choose, select, extract, block, …

Each stands here as a call with its data first; `moving` makes its rules of that. Indices, masks and
conditions have no tangent. Entries that are not taken have a zero cotangent, those taken several times
the sum. Not here: sorting and sets (sorting), padding (padding), what writes into its argument (writing).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, UnsupportedArgument, non_differentiable
from .moving import moves_entries


@moves_entries(np.insert)
def insert(arr: Array, values: Array, *, obj, axis=None):
    """y = arr with values put in before places"""
    return np.insert(arr, obj, values, axis)


@moves_entries(np.delete)
def delete(arr: Array, *, obj, axis=None):
    """y = arr without some entries"""
    return np.delete(arr, obj, axis)


@moves_entries(np.resize)
def resize(a: Array, *, new_shape):
    """y = the entries of a in order, as often as it takes"""
    return np.resize(a, new_shape)


@moves_entries(np.extract)
def extract(arr: Array, *, condition):
    """y = arr where the condition holds, in one line"""
    return np.extract(condition, arr)


@moves_entries(np.choose)
def choose(choices: Array | list | tuple, *, a, mode="raise"):
    """yᵢ = the entry at i of choice aᵢ"""
    return np.choose(a, choices, mode=mode)


@moves_entries(np.ndarray.choose)
def choose_method(choices: Array | list | tuple, *, self, mode="raise"):
    """As `numpy.choose`."""
    return np.choose(self, choices, mode=mode)


@moves_entries(np.select)
def select(choicelist: np.ndarray | list | tuple, default: Array = 0, *, condlist):
    """y = the first choice whose condition holds, else the default"""
    return np.select(condlist, choicelist, default)


@moves_entries(np.block)
def block(arrays: Array | list | tuple):
    """y = the blocks of nested lists, put together"""
    return np.block(arrays)


@moves_entries(np.rollaxis)
def rollaxis(a: Array, *, axis, start=0):
    """y = a with an axis moved before another"""
    return np.rollaxis(np.asarray(a), axis, start)


def _untyped(f: Any, dtype: Any, casting: Any) -> None:
    """Refuse another type than that of the layers; `dtype=None` says that it is kept."""
    if dtype is not None:
        raise UnsupportedArgument(f, "dtype", dtype, next="join a list of the layers, or convert the result")


non_differentiable(_untyped, why="asks for types")


@moves_entries(np.concatenate)
def concatenate(arrays: np.ndarray, *, axis=0, dtype=None, casting=None):
    """y = the layers of an array along an axis of theirs"""
    _untyped(np.concatenate, dtype, casting)
    return np.concatenate(tuple(arrays), axis)


@moves_entries(np.stack)
def stack(arrays: np.ndarray, *, axis=0, dtype=None, casting=None):
    """y = the layers of an array along a new axis"""
    _untyped(np.stack, dtype, casting)
    return np.stack(tuple(arrays), axis)


def _of_layers(f: Any) -> None:
    @moves_entries(f)
    def layers(tup: np.ndarray):
        """y = the layers of an array, put together"""
        return f(tuple(tup))


def _of_typed_layers(f: Any) -> None:
    @moves_entries(f)
    def layers(tup: np.ndarray, *, dtype=None, casting=None):
        """y = the layers of an array, put together"""
        _untyped(f, dtype, casting)
        return f(tuple(tup))


for _f in (np.dstack, np.column_stack):
    _of_layers(_f)
for _f in (np.vstack, np.hstack, *([np.row_stack] if hasattr(np, "row_stack") else [])):
    _of_typed_layers(_f)
