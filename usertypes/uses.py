"""`use`: a value that is used again, and how the cotangents of its uses become one.

Reusing a value is an identity. What is not trivial is its backward derivative, `use_bwd`: it adds the
cotangent of one use to the differential of the value. For numbers, arrays and objects it adds, field by
field; a class with a `use_bwd` of its own, a function of a pair and a cotangent, accumulates as that says,
and engines that add cotangents of its `Differential` go the same way.
"""

from __future__ import annotations

from typing import Any

from ..core.decorators import frule, rrule
from ..tangents import add
from .pairing import diff_pair
from .pairs import DifferentialPair


def use(x: Any) -> Any:
    """The value itself, used once more.

    Example: >>> use(3.0)
             3.0
    """
    return x


@frule(use)
def use_frule(tangents: Any, x: object) -> Any:
    """ẏ = ẋ"""
    return x, tangents[0]


@rrule(use)
def use_rrule(x: object) -> Any:
    """x̄ = ȳ; the sum over the uses is the engine's, by `use_bwd` of the type"""

    def use_pullback(y_bar: Any) -> Any:
        return (y_bar,)

    return x, use_pullback


def use_fwd(pair: DifferentialPair) -> DifferentialPair:
    """The pair itself, for a further use.

    Example: >>> use_fwd(diff_pair(3.0, 2.0))
             DifferentialPair(p=3.0, d=2.0)
    """
    return diff_pair(pair.p, pair.d)


def use_bwd(pair: DifferentialPair, d: Any) -> None:
    """Add the cotangent of one use to the differential of the pair, as the type of the value says.

    Example: >>> pair = diff_pair(3.0)
             >>> use_bwd(pair, 2.0); use_bwd(pair, 5.0)
             >>> pair.d
             7.0
    """
    own = _own(type(pair.p))
    if own is None:
        pair.d = add(pair.d, d)
    else:
        own(pair, d)


def _own(P: type) -> Any:
    """The `use_bwd` that a class defines."""
    method = getattr(P, "use_bwd", None)
    return getattr(method, "of_pair", method)


def accumulated(p: Any, d: Any) -> Any:
    """A cotangent that an engine summed, as the differential of a value."""
    return tuple(d) if type(p) is tuple else d
