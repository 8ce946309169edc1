"""Pairs: a function of which the first result alone is differentiated has the text of that one.

    loss(w)       def standing_(given0_): return callee_(given0_)[0]

A call tree that has a text has no effects. So the function itself runs as well, and gives the value and what
comes beside it as they are. Where its value is not that of the text, as where it reads a clock, the ordinary
program runs.
"""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any

from ....core.registry import rules_of
from .aside import stands_aside
from .standing import calling, is_plain, made_of


def first_of(f: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> FunctionType | None:
    """The function that gives the first of f's results in a call with such arguments."""
    if type(f) is not FunctionType or rules_of(f) is not None or not all(map(is_plain, kwargs)):
        return None
    known, form = made_of(f, "first_of"), (len(x), *kwargs)
    made = known.get(form)
    if made is None:
        given = [f"given{i}_" for i in range(len(x))]
        made = known[form] = calling(f, given, tuple(kwargs), given, "[0]")
    return made


def begins_with(y: Any, value: float) -> bool:
    """Whether the first of two results is a value, up to rounding; it is not where two runs differ.

    Example: >>> begins_with((2.0, "more"), 2.0), begins_with((2.0, "more"), 3.0)
             (True, False)
    """
    return isinstance(y, tuple) and len(y) == 2 and math.isclose(y[0], value, rel_tol=1e-9, abs_tol=1e-12)


stands_aside(first_of)
