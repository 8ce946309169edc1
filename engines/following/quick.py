"""Quick: calls of one number or two, of which nothing is to be asked but which of them vary.

A run that is alone does these itself, by the rule that was found for such a call once.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ...core.caches import generation, keep, new_cache
from ...core.callables import normalise
from ...core.registry import rules_of
from .here import here
from .looking import lasting
from .natives import MOVES, RECIPES, is_moving

QUICK = frozenset((float, int, np.float64, np.ndarray))
"""Types of numbers and arrays, which are one leaf, or none."""
_by_rule = new_cache()


def is_by_rule(f: Any) -> bool:
    """Whether a function in C has rules, and is called by these alone, whatever it is given."""
    known: bool | None = _by_rule.get(f)
    if known is None:
        since = generation()
        known = _is_by_rule(f)
        if lasting(f):
            keep(_by_rule, f, known, since)
    return known


def _is_by_rule(f: Any) -> bool:
    if isinstance(f, FunctionType | type) or not lasting(f) or f in RECIPES or f in MOVES or is_moving(f):
        return False
    rules = rules_of(f)
    return rules is not None and rules.non_differentiable is None and normalise(f, (), {})[0] is f


def quickly(f: Any, args: tuple[Any, ...]) -> Any:
    """A call of numbers and arrays by a rule, where that is all; NotImplemented for any other."""
    runs = here.runs
    if len(runs) == 1 and QUICK.issuperset(map(type, args)):
        run = runs[0]
        if len(args) == 1:
            return run.of_one(f, args[0])
        if len(args) == 2:
            return run.of_two(f, *args)
    return NotImplemented
