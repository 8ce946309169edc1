"""einsum: any subscripts, repeated, left out, broadcast by an ellipsis, with or without an output.

The cotangent of one operand is an einsum of ȳ and the other operands. A letter that the operand
repeats gets a name for each place and an identity matrix that ties them; a letter that stands
nowhere else is filled by ones. Operands are read as the type that `dtype=` says; what that makes whole
numbers of has derivative zero. Absent: `out=`.
"""

from __future__ import annotations

import functools
import string
from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, unbroadcast
from ...tangents import NO_TANGENT, ZERO
from .adjoints import conj
from .axes import beyond, ends

Shapes = tuple[tuple[int, ...], ...]


@frule(np.einsum)
def einsum_frule(tangents, subscripts: str, *operands: Array, dtype=None, optimize=False, **layout):
    """y = Σ a b …        ẏ = Σ ȧ b … + Σ a ḃ … + …"""
    y = np.einsum(subscripts, *operands, optimize=optimize, **beyond(dtype=dtype, **layout))
    dy: Any = ZERO
    if any_ends(operands, dtype):
        return y, dy
    factors = as_type(operands, dtype)
    for k in range(len(operands)):
        if tangents[k + 1] is not ZERO:
            (dx,) = as_type(tangents[k + 1 : k + 2], dtype)
            varied = (*factors[:k], dx, *factors[k + 1 :])
            dy = dy + np.einsum(subscripts, *varied, optimize=optimize)
    return y, dy


@rrule(np.einsum)
def einsum_rrule(subscripts: str, *operands: Array, dtype=None, optimize=False, needs, **layout):
    """y = Σ a b …        ā = Σ ȳ conj(b) …, for each operand"""
    y = np.einsum(subscripts, *operands, optimize=optimize, **beyond(dtype=dtype, **layout))
    ended, factors = any_ends(operands, dtype), as_type(operands, dtype)
    shapes = shapes_of(operands)
    inputs, output = spelled_out(subscripts, shapes)

    def einsum_pullback(y_bar):
        answer: list[Any] = [NO_TANGENT]
        for k in range(len(operands)):
            x_bar: Any = ZERO
            if needs[k + 1] and not ended:
                others = [conj(factors[j]) for j in range(len(operands)) if j != k]
                backward, constants = backward_of(k, inputs, output, shapes)
                x_bar = np.einsum(backward, y_bar, *others, *constants, optimize=optimize)
                x_bar = unbroadcast(x_bar, shapes[k])
            answer.append(x_bar)
        return tuple(answer)

    return y, einsum_pullback


def any_ends(operands: tuple[Any, ...], dtype: Any) -> bool:
    """Whether the type that is asked for rounds an operand."""
    return any(ends(x, dtype) for x in operands)


def as_type(operands: Any, dtype: Any) -> Any:
    """The operands as they are read for a type; of complex ones for a real type the real part."""
    if dtype is None:
        return operands
    real = np.dtype(dtype).kind == "f"
    return tuple([np.asarray(np.real(x) if real else x).astype(dtype) for x in operands])


def shapes_of(operands: tuple[Any, ...]) -> Shapes:
    """The shape of each operand."""
    return tuple(np.shape(x) for x in operands)


@functools.lru_cache(maxsize=512)
def _spelled_out(subscripts: str, shapes: Shapes) -> tuple[tuple[str, ...], str]:
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    free = iter(c for c in string.ascii_uppercase + string.ascii_lowercase if c not in subscripts)
    hidden = [
        len(s) - len(t.replace("...", "")) if "..." in t else 0 for s, t in zip(shapes, terms, strict=True)
    ]
    names = "".join(next(free) for _ in range(max(hidden, default=0)))
    inputs = tuple(t.replace("...", names[len(names) - n :]) for t, n in zip(terms, hidden, strict=True))
    if not arrow:
        letters = "".join(terms).replace("...", "")
        right = "..." * ("..." in left) + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return inputs, right.replace("...", names)


def spelled_out(subscripts: str, shapes: Shapes) -> tuple[tuple[str, ...], str]:
    """The letters of each operand and of the output, ellipses and a missing output written out.

    Example: >>> spelled_out("...ij,jk", ((2, 3, 4), (4, 5)))
             (('Aij', 'jk'), 'Aik')
    """
    return _spelled_out(subscripts, shapes)


