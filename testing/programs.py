"""Programs and their derived programs: what `check_grads` differentiates, order after order.

A program's value with its derivative along fixed directions, or with its pullback of a fixed seed, is a
program again; checking that one checks the second order. The value is part of it because a rule that
computes it without derivatives would go unnoticed: the second derivative of exp(f) has the first of f's value
in it. Derived programs are written as plainly as can be, since the engine under test has to differentiate
them. What they return are tangents as they come; `settle` brings those into a form that differences can be
taken of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core import non_differentiable
from ..core.calls import forward_of
from ..tangents import materialize
from .case import Case
from .checks import adjoint_identity
from .checks.forward import forward_differences, forward_value
from .checks.reverse import reverse_differences, reverse_linear, reverse_repeatable, reverse_value
from .primals import precision, widened
from .sources import EngineSource

_REVERSE = (reverse_value, reverse_repeatable, reverse_linear, reverse_differences)
_FORWARD = (forward_value, forward_differences)
NO_KEYWORDS: Mapping[str, Any] = MappingProxyType({})


def check_program(
    f: Callable[..., Any],
    source: EngineSource,
    given: tuple[Any, ...],
    order: int,
    modes: tuple[str, ...],
    taken: tuple[str, ...] = (),
    kwargs: Mapping[str, Any] = NO_KEYWORDS,
) -> None:
    """Check a program in each mode, and then its derived programs, up to this order.

    For messages are f, its keywords, and `taken`, the modes by which the program was derived from it.
    """
    title = f"check_grads (after {', '.join(taken)})" if taken else "check_grads"
    case = Case(title, f, given, kwargs, source)
    for check in (*_FORWARD * ("fwd" in modes), *_REVERSE * ("rev" in modes)):
        check(case)
    if {"fwd", "rev"} <= set(modes):
        adjoint_identity(case)
    for mode in modes if order > 1 else ():
        derived = _pushed(case, source) if mode == "fwd" else _pulled(case, source)
        check_program(f, derived, given, order - 1, modes, (*taken, mode), kwargs)


def _pushed(case: Case, source: EngineSource) -> EngineSource:
    """The derivative along the case's tangents, as a program, where the engine can with the value."""
    f, tangents, engine = source.f, case.tangents, source.engine

    def pushed(*x: Any) -> Any:
        _, pushforward = engine.value_and_pushforward(f, *x)
        return pushforward(*tangents)

    def with_value(*x: Any) -> Any:
        return forward_of(f, x, tangents, {}, engine)

    def settle(moved: Any, *x: Any) -> Any:
        return moved[0], materialize(moved[1], like=moved[0])

    if _in_one_run(engine):
        return EngineSource(with_value, engine, settle)
    return EngineSource(pushed, engine, lambda dy, *x: materialize(dy, like=source.value(*x)))


def _in_one_run(engine: Any) -> bool:
    """Whether an engine gives a value with its tangent; it differentiates pairs, then."""
    return hasattr(engine, "jvp")


def as_precise(seed: Any, y: Any) -> Any:
    """A seed in double precision where the value is, as at primals that differences have widened."""
    return widened(seed) if precision(y) < precision(np.float32(0)) else seed


non_differentiable(as_precise, why="computes with types alone")


def _pulled(case: Case, source: EngineSource) -> EngineSource:
    """The cotangents of the case's seed, as a program, where the engine can with the value."""
    f, y_bar, moved, every = source.f, case.seeds[0], case.moved, len(case.moved) == len(case.args)
    value_and_pullback = source.engine.value_and_pullback

    def with_value(*x: Any) -> Any:
        y, pullback = value_and_pullback(f, *x)
        cotangents = pullback(as_precise(y_bar, y))
        if every:
            return y, cotangents
        wanted: tuple[Any, ...] = ()
        for i in moved:
            wanted = (*wanted, cotangents[i])
        return y, wanted

    def pulled(*x: Any) -> Any:
        return with_value(*x)[1]

    def settle(cotangents: Any, *x: Any) -> Any:
        return tuple(materialize(t, like=x[i]) for t, i in zip(cotangents, moved, strict=True))

    if _in_one_run(source.engine):
        return EngineSource(with_value, source.engine, lambda made, *x: (made[0], settle(made[1], *x)))
    return EngineSource(pulled, source.engine, settle)
