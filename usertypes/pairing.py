"""`diff_pair`: a pair whose differential is a zero where none is given.

That of a pointer must be given. Nobody but its caller can make one, and the error says so.
"""

from __future__ import annotations

from typing import Any

from ..tangents import NO_TANGENT, zero_tangent
from .pairs import DifferentialPair
from .roles import DifferentiablePtr, missing_differential

_UNSET: Any = object()


def diff_pair(p: Any, d: Any = _UNSET) -> DifferentialPair:
    """The pair of p and its differential; for a value that is zero where it is not given.

    Raises:  MissingDifferentialError for a pointer without a differential; TypeError for one of another kind.
    Example: >>> diff_pair(2.0, 7.0).d
             7.0
    """
    pointer = p.p if isinstance(p, DifferentialPair) else p
    if isinstance(pointer, DifferentiablePtr):
        if d is _UNSET or d is None:
            raise missing_differential(type(pointer))
        if not isinstance(d.p if isinstance(d, DifferentialPair) else d, DifferentiablePtr):
            raise TypeError(f"the differential of a {type(pointer).__qualname__} is a pointer, not {d!r}")
        return DifferentialPair(p, d)
    return DifferentialPair(p, _zero(p) if d is _UNSET else d)


def _zero(p: Any) -> Any:
    """The differential that a value starts with: what its class says, or the zero tangent."""
    made = getattr(type(p), "Differential", None)
    if made is not None and made is not type(p) and not isinstance(p, float | complex):
        return made()
    zero = zero_tangent(p)
    return None if zero is NO_TANGENT else zero
