"""Random tangents of any primal, and how to say a tangent at the call.

Numbers are short decimals between 0.2 and 2 in size, of either sign, so that no direction is nearly
zero and a failing check can be read. Integers could be moved as floats, but a function is rarely
meant to be: they get no perturbation unless `with_tangent` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import numpy as np

from ..tangents import (
    NO_TANGENT,
    Composite,
    IndexedTangent,
    ItemTangent,
    from_fields,
    is_sparse,
    is_zero,
    map_fields,
    ravel,
    unthunk,
    zero_tangent,
)
from ..tangents.naturals import zero_of
from ..tangents.structure import map_parts, parts


class WithTangent(NamedTuple):
    """A primal together with the tangent that a check is to perturb it by."""

    primal: Any
    tangent: Any
    within: Callable[[Any], Any] | None = None  # makes of a random tangent one that stays in a constraint


def with_tangent(x: Any, dx: Any) -> WithTangent:
    """An argument of a check with its tangent: the direction in which it is perturbed.

    `with_tangent(3, 1.0)` perturbs an integer; `with_tangent(x, Zero())` leaves x where it is;
    `with_tangent(x, NoTangent())` demands that the rule answers `NoTangent()` for it.

    Shapes:  dx is like x.
    Example: >>> with_tangent(3, 1.0).tangent
             1.0
    """
    return WithTangent(x, dx)


def random_tangent(x: Any, rng: np.random.Generator) -> Any:
    """A random tangent of a primal, or of a tangent; `NoTangent()` where nothing can be perturbed.

    Shapes:  like x: arrays keep shape and dtype, containers and objects get a `Composite`.
    Example: >>> random_tangent({"w": np.ones(2), "name": "a"}, np.random.default_rng(0))
             Composite[dict]({'w': array([...]), 'name': NoTangent()})
    """
    x = unthunk(x)
    if is_zero(x) or isinstance(x, int | np.integer):
        return NO_TANGENT
    if isinstance(x, IndexedTangent | ItemTangent):
        x = x.dense()
    if isinstance(x, Composite):
        return map_fields(lambda t: random_tangent(t, rng), x)
    if is_sparse(x):  # what it stores moves, and nothing else
        numbers, unravel = ravel(zero_tangent(x))
        return NO_TANGENT if x.dtype.kind in "iub" else unravel(_numbers(rng, numbers.shape))
    if isinstance(x, np.ndarray) and x.dtype.kind in "iu":
        return NO_TANGENT
    zero = zero_of(x)
    return _structured(x, rng) if zero is None else _natural(zero, rng)


def _natural(zero: Any, rng: np.random.Generator) -> Any:
    """Random numbers of the kind of a zero tangent."""
    if is_zero(zero):
        return zero
    if isinstance(zero, np.ndarray | np.generic):
        dtype, shape = zero.dtype, np.shape(zero)
        if dtype.kind == "m":
            numbers = rng.integers(1, 10, shape).astype(dtype)
        elif dtype.kind == "c":
            numbers = (_numbers(rng, shape) + 1j * _numbers(rng, shape)).astype(dtype)
        else:
            numbers = _numbers(rng, shape).astype(dtype)
        return np.asarray(numbers, dtype) if isinstance(zero, np.ndarray) else numbers[()]
    number = float(_numbers(rng, ()))
    if isinstance(zero, complex):
        return complex(number, float(_numbers(rng, ())))
    if isinstance(zero, timedelta):
        return timedelta(seconds=round(100 * number))
    return type(zero)(str(number))  # a float, Fraction or Decimal of a short decimal


def _numbers(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    return np.round(rng.uniform(0.2, 2.0, shape), 4) * rng.choice([-1.0, 1.0], shape)


def _structured(x: Any, rng: np.random.Generator) -> Any:
    if isinstance(x, np.ndarray):  # of objects
        made = np.empty(x.shape, object)
        for index in np.ndindex(x.shape):
            made[index] = random_tangent(x[index], rng)
        return made
    inside = parts(x)
    if inside is None:
        return NO_TANGENT
    entries = map_parts(lambda part: random_tangent(part, rng), inside)
    tangents = entries.values() if isinstance(entries, dict) else entries
    return NO_TANGENT if all(t is NO_TANGENT for t in tangents) else from_fields(type(x), entries)
