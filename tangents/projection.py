"""`project_to(x)`: bring any tangent into the space of the tangents of x.

A real primal takes the real part, a float32 one gets float32, an integer one floats, and a flag or
a name always `NoTangent()`. Python floats get Python floats, NumPy scalars their own type. Axes of
length one may come or go at the ends, as between NumPy scalars and arrays of one entry; any other
difference of shape is refused. Containers and objects get a `Composite` with each field projected,
and of a field that is not stored, a property, the tangent as it is; so do functions, of what they
captured. Zeros and derivatives that are not implemented pass; indexed and sparse tangents pass if
their shape fits; thunks are projected when they are forced. A sparse primal keeps its pattern (what
it does not store has no tangent), unless `sparse_policy("free")` holds. Only dtype, shape and
structure of x are kept, and x itself only where a registered projection wants it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from .composite import SEQUENCES, Composite, fields_of, from_fields, primal_type
from .containers import entries, mismatched
from .declared import accepted
from .errors import ShapeMismatch
from .functions import FUNCTIONS, captured
from .indexed import IndexedTangent, ItemTangent, to_coo
from .naturals import SAME, WITHOUT_TANGENT, Wrapper, exactly, tangent_dtype
from .registered import Natural, naturals
from .spans import as_timedelta, is_seconds, is_span
from .sparse import canonical, common, coordinates, is_sparse, keeps_pattern, shape_of
from .structure import ending, map_parts, parts
from .thunks import InplaceableThunk, Lazy, Thunk, unthunk
from .zeros import NO_TANGENT, NotImplementedTangent, is_zero

_NUMBERS = (np.generic, float, complex, int)
_SPANS = (date, timedelta)
_LIGHT = (Composite, IndexedTangent, ItemTangent, Lazy)
_FRACTIONS = (Fraction, Decimal)
Projector = Callable[[Any], Any]


def project_to(x: Any) -> Projector:
    """A function that brings tangents into the tangent space of the primal x.

    Shapes:  the projector takes a tangent of any kind and gives one like x.
    Raises:  when called: ShapeMismatch, or MismatchedPrimalError for a tangent of another primal.
    Example: >>> project_to(1.0)(np.array([2 + 1j])), project_to((1.0, "a"))((np.float32(2), 3.0))
             (2.0, Composite[tuple](2.0, NoTangent()))
    """
    kind = type(x)
    if kind is float:
        return _to_float
    if kind is np.ndarray and x.dtype.kind in "fc":
        return _Project(x.shape, x.dtype, None)
    if isinstance(x, Wrapper):
        return _as_it_is
    if isinstance(x, FUNCTIONS):
        return _ProjectCaptured(x)
    natural = naturals.of(kind)
    if natural is not None:
        return _ProjectTo(natural, x)
    if isinstance(x, WITHOUT_TANGENT):
        return _to_nothing
    if isinstance(x, np.ndarray) or is_sparse(x):
        return _project_to_array(x)
    if isinstance(x, _NUMBERS):
        return _project_to_number(x)
    if isinstance(x, _SPANS):
        return _ProjectSpan()
    if isinstance(x, SAME):
        return _ProjectExact(kind)
    if isinstance(x, _LIGHT):
        return _as_it_is
    return _project_to_parts(x)


@ending
def _project_to_parts(x: Any) -> Projector:
    inside = parts(x)
    return _as_it_is if inside is None else _ProjectParts(Composite[type(x)].__primal__, inside)


def _as_it_is(t: Any) -> Any:
    return t


def _to_nothing(t: Any) -> Any:
    return t if type(t) is NotImplementedTangent else NO_TANGENT


def _to_float(t: Any) -> Any:
    return t if type(t) is float else _FLOAT(t)


def _project_to_array(x: Any) -> Projector:
    dtype = tangent_dtype(x.dtype)
    if dtype is None:
        return _to_nothing
    if is_sparse(x):
        return _ProjectPattern(x, dtype) if keeps_pattern() else _Project(x.shape, dtype, None)
    if dtype.kind == "O":
        return _ProjectEntries(x)
    return _Project(x.shape, dtype, None)


def _project_to_number(x: Any) -> Projector:
    if not isinstance(x, np.generic):
        return _COMPLEX if isinstance(x, complex) else _FLOAT
    dtype = tangent_dtype(x.dtype)
    return _to_nothing if dtype is None else _Project((), dtype, _scalar)


def _scalar(array: np.ndarray[Any, Any]) -> Any:
    return array[()]


def _item(array: np.ndarray[Any, Any]) -> Any:
    return array.item()


class _Lenient:
    """What projects values, and lets pass or wraps the tangents that have none yet."""

    __slots__ = ()

    def __call__(self, t: Any) -> Any:
        if is_zero(t) or isinstance(t, NotImplementedTangent):
            return t
        if isinstance(t, InplaceableThunk):  # adding into an array that is projected projects
            return InplaceableThunk(t.add_into, lambda: self(unthunk(t)))
        if isinstance(t, Lazy):
            return Thunk(lambda: self(unthunk(t)))
        return self.project(t)

    def project(self, t: Any) -> Any:
        """The projection of a tangent that is neither zero nor lazy."""
        raise NotImplementedError


class _Project(_Lenient):
    """Onto numbers or arrays of numbers of one shape and dtype."""

    __slots__ = ("dtype", "finish", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], finish: Projector | None) -> None:
        self.shape = shape
        self.dtype = dtype
        self.finish = finish

    def __call__(self, t: Any) -> Any:
        if type(t) is np.ndarray and t.dtype == self.dtype and t.shape == self.shape and self.finish is None:
            return t
        return super().__call__(t)

    def project(self, t: Any) -> Any:
        if isinstance(t, IndexedTangent) and t.shape == self.shape:
            if t.dtype == self.dtype or self.dtype.kind == "m":  # spans are held in seconds
                return t
            return t.map_values(self._cast_values, self.dtype)
        if is_sparse(t) and t.shape == self.shape:
            return t if t.dtype == self.dtype else self._cast(t)
        if is_sparse(t):
            t = t.toarray()
        if self.dtype.kind == "m" and isinstance(t, timedelta):
            t = np.timedelta64(t)
        if isinstance(t, _FRACTIONS):
            t = float(t)
        array = np.asarray(t) if isinstance(t, _NUMERIC) and not isinstance(t, bool) else None
        if array is None or array.dtype.kind not in ("mfiu" if self.dtype.kind == "m" else "fciu"):
            raise mismatched(self.dtype.type, t, "projected on one another")
        array = self._cast(array)
        if array.shape != self.shape:
            if not _differ_by_ones(array.shape, self.shape):
                raise _misshapen(array.shape, self.shape)
            array = array.reshape(self.shape)
        return array if self.finish is None else self.finish(array)

    def _cast_values(self, values: Any) -> Any:
        return self._cast(np.asarray(values))[()]

    def _cast(self, array: Any) -> Any:
        if self.dtype.kind == "m":
            return array if array.dtype.kind == "m" else array.astype(float, copy=False)  # units are kept
        array = array if self.dtype.kind == "c" else array.real
        return array.astype(self.dtype, copy=False)


def _misshapen(got: tuple[int, ...], wanted: tuple[int, ...]) -> ShapeMismatch:
    return ShapeMismatch(
        f"a tangent of shape {got} does not fit a primal of shape {wanted}",
        next="undo in the rule what changed the shape: unbroadcast, transpose, reshape",
    )


_EXACT = (Number, np.number, np.ndarray)
_NUMERIC = (np.ndarray, np.generic, int, float, complex, IndexedTangent)
_FLOAT = _Project((), np.dtype(float), _item)
_COMPLEX = _Project((), np.dtype(complex), _item)


def _differ_by_ones(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether the longer shape is the shorter one with ones before and after it."""
    short, long = sorted((a, b), key=len)
    extra = len(long) - len(short)
    return any(
        long[k : k + len(short)] == short and set(long[:k] + long[k + len(short) :]) <= {1}
        for k in range(extra + 1)
    )


