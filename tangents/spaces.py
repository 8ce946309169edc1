"""Tangents as vectors: the zero of a primal, the dense form, scaling, and the inner product.

Conventions: an integer has float tangents; what cannot be perturbed has `NoTangent()`. The inner
product is the real one, Re Σ conj(a)·b over all entries of all fields, in seconds for time spans;
a zero on either side makes it 0.0, also against a derivative that is not implemented. Addition
is in addition.py, moving a primal along a tangent in motion.py.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from numbers import Number
from types import FunctionType
from typing import Any

import numpy as np

from .composite import Composite, fields_of, from_fields, map_fields, primal_type
from .containers import entries, has_entries, matched, mismatched, rebuilt
from .errors import ShapeMismatch
from .indexed import IndexedTangent, ItemTangent, to_coo
from .naturals import WITHOUT_TANGENT, tangent_dtype, zero_of
from .registered import naturals
from .sparse import canonical, common, coordinates, is_sparse, shape_mismatch, shape_of
from .structure import map_parts, parts
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
    inside = parts(x)
    return NO_TANGENT if inside is None else from_fields(type(x), map_parts(zero_tangent, inside))


def materialize(t: Any, like: Any) -> Any:
    """A tangent with all its numbers: zeros filled in, thunks forced, indexed and sparse ones dense.

    Shapes:  like `like`, which is a primal. Sparse tangents stay so only where `like` is sparse.
    Raises:  MissingDerivativeError for a derivative that is not implemented; MismatchedPrimalError.
    Example: >>> materialize(Composite[tuple](1.0, Zero()), like=(0.5, np.ones(2)))
             Composite[tuple](1.0, array([0., 0.]))
    """
    t = unthunk(t)
    if is_zero(t):
        return zero_tangent(like)
    if isinstance(t, NotImplementedTangent):
        t.refuse()
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
    if isinstance(t, Composite) and type(like) not in (primal_type(t), type(t)):
        raise mismatched(t, like, "given the shape of one another")
    filled = _filled(t, like)
    return from_fields(primal_type(t), filled) if isinstance(t, Composite) else rebuilt(t, filled)


def scale(s: Any, t: Any) -> Any:
    """The tangent t times the number s.

    Raises:  TypeError when s is no number; MismatchedPrimalError when t is no tangent.
    Example: >>> scale(2.0, Composite[tuple](1.0, Zero())), scale(2, timedelta(days=1))
             (Composite[tuple](2.0, Zero()), datetime.timedelta(days=2))
    """
    if not isinstance(s, Number | np.generic):
        raise TypeError(f"a tangent is scaled by a number, not by {type(s).__qualname__}")
    t = unthunk(t)
    if is_zero(t) or isinstance(t, NotImplementedTangent):
        return t
    if isinstance(t, Composite):
        return map_fields(lambda v: scale(s, v), t)
    if isinstance(t, ItemTangent):
        return ItemTangent(t.P, t.length, t.index, scale(s, t.value))
    if isinstance(t, IndexedTangent):
        return t.map_values(lambda values: s * values)
    if isinstance(t, dict):
        return rebuilt(t, {key: scale(s, v) for key, v in t.items()})
    if isinstance(t, tuple | list):
        return rebuilt(t, [scale(s, v) for v in t])
    if isinstance(t, WITHOUT_TANGENT):
        raise mismatched(s, t, "multiplied")
    return Decimal(s) * t if isinstance(t, Decimal) and isinstance(s, int | float) else s * t


def inner(x_bar: Any, dx: Any) -> float:
    """The real inner product Re⟨x̄, ẋ⟩ of two tangents of one primal, with ⟨a, b⟩ = Σ conj(a)·b.

    Shapes:  both like the primal; the result is a Python float.
    Raises:  MismatchedPrimalError, ShapeMismatch; MissingDerivativeError for what is not implemented.
    Example: >>> inner(2j, 3j), inner(Composite[tuple](1.0, Zero()), (2.0, 5.0))
             (6.0, 2.0)
    """
    a, b = unthunk(x_bar), unthunk(dx)
    if is_zero(a) or is_zero(b):
        return 0.0
    for t in (a, b):
        if isinstance(t, NotImplementedTangent):
            t.refuse()
    if has_entries(a) or has_entries(b):
        return float(sum(inner(x, y) for x, y in matched(a, b)))
    if shape_of(a) != shape_of(b):
        raise shape_mismatch(a, b, "multiplied")
    for light, other in ((a, b), (b, a)):
        if isinstance(light, IndexedTangent):
            return _inner_indexed(light, other)
        if is_sparse(light):
            return _inner_stored(light.tocoo(), other)
    return _inner_dense(a, b)


def _inner_dense(a: Any, b: Any) -> float:
    a, b = _in_seconds(a), _in_seconds(b)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if "O" in (np.asarray(a).dtype.kind, np.asarray(b).dtype.kind):
            return float(sum(map(inner, np.ravel(a), np.ravel(b))))
        return float(np.vdot(a, b).real)
    if isinstance(a, WITHOUT_TANGENT) or isinstance(b, WITHOUT_TANGENT):
        raise mismatched(a, b, "multiplied")
    try:
        return float((a.conjugate() * b).real)
    except (AttributeError, TypeError) as error:
        raise mismatched(a, b, "multiplied") from error


def _in_seconds(t: Any) -> Any:
    if isinstance(t, timedelta):
        return t.total_seconds()
    if isinstance(t, Decimal):
        return float(t)
    kind = getattr(getattr(t, "dtype", None), "kind", "")
    return t / np.timedelta64(1, "s") if kind == "m" else t


def _inner_indexed(a: IndexedTangent, b: Any) -> float:
    if isinstance(b, IndexedTangent) and b.shape:
        return _inner_stored(to_coo(a), to_coo(b))
    if is_sparse(b):
        return _inner_stored(to_coo(a), b.tocoo())
    b = np.asarray(b)
    return float(sum(inner(np.asarray(values), np.asarray(b[index])) for index, values in a.parts()))


def _inner_stored(a: Any, b: Any) -> float:
    """Of a COO array with another or with a dense one: only entries that both store count."""
    if is_sparse(b):
        a, b = canonical(a), canonical(b)
        i, j = common(coordinates(a), coordinates(b), a.shape)
        return _inner_dense(a.data[i], b.data[j])
    return _inner_dense(a.data, np.asarray(b)[coordinates(a)])


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
    stored = x.tocsr() if x.format in ("lil", "dok") else x  # these keep no array of values
    zero = stored.astype(dtype, copy=True)
    zero.data[...] = 0
    return zero


def _filled(t: Any, like: Any) -> Any:
    """The materialized parts of a tangent with parts, for each part of its primal."""
    inside = fields_of(like) if isinstance(like, Composite) else parts(like) or {}
    given = entries(t)
    if not isinstance(inside, dict):
        if len(inside) != len(t):
            raise ShapeMismatch(f"a tangent of {len(t)} items belongs to no primal of {len(inside)}")
        return [materialize(given[i], x) for i, x in enumerate(inside)]
    filled = {name: materialize(given.get(name, ZERO), x) for name, x in inside.items()}
    for name in given.keys() - inside.keys():
        filled[name] = materialize(given[name], _property(like, name))
    return filled


def _property(x: Any, name: str) -> Any:
    """What a field that is not stored in x is the tangent of: a variable of a function, or a property."""
    if isinstance(x, FunctionType):
        cells = dict(zip(x.__code__.co_freevars, x.__closure__ or (), strict=True))
        return cells[name].cell_contents if name in cells else x.__globals__.get(name)
    return getattr(x, name, None)
