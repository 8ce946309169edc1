"""Pushing: the forward rule of a scalar rule, from the partials of its arguments.

A tangent is multiplied by each partial, and what comes of several is added. What is zero is not computed;
one that is unknown makes that of the value unknown.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tangents import ZERO, NotImplementedTangent, project_to
from ..tangents.spans import in_seconds
from .seeds import READY, absorbs, answer_to, ready
from .types import is_foreign

FLOATS = frozenset({float, np.float64})


def forward_of(f: Any, parts: Any, multiply: Any, guard: Any) -> Any:
    """The forward rule; those of one and two arguments, which most are, do without loops."""
    makers = {1: _forward_of_one, 2: _forward_of_two}
    moves = [_mover(part, multiply) for part in parts]
    return makers.get(len(parts), _forward_of_several)(f, moves, guard)


def _mover(part: Any, multiply: Any) -> Any:
    """What the tangent of one argument adds to that of the value; where it is unknown, it itself."""
    constant = not callable(part)

    def move(dx: Any, y: Any, *x: Any) -> Any:
        if type(dx) not in READY:
            if absorbs(dx):
                return answer_to(dx)
            dx = ready(dx)
        return multiply(dx, part) if constant else multiply(in_seconds(dx), in_seconds(part(y, *x)))

    return move


def _forward_of_one(f: Any, moves: Any, guard: Any) -> Any:
    (move,) = moves

    def scalar_frule(tangents: Any, x: Any) -> Any:
        if guard is not None:
            guard(x)
        y = f(x)
        return y, _like(move(tangents[0], y, x), y)

    return scalar_frule


def _forward_of_two(f: Any, moves: Any, guard: Any) -> Any:
    move1, move2 = moves

    def scalar_frule(tangents: Any, x1: Any, x2: Any) -> Any:
        if guard is not None:
            guard(x1, x2)
        y = f(x1, x2)
        dx1, dx2 = tangents
        dy1 = ZERO if dx1 is ZERO else move1(dx1, y, x1, x2)
        dy2 = ZERO if dx2 is ZERO else move2(dx2, y, x1, x2)
        return y, _like(_joined(dy1, dy2), y)

    return scalar_frule


def _forward_of_several(f: Any, moves: Any, guard: Any) -> Any:
    def scalar_frule(tangents: Any, *x: Any) -> Any:
        if guard is not None:
            guard(*x)
        y = f(*x)
        dy: Any = ZERO
        for dx, move in zip(tangents, moves, strict=True):
            dy = _joined(dy, move(dx, y, *x))
        return y, _like(dy, y)

    return scalar_frule


def _joined(a: Any, b: Any) -> Any:
    """The sum of two terms, which may broadcast against each other; unknown where one is."""
    if a is ZERO:
        return b
    if b is ZERO or type(a) is NotImplementedTangent:
        return a
    return b if type(b) is NotImplementedTangent else a + b


def multiply(tangent: Any, partial: Any) -> Any:
    """The product; of a partial that is one it is the tangent itself."""
    if type(partial) is int:
        return tangent if partial == 1 else -tangent if partial == -1 else tangent * partial
    return tangent * partial


def strong_multiply(tangent: Any, partial: Any) -> Any:
    """A product in which a zero tangent wins over an infinite partial."""
    if type(partial) is NotImplementedTangent:
        return tangent * partial
    if is_foreign(tangent) or is_foreign(partial):  # whose numbers may not be there yet
        return tangent * np.where(tangent == 0, 0.0, partial)
    if math.isfinite(partial if isinstance(partial, float) else abs(np.vdot(partial, partial))):
        return tangent * partial
    return tangent * np.where(tangent == 0, 0.0, partial)


def _like(dy: Any, y: Any) -> Any:
    """A tangent in the shape, realness and precision of the value."""
    if type(y) is np.ndarray:
        if type(dy) is np.ndarray and dy.dtype is y.dtype and dy.shape == y.shape:
            return dy
        if absorbs(dy) or y.dtype.kind not in "fc":
            return dy
        dy = dy if y.dtype.kind == "c" else np.real(dy)
        return np.broadcast_to(np.asarray(dy, dtype=y.dtype), y.shape)
    if type(y) in FLOATS and type(dy) is type(y):
        return dy
    if is_foreign(y) and not absorbs(dy):
        dy = np.broadcast_to(dy, y.shape)
    if type(dy) is type(y) or (type(y) is float and isinstance(dy, float)):
        return dy
    return project_to(y)(dy)
