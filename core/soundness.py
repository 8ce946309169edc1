"""What debug mode looks for in values and tangents: numbers that are not finite, wrong shapes, wrong dtypes.

Only what holds numbers openly is looked into: arrays, numbers, tuples, lists, dicts, composites, and
indexed and sparse tangents. Lazy tangents are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..tangents import Composite, IndexedTangent, ItemTangent, fields_of, is_sparse, tangent_dtype
from ..tangents.thunks import Lazy
from .callables import describe

Form = tuple[tuple[int, ...], np.dtype[Any]] | None
"""The shape and dtype that a tangent must have; None where nothing is asked."""


def numbers(t: Any) -> Iterator[Any]:
    """The arrays and numbers of floating point in a value or tangent; lazy ones are not forced."""
    if isinstance(t, np.ndarray | np.generic):
        if t.dtype.kind in "fc":
            yield t
    elif isinstance(t, float | complex):
        yield t
    elif is_sparse(t):
        yield from numbers(t.tocoo().data)
    else:
        for part in _inside(t):
            yield from numbers(part)


def _inside(t: Any) -> Iterable[Any]:
    if isinstance(t, Composite):
        t = fields_of(t)
    if isinstance(t, tuple | list):
        return t
    if isinstance(t, dict):
        return t.values()
    if isinstance(t, IndexedTangent):
        return [values for _, values in t.parts()]
    return (t.value,) if isinstance(t, ItemTangent) else ()


def is_finite(t: Any) -> bool:
    """Whether no number in a value or tangent is NaN or infinite."""
    return all(np.isfinite(n).all() for n in numbers(t))


def coarsest(given: Any) -> float:
    """The relative precision of the least precise number in a seed."""
    return max((float(np.finfo(_dtype(n)).eps) for n in numbers(given)), default=0.0)


def _dtype(t: Any) -> np.dtype[Any] | None:
    """The dtype of an array of any kind or a number; None of anything else."""
    if isinstance(t, float | complex) and not isinstance(t, np.generic):
        return np.dtype(type(t))
    dtype = getattr(t, "dtype", None)
    return dtype if isinstance(dtype, np.dtype) else None


def form_of(x: Any) -> Form:
    """Shape and dtype of the tangents of a number or an array of numbers; None of other primals."""
    if isinstance(x, Lazy | bool):
        return None
    if isinstance(x, int):
        return (), np.dtype(float)
    own = _dtype(x)
    dtype = None if own is None else tangent_dtype(own)
    return None if dtype is None or dtype.kind not in "fc" else (np.shape(x), dtype)


def misfit(t: Any, primal: Form, precision: float, *, strict: bool) -> str:
    """What is wrong with a tangent of a primal of this form, in words; empty where nothing is."""
    dtype = _dtype(t)
    if primal is None or dtype is None:
        return ""
    shape, wanted = primal
    if strict:
        fits = np.shape(t) == shape and dtype in (wanted, _real(wanted))
    else:
        fits = dtype.kind in "fc" and np.finfo(dtype).eps <= max(precision, np.finfo(wanted).eps)
    if fits:
        return ""
    why = ": less precise than primal and seed" if dtype.kind in "fc" and not strict else ""
    return f"{describe(t)}, of a primal of shape {shape} and dtype {wanted}{why}"


def _real(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of the real numbers among those of a dtype."""
    return np.dtype(f"f{dtype.itemsize // 2}") if dtype.kind == "c" else dtype
