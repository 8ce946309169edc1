"""Slices made of numbers that vary: they select, and what selects has no derivative.

A class of the user may compute with the bounds, `box[s:3]`. Nothing here says how a slice moves with them, so
what would pass through one is a promise of an error, never a zero. NumPy's `mgrid`, `ogrid`, `r_` and `c_`,
which make arrays of slices, are taken apart by the source engine.
"""

from __future__ import annotations

from ...core import Array, frule, rrule
from ...core.seeds import absorbs, answer_to
from ...tangents import ZERO, NotImplementedTangent, is_zero

_WHY = "a derivative reached the bounds of a slice: pass them as numbers, or as a tuple of numbers"


@frule(slice)
def slice_frule(tangents, *bounds: Array | None):
    """What selects does not move; a promise of an error for who computes with the bounds."""
    return slice(*bounds), ZERO if all(map(is_zero, tangents)) else NotImplementedTangent(_WHY)


@rrule(slice)
def slice_rrule(*bounds: Array | None):
    """What selects gets no cotangent; for one that comes, a promise of an error."""
    count = len(bounds)

    def slice_pullback(y_bar):
        return (answer_to(y_bar) if absorbs(y_bar) else NotImplementedTangent(_WHY),) * count

    return slice(*bounds), slice_pullback


def _bound_rules(name: str) -> None:
    """The rules of reading one bound of a slice."""

    @frule(getattr, slice, name)
    def bound_frule(tangents, x):
        """The promise that the slice has."""
        return getattr(x, name), tangents[0]

    @rrule(getattr, slice, name)
    def bound_rrule(x):
        """A promise of an error, where a cotangent comes."""

        def bound_pullback(y_bar):
            return (answer_to(y_bar) if absorbs(y_bar) else NotImplementedTangent(_WHY),)

        return getattr(x, name), bound_pullback


for _name in ("start", "stop", "step"):
    _bound_rules(_name)
