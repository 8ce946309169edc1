"""Precision: a cotangent is no wider than what it was computed from.

Projection brings it back into its argument's space, so nobody would see that a pullback computed in double
precision what was asked for in single. So what the author's pullback returned is looked at before it is
projected. Wider than the argument it may be where another argument or the value is. Python's numbers are
double precision where they are the value, whose seed is one then; as arguments they take on the precision
of the arrays that they meet, as NumPy has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tangents import Composite, fields_of, unthunk, zero_tangent
from ..case import Case
from ..primals import is_natural
from ..sources import RuleSource


def reverse_precision(case: Case) -> None:
    """No cotangent, as the rule returned it, is wider than the widest of the arguments and the value."""
    source = case.source
    if not isinstance(source, RuleSource) or source.mutates:
        return
    objects = [zero_tangent(x) for x in case.args if not is_natural(x)]  # which have a precision of theirs
    given = _widths((*case.args, *case.kwargs.values(), case.y, *objects))
    if not given or _holds_python_number(case.y):
        return
    check = "reverse precision"
    raw = case.attempt(check, source.as_returned, case.args, case.needs, case.seeds[0])
    for i in case.moved if raw is not None else ():
        if _holds_python_number(case.args[i]):
            continue
        found = _widths(raw[i])
        if found and max(found) > max(given):
            case.fail(
                check, f"its cotangent has grown to {found[max(found)]}, "
                f"where {given[max(given)]} is the widest given", argument=i,
                next="compute it in the precision of the seed and the arguments",
            )  # fmt: skip


def _holds_python_number(x: Any) -> bool:
    if isinstance(x, np.generic):  # np.float64 is a float, too
        return False
    if isinstance(x, tuple | list | dict):
        return any(map(_holds_python_number, x.values() if isinstance(x, dict) else x))
    return isinstance(x, float | complex)


def _widths(t: Any) -> dict[int, np.dtype[Any]]:
    """The precisions of the arrays and NumPy numbers in a value or tangent, by the size of a real number."""
    t = unthunk(t)
    if isinstance(t, np.ndarray | np.generic):
        kind = t.dtype.kind
        return {t.dtype.itemsize // (1 + (kind == "c")): t.dtype} if kind in "fc" else {}
    inside = fields_of(t) if isinstance(t, Composite) else t if isinstance(t, tuple | list | dict) else ()
    found: dict[int, np.dtype[Any]] = {}
    for part in inside.values() if isinstance(inside, dict) else inside:
        found.update(_widths(part))
    return found
