"""Callables declared non-differentiable: the value, `NoTangent()` for every argument, a zero tangent."""

from __future__ import annotations

from ...tangents import NO_TANGENT, all_zero, unthunk
from ..case import Case
from .running import pull, push, run_reverse, same_value


def without_derivative(case: Case) -> None:
    """The answers of both modes hold no derivative."""
    y, pullback = run_reverse(case)
    same_value(case, "reverse", y)
    for i, x_bar in enumerate(pull(case, pullback, case.seeds[0], "reverse kinds")):
        if x_bar is not NO_TANGENT:
            case.fail("reverse kinds", f"{unthunk(x_bar)!r} where only NoTangent() can be", argument=i)
    y, dy = push(case, case.tangents, "forward value")
    same_value(case, "forward", y)
    if not all_zero(dy):
        case.fail("forward kinds", f"{unthunk(dy)!r} for a function without derivative")
