"""The tangents of pandas objects, registered once a program has imported pandas, which is not done here.

    Timestamp, Timedelta     Timedelta
    Series                   a Series with the same labels, of the tangents of its values
    DataFrame                a DataFrame with the same rows, and the columns that can be perturbed

Values are as those of arrays: floats keep their precision, integers have floats, dates have spans of
time. What is missing stays missing. Text, categories and truth values have no tangent. Tangents are
never aligned: pandas would fill labels that only one of two has with NaN, here all must agree.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np

from .addition import add
from .containers import mismatched
from .errors import ShapeMismatch
from .motion import difference, move
from .naturals import tangent_dtype
from .projection import project_to
from .registered import Natural, Vector, naturals, vectors, when_imported
from .spaces import zero_tangent
from .spans import is_seconds, is_span
from .vectors import inner, scale
from .zeros import NO_TANGENT


def register_pandas() -> bool:
    """Register the types of pandas; False while it is still being imported."""
    pd = sys.modules["pandas"]
    if not all(hasattr(pd, name) for name in ("Timestamp", "Timedelta", "Series", "DataFrame")):
        return False
    for P in (pd.Timestamp, pd.Timedelta):
        naturals.set(P, Natural(pd.Timedelta, lambda x: pd.Timedelta(0), _later, _elapsed, None, _span))
    for P, zero, project in (
        (pd.Series, _zero_series, _project_series),
        (pd.DataFrame, _zero_frame, _project_frame),
    ):
        naturals.set(P, Natural(P, zero, _moved, _difference, None, project))
        vectors.set(P, Vector(lambda s, t: _mapped(lambda v: scale(s, v), t), _inner, _numbers))
        _register_sum(P)
    return True


when_imported("pandas", register_pandas)


def _register_sum(P: type) -> None:
    def add_labelled(a: Any, b: Any) -> Any:
        return _mapped(add, a, b)

    add_labelled.__annotations__ = {"a": P, "b": P}  # for plum, which dispatches on these
    add.dispatch(add_labelled)


def _later(x: Any, t: Any) -> Any:
    return x + t


def _elapsed(a: Any, b: Any) -> Any:
    return a.tz_convert(b.tz) - b if getattr(a, "tz", None) is not None and b.tz is not None else a - b


def _span(x: Any, t: Any) -> Any:
    Timedelta = sys.modules["pandas"].Timedelta
    if is_seconds(t) and not np.shape(t):
        return float(t)
    if not isinstance(t, timedelta) and not is_span(t):
        raise mismatched(Timedelta, t, "projected on one another")
    return Timedelta(t)


def _columns(x: Any) -> list[Any]:
    """The Series itself, or the columns of the DataFrame, which may share a name."""
    return [x] if x.ndim == 1 else [x.iloc[:, i] for i in range(x.shape[1])]


def _values(column: Any) -> Any:
    """The values as an array, in UTC where they have a time zone; None where they have no tangents."""
    dtype = column.dtype
    if getattr(dtype, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    elif not isinstance(dtype, np.dtype):
        return column.to_numpy(float, na_value=np.nan) if dtype.kind in "iuf" else None
    values = column.to_numpy()
    return None if tangent_dtype(values.dtype) is None else values


def _rebuilt(x: Any, values: list[Any]) -> Any:
    """x with these arrays in place of those of its columns that have tangents."""
    made, rest = [], iter(values)
    for column in _columns(x):
        made.append(column if _values(column) is None else _column(column, next(rest)))
    if x.ndim == 1:
        return made[0]
    frame = type(x)(dict(enumerate(made)), index=x.index)
    frame.columns = x.columns
    return frame


def _column(like: Any, values: Any) -> Any:
    column = type(like)(values, index=like.index, name=like.name)
    dtype = like.dtype
    if getattr(dtype, "tz", None) is not None and values.dtype.kind == "M":
        return column.dt.tz_localize("UTC").dt.tz_convert(dtype.tz)
    return column if isinstance(dtype, np.dtype) or dtype.kind == "M" else column.astype(dtype)


def _mapped(fn: Callable[..., Any], *labelled: Any) -> Any:
    """fn of the values of tangents with the same labels, column by column."""
    _agree(*labelled)
    columns = zip(*map(_columns, labelled), strict=True)
    return _rebuilt(labelled[0], [fn(*map(_values, column)) for column in columns])


def _agree(a: Any, b: Any = None) -> None:
    if b is None:
        return
    if not a.index.equals(b.index) or (a.ndim == 2 and not a.columns.equals(b.columns)):
        raise ShapeMismatch(
            f"tangents of a {type(a).__name__} with different labels meet",
            closest="tangents have the labels of their primal, and are not aligned",
            next="reindex one like the other in the rule that made it",
        )


def _perturbed(x: Any) -> Any:
    """The columns of a DataFrame that have tangents."""
    return x if x.ndim == 1 else x.iloc[:, [i for i, c in enumerate(_columns(x)) if _values(c) is not None]]


def _of_tangents(x: Any, values: list[Any]) -> Any:
    """Tangents with the labels of x, of plain arrays."""
    if x.ndim == 1:
        return type(x)(values[0], index=x.index, name=x.name)
    like = _perturbed(x)
    frame = type(x)(dict(enumerate(values)), index=x.index)
    frame.columns = like.columns
    return frame


def _zero_series(x: Any) -> Any:
    values = _values(x)
    return NO_TANGENT if values is None else _of_tangents(x, [zero_tangent(values)])


def _zero_frame(x: Any) -> Any:
    zeros = [zero_tangent(_values(column)) for column in _columns(_perturbed(x))]
    return _of_tangents(x, zeros) if zeros else NO_TANGENT


def _moved(x: Any, t: Any) -> Any:
    like = _perturbed(x)
    _agree(like, t)
    moved = [_shifted(a, b) for a, b in zip(_columns(like), _columns(t), strict=True)]
    return _rebuilt(x, moved)


def _shifted(column: Any, step: Any) -> Any:
    values = _values(column)
    if column.dtype.kind in "iu" and not isinstance(column.dtype, np.dtype):
        known = ~np.isnan(values)
        values[known] = move(values[known].astype(np.int64), _values(step)[known])
        return values
    return move(values, _values(step).astype(tangent_dtype(values.dtype), copy=False))


def _difference(a: Any, b: Any) -> Any:
    _agree(a, b)
    fixed = [(p, q) for p, q in zip(_columns(a), _columns(b), strict=True) if _values(p) is None]
    if any(p.dtype != q.dtype for p, q in zip(_columns(a), _columns(b), strict=True)) or not all(
        p.equals(q) for p, q in fixed
    ):
        raise mismatched(a, b, "subtracted where they have no tangents")
    pairs = zip(_columns(_perturbed(a)), _columns(_perturbed(b)), strict=True)
    steps = [difference(_values(p), _values(q)) for p, q in pairs]
    return _of_tangents(a, steps) if steps and _values(_columns(_perturbed(a))[0]) is not None else NO_TANGENT


def _inner(a: Any, b: Any) -> float:
    if type(a) is not type(b):
        raise mismatched(a, b, "multiplied")
    _agree(a, b)
    return float(sum(inner(_values(p), _values(q)) for p, q in zip(_columns(a), _columns(b), strict=True)))


def _numbers(x: Any) -> tuple[list[Any], Callable[[Any], Any]]:
    values = [_values(column) for column in _columns(x)]
    return [v for v in values if v is not None], lambda moved: _rebuilt(x, moved)


def _project_series(x: Any, t: Any) -> Any:
    values = _values(x)
    if values is None:
        return NO_TANGENT
    if isinstance(t, type(x)):
        _agree(x, t)
        t = _values(t)
    return _of_tangents(x, [project_to(values)(t)])


def _project_frame(x: Any, t: Any) -> Any:
    like = _perturbed(x)
    if isinstance(t, np.ndarray) and t.shape == like.shape:
        given = list(t.T)
    elif isinstance(t, type(x)):
        _agree(like, t)
        given = [_values(column) for column in _columns(t)]
    else:
        raise mismatched(type(x), t, "projected on one another")
    return _of_tangents(x, [project_to(_values(c))(v) for c, v in zip(_columns(like), given, strict=True)])
