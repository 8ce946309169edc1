"""Arrays of other libraries that follow NumPy's protocols: their tangents are arrays of the same type.

`natural_array(T)` says so of a class of arrays. Integers have floats and truth values no tangent, as in
NumPy. Sums, moves and projections are made of NumPy's functions, which such a library answers itself, so
that nothing here computes what is lazy; `ravel` and `inner` do, as their results are NumPy's numbers.
Dask's arrays are registered once a program has imported `dask.array`, which is not done here.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .addition import add
from .errors import ShapeMismatch
from .naturals import tangent_dtype
from .registered import natural_tangent, when_imported
from .sparse import shape_mismatch
from .zeros import NO_TANGENT


def natural_array(T: type) -> None:
    """Make arrays of type T the tangents of arrays of type T.

    Example: >>> import dask.array as da                                # doctest: +SKIP
             >>> natural_array(da.Array)                                # doctest: +SKIP
             >>> zero_tangent(da.ones(3, chunks=2)).compute()           # doctest: +SKIP
             array([0., 0., 0.])
    """
    if T in _known:
        return
    _known.add(T)
    natural_tangent(
        T, T, zero=_zero, project=lambda x, t: _projected(T, x, t), inner=_inner, numbers=_numbers
    )

    for types in ((T, T), (T, np.ndarray), (np.ndarray, T)):
        _register_sum(*types)


_known: set[type] = set()


def _register_sum(A: type, B: type) -> None:
    def add_arrays(a: Any, b: Any) -> Any:
        if np.shape(a) != np.shape(b):
            raise shape_mismatch(a, b, "added")
        return a + b

    add_arrays.__annotations__ = {"a": A, "b": B}  # for plum, which dispatches on these
    add.dispatch(add_arrays)


def _zero(x: Any) -> Any:
    dtype = tangent_dtype(x.dtype)
    return NO_TANGENT if dtype is None else np.zeros_like(x, dtype=dtype)


def _projected(T: type, x: Any, t: Any) -> Any:
    dtype = tangent_dtype(x.dtype)
    if dtype is None:
        return NO_TANGENT
    if np.shape(t) != np.shape(x):
        raise ShapeMismatch(f"a tangent of shape {np.shape(t)} does not fit a primal of shape {np.shape(x)}")
    if not isinstance(t, T):
        t = np.zeros_like(x, dtype=dtype) + t
    if dtype.kind == "f" and t.dtype.kind == "c":
        t = np.real(t)
    return t if t.dtype == dtype else t.astype(dtype)


def _inner(a: Any, b: Any) -> float:
    return float(np.real(np.sum(np.conj(a) * b)))


def _numbers(t: Any) -> Any:
    return np.asarray(t), lambda values: np.zeros_like(t) + values


def _register_dask() -> bool:
    T = getattr(sys.modules["dask.array"], "Array", None)
    if T is not None:
        natural_array(T)
    return T is not None


when_imported("dask.array", _register_dask)
