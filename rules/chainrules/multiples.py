"""Rules of multiples and inner products of tangents, which are linear in each of what they are given.

A rule that knows the pullback of one seed takes multiples of what it answered for others. These rules keep
the contract themselves, since their arguments are tangents of any kind; numbers are real here.
"""

from __future__ import annotations

from ...core import frule, rrule
from ...core.seeds import absorbs, ready
from ...tangents import ZERO, add, inner, scale


@frule(scale, complete=True)
def scale_frule(tangents, s, t):
    """y = s t        ẏ = ṡ t + s ṫ"""
    ds, dt = tangents
    by_number = ds if absorbs(ds) else scale(ready(ds), t)
    by_tangent = dt if absorbs(dt) else scale(s, dt)
    return scale(s, t), add(by_number, by_tangent)


@rrule(scale, complete=True)
def scale_rrule(s, t):
    """y = s t        s̄ = ⟨t, ȳ⟩, t̄ = s ȳ"""

    def scale_pullback(y_bar):
        if absorbs(y_bar):
            return y_bar, y_bar
        return inner(t, y_bar), scale(s, y_bar)

    return scale(s, t), scale_pullback


@frule(inner, complete=True)
def inner_frule(tangents, a, b):
    """y = ⟨a, b⟩        ẏ = ⟨ȧ, b⟩ + ⟨a, ḃ⟩"""
    da, db = tangents
    by_first = da if absorbs(da) else inner(da, b)
    by_second = db if absorbs(db) else inner(a, db)
    return inner(a, b), add(by_first, by_second)


@rrule(inner, complete=True)
def inner_rrule(a, b):
    """y = ⟨a, b⟩        ā = ȳ b, b̄ = ȳ a"""

    def inner_pullback(y_bar):
        if absorbs(y_bar):
            return ZERO, ZERO
        weight = ready(y_bar)
        return scale(weight, b), scale(weight, a)

    return inner(a, b), inner_pullback
