"""The sum of two tangents: `add(a, b)`, which is also `+` of our own tangent types.

What decides, in this order: equal floats and arrays are added at once; `Zero`, `NotImplementedTangent`
and `NoTangent` answer for themselves; thunks are forced; composites of one primal are added field
by field, and a primal plus its composite is the moved primal; everything else is dispatched by
plum on both types, on overloads that `@add.dispatch` registers. An overload for `Composite[Mine]`
is found before the fieldwise sum. Python's tuples, lists and dicts are added as vectors here,
and their own `+` is left alone. Shapes must agree: no tangent is ever broadcast. Composites
without an overload never enter plum's cache, which would keep their classes alive.

Not here: sums that may write in place (accumulation.py) and what ends in a primal (motion.py).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Protocol, TypeVar, cast, get_args

import numpy as np
from plum import Dispatcher

from . import algebra
from .composite import SEQUENCES, Composite, CompositeType, fields_of, primal_type, with_fields
from .containers import mismatched, rebuilt
from .errors import ShapeMismatch
from .indexed import IndexedTangent, ItemTangent, to_coo
from .naturals import in_floats
from .registered import naturals, register_awaited
from .spans import add_spans, in_seconds, is_seconds, is_span
from .sparse import DENSITY_THRESHOLD, add_sparse, is_sparse, shape_mismatch, shape_of
from .thunks import Lazy, unthunk
from .zeros import NO_TANGENT, ZERO, NotImplementedTangent

Sequence = tuple | list  # type: ignore[type-arg]  # plum caches by bare classes only
Numeric = np.ndarray | np.generic | float | complex | int

_Method = TypeVar("_Method", bound=Callable[..., Any])


class Register(Protocol):
    """The type of `add.dispatch`: a decorator that returns its method unchanged."""

    def __call__(self, method: _Method, /) -> _Method:
        """Register `method(a: A, b: B)` as the sum of the types A and B, in this order."""


class Add(Protocol):
    """The type of `add`: a function that carries the decorator for its overloads."""

    dispatch: Register

    def __call__(self, a: Any, b: Any, /) -> Any:
        """The sum of two tangents."""


def _register(method: _Method, /) -> _Method:
    _natural.dispatch(method)
    _registered.append(method)
    return method


_registered: list[Callable[..., Any]] = []


def _open_to_overloads(fn: Callable[[Any, Any], Any]) -> Add:
    fn.__dict__["dispatch"] = _register
    return cast(Add, fn)


_NUMBERS = frozenset({int, float, complex, np.float64, np.float32, np.complex128, np.complex64})
_FLOAT = np.dtype(float)


@_open_to_overloads
def add(a: Any, b: Any, /) -> Any:
    """The sum of two tangents of one primal; `@add.dispatch` registers how further types are added.

    Shapes:  a, b and the sum are all like the primal; nothing is broadcast.
    Raises:  MismatchedPrimalError for composites of different primals; ShapeMismatch for different shapes.
    Example: >>> add(2.0, 3.0), add((1, 2), (3, 4)), add(Zero(), 5.0)
             (5.0, (4, 6), 5.0)
    """
    kind = type(a)
    if kind is type(b):
        if kind is float:
            return a + b
        if kind is np.ndarray:
            if a.shape == b.shape and (a.dtype is _FLOAT or a.dtype.kind in "fcO"):
                return a + b
        elif type(kind) is CompositeType and not has_overload(kind):
            return _add_fieldwise(a, b)
    if a is ZERO:
        return b
    if b is ZERO:
        return a
    if kind is NotImplementedTangent:
        return a
    if type(b) is NotImplementedTangent:
        return b
    if a is NO_TANGENT:
        return b
    if b is NO_TANGENT:
        return a
    if kind in _NUMBERS and type(b) in _NUMBERS:
        return a + b
    if isinstance(a, Lazy) or isinstance(b, Lazy):
        return add(unthunk(a), unthunk(b))
    if isinstance(a, Composite) or isinstance(b, Composite):
        return _add_composite(a, b)
    return _natural(a, b)


def _add_composite(a: Any, b: Any) -> Any:
    """A sum with a composite; plum is asked only where somebody registered an overload for composites."""
    if has_overload(type(a)) or has_overload(type(b)):
        return _natural(a, b)
    if isinstance(a, Composite) and isinstance(b, Composite):
        return add_structural(a, b)
    # an overload may take any object, but the resolution is not cached: that would keep P alive
    return _natural.resolve_method((a, b))[0](a, b)


_named: dict[int, frozenset[Any]] = {}


def has_overload(cls: type) -> bool:
    """Whether a registered overload names this class of composites, or all composites."""
    count = len(_registered)
    named = _named.get(count)
    if named is None:
        hints = (hint for method in _natural.methods for hint in method.signature.types)
        types = (t for hint in hints for t in get_args(hint) or (hint,))
        named = frozenset(t for t in types if isinstance(t, type) and issubclass(t, Composite))
        _named[count] = named
    return bool(named) and not named.isdisjoint(cls.__mro__)


def add_structural(a: Any, b: Any) -> Any:
    """Composite + composite field by field, or plain tuple, list, dict or primal + composite."""
    if not isinstance(a, Composite):
        return _add_to_plain(a, b)
    if not isinstance(b, Composite):
        return _add_to_plain(b, a)
    if primal_type(a) is not primal_type(b):
        raise mismatched(a, b)
    return _add_fieldwise(a, b) if issubclass(type(b), type(a)) else _add_fieldwise(b, a)


def _add_fieldwise(a: Any, b: Any) -> Any:
    ours, theirs = fields_of(a), fields_of(b)
    combine = _by_key if type(ours) is dict else _by_position
    return with_fields(type(a), combine(ours, theirs))


def _add_to_plain(x: Any, t: Any) -> Any:
    natural = naturals.of(primal_type(t))
    if natural is not None and natural.from_structural is not None and isinstance(x, natural.T):
        return add(x, natural.from_structural(t))
    if type(x) is not primal_type(t):
        raise mismatched(x, t)
    if isinstance(x, SEQUENCES):
        return rebuilt(x, _by_position(x, tuple(t)))
    if isinstance(x, dict):
        return rebuilt(x, _by_key(x, fields_of(t)))
    return algebra.move(x, t)


def _by_position(ours: Any, theirs: Any) -> Any:
    if len(ours) != len(theirs):
        raise ShapeMismatch(
            f"tangents of {len(ours)} and {len(theirs)} items cannot be added",
            next="a tangent has one entry for each item of its primal, Zero() where it is zero",
        )
    return [add(x, y) for x, y in zip(ours, theirs, strict=True)]


def _by_key(ours: Any, theirs: Any) -> Any:
    total = dict(ours)
    for key, t in theirs.items():
        total[key] = add(total[key], t) if key in total else t
    return total


def _add_others(a: object, b: object) -> Any:
    """What no overload takes: light and structural tangents in mixture, and types with a `+` of their own."""
    if register_awaited():
        return add(a, b)
    if isinstance(a, ItemTangent) or isinstance(b, ItemTangent):
        return _add_items(a, b)
    if isinstance(a, Composite) or isinstance(b, Composite):
        return add_structural(a, b)
    if isinstance(a, IndexedTangent) or isinstance(b, IndexedTangent):
        return _add_indexed(a, b)
    if is_sparse(a) or is_sparse(b):
        return add_sparse(a, b)
    if not isinstance(a, _NO_VECTORS) and not isinstance(b, _NO_VECTORS):
        try:
            return a + b  # type: ignore[operator]  # whether these types have a sum is what is tried
        except TypeError as error:
            raise mismatched(a, b) from error
    raise mismatched(a, b)


_natural: Any = Dispatcher(warn_redefinition=True)(_add_others)
"""The overloads, as a plum function; mypy does not see through those."""

_NO_VECTORS = (str, bytes, bytearray, bool, tuple, list, dict, type(None))
"""Types whose `+`, where they have one, is no sum of vectors."""


@add.dispatch
def add_numbers(a: Numeric, b: Numeric) -> Any:
    """Numbers and arrays of any dtype that is a vector space."""
    if shape_of(a) != shape_of(b):
        raise shape_mismatch(a, b)
    for t in (a, b):
        if isinstance(t, bool | np.bool_) or (isinstance(t, np.ndarray) and t.dtype.kind in "bSUV"):
            raise mismatched(a, b)
    if is_span(a) or is_span(b):
        return _add_spans(a, b)
    total: Any = in_floats(a) + in_floats(b)
    return total


@add.dispatch
def add_span_to_seconds(a: timedelta, b: np.ndarray | np.generic | float) -> Any:
    """A `timedelta` and NumPy's, or a number of seconds."""
    return _add_spans(a, b)


