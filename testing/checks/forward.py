"""Forward mode against its contract: value, kind, differences, linearity, zeros, thunks.

One argument is perturbed at a time, the others at rest with `Zero()`, so that the argument at fault
is known; then all together, which must give the sum.
"""

from __future__ import annotations

from typing import Any

from ...tangents import ZERO, Thunk, all_zero, scale, unthunk
from ..case import Case
from ..primals import Vector
from .kinds import tangent_kind
from .running import push, push_once, same_value

DIFFERENCES = "forward against differences"


def forward_value(case: Case) -> None:
    """The rule computes what the function computes, and leaves its inputs alone."""
    same_value(case, "forward", push_once(case, case.tangents, "forward value")[0])


def forward_kinds(case: Case) -> None:
    """The tangent of the value is of the value's space."""
    for i in case.moved:
        tangent_kind(case, push_once(case, case.only(i), "forward kinds", i)[1], argument=i)


def forward_differences(case: Case) -> None:
    """J ẋ is what differences give, for each argument and for all together."""
    total: Vector | float = 0.0
    size: Vector | float = 0.0
    error: Vector | float = 0.0
    for i in case.moved:
        slope = case.slope(i)
        case.same(
            DIFFERENCES, along(case, case.only(i), DIFFERENCES, i), slope.value,
            named=("the rule gives", "differences"), argument=i, error=slope.error,
        )  # fmt: skip
        total, size, error = total + slope.value, size + abs(slope.value), error + slope.error
    if len(case.moved) > 1:
        case.same(
            "forward of all arguments together", along(case, case.tangents, DIFFERENCES), case.number(total),
            named=("the rule gives", "differences"), scale=size, error=error,
        )  # fmt: skip


def forward_linear(case: Case) -> None:
    """Three times the tangent gives three times the derivative, and each call the same again."""
    check = "forward linear in the tangent"
    for i in case.moved:
        tripled = tuple(scale(3.0, t) for t in case.only(i))
        once = along(case, case.only(i), check, i)
        thrice, again = (_afresh(case, t, check, i) for t in (tripled, case.only(i)))
        case.same(check, thrice, 3 * once, named=("of three times", "three times"), argument=i, rtol=1e-7)
        case.same("forward repeatable", again, once, named=("again", "first"), argument=i, rtol=1e-12)


def forward_zero(case: Case) -> None:
    """Zero tangents give a zero."""
    dy = push(case, (ZERO,) * len(case.args), "forward of zero tangents")[1]
    if not all_zero(dy):
        case.fail("forward of zero tangents", f"{unthunk(dy)!r}")


def forward_thunks(case: Case) -> None:
    """Tangents may be thunks."""
    check = "forward of thunked tangents"
    for i in case.moved:
        thunked = tuple(ZERO if t is ZERO else _thunk(t) for t in case.only(i))
        pair = [_afresh(case, thunked, check, i), along(case, case.only(i), check, i)]
        case.same(check, *pair, named=("it gives", "in full"), argument=i, rtol=1e-7)


def _thunk(t: Any) -> Thunk:
    return Thunk(lambda: t)


def along(case: Case, tangents: tuple[Any, ...], check: str, argument: int | None = None) -> Vector:
    """The tangent of the value, as a vector; computed for the first check that asks."""
    return case.vector(check, push_once(case, tangents, check, argument)[1], case.y, argument)


def _afresh(case: Case, tangents: tuple[Any, ...], check: str, argument: int | None = None) -> Vector:
    return case.vector(check, push(case, tangents, check, argument)[1], case.y, argument)


FORWARD = (
    forward_value,
    forward_kinds,
    forward_linear,
    forward_differences,
    forward_zero,
    forward_thunks,
)
