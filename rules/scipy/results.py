"""Results of solvers: dicts that are read by attribute, too, some of whose entries have derivatives.

`with_entries(result, names, *values)` is a copy of a result with some entries as they move. Counts,
flags and messages have none. Any other entry of floating-point numbers (`hess_inv`, `fvec`) says so when
its derivative is asked for.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult

from ...core import frule, non_differentiable, rrule
from ...tangents import ZERO, NotImplementedTangent, from_fields, is_zero


def with_entries(result: Any, names: Any, *values: Any) -> Any:
    """A copy of a result in which these entries have these values.

    Example: >>> with_entries({"x": 1.0, "nit": 3}, ("x",), 2.0)
             {'x': 2.0, 'nit': 3}
    """
    made = copy.copy(result)
    for name, value in zip(names, values, strict=True):
        made[name] = value
    return made


def _moves(value: Any) -> bool:
    """Whether an entry consists of floating-point numbers."""
    try:
        return np.asarray(value).dtype.kind in "fcO" and not isinstance(value, str | None)
    except ValueError:  # a ragged list
        return True


non_differentiable(_moves, why="asks for types")


def _is_asked(t: Any) -> bool:
    """Whether an entry is asked for by its cotangent: that is not zero, nor made of zeros."""
    return not (is_zero(t) or (isinstance(t, float | np.ndarray) and not np.any(t)))


def _missing(name: str) -> NotImplementedTangent:
    return NotImplementedTangent(f"a solver's result has no derivative of its entry {name!r}")


@frule(with_entries)
def with_entries_frule(tangents, result: dict, names: tuple, *values: object):
    """ẏ has the tangents of the values, and none of what else the solver computed"""
    y = with_entries(result, names, *values)
    moved = {name: _missing(name) for name, value in y.items() if _moves(value)}
    return y, from_fields(type(y), moved | dict(zip(names, tangents[2:], strict=True)))


@rrule(with_entries)
def with_entries_rrule(result: dict, names: tuple, *values: object):
    """v̄ᵢ = ȳ's entry of that name; where another entry has one, the derivative is missing"""
    y = with_entries(result, names, *values)
    rest = tuple([name for name, value in y.items() if name not in names and _moves(value)])

    def with_entries_pullback(y_bar):
        for name in rest:
            if _is_asked(y_bar[name]):
                return (ZERO, ZERO, *[_missing(name)] * len(values))
        return (ZERO, ZERO, *[y_bar[name] for name in names])

    return y, with_entries_pullback


@frule(OptimizeResult.__getattr__)
def attribute_frule(tangents, result: dict, *, name):
    """y = the entry of that name        ẏ is the entry's"""
    return getattr(result, name), tangents[0][name]


@rrule(OptimizeResult.__getattr__)
def attribute_rrule(result: dict, *, name):
    """The entry's cotangent is ȳ"""

    def attribute_pullback(y_bar):
        return from_fields(type(result), {name: y_bar})

    return getattr(result, name), attribute_pullback


def undifferentiated(value: Any, x: Any, name: str) -> Any:
    """What a solver computed beside its solution x, such as its estimate of a Hessian: its derivative is
    missing."""
    return value


@frule(undifferentiated)
def undifferentiated_frule(tangents, value: object, x: object, *, name):
    """ẏ is missing where x moves"""
    return undifferentiated(value, x, name), ZERO if is_zero(tangents[1]) else _missing(name)


@rrule(undifferentiated)
def undifferentiated_rrule(value: object, x: object, *, name):
    """x̄ is missing where ȳ is asked for"""

    def undifferentiated_pullback(y_bar):
        return ZERO, _missing(name) if _is_asked(y_bar) else ZERO

    return undifferentiated(value, x, name), undifferentiated_pullback


def with_attributes(result: Any, names: Any, *values: Any) -> Any:
    """A copy of a result that is an object, in which these attributes have these values."""
    made = copy.copy(result)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, name, value)
    return made


@frule(with_attributes)
def with_attributes_frule(tangents, result: object, names: tuple, *values: object):
    """ẏ has the tangents of the values, and none of what else was computed"""
    y = with_attributes(result, names, *values)
    moved = {name: _missing(name) for name, value in vars(y).items() if _moves(value)}
    return y, from_fields(type(y), moved | dict(zip(names, tangents[2:], strict=True)))


@rrule(with_attributes)
def with_attributes_rrule(result: object, names: tuple, *values: object):
    """v̄ᵢ = ȳ's attribute of that name; where another one has one, the derivative is missing"""
    y = with_attributes(result, names, *values)
    rest = tuple([name for name, value in vars(y).items() if name not in names and _moves(value)])

    def with_attributes_pullback(y_bar):
        for name in rest:
            if _is_asked(getattr(y_bar, name)):
                return (ZERO, ZERO, *[_missing(name)] * len(values))
        return (ZERO, ZERO, *[getattr(y_bar, name) for name in names])

    return y, with_attributes_pullback
