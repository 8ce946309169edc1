"""Recursive filters: by coefficients, signal and initial state, with the final state as a result.

Such a filter is linear in the signal and the state, and what the coefficients change enters it as another
signal: ẏ = F(b, a; ẋ, żᵢ) + F(ḃ, a; x) − F(ȧ, a; y). Its transpose runs backwards in time. With w_n = ȳ_n
− Σ_{k≥1} a_k w_{n+k}, and w_{N+j} the cotangent of the final state, x̄_n = Σ b_k w_{n+k}, b̄_k = Σ x_n
w_{n+k}, ā_k = −Σ y_n w_{n+k} and z̄_i = w_i. So all of it is the same filter again, to any order.
Forgione and Piga, IFAC-PapersOnLine 54 (2021); Yu and Fazekas, arXiv:2404.07339.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import signal

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO, Composite, add, is_zero
from ...numpy.adjoints import conj
from ...numpy.nesting import nest
from .precision import written_in_precision


def length_of(b: Any, a: Any) -> int:
    """How many numbers the state has."""
    return max(len(b), len(a)) - 1


def no_state(x: Any, tail: Any) -> Any:
    """A state of zeros."""
    return np.zeros((*np.shape(x)[:-1], np.shape(tail)[0]), dtype=np.result_type(x, tail))


non_differentiable(length_of, no_state, why="computes with lengths and types alone")


def recursive(b: Any, tail: Any, x: Any, z: Any) -> Any:
    """The filter along the last axis, and its final state: `tail` is a without its first, which is one.

    b is one longer than the tail, and the state as long as it.
    """
    if len(tail) == 0:
        return b[0] * x, z
    return signal.lfilter(b, np.concatenate([np.ones(1, dtype=tail.dtype), tail]), x, -1, z)


def after_zero(a: Any) -> Any:
    """A change of the tail as coefficients of a signal that is added."""
    return np.concatenate([np.zeros(1, dtype=a.dtype), a])


@frule(recursive)
def recursive_frule(tangents, b: np.ndarray, tail: np.ndarray, x: np.ndarray, z: np.ndarray):
    """ẏ = F(b, a; ẋ, ż) + F(ḃ, a; x) − F(ȧ, a; y)"""
    db, da, dx, dz = tangents
    y, zf = recursive(b, tail, x, z)
    dy = dzf = ZERO
    if not is_zero(dx) or not is_zero(dz):
        signal_part = np.zeros_like(x) if is_zero(dx) else dx
        dy, dzf = recursive(b, tail, signal_part, np.zeros_like(z) if is_zero(dz) else dz)
    if not is_zero(db):
        more, state = recursive(db, tail, x, no_state(x, tail))
        dy, dzf = add(dy, more), add(dzf, state)
    if not is_zero(da):
        more, state = recursive(after_zero(-da), tail, y, no_state(y, tail))
        dy, dzf = add(dy, more), add(dzf, state)
    return (y, zf), Composite[tuple](dy, dzf)


def backwards(tail: Any, y_bar: Any, z_bar: Any) -> Any:
    """w_n = ȳ_n − Σ_{k≥1} conj(a_k) w_{n+k} with w_{N+j} = z̄_j: all of it, to the end of the state"""
    n = np.shape(tail)[0]
    if n == 0:
        return y_bar
    c = conj(tail)
    start = [-np.sum(z_bar[..., : n - i] * c[i:], axis=-1) for i in range(n)]
    one = np.concatenate([np.ones(1, dtype=c.dtype), np.zeros_like(c)])
    w, _ = recursive(one, c, np.flip(y_bar, -1), np.stack(start, axis=-1))
    return np.concatenate([np.flip(w, -1), z_bar], axis=-1)


def lag_sums(x: Any, w: Any) -> Any:
    """Σ_n conj(x_n) w_{n+k} over all lines, for each k that w is longer by."""
    n, count = np.shape(x)[-1], np.shape(w)[-1] - np.shape(x)[-1] + 1
    if np.ndim(x) == 1 and n > 0:
        return np.correlate(w, x, "valid")
    lines = math.prod(np.shape(x)[:-1])
    rows, over = np.reshape(conj(x), (lines, n)), np.reshape(w, (lines, np.shape(w)[-1]))
    return np.stack([np.einsum("mn,mn->", rows, over[:, k : k + n]) for k in range(count)])


def ahead(b: Any, w: Any, n: int) -> Any:
    """Σ_k conj(b_k) w_{n+k} for each of n samples."""
    if np.ndim(w) == 1 and n > 0:
        return np.correlate(w, b, "valid")
    c = conj(b)
    y = c[0] * w[..., :n]
    for k in range(1, np.shape(b)[0]):
        y = y + c[k] * w[..., k : k + n]
    return y


def turned_round(b: Any, tail: Any, y_bar: Any) -> Any:
    """Σ_k conj(b_k) w_{n+k} where the cotangent of the final state is zero: the filter back in time."""
    x_bar, _ = recursive(conj(b), conj(tail), np.flip(y_bar, -1), no_state(y_bar, tail))
    return np.flip(x_bar, -1)


@rrule(recursive)
def recursive_rrule(b: np.ndarray, tail: np.ndarray, x: np.ndarray, z: np.ndarray, *, needs):
    """x̄_n = Σ b_k w_{n+k}        b̄_k = Σ x_n w_{n+k}        ā_k = −Σ y_n w_{n+k}        z̄_i = w_i"""
    y, zf = recursive(b, tail, x, z)
    n, taps = np.shape(x)[-1], np.shape(b)[0]

    def recursive_pullback(seed):
        y_bar = nest(seed[0], np.shape(y))
        if is_zero(seed[1]) and not (needs[0] or needs[1] or needs[3]):
            return ZERO, ZERO, turned_round(b, tail, y_bar), ZERO
        w = backwards(tail, y_bar, nest(seed[1], np.shape(zf)))
        b_bar: Any = ZERO
        a_bar: Any = ZERO
        x_bar: Any = ZERO
        z_start: Any = ZERO
        if needs[0]:
            b_bar = lag_sums(x, w)
        if needs[1] and taps > 1:
            a_bar = -lag_sums(y, w[..., 1:])
        if needs[2]:
            x_bar = ahead(b, w, n)
        if needs[3]:
            z_start = w[..., : taps - 1]
        return b_bar, a_bar, x_bar, z_start

    return (y, zf), recursive_pullback


def same_length(b: Any, a: Any) -> tuple[Any, Any]:
    """Both lists of coefficients with one length, divided by the first of a."""
    n = length_of(b, a) + 1
    b = np.concatenate([b, np.zeros(n - len(b), dtype=b.dtype)]) / a[0]
    return b, np.concatenate([a, np.zeros(n - len(a), dtype=a.dtype)]) / a[0]


def checked(b: Any, a: Any) -> None:
    """Refuse coefficients that are no list."""
    for name, given in (("b", b), ("a", a)):
        if np.ndim(given) != 1:
            raise UnsupportedArgument("scipy.signal.lfilter", name, np.shape(given), why="it is no list")


non_differentiable(checked, why="checks arguments")


def coefficients(b: Any, a: Any) -> tuple[Any, Any]:
    """What stands in the recursion: two arrays of one length, both divided by the first of a."""
    b = np.reshape(np.asarray(b), -1)
    a = np.reshape(np.asarray(a), -1)
    checked(b, a)
    return same_length(b, a)


def filtered(b: Any, a: Any, x: Any, axis: int, zi: Any) -> tuple[Any, Any]:
    """The filter along an axis; a state of zeros where none is given."""
    b, a = coefficients(b, a)
    lines = np.moveaxis(x, axis, -1)
    if zi is None:
        state = no_state(lines, a[1:])
    else:
        states = np.moveaxis(np.asarray(zi), axis, -1)
        state = np.broadcast_to(states, (*np.shape(lines)[:-1], np.shape(a)[0] - 1))
    y, zf = recursive(b, a[1:], lines, state)
    return np.moveaxis(y, -1, axis), np.moveaxis(zf, -1, axis)


@written_in_precision(signal.lfilter)
def lfilter(b: np.ndarray | list, a: Array | list, x: np.ndarray | list, zi: object = None, *, axis=-1):
    """Σ a_k y_{n−k} = Σ b_k x_{n−k}"""
    y, zf = filtered(b, a, np.asarray(x), axis, zi)
    return y if zi is None else (y, zf)
