"""Pairs of a value or pointer `p` and its differential `d`.

`diff_pair(p)` makes the differential of a value, a zero; that of a pointer it cannot make, and says so. Pairs
nest, as p may be a pair: that is how derivatives of derivatives are told apart. The entry `d` of a value's
pair is written by a reverse derivative; that of a pointer's pair never is.
"""

from __future__ import annotations

from typing import Any

from ..tangents import NO_TANGENT, zero_tangent
from .roles import DifferentiablePtr, missing_differential

_UNSET: Any = object()


class DifferentialPair:
    """What is differentiated, and its differential.

    Example: >>> pair = diff_pair(3.0)
             >>> pair, pair.d
             (DifferentialPair(p=3.0, d=0.0), 0.0)
    """

    __slots__ = ("d", "p")

    def __init__(self, p: Any, d: Any) -> None:
        self.p, self.d = p, d

    def __repr__(self) -> str:
        return f"DifferentialPair(p={self.p!r}, d={self.d!r})"


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
