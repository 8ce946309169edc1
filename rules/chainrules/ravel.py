"""The rules of `unravel`, linear in its vector.

A structured cotangent is made dense on what was unravelled, one of a sparse leaf brought onto its
pattern, and ravelled in the same order. First order only: a derivative of the pullback is refused.
"""

from __future__ import annotations

from ...core import frule, rrule
from ...core.seeds import absorbs, ready
from ...tangents import NO_TANGENT, Unravel, canonicalize, project_to, ravel, zero_tangent


@frule(Unravel.__call__, complete=True)
def unravel_frule(tangents, unravel: Unravel, vector):
    """y = the structure of v        ẏ = that of v̇"""
    y, moved = unravel(vector), tangents[1]
    return y, moved if absorbs(moved) else ravel(zero_tangent(y))[1](ready(moved))


@rrule(Unravel.__call__, complete=True)
def unravel_rrule(unravel: Unravel, vector):
    """y = the structure of v        v̄ = the numbers of ȳ"""
    y = unravel(vector)

    def unravel_pullback(y_bar):
        return NO_TANGENT, y_bar if absorbs(y_bar) else ravel(
            project_to(y)(canonicalize(ready(y_bar), like=y))
        )[0]

    return y, unravel_pullback