class _ProjectTo(_Lenient):
    """Onto the one natural tangent type of a primal that is registered; structural ones are converted."""

    __slots__ = ("natural", "x")

    def __init__(self, natural: Natural, x: Any) -> None:
        self.natural = natural
        self.x = x if natural.project is not None else type(x)

    def project(self, t: Any) -> Any:
        natural = self.natural
        P = type(self.x) if natural.project is not None else self.x
        if natural.from_structural is not None and isinstance(t, Composite) and primal_type(t) is P:
            return natural.from_structural(t)
        if natural.project is not None:
            return natural.project(self.x, t)
        if not isinstance(t, natural.T):
            raise mismatched(natural.T, t, "projected on one another")
        return t


class _ProjectSpan(_Lenient):
    """Onto `timedelta`, the tangents of a `datetime`, `date` or `timedelta`, or a number of seconds."""

    __slots__ = ()

    def project(self, t: Any) -> Any:
        if is_seconds(t) and not np.shape(t):
            return float(t)
        if not isinstance(t, timedelta) and not is_span(t):
            raise mismatched(timedelta, t, "projected on one another")
        return as_timedelta(t)


class _ProjectExact(_Lenient):
    """Onto `Fraction` or `Decimal`, exactly."""

    __slots__ = ("kind",)

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def project(self, t: Any) -> Any:
        if type(t) is self.kind:
            return t
        if np.shape(t) or not isinstance(t, _EXACT) or isinstance(t, bool | np.bool_):
            raise mismatched(self.kind, t, "projected on one another")
        number: Any = t
        return exactly(self.kind, np.real(number) if np.iscomplexobj(number) else number)


class _ProjectEntries(_Lenient):
    """Onto object arrays, entry by entry."""

    __slots__ = ("entries",)

    def __init__(self, x: np.ndarray[Any, Any]) -> None:
        self.entries: Any = np.empty(x.shape, object)
        for index in np.ndindex(x.shape):
            self.entries[index] = project_to(x[index])

    def project(self, t: Any) -> Any:
        t = np.asarray(t)
        if t.shape != self.entries.shape:
            raise ShapeMismatch(
                f"a tangent of shape {t.shape} does not fit a primal of shape {self.entries.shape}"
            )
        projected = np.empty(t.shape, object)
        for index in np.ndindex(t.shape):
            projected[index] = self.entries[index](t[index])
        return projected


