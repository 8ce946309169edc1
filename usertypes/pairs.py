"""Pairs of a value or pointer `p` and its differential `d`, and what sums of differentials become by them.

Pairs nest, as p may be a pair: that is how derivatives of derivatives are told apart. The entry `d` of a
value's pair is written by a reverse derivative; that of a pointer's pair never is.
"""

from __future__ import annotations

from typing import Any

from ..tangents import add


class DifferentialPair:
    """What is differentiated, and its differential.

    Example: >>> pair = DifferentialPair(3.0, 0.0)
             >>> pair, pair.d
             (DifferentialPair(p=3.0, d=0.0), 0.0)
    """

    __slots__ = ("d", "p")

    def __init__(self, p: Any, d: Any) -> None:
        self.p, self.d = p, d

    def __repr__(self) -> str:
        return f"DifferentialPair(p={self.p!r}, d={self.d!r})"


def accumulate_by(D: Any, own: Any) -> None:
    """Let sums of two objects of the class D be what this `use_bwd` makes of them."""
    own = getattr(own, "of_pair", own)

    def add_uses(a: Any, b: Any) -> Any:
        """One use after another"""
        pair = DifferentialPair(None, a)
        own(pair, b)
        return pair.d

    add_uses.__annotations__.update(a=D, b=D)
    add_uses.__annotations__.pop("return", None)
    add.dispatch(add_uses)
