"""Moving primals: `move(x, t)` is x + t, of the kind of x; `difference(a, b)` is the tangent between two.

A primal keeps its type, dtype and shape. An integer takes only integral steps and a `date` only whole
days, since rounding one would hide the step; a real number takes only real ones. `datetime64` keeps
the finer unit. A sparse primal keeps every entry of its pattern and gains those of t. `Zero()` and
`NoTangent()` return x itself, whatever it is. Objects are rebuilt by `construct`; a field that is a
property cannot be moved and is refused. What cannot be perturbed differs by `NoTangent()` when equal,
and is refused when not.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from . import algebra
from .addition import add
from .composite import Composite, fields_of, from_fields, is_tangent_of, with_fields
from .containers import entries, has_entries, mismatched
from .declared import accepted
from .errors import ChainRulesError, ShapeMismatch
from .functions import FUNCTIONS, alike
from .indexed import IndexedTangent, ItemTangent
from .naturals import WITHOUT_TANGENT, exactly, is_natural, tangent_dtype
from .registered import naturals
from .spans import add_spans, as_timedelta, is_seconds, is_span, of_seconds
from .sparse import is_sparse, shape_mismatch, shape_of, sum_of_patterns
from .structure import construct, ending, parts
from .thunks import unthunk
from .zeros import NO_TANGENT, ZERO, NotImplementedTangent, is_zero


def move(x: Any, t: Any) -> Any:
    """The primal x moved along the tangent t: a primal of the same type.

    Shapes:  t is like x; the result has the type, dtype and shape of x.
    Raises:  ChainRulesError where the moved value is no value of x's kind (half a step from an integer, a
             flag); ShapeMismatch; MismatchedPrimalError.
    Example: >>> move((1, 2.0), Composite[tuple](1.0, Zero())), move("name", Zero())
             ((2, 2.0), 'name')
    """
    if type(x) is type(t) is np.ndarray and x.dtype is t.dtype is _FLOAT and x.shape == t.shape != ():
        return x + t
    t = unthunk(t)
    if is_zero(t):
        return x
    if isinstance(t, NotImplementedTangent):
        t.refuse()
    if isinstance(t, IndexedTangent | ItemTangent):
        t = t.dense()
    natural = naturals.of(type(x))
    if natural is not None and isinstance(t, natural.T):
        return natural.move(x, t)
    if isinstance(x, np.ndarray | np.generic | int | float | complex) and not isinstance(x, WITHOUT_TANGENT):
        return _move_numbers(x, t)
    t = accepted(type(x), t)
    if is_sparse(x):
        return _move_sparse(x, t)
    if has_entries(t):
        return _move_parts(x, t)
    if isinstance(x, date | timedelta) and (is_span(t) or isinstance(t, timedelta) or is_seconds(t)):
        return _move_date(x, as_timedelta(t))
    if isinstance(x, Fraction | Decimal) and isinstance(t, int | float | np.number | Fraction | Decimal):
        return type(x)(x + exactly(type(x), t))
    if isinstance(x, WITHOUT_TANGENT) or not hasattr(x, "__add__"):
        raise _cannot_move(x, t, "only Zero() or NoTangent() is a tangent of it")
    return add(x, t)


def difference(a: Any, b: Any) -> Any:
    """The tangent that leads from b to a: `move(b, difference(a, b)) == a`, up to rounding.

    Shapes:  a and b are of one type and shape; the result is a tangent of them.
    Raises:  MismatchedPrimalError, ShapeMismatch, and ChainRulesError for different flags or names.
    Example: >>> difference((3.0, "a"), (1.0, "a"))
             Composite[tuple](2.0, NoTangent())
    """
    if type(a) is not type(b):
        raise mismatched(a, b, "subtracted")
    if shape_of(a) != shape_of(b):
        raise shape_mismatch(a, b, "subtracted")
    natural = naturals.of(type(a))
    if natural is not None:
        return natural.difference(a, b)
    if isinstance(a, WITHOUT_TANGENT):
        return _no_difference(a, b)
    if isinstance(a, Composite):  # a tangent, whose tangents are like it
        return add(a, -1.0 * b)
    if is_sparse(a):
        return sum_of_patterns(a.astype(tangent_dtype(a.dtype)), -b.astype(tangent_dtype(b.dtype)))
    return _subtract(a, b) if is_natural(a) else _difference_of_parts(a, b)


@ending
def _difference_of_parts(a: Any, b: Any) -> Any:
    inside, other = parts(a), parts(b)
    if inside is None:
        return _subtract(a, b)
    if isinstance(a, FUNCTIONS) and not alike(a, b):
        return _no_difference(a, b)
    if isinstance(inside, dict):
        if inside.keys() != other.keys():
            raise mismatched(a, b, "subtracted")
        return from_fields(type(a), {name: difference(x, other[name]) for name, x in inside.items()})
    if len(inside) != len(other):
        raise ShapeMismatch(f"there is no tangent between {len(inside)} items and {len(other)}")
    return from_fields(type(a), [difference(x, y) for x, y in zip(inside, other, strict=True)])


def _subtract(a: Any, b: Any) -> Any:
    kind = getattr(getattr(a, "dtype", None), "kind", "i" if isinstance(a, int) else "")
    if kind in ("b", "S", "U") or not hasattr(a, "__sub__"):
        return _no_difference(a, b)
    if isinstance(a, int):
        return _step(a - b)
    if kind and kind in "iu":  # in floats, so that unsigned integers do not wrap around, and in wide ones
        step = np.subtract(a, b, dtype=np.longdouble).astype(float)
    elif is_span(a):
        try:
            step = a - b
        except OverflowError as error:  # NumPy 2.5 and later
            raise _cannot_move(b, a, _TOO_FAR) from error
        if np.any((move(b, step) != a) & ~np.isnat(a) & ~np.isnat(b)):
            raise _cannot_move(b, step, _TOO_FAR)
    elif isinstance(a, datetime):
        step = _elapsed(a, b)
    else:
        step = a - b
    return np.asarray(step) if isinstance(a, np.ndarray) and not a.shape else step  # 0-d arrays stay arrays


def _elapsed(a: datetime, b: datetime) -> timedelta:
    """a - b on the clock of b, where b + t moves; Python subtracts clocks of two zones in UTC."""
    if (a.utcoffset() is None) is not (b.utcoffset() is None):
        raise _cannot_move(b, a, "one of the two has a time zone and the other has none")
    return (a.astimezone(b.tzinfo) if a.tzinfo is not b.tzinfo and a.tzinfo else a) - b


def _step(n: int) -> float | int:
    return float(n) if abs(n) <= 2**53 else n  # beyond that a float would round it


def _no_difference(a: Any, b: Any) -> Any:
    if a is b or np.all(a == b):
        return NO_TANGENT
    raise ChainRulesError(
        f"no tangent leads from {b!r} to {a!r}: a {type(a).__qualname__} cannot be perturbed",
        next="compare primals that agree in everything that is no number",
    )


def _move_numbers(x: Any, t: Any) -> Any:
    if has_entries(t):
        raise mismatched(x, t)
    if shape_of(x) != shape_of(t):
        raise shape_mismatch(x, t)
    if isinstance(x, int):
        return _move_integer(x, t)
    dtype = np.asarray(x).dtype
    if dtype.kind == "b":
        raise _cannot_move(x, t, "only Zero() or NoTangent() is a tangent of it")
    if dtype.kind not in "cO" and np.iscomplexobj(t):
        raise _cannot_move(x, t, _REAL)
    if dtype.kind in "iu":
        moved = _move_counts(np.asarray(x), np.asarray(t))
        if moved is None:
            raise _cannot_move(x, t, _INTEGRAL)
        return moved if isinstance(x, np.ndarray) else moved[()]
    if dtype.kind in "mM":  # dates keep the finer unit: casting it away would hide a step
        if is_seconds(t):
            t = of_seconds(t)
        moved = add_spans(x, np.timedelta64(t) if isinstance(t, timedelta) else t)
        return np.asarray(moved) if isinstance(x, np.ndarray) else moved
    moved = x + t
    if isinstance(x, np.ndarray):
        return np.asanyarray(moved, dtype)  # 0-d arrays stay arrays, and masks masks
    return moved.astype(dtype) if isinstance(x, np.generic) else type(x)(moved)


def _move_counts(x: Any, step: Any) -> Any:
    """Integers of a fixed width moved; None where a step is not integral, or leads out of the width."""
    if not np.all((step == np.rint(step)) & (np.abs(step) < 2.0**63)):
        return None
    width, there = np.iinfo(x.dtype), x.astype(np.longdouble) + step
    if np.any((there < width.min) | (there > width.max)):
        return None
    return np.asarray(x + step.astype(np.int64).astype(x.dtype))


def _move_integer(x: int, t: Any) -> int:
    step = t.item() if isinstance(t, np.ndarray | np.generic) else t
    if isinstance(step, complex):
        raise _cannot_move(x, t, _REAL)
    if step % 1 != 0:
        raise _cannot_move(x, t, _INTEGRAL)
    return type(x)(x + int(step))


_FLOAT = np.dtype(float)
_TOO_FAR = "the step to the other does not fit into 64 bits"
_REAL = "a real number is moved by a real tangent, project_to(x)(t)"
_INTEGRAL = "an integer is moved by an integral step that its width holds: round it, or make x a float"


def _move_sparse(x: Any, t: Any) -> Any:
    if shape_of(x) != shape_of(t):
        raise shape_mismatch(x, t)
    if x.dtype.kind not in "fciu" or t.dtype.kind not in "fciu":
        raise _cannot_move(x, t, "sparse primals of numbers are moved by numbers")
    if x.dtype.kind != "c" and t.dtype.kind == "c":
        raise _cannot_move(x, t, _REAL)
    moved = sum_of_patterns(x, t if is_sparse(t) else type(x)(t))
    whole = moved.astype(x.dtype, copy=False)
    if x.dtype.kind in "iu" and abs(moved - whole).sum():
        raise _cannot_move(x, t, _INTEGRAL)
    return whole


def _move_date(x: Any, t: timedelta) -> Any:
    if not isinstance(x, datetime | timedelta) and t % timedelta(days=1):
        raise _cannot_move(x, t, "a date is moved by whole days: make it a datetime for hours")
    return x + t


def _move_parts(x: Any, t: Any) -> Any:
    if isinstance(x, Composite):  # a tangent, whose tangents are like it
        return with_fields(type(x), fields_of(add(x, t)))
    if isinstance(t, Composite) and not is_tangent_of(type(x), t):
        raise mismatched(x, t)
    inside, given = parts(x) or {}, entries(t)
    if not isinstance(inside, dict):
        if len(inside) != len(t):
            raise ShapeMismatch(f"{len(inside)} items cannot be moved along a tangent of {len(t)}")
        unknown = [name for name, v in given.items() if isinstance(name, str) and not is_zero(v)]
        if unknown:
            raise _cannot_move(x, t, f"{unknown[0]!r} is no field that it stores; canonicalize(t, like=x)")
        return construct(type(x), [move(item, given.get(i, ZERO)) for i, item in enumerate(inside)], like=x)
    unknown = [name for name in given if name not in inside and not is_zero(given[name])]
    if unknown:
        known = ", ".join(map(repr, inside)) or "none"
        raise _cannot_move(x, t, f"{unknown[0]!r} is no field that it stores; those are {known}")
    moved = {name: move(inside[name], v) for name, v in given.items() if name in inside and not is_zero(v)}
    return construct(type(x), moved, like=x) if moved else x


def _cannot_move(x: Any, t: Any, why: str) -> ChainRulesError:
    return ChainRulesError(f"a {type(x).__qualname__} cannot be moved along {t!r}", closest=why)


algebra.move = move
