"""Values of SciPy with the derivatives of programs, which must agree with these values.

A program says how a value moves; `agreed` gives SciPy's own value with that derivative, and refuses where the
program computes another value: there it does not say what SciPy computed. `as_result` gives a result with
several fields the derivatives of some of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....tangents import ZERO, NotImplementedTangent, from_fields, is_zero
from ...written import as_found


def agreed(value: Any, program: Any, name: str, rtol: float = 1e-6) -> Any:
    """A value of SciPy, with the derivative of what a program computed for it.

    SciPy's value is known to `rtol` where it comes from a search or from random numbers.

    Raises:  NotDifferentiableError where the program computed another value.
    Example: >>> agreed(2.0, 2.0, "a mean")
             2.0
    """
    hold_alike(value, program, name, rtol)
    return as_found(value, np.reshape(program, np.shape(value)))


def hold_alike(value: Any, program: Any, name: str, rtol: float = 1e-6) -> None:
    """Refuse a program that computes another value."""
    y, found = np.asarray(value), np.asarray(program)
    rough = y.dtype.kind in "fc" and np.finfo(y.dtype).eps > 1e-10
    near: Any = {"rtol": 1e-3, "atol": 1e-5} if rough else {"rtol": rtol, "atol": 1e-10}
    if y.size != found.size or not np.allclose(found.reshape(y.shape), y, equal_nan=True, **near):
        raise NotDifferentiableError(
            f"the derivative of {name}: SciPy's value is {value}, that of the rule's program {program}",
            next="use arguments farther from where it is not defined, without NaN",
        )


non_differentiable(hold_alike, why="compares values")


def as_result(result: Any, names: tuple[str, ...], *values: Any) -> Any:
    """A result with several fields, of which these have the derivatives of the values."""
    return result


@frule(as_result)
def as_result_frule(tangents, result: object, names: tuple, *values: object):
    """ẏ has the tangents of the values in its fields"""
    y = as_result(result, names, *values)
    return y, from_fields(type(y), placed_in(y, names, tangents[2:]))


@rrule(as_result)
def as_result_rrule(result: object, names: tuple, *values: object):
    """v̄ᵢ is the cotangent of its field; where a field without a derivative has one, it is missing"""
    y = as_result(result, names, *values)
    rest = other_fields(y, names)

    def as_result_pullback(y_bar):
        if type(y) is tuple:
            return (ZERO, ZERO, *[y_bar[int(name)] for name in names])
        for name in rest:
            if not is_zero(getattr(y_bar, name)):
                return (ZERO, ZERO, *[_missing(name)] * len(values))
        return (ZERO, ZERO, *[getattr(y_bar, name) for name in names])

    return y, as_result_pullback


def placed_in(y: Any, names: tuple[str, ...], tangents: Any) -> Any:
    """The fields of a result's tangent: a sequence for a tuple, else by name."""
    if type(y) is tuple:
        moved = dict(zip(names, tangents, strict=True))
        return tuple([moved.get(str(i), ZERO) for i in range(len(y))])
    missing = {name: _missing(name) for name in other_fields(y, names)}
    return missing | dict(zip(names, tangents, strict=True))


def other_fields(y: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """The fields of floating-point numbers whose derivatives no value gives; of a named tuple its own."""
    every = getattr(y, "_fields", None) or tuple(getattr(y, "__dict__", {}))
    return tuple(
        [n for n in every if n not in names and n[0] != "_" and np.asarray(getattr(y, n)).dtype.kind == "f"]
    )


def _missing(name: str) -> NotImplementedTangent:
    return NotImplementedTangent(f"a result's field {name!r} has no derivative here")


non_differentiable(other_fields, why="looks at names")
