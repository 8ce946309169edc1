"""The zero of a primal, and the dense form of a tangent: `zero_tangent` and `materialize`.

An integer has float tangents; what cannot be perturbed has `NoTangent()`. A zero has the shape,
dtype and structure of its primal, a sparse one its pattern and format too. Multiples, inner
products and norms are in vectors.py, sums in addition.py, moved primals in motion.py.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from .composite import Composite, fields_of, from_fields, is_tangent_of, map_fields, primal_type
from .containers import entries, has_entries, mismatched, rebuilt
from .errors import ShapeMismatch
from .indexed import IndexedTangent, ItemTangent
from .naturals import tangent_dtype, zero_of
from .registered import naturals
from .sparse import canonical, is_sparse
from .structure import ending, map_parts, named_parts, parts
from .thunks import unthunk
from .zeros import NO_TANGENT, ZERO, NotImplementedTangent, is_zero


def zero_tangent(x: Any) -> Any:
    """A zero of the shape and structure of x, with numbers in it.

    Shapes:  like x; containers and objects give a `Composite`, what cannot be perturbed `NoTangent()`.
    Raises:  ChainRulesError for arrays of a structured dtype.
    Example: >>> zero_tangent((1.0, np.ones(2), "name"))
             Composite[tuple](0.0, array([0., 0.]), NoTangent())
    """
    x = unthunk(x)
    zero = zero_of(x)
    if zero is not None:
        return zero
    if is_zero(x):
        return x
    if isinstance(x, np.ndarray):
        return _each(zero_tangent, x)
    if is_sparse(x):
        return _zero_of_sparse(x)
    if isinstance(x, IndexedTangent):
        return np.zeros(x.shape, x.dtype)
    if isinstance(x, Composite):
        return map_fields(zero_tangent, x)
    return _zero_of_parts(x)


@ending
def _zero_of_parts(x: Any) -> Any:
    inside = parts(x)
    if inside is None:
        return NO_TANGENT
    zero = from_fields(type(x), map_parts(zero_tangent, inside))
    return NO_TANGENT if callable(x) and _is_empty(zero) else zero


def _is_empty(t: Any) -> bool:
    """Whether there is no number in it; a function that captured none has no tangent."""
    return t is NO_TANGENT or (isinstance(t, Composite) and all(map(_is_empty, entries(t).values())))


def materialize(t: Any, like: Any, *, missing: bool = False) -> Any:
    """A tangent with all its numbers: zeros filled in, thunks forced, indexed and sparse ones dense.

    Shapes:  like `like`, which is a primal. Sparse tangents stay so only where `like` is sparse.
             `missing`: whether parts that are not implemented stay so.
    Raises:  MissingDerivativeError for a derivative that is not implemented; MismatchedPrimalError.
    Example: >>> materialize(Composite[tuple](1.0, Zero()), like=(0.5, np.ones(2)))
             Composite[tuple](1.0, array([0., 0.]))
    """
    t = unthunk(t)
    if is_zero(t):
        return zero_tangent(like)
    if isinstance(t, NotImplementedTangent):
        return t if missing else t.refuse()
    if isinstance(t, IndexedTangent | ItemTangent):
        t = t.dense()
    if is_sparse(t):
        return t if is_sparse(like) else t.toarray()
    if isinstance(t, np.ndarray) and t.dtype.kind == "O" and isinstance(like, np.ndarray):
        return _each(materialize, t, like)
    if not has_entries(t):
        return t
    natural = naturals.of(type(like))
    if natural is not None and natural.from_structural is not None and isinstance(t, Composite):
        return natural.from_structural(t)
    if isinstance(t, Composite) and type(like) is not type(t) and not is_tangent_of(type(like), t):
        raise mismatched(t, like, "given the shape of one another")
    filled = _filled(t, like, missing)
    return from_fields(primal_type(t), filled) if isinstance(t, Composite) else rebuilt(t, filled)


def _each(fn: Callable[..., Any], *arrays: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """fn of the entries of object arrays of one shape, as an object array."""
    results = np.empty(arrays[0].shape, object)
    for index in np.ndindex(arrays[0].shape):
        results[index] = fn(*(array[index] for array in arrays))
    return results


def _zero_of_sparse(x: Any) -> Any:
    dtype = tangent_dtype(x.dtype)
    if dtype is None:
        return NO_TANGENT
    if x.format in ("lil", "dok"):  # these keep no array of values
        return zero_of_pattern(canonical(x), dtype).asformat(x.format)
    return zero_of_pattern(x, dtype)


def zero_of_pattern(x: Any, dtype: np.dtype[Any]) -> Any:
    """A sparse array that stores zeros where x stores entries."""
    zero = x.astype(dtype, copy=True)
    zero.data[...] = 0
    return zero


def _filled(t: Any, like: Any, missing: bool) -> Any:
    """The materialized parts of a tangent with parts, for each part of its primal."""
    inside, given = parts(like) or {}, entries(t)
    if isinstance(t, Composite) and isinstance(fields_of(t), dict):
        given, inside = fields_of(t), named_parts(like)
    if isinstance(like, Composite):
        inside = fields_of(like)
    if not isinstance(inside, dict):
        if len(inside) != len(t):
            raise ShapeMismatch(f"a tangent of {len(t)} items belongs to no primal of {len(inside)}")
        return [materialize(given[i], x, missing=missing) for i, x in enumerate(inside)]
    filled = {name: materialize(given.get(name, ZERO), x, missing=missing) for name, x in inside.items()}
    for name in given.keys() - inside.keys():
        filled[name] = materialize(given[name], _property(like, name), missing=missing)
    return filled


def _property(x: Any, name: str) -> Any:
    """What a field that is not stored in x is the tangent of: a variable of a function, or a property."""
    if isinstance(x, FunctionType):
        cells = dict(zip(x.__code__.co_freevars, x.__closure__ or (), strict=True))
        return cells[name].cell_contents if name in cells else x.__globals__.get(name)
    return getattr(x, name, None)
