"""Tangents as vectors: multiples, inner products, norms and linear combinations, of every kind alike.

The inner product is the real one, Re Σ conj(a)·b over all entries of all fields, in double precision,
and in seconds for spans of time; a zero on either side makes it 0.0, also against a derivative that
is not implemented. A multiple keeps the kind of the tangent: a float32 stays one, a `Fraction` is
exact, a `timedelta64` keeps its unit as long as that holds the multiple. What `natural_tangent`
registers for a type of tangents comes first. With `move` that is all that an optimiser needs:

    x = move(x, scale(-0.1, to_tangent(x, x_bar)))
"""

from __future__ import annotations

import math
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from numbers import Number
from typing import Any

import numpy as np

from . import algebra
from .addition import add
from .composite import SEQUENCES, Composite, fields_of, map_fields, primal_type
from .containers import has_entries, is_dict, matched, mismatched, rebuilt
from .errors import ChainRulesError
from .indexed import IndexedTangent, ItemTangent, to_coo
from .naturals import WITHOUT_TANGENT, exactly, in_floats
from .ravel import ravel
from .registered import properties_among, vectors
from .spans import is_span, scale_span, seconds
from .sparse import canonical, common, coordinates, is_sparse, shape_mismatch, shape_of
from .thunks import unthunk
from .zeros import NotImplementedTangent, is_zero


def scale(s: Any, t: Any) -> Any:
    """The tangent t times the number s: of the kind and precision of t.

    Raises:  TypeError when s is no number; MismatchedPrimalError when t is no tangent, or one that cannot be
             scaled by a number of the kind of s.
    Example: >>> scale(2.0, Composite[tuple](1.0, Zero())), scale(2, timedelta(days=1))
             (Composite[tuple](2.0, Zero()), datetime.timedelta(days=2))
             >>> scale(0.5, np.timedelta64(1, "D")), scale(0.5, Fraction(1, 3))
             (np.timedelta64(12,'h'), Fraction(1, 6))
    """
    if type(t) is np.ndarray and t.dtype is _FLOAT and type(s) is float:
        return s * t
    if isinstance(s, np.generic | np.ndarray) and np.ndim(s) == 0:
        s = s.item()  # a Python number leaves the precision to the tangent
    if not isinstance(s, Number | np.number) or isinstance(s, bool):
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
    if is_dict(t):
        return rebuilt(t, {key: scale(s, v) for key, v in t.items()})
    if isinstance(t, SEQUENCES):
        return rebuilt(t, [scale(s, v) for v in t])
    if isinstance(t, WITHOUT_TANGENT) or getattr(getattr(t, "dtype", None), "kind", "") in tuple("bSUM"):
        raise mismatched(s, t, "multiplied")
    registered = vectors.of(type(t))
    try:
        return _times(s, t) if registered is None or registered.scale is None else registered.scale(s, t)
    except TypeError as error:
        raise mismatched(s, t, "multiplied") from error


def _times(s: Any, t: Any) -> Any:
    if isinstance(t, Fraction | Decimal) and not isinstance(s, complex):
        return exactly(type(t), s) * t
    if is_span(t):
        return scale_span(s, t)
    return (float(s) if isinstance(s, Fraction | Decimal) else s) * in_floats(t)


_FLOAT = np.dtype(float)  # what most arrays are of: a short way for these


def linear_combination(*terms: tuple[Any, Any]) -> Any:
    """The sum of s·t over the pairs (s, t) of a number and a tangent.

    Raises:  as `scale` and `add`; TypeError without a pair, since a zero would have no primal.
    Example: >>> linear_combination((0.9, Composite[tuple](1.0, Zero())), (0.1, (2.0, 3.0)))
             (1.1, 0.30000000000000004)
    """
    if not terms:
        raise TypeError("a linear combination needs at least one pair of a number and a tangent")
    return reduce(add, (scale(s, t) for s, t in terms))


def norm(t: Any) -> float:
    """The Euclidean norm of a tangent over all its entries: √⟨t, t⟩ of `inner`, without overflow.

    Shapes:  t of any kind; the result is a Python float, 0.0 for a zero.
    Raises:  MissingDerivativeError for what is not implemented.
    Example: >>> norm(Composite[tuple](3.0, np.array([0.0, 4.0]), Zero())), norm(1e200)
             (5.0, 1e+200)
    """
    square = inner(t, t)
    if 1e-290 < square < 1e300 or math.isnan(square):
        return math.sqrt(square)
    entries = ravel(t)[0]
    largest = float(np.max(np.abs(entries), initial=0.0))
    if not 0.0 < largest < math.inf:
        return math.sqrt(square)
    return largest * float(np.linalg.norm(entries / largest))


def inner(x_bar: Any, dx: Any) -> float:
    """The real inner product Re⟨x̄, ẋ⟩ of two tangents of one primal, with ⟨a, b⟩ = Σ conj(a)·b.

    Shapes:  both like the primal; the result is a Python float.
    Raises:  MismatchedPrimalError, ShapeMismatch; MissingDerivativeError for what is not implemented;
             ChainRulesError for a tangent of properties, which says of the fields what only the primal knows.
    Example: >>> inner(2j, 3j), inner(Composite[tuple](1.0, Zero()), (2.0, 5.0))
             (6.0, 2.0)
    """
    if (
        type(x_bar) is type(dx) is np.ndarray
        and x_bar.dtype is dx.dtype is _FLOAT
        and x_bar.shape == dx.shape
    ):
        return float(np.vdot(x_bar, dx))
    if is_zero(x_bar) or is_zero(dx):
        return 0.0  # and a thunk beside it is not forced
    a, b = unthunk(x_bar), unthunk(dx)
    if is_zero(a) or is_zero(b):
        return 0.0
    for t in (a, b):
        if isinstance(t, NotImplementedTangent):
            t.refuse()
    if has_entries(a) or has_entries(b):
        _refuse_properties(a)
        _refuse_properties(b)
        return float(sum(inner(x, y) for x, y in matched(a, b)))
    registered = vectors.of(type(a))
    if registered is not None and registered.inner is not None:
        return float(registered.inner(a, b))
    if shape_of(a) != shape_of(b):
        raise shape_mismatch(a, b, "multiplied")
    for light, other in ((a, b), (b, a)):
        if isinstance(light, IndexedTangent):
            return _inner_indexed(light, other)
        if is_sparse(light):
            return _inner_stored(light.tocoo(), other)
    return _inner_dense(a, b)


def _refuse_properties(t: Any) -> None:
    fields = fields_of(t) if isinstance(t, Composite) else None
    if isinstance(fields, dict) and not issubclass(P := primal_type(t), dict):
        named = [name for name in properties_among(P, fields) if not is_zero(unthunk(fields[name]))]
        if named:
            raise ChainRulesError(
                f"{named[0]!r} is a property of {P.__qualname__}, and inner products are over what it stores",
                next="bring the tangent to the fields first: canonicalize(t, like=x)",
            )


def _inner_dense(a: Any, b: Any) -> float:
    a, b = _in_doubles(a), _in_doubles(b)
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


def _in_doubles(t: Any) -> Any:
    """Spans in seconds, and narrow numbers wide, so that neither their sums nor their products overflow."""
    if isinstance(t, timedelta) or is_span(t):
        return seconds(t)
    if isinstance(t, Decimal):
        return float(t)
    kind = getattr(getattr(t, "dtype", None), "kind", "")
    if kind and kind in "fiu" and t.dtype != float and t.dtype.itemsize <= 8:
        return t.astype(float)
    return t.astype(complex) if kind == "c" and t.dtype.itemsize < 16 else t


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


algebra.scale = scale
