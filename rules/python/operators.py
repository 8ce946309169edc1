"""Operators on tuples and lists: concatenation and repetition; what the in-place operators leave out.

Subscripts are in subscripts.py, arithmetic operators in numpy/arithmetic.py. The in-place operators
are differentiable as values, for what is immutable: where the left operand is an array or a list
they write into it, and they are left to the engine.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, opt_out, rrule
from ...tangents import NO_TANGENT, ZERO, Composite, add, from_fields, is_zero
from .iteration import spread

for f in (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod):
    opt_out(f, np.ndarray, Array)
opt_out(operator.ipow, np.ndarray, Array)


@frule(operator.iadd)
@frule(operator.add)
def tuple_add_frule(tangents, x: tuple, y: tuple):
    """The tangents of the items of x, then of those of y."""
    return x + y, Composite[tuple](*spread(x, tangents[0]), *spread(y, tangents[1]))


@rrule(operator.iadd)
@rrule(operator.add)
def tuple_add_rrule(x: tuple, y: tuple):
    """x̄ is the first part of the cotangent, ȳ the rest"""
    return x + y, _parting(x, y)


@frule(operator.add)
def list_add_frule(tangents, x: list, y: list):
    """The tangents of the items of x, then of those of y."""
    return x + y, Composite[list](*spread(x, tangents[0]), *spread(y, tangents[1]))


@rrule(operator.add)
def list_add_rrule(x: list, y: list):
    """x̄ is the first part of the cotangent, ȳ the rest"""
    return x + y, _parting(x, y)


def _parting(x: Any, y: Any) -> Any:
    """The pullback of a concatenation."""
    P, Q, n = type(x), type(y), len(x)

    def add_pullback(z_bar):
        return from_fields(P, z_bar[:n]), from_fields(Q, z_bar[n:])

    return add_pullback


def _are_zeros(x: Any) -> bool:
    """Whether the items are zero tangents, which depend on nothing."""
    return all(is_zero(item) for item in x)


non_differentiable(_are_zeros, why="decides by types")


@frule(operator.mul)
def repeat_frule(tangents, x: tuple | list, n: int | np.integer):
    """The tangents of the items, n times."""
    y = x * n
    return y, from_fields(type(y), spread(x, tangents[0]) * n)


@rrule(operator.mul)
def repeat_rrule(x: tuple | list, n: int | np.integer):
    """Each item has the sum of the cotangents of its copies; n is a count"""
    P, length, still = type(x), len(x), _are_zeros(x)

    def mul_pullback(y_bar):
        if still:
            return ZERO, NO_TANGENT
        x_bar = from_fields(P, (ZERO,) * length)
        for i in range(n):
            x_bar = add(x_bar, from_fields(P, y_bar[i * length : (i + 1) * length]))
        return x_bar, NO_TANGENT

    return x * n, mul_pullback


@frule(operator.mul)
def repeat_reflected_frule(tangents, n: int | np.integer, x: tuple | list):
    """The tangents of the items, n times."""
    return repeat_frule(tangents[::-1], x, n)


@rrule(operator.mul)
def repeat_reflected_rrule(n: int | np.integer, x: tuple | list):
    """Each item has the sum of the cotangents of its copies; n is a count"""
    y, mul_pullback = repeat_rrule(x, n)
    return y, lambda y_bar: mul_pullback(y_bar)[::-1]
