"""Kinds: what a rule returns for each argument is a tangent of that argument, no more and no less.

A cotangent lies in its argument's space when projecting it there changes nothing: shape, dtype,
realness, structure. `NoTangent()` is for what cannot be perturbed, and there it is the only answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    MissingDerivativeError,
    NotImplementedTangent,
    all_zero,
    fields_of,
    is_zero,
    project_to,
    unthunk,
)
from ..case import Case

REVERSE_KINDS, FORWARD_KINDS = "reverse kinds", "forward kinds"


def cotangent_kinds(case: Case, cotangents: tuple[Any, ...]) -> None:
    """Each cotangent is of its argument's space; what cannot be perturbed has exactly `NoTangent()`."""
    for i, x_bar in enumerate(cotangents):
        x_bar = unthunk(x_bar)
        if case.immovable(i):
            # where the value has no tangent nobody's pullback runs, and the answer is a plain zero
            if x_bar is not NO_TANGENT and not (x_bar is ZERO and is_zero(case.seeds[0])):
                case.fail(REVERSE_KINDS, f"{x_bar!r} where only NoTangent() can be", argument=i)
        elif i in case.moved:
            _of_a_moved_argument(case, i, x_bar)


def _of_a_moved_argument(case: Case, i: int, x_bar: Any) -> None:
    if x_bar is NO_TANGENT:
        case.fail(
            REVERSE_KINDS, "NoTangent() for a value that can be perturbed", argument=i,
            next="return Zero() where perturbing it changes nothing",
        )  # fmt: skip
    if isinstance(x_bar, NotImplementedTangent):
        case.fail(
            REVERSE_KINDS, f"this derivative is not implemented: {x_bar.why}", argument=i,
            next="check the others with with_tangent(x, Zero()) for this argument", cause=missing(x_bar),
        )  # fmt: skip
    in_space(case, REVERSE_KINDS, x_bar, case.args[i], argument=i)


def tangent_kind(case: Case, dy: Any, argument: int | None = None) -> None:
    """The tangent of the value is of the value's space."""
    dy = unthunk(dy)
    if isinstance(dy, NotImplementedTangent):
        case.fail(
            FORWARD_KINDS, f"this derivative is not implemented: {dy.why}", argument=argument,
            next="check the others with with_tangent(x, Zero()) for this argument", cause=missing(dy),
        )  # fmt: skip
    in_space(case, FORWARD_KINDS, dy, case.y, argument=argument)


def missing(t: NotImplementedTangent) -> MissingDerivativeError:
    """What is raised where the numbers of a derivative are asked for that is not implemented."""
    return MissingDerivativeError(f"this derivative is not implemented: {t.why}")


def in_space(case: Case, check: str, t: Any, x: Any, argument: int | None) -> None:
    """Fail where projecting t onto the tangents of x changes it."""
    projected = case.attempt(check, project_to(x), t, argument=argument)
    if found := _changed(t, projected):
        case.fail(check, f"it lies outside its space: {found}", argument=argument)


def _changed(t: Any, projected: Any) -> str:
    """What projecting changed, in words; empty where nothing."""
    t, projected = unthunk(t), unthunk(projected)
    if is_zero(t) or is_zero(projected):
        return "" if all_zero(t) else f"{t!r} where there is no tangent"
    if isinstance(t, Composite) and isinstance(projected, Composite):
        ours, theirs = fields_of(t), fields_of(projected)
        pairs = [(ours[k], theirs[k]) for k in ours] if isinstance(ours, dict) else list(zip(ours, theirs))  # noqa: B905  # of one length
        return next((found for pair in pairs if (found := _changed(*pair))), "")
    if not isinstance(t, np.ndarray | np.generic | float | complex | int):
        return ""
    if isinstance(t, np.ndarray) is not isinstance(projected, np.ndarray):
        return f"a {type(t).__name__}, where a {type(projected).__name__} belongs"
    a, b = np.asarray(t), np.asarray(projected)
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype} of shape {a.shape}, where {b.dtype} of shape {b.shape} belongs"
    return ""
