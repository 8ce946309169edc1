"""Tangents as vectors, and matrices of partial derivatives as structures of blocks.

Two pairs of linear maps, each the other's adjoint, with rules that say so, so that operators made
of them nest to any order: `flattened` and `unflattened` between a tangent of a value and its
numbers, `blocks` and `joined` between the matrix of partial derivatives of y by x and the structure
of blocks that a user reads. A complex number counts as two, real and imaginary part; in a block of
a complex y it is one again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.callables import describe
from ..core.decorators import frule, non_differentiable, rrule
from ..core.errors import NotDifferentiableError
from ..core.recording import by_rule
from ..core.seeds import absorbs, ready
from ..tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    fields_of,
    from_fields,
    materialize,
    primal_type,
    ravel,
    zero_tangent,
)

Matrix = np.ndarray[Any, np.dtype[np.float64]]


@by_rule
def flattened(t: Any, like: Any) -> Any:
    """The numbers of a tangent of `like`, zeros filled in, as a vector."""
    return ravel(materialize(t, like=like))[0]


@by_rule
def unflattened(vector: Any, like: Any) -> Any:
    """The tangent of `like` with these numbers."""
    return ravel(zero_tangent(like))[1](vector)


@by_rule
def unit(like: Any, k: int) -> Any:
    """The tangent of `like` with one of its numbers one, the others zero."""
    vector = np.zeros(count(like))
    vector[k] = 1.0
    return unflattened(vector, like)


@by_rule
def count(like: Any) -> int:
    """How many numbers a tangent of `like` has."""
    return int(ravel(zero_tangent(like))[0].size)


@by_rule
def blocks(matrix: Any, like: tuple[Any, Any]) -> Any:
    """The partial derivatives of y by x, `like` being the two, from their matrix.

    Shapes:  the matrix is (numbers of y, numbers of x); a block is that of the entry of y followed
             by that of x.
    """
    y, x = zero_tangent(like[0]), zero_tangent(like[1])

    def rows(leaf: Any, start: int, stop: int) -> Any:
        return _laid_out(x, lambda inner, a, b: _block(matrix[start:stop, a:b], leaf, inner))

    return _laid_out(y, rows)


def joined(structure: Any, like: tuple[Any, Any]) -> Any:
    """The matrix of which `structure` has the blocks."""
    y, x = zero_tangent(like[0]), zero_tangent(like[1])
    matrix = np.zeros((count(y), count(x)))
    for outer, leaf, start, stop in _leaves(y, structure):
        for part, _, a, b in _leaves(x, outer):
            if not absorbs(part):
                matrix[start:stop, a:b] = _unblock(np.asarray(ready(part)), leaf, (stop - start, b - a))
    return matrix


def _laid_out(zero: Any, leaf: Callable[[Any, int, int], Any]) -> Any:
    """The structure of a tangent, each array and number replaced by what `leaf` says of its stretch."""

    def walk(t: Any, start: int) -> tuple[Any, int]:
        if not isinstance(t, Composite):
            stop = start + _size(t)
            return (NO_TANGENT if t is NO_TANGENT else leaf(t, start, stop)), stop
        inside = fields_of(t)
        made = []
        for part in inside.values() if isinstance(inside, dict) else inside:
            value, start = walk(part, start)
            made.append(value)
        named = dict(zip(inside, made, strict=True)) if isinstance(inside, dict) else made
        return from_fields(primal_type(t), named), start

    return walk(zero, 0)[0]


def _leaves(zero: Any, structure: Any) -> list[tuple[Any, Any, int, int]]:
    """Of each array and number of a tangent: what stands for it in a structure, itself, its stretch."""
    found: list[tuple[Any, Any, int, int]] = []

    def walk(t: Any, s: Any, start: int) -> int:
        if not isinstance(t, Composite):
            stop = start + _size(t)
            if t is not NO_TANGENT:
                found.append((s, t, start, stop))
            return stop
        inside: Any = fields_of(t)
        given: Any = ZERO if absorbs(s) else fields_of(ready(s))
        named = isinstance(inside, dict)
        for key in inside if named else range(len(inside)):
            part = ZERO if absorbs(given) else given.get(key, ZERO) if named else given[key]
            start = walk(inside[key], part, start)
        return start

    walk(zero, structure, 0)
    return found


def _size(t: Any) -> int:
    """How many numbers a part of a tangent has, where it is one that has blocks."""
    if t is NO_TANGENT:
        return 0
    if not isinstance(t, np.ndarray | np.number | float | complex) or np.asarray(t).dtype.kind not in "fc":
        raise NotDifferentiableError(
            f"a Jacobian has blocks for numbers and arrays of them, not for {describe(t)}",
            next="use vjp or jvp, which take and give tangents of any kind",
        )
    return int(np.size(t)) * (2 if np.iscomplexobj(t) else 1)


def _block(part: Matrix, y: Any, x: Any) -> Any:
    if np.iscomplexobj(y):
        part = part[0::2] + 1j * part[1::2]
    block = part.reshape(np.shape(y) + np.shape(x)).astype(np.result_type(np.asarray(y), np.asarray(x)))
    if block.ndim:
        return block
    return block.item() if isinstance(y, float | complex) and isinstance(x, float) else block[()]


def _unblock(block: Any, y: Any, shape: tuple[int, int]) -> Matrix:
    if not np.iscomplexobj(y):
        return np.asarray(np.real(block), float).reshape(shape)
    part = np.zeros(shape)
    part[0::2] = np.real(block).reshape(shape[0] // 2, -1)
    part[1::2] = np.imag(block).reshape(shape[0] // 2, -1)
    return part


def _adjoint_to(f: Callable[[Any, Any], Any], adjoint: Callable[[Any, Any], Any]) -> None:
    """The rules of a map that is linear in its first argument."""

    @frule(f, complete=True)
    def linear_frule(tangents: Any, t: object, like: object) -> Any:
        return f(t, like), tangents[0] if absorbs(tangents[0]) else f(tangents[0], like)

    @rrule(f, complete=True)
    def linear_rrule(t: object, like: object) -> Any:
        def linear_pullback(y_bar: Any) -> Any:
            return (y_bar if absorbs(y_bar) else adjoint(y_bar, like)), ZERO

        return f(t, like), linear_pullback


_adjoint_to(flattened, unflattened)
_adjoint_to(unflattened, flattened)
_adjoint_to(blocks, joined)
_adjoint_to(joined, blocks)
non_differentiable(unit, count, why="made of shapes alone")