class _ProjectPattern(_Lenient):
    """Onto the entries that a sparse primal stores, in its format and class."""

    __slots__ = ("_coords", "dtype", "format", "indices", "indptr", "kind", "shape")

    def __init__(self, x: Any, dtype: np.dtype[Any]) -> None:
        self.shape, self.dtype, self.format, self.kind = x.shape, dtype, x.format, type(x)
        compressed = x.format in ("csr", "csc") and x.has_canonical_format
        self.indices: Any = x.indices.copy() if compressed else None
        self.indptr: Any = x.indptr.copy() if compressed else None
        self._coords = None if compressed else coordinates(canonical(x))

    @property
    def coords(self) -> tuple[Any, ...]:
        """The places of the entries, written out where something else than they is projected."""
        if self._coords is None:
            like = self.kind((np.zeros(len(self.indices)), self.indices, self.indptr), shape=self.shape)
            self._coords = coordinates(canonical(like))
        return self._coords

    def project(self, t: Any) -> Any:
        from scipy.sparse import coo_array

        if shape_of(t) != self.shape:
            raise _misshapen(shape_of(t), self.shape)
        if self._fits(t):
            return t
        t = to_coo(t) if isinstance(t, IndexedTangent) else t
        values = self._stored(t) if is_sparse(t) else np.asarray(t)[self.coords]
        values = values if self.dtype.kind == "c" else values.real
        found = coo_array((values.astype(self.dtype), self.coords), shape=self.shape).asformat(self.format)
        return found if isinstance(found, self.kind) else self.kind(found)

    def _fits(self, t: Any) -> bool:
        """Whether t is of this class and dtype, compressed, and stores these entries in this order."""
        return (
            self.indices is not None
            and type(t) is self.kind
            and t.dtype == self.dtype
            and np.array_equal(t.indptr, self.indptr)
            and np.array_equal(t.indices, self.indices)
        )

    def _stored(self, t: Any) -> Any:
        t = canonical(t)
        if all(map(np.array_equal, coordinates(t), self.coords)):
            return t.data
        values = np.zeros(len(self.coords[0]), t.dtype)
        ours, theirs = common(self.coords, coordinates(t), self.shape)
        values[ours] = t.data[theirs]
        return values


class _ProjectCaptured(_Lenient):
    """Onto a function: the tangents of what it holds now are projected, anything else is as it is.

    A captured variable may stand for something else by the time that a cotangent arrives.
    """

    __slots__ = ("F", "held")

    def __init__(self, f: Any) -> None:
        self.F = type(f)
        self.held = {name: project_to(x) for name, x in captured(f).items()}

    def project(self, t: Any) -> Any:
        if not isinstance(t, Composite):
            return t
        if primal_type(t) is not self.F:
            raise mismatched(t, Composite[self.F], "projected on one another")
        named = entries(t).items()
        return from_fields(self.F, {n: self.held.get(n, _as_it_is)(v) for n, v in named})


class _ProjectParts(_Lenient):
    """Onto a container or object, part by part."""

    __slots__ = ("P", "ordered", "parts")

    def __init__(self, P: type, inside: Any) -> None:
        self.P = P
        self.ordered = not isinstance(inside, dict)
        # a long list of floats shares one projector
        floats = self.ordered and set(map(type, inside)) == {float}
        self.parts: Any = [_to_float] * len(inside) if floats else map_parts(project_to, inside)

    def _is_of(self, P: type) -> bool:
        """Whether a tangent of P is one of this object: a rule of its base class has the fields of that."""
        return P is self.P or (not self.ordered and P is not object and issubclass(self.P, P))

    def project(self, t: Any) -> Any:
        if isinstance(t, ItemTangent) and t.P is self.P and t.length == len(self.parts):
            return ItemTangent(t.P, t.length, t.index, self.parts[t.index](t.value))
        t = accepted(self.P, t)
        plain = isinstance(t, SEQUENCES if self.ordered else dict) and issubclass(self.P, SEQUENCES | dict)
        if not plain and not (isinstance(t, Composite) and self._is_of(primal_type(t))):
            raise mismatched(t, Composite[self.P], "projected on one another")
        given = entries(t)
        if not self.ordered:
            projected = {name: self.parts.get(name, _as_it_is)(v) for name, v in given.items()}
            return from_fields(self.P, projected)
        if len(t) != len(self.parts):
            raise _misshapen((len(t),), (len(self.parts),))
        values: Any = [project(given[i]) for i, project in enumerate(self.parts)]
        if len(given) > len(values):  # the properties of a NamedTuple are as they are
            P: Any = self.P
            values = {**fields_of(t), **dict(zip(P._fields, values, strict=True))}
        return from_fields(self.P, values)