@add.dispatch
def add_seconds_to_span(a: np.ndarray | np.generic | float, b: timedelta) -> Any:
    """A `timedelta` and NumPy's, or a number of seconds."""
    return _add_spans(a, b)


def _add_spans(a: Any, b: Any) -> Any:
    """Two spans, in the finer unit; a span and a number of seconds, in seconds."""
    if shape_of(a) != shape_of(b):
        raise shape_mismatch(a, b)
    if is_seconds(a) or is_seconds(b):
        if any(is_span(t) and t.dtype.kind == "M" for t in (a, b)):
            raise mismatched(a, b)  # a date is no tangent
        return in_seconds(a) + in_seconds(b)
    return add_spans(a, b) if is_span(a) and is_span(b) else a + b


@add.dispatch
def add_sequences(a: Sequence, b: Sequence) -> Any:
    """Tuples and lists as vectors, item by item; `+` of tuples joins them and is not meant here."""
    if type(a) is not type(b):
        raise mismatched(a, b)
    return rebuilt(a, _by_position(a, b))


@add.dispatch
def add_dicts(a: dict, b: dict) -> Any:  # type: ignore[type-arg]  # plum caches by bare classes only
    """Dicts as vectors, by key; a key that one of them lacks is a zero there."""
    if is_sparse(a) or is_sparse(b):  # SciPy keeps one of its formats as a dict
        return add_sparse(a, b)
    if type(a) is not type(b):
        raise mismatched(a, b)
    return rebuilt(a, _by_key(a, b))


def _add_items(a: Any, b: Any) -> Any:
    if isinstance(a, ItemTangent) and isinstance(b, ItemTangent):
        place = (a.P, a.length, a.index)
        if place == (b.P, b.length, b.index):
            return ItemTangent(*place, add(a.value, b.value))
    return add(*(t.dense() if isinstance(t, ItemTangent) else t for t in (a, b)))


def _add_indexed(a: Any, b: Any) -> Any:
    if shape_of(a) != shape_of(b):
        raise shape_mismatch(a, b)
    if isinstance(a, IndexedTangent) and isinstance(b, IndexedTangent):
        total = a.joined(b)
        return total.dense() if total.nnz > DENSITY_THRESHOLD * total.size else total
    indexed, other = (a, b) if isinstance(a, IndexedTangent) else (b, a)
    if is_sparse(other):
        return add_sparse(to_coo(indexed), other)
    if not isinstance(other, np.ndarray):
        return add(indexed.dense(), other)
    return indexed.add_into(other.astype(np.result_type(indexed.dtype, other.dtype)))


algebra.add = add
