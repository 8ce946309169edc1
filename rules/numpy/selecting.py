"""Functions that pass one of their arguments on: where, maximum and its kin, heaviside, nan_to_num.

Where `maximum`, `minimum`, `fmax` or `fmin` tie, each argument takes half of the cotangent; where the
value is NaN, the argument that is does, as in `max` along an axis. A branch that is not
selected is masked, never multiplied by zero, so that what is infinite in it does no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, scalar_rule
from ...core.broadcasting import fit
from ...core.seeds import absorbs, answer_to, ready
from ...core.types import is_foreign
from ...tangents import NO_TANGENT, ZERO
from .axes import refuse_texts_among


def share(y: Any, a: Any, b: Any) -> Any:
    """The part of a in an extremum y of a and b: half of it where they tie, two NaNs among them."""
    part = (y == a) / (1.0 + (a == b))
    lost = y != y
    if is_foreign(lost) or (lost.any() if isinstance(lost, np.ndarray) else lost):
        a_lost, b_lost = a != a, b != b
        return np.where(lost, a_lost / (1.0 + (a_lost & b_lost)), part)[()]
    return part


non_differentiable(share, why="is piecewise constant")

for f in (np.maximum, np.minimum, np.fmax, np.fmin):
    scalar_rule(f, lambda y, a, b: share(y, a, b), lambda y, a, b: share(y, b, a))

scalar_rule(np.heaviside, 0, lambda y, x, h: np.where(x == 0, 1.0, 0.0))


@frule(np.where)
def where_frule(tangents, condition, x: Array, y: Array):
    """ẋ where the condition holds, ẏ elsewhere"""
    _, dx, dy = tangents
    refuse_texts_among(np.where, x, y)
    value = np.where(condition, x, y)
    left = 0.0 if dx is ZERO else dx
    right = 0.0 if dy is ZERO else dy
    return value, np.broadcast_to(np.where(condition, left, right), np.shape(value))


@rrule(np.where, complete=True)
def where_rrule(condition, x: Array, y: Array):
    """The first branch has the cotangent where the condition holds, the other the rest"""

    def where_pullback(value_bar):
        if absorbs(value_bar):
            return NO_TANGENT, answer_to(value_bar), answer_to(value_bar)
        value_bar = ready(value_bar)
        x_bar = fit(np.where(condition, value_bar, 0.0), x)
        return NO_TANGENT, x_bar, fit(np.where(condition, 0.0, value_bar), y)

    return np.where(condition, x, y), where_pullback


@rrule(np.where)  # lint: catch-all, a condition may be anything that has a truth value
def where_indices_rrule(condition):
    """The indices at which the condition holds have no derivative."""

    def where_pullback(value_bar):
        return NO_TANGENT

    return np.where(condition), where_pullback


@frule(np.where)  # lint: catch-all, a condition may be anything that has a truth value
def where_indices_frule(tangents, condition):
    """The indices at which the condition holds have no derivative."""
    return np.where(condition), NO_TANGENT


def where_finite(x: Any, t: Any) -> Any:
    """A tangent where x is finite, of complex numbers each part by itself; elsewhere 0."""
    if not np.iscomplexobj(x):
        return np.where(np.isfinite(x), t, 0.0)
    real = np.where(np.isfinite(np.real(x)), np.real(t), 0.0)
    return real + 1j * np.where(np.isfinite(np.imag(x)), np.imag(t), 0.0)


@frule(np.nan_to_num)
def nan_to_num_frule(tangents, x: Array, *, nan=0.0, posinf=None, neginf=None):
    """ẏ = ẋ where x is finite, else 0"""
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf), where_finite(x, tangents[0])


@rrule(np.nan_to_num)
def nan_to_num_rrule(x: Array, *, nan=0.0, posinf=None, neginf=None):
    """x̄ = ȳ where x is finite, else 0"""

    def nan_to_num_pullback(y_bar):
        return where_finite(x, y_bar)

    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf), nan_to_num_pullback
