"""Piecewise polynomials and splines as objects: their tangents have the fields c, x and t.

`holding(spline, ("c", "x"), c, x)` is the spline that SciPy made, with the derivatives of what it holds.
So each constructor and each method that gives another spline is a program for what that holds.
"""

from __future__ import annotations

import copy
from typing import Any

from scipy.interpolate import BPoly, BSpline, PPoly

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....core.holdings import note_holding
from ....tangents import ZERO, from_fields
from ....tangents.structure import delegating, shown_as

DELEGATES = "axis" in vars(PPoly)
"""Whether an object stands for another one, and shows what that holds: since SciPy 1.18."""

for P in (PPoly, BPoly, BSpline):
    if DELEGATES:
        delegating(P, "_delegate_to")
    else:
        shown_as(P, _c="c", _x="x", _t="t")


def holding(made: Any, names: tuple[str, ...], *values: Any) -> Any:
    """An object, which holds these values under these names."""
    note_holding(made, names, values)
    return made


def unshared(method: Any, *arguments: Any) -> Any:
    """What a method gives, which shares no memory with the spline that it was given."""
    return copy.deepcopy(method(*arguments))


non_differentiable(unshared, why="has no part in the derivative")


@frule(holding)
def holding_frule(tangents, made: object, names: tuple, *values: object):
    """ẏ has the tangents of the values"""
    y = holding(made, names, *values)
    return y, from_fields(type(made), dict(zip(names, tangents[2:], strict=True)))


@rrule(holding)
def holding_rrule(made: object, names: tuple, *values: object):
    """Each value's cotangent is what ȳ has under its name"""

    def holding_pullback(y_bar):
        return (ZERO, ZERO, *[getattr(y_bar, name) for name in names])

    return holding(made, names, *values), holding_pullback


def show(P: type, name: str, field: str = "", *, home: str = __name__) -> None:
    """Register both rules of an attribute that shows a field, of the same name if no other is given.

    They count as rules of the module `home`.
    """
    held = field or name

    def shown_frule(tangents: Any, spline: Any) -> Any:
        """ẏ is the field's tangent"""
        return getattr(spline, name), getattr(tangents[0], held)

    def shown_rrule(spline: Any) -> Any:
        """The field's cotangent is ȳ"""

        def shown_pullback(y_bar: Any) -> Any:
            return from_fields(type(spline), {held: y_bar})

        return getattr(spline, name), shown_pullback

    for rule in (shown_frule, shown_rrule):
        rule.__annotations__["spline"], rule.__module__ = P, home
    frule(getattr, P, name)(shown_frule)
    rrule(getattr, P, name)(shown_rrule)


def derived(P: type, name: str) -> None:
    """Refuse the derivative of an attribute that SciPy makes of the fields."""

    def refuse() -> Any:
        """Say so."""
        raise NotDifferentiableError(
            f"{P.__name__}.{name} is made of the fields of its object, and has no rule of its own",
            next="differentiate what the object returns where it is called",
        )

    def derived_frule(tangents: Any, made: Any) -> Any:
        """Refused by name"""
        refuse()

    def derived_rrule(made: Any) -> Any:
        """Refused by name"""
        refuse()

    derived_frule.__annotations__["made"] = derived_rrule.__annotations__["made"] = P
    frule(getattr, P, name)(derived_frule)
    rrule(getattr, P, name)(derived_rrule)


for owner in (PPoly, BPoly):
    show(owner, "c")
    show(owner, "x")
show(BSpline, "c")
show(BSpline, "t")
if DELEGATES:
    for owner in (PPoly, BPoly, BSpline):
        show(owner, "axis")
        show(owner, "extrapolate")
    show(BSpline, "k")