@functools.lru_cache(maxsize=512)
def _backward_of(k: int, inputs: tuple[str, ...], output: str, shapes: Shapes) -> tuple[str, tuple[Any, ...]]:
    """The subscripts, and for each constant its kind and length."""
    lengths = {c: 1 for term in inputs for c in term}
    for term, shape in zip(inputs, shapes, strict=True):
        lengths |= {c: n for c, n in zip(term, shape, strict=True) if n != 1}
    others = [term for j, term in enumerate(inputs) if j != k]
    reach = {
        c: n
        for j, term in enumerate(inputs)
        if j != k
        for c, n in zip(term, shapes[j], strict=True)
        if n != 1
    }
    known = output + "".join(c for term in others for c in term if reach.get(c, 1) == lengths[c])
    free = iter(c for c in string.ascii_letters if c not in lengths)
    target = ""
    extra: list[str] = []
    constants: list[Any] = []
    for c in inputs[k]:
        name = next(free) if c in target else c
        if name != c:
            extra.append(c + name)
            constants.append((np.eye, lengths[c]))
        elif c not in known:
            extra.append(c)
            constants.append((np.ones, lengths[c]))
        target += name
    return ",".join([output, *others, *extra]) + "->" + target, tuple(constants)


def backward_of(k: int, inputs: tuple[str, ...], output: str, shapes: Shapes) -> tuple[str, tuple[Any, ...]]:
    """Subscripts for the cotangent of operand k from (ȳ, the others, constants), and those constants."""
    subscripts, constants = _backward_of(k, inputs, output, shapes)
    return subscripts, tuple(make(length) for make, length in constants)


non_differentiable(any_ends, shapes_of, spelled_out, backward_of, why="computes with shapes and types alone")


def in_letters(labels: tuple[Any, ...], has_output: bool) -> str:
    """The subscripts of operands that are labelled by lists of integers.

    Example: >>> in_letters(([0, 1], [1, ...], [0, ...]), True)
             'AB,B...->A...'
    """
    symbols = string.ascii_uppercase + string.ascii_lowercase
    words = ["".join("..." if n is ... else symbols[n] for n in label) for label in labels]
    return ",".join(words[:-1]) + "->" + words[-1] if has_output else ",".join(words)


def labels_in(rest: tuple[Any, ...]) -> tuple[int, str]:
    """How many operands there are with the first, and the subscripts, from all that follows it."""
    has_output = len(rest) % 2 == 0
    labels = (*rest[0::2], rest[-1]) if has_output else rest[0::2]
    return (len(rest) + 1) // 2, in_letters(labels, has_output)


non_differentiable(in_letters, labels_in, why="computes with subscripts alone")


@frule(np.einsum)
def einsum_of_lists_frule(tangents, first: np.ndarray, *rest: object, **options):
    """y = Σ a b …, a list of integers after each operand        ẏ = Σ ȧ b … + Σ a ḃ … + …"""
    count, subscripts = labels_in(rest)
    operands: Any = (first, *rest[1 : 2 * count - 1 : 2])
    moved = (ZERO, tangents[0], *tangents[2 : 2 * count : 2])
    return einsum_frule(moved, subscripts, *operands, **options)


@rrule(np.einsum)
def einsum_of_lists_rrule(first: np.ndarray, *rest: object, needs, **options):
    """y = Σ a b …, a list of integers after each operand        ā = Σ ȳ conj(b) …, for each operand"""
    count, subscripts = labels_in(rest)
    operands: Any = (first, *rest[1 : 2 * count - 1 : 2])
    wanted = (False, *needs[0 : 2 * count : 2])
    y, pullback = einsum_rrule(subscripts, *operands, needs=wanted, **options)

    def einsum_of_lists_pullback(y_bar):
        parts = pullback(y_bar)
        answer: Any = ()
        for k in range(count):
            answer = (*answer, parts[k + 1], NO_TANGENT)
        return answer if len(answer) > len(rest) else (*answer, NO_TANGENT)

    return y, einsum_of_lists_pullback
