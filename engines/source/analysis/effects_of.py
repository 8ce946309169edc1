"""Effects of functions: which variables around them they change, by what was found out of their source.

Those that a function captured, and those of its module.
"""

from __future__ import annotations

from types import FunctionType

from ....core.registry import rules_of
from ..syntax.codes import content_of
from .held_functions import NOWHERE
from .writers import COUNTED, OUTER, OWNERS, REBOUND, writes


def changes_captured(f: FunctionType, asking: tuple[FunctionType, ...] = ()) -> frozenset[str]:
    """The captured variables whose objects f may change, by itself or by functions that it captured."""
    if f.__closure__ is None or f in asking or rules_of(f) is not None:
        return frozenset()
    writes(f)
    found = OUTER.get(f.__code__) or frozenset()
    cells = {n: content_of(c) for n, c in zip(f.__code__.co_freevars, f.__closure__, strict=True)}
    inner = {n for n, c in cells.items() if type(c) is FunctionType and n not in found}
    return found.union(n for n in inner if changes_captured(cells[n], (*asking, f)))


def changes_by_name(f: FunctionType, held: frozenset[int] = NOWHERE) -> frozenset[str]:
    """The names, also of variables outside, whose objects f may change; `held`: see `writes`."""
    writes(f, held)
    return OWNERS.get(f.__code__) or frozenset()


def counts_captured(f: FunctionType) -> frozenset[str]:
    """The captured variables in whose objects f does nothing but count."""
    writes(f)
    return (COUNTED.get(f.__code__) or frozenset()) - (OUTER.get(f.__code__) or frozenset())


def rebinds_captured(f: FunctionType) -> frozenset[str]:
    """The captured variables that f binds anew."""
    writes(f)
    return REBOUND.get(f.__code__) or frozenset()
