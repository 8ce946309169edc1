"""The rules of `ravel` and of what it returns, to any order.

Both are linear in what varies: `ravel` takes numbers out of a structure and `unravel` puts them back. On
tangents they are `Collect` and `Spread`, each the adjoint of the other: a structured cotangent is made
dense on what was ravelled, that of a sparse leaf brought onto its pattern, and read in the same order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import frule, non_differentiable, rrule
from ...core.seeds import absorbs, ready
from ...tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    Unravel,
    canonicalize,
    is_zero,
    project_to,
    ravel,
    unthunk,
    zero_tangent,
)


class Collect:
    """The vector of a tangent of x, with the entries that `ravel(x)` has."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x

    def __call__(self, t: Any) -> Any:
        return ravel(project_to(self.x)(canonicalize(t, like=self.x)))[0]


class Spread:
    """The tangent of x with the entries of a vector."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x

    def __call__(self, vector: Any) -> Any:
        return ravel(zero_tangent(self.x))[1](np.asarray(unthunk(vector)))


non_differentiable(Collect, Spread, why="they look at the structure of x, not at its numbers")


@frule(Unravel.__call__, complete=True)
def unravel_frule(tangents, unravel: Unravel, vector):
    """y = the structure of v        ẏ = that of v̇"""
    y, moved = unravel(vector), tangents[1]
    return y, moved if absorbs(moved) else Spread(y)(ready(moved))


@rrule(Unravel.__call__, complete=True)
def unravel_rrule(unravel: Unravel, vector):
    """y = the structure of v        v̄ = the numbers of ȳ"""
    y = unravel(vector)
    collect = Collect(y)

    def unravel_pullback(y_bar):
        return NO_TANGENT, y_bar if absorbs(y_bar) else collect(y_bar)

    return y, unravel_pullback


@frule(ravel)
def ravel_frule(tangents, x: object):
    """v, unravel = ravel(x)        v̇ = the numbers of ẋ"""
    return ravel(x), Composite[tuple](Collect(x)(tangents[0]), ZERO)


@rrule(ravel)
def ravel_rrule(x: object):
    """v, unravel = ravel(x)        x̄ = the structure of v̄"""
    spread = Spread(x)

    def ravel_pullback(y_bar):
        v_bar = y_bar[0]
        return v_bar if is_zero(v_bar) else spread(v_bar)

    return ravel(x), ravel_pullback


@frule(Collect.__call__, complete=True)
@frule(Spread.__call__, complete=True)
def linear_frule(tangents, linear, t):
    """linear"""
    moved = tangents[1]
    return linear(ready(t)), moved if absorbs(moved) else linear(ready(moved))


@rrule(Collect.__call__, complete=True)
def collect_rrule(collect: Collect, t):
    """linear: the adjoint spreads"""
    spread = Spread(collect.x)

    def collect_pullback(v_bar):
        return NO_TANGENT, v_bar if absorbs(v_bar) else spread(v_bar)

    return collect(ready(t)), collect_pullback


@rrule(Spread.__call__, complete=True)
def spread_rrule(spread: Spread, vector):
    """linear: the adjoint collects"""
    collect = Collect(spread.x)

    def spread_pullback(t_bar):
        return NO_TANGENT, t_bar if absorbs(t_bar) else collect(t_bar)

    return spread(ready(vector)), spread_pullback
