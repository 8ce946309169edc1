"""Recursive filters: by coefficients, signal and initial state, with the final state as a result.

Such a filter is linear in the signal and the state, and what the coefficients change enters it as another
signal: ẏ = F(b, a; ẋ, żᵢ) + F(ḃ, a; x) − F(ȧ, a; y). Its transpose runs backwards in time. With w_n = ȳ_n
− Σ_{k≥1} a_k w_{n+k}, and w_{N+j} the cotangent of the final state, x̄_n = Σ b_k w_{n+k}, b̄_k = Σ x_n
w_{n+k}, ā_k = −Σ y_n w_{n+k} and z̄_i = w_i. So all of it is the same filter again, to any order.
Forgione and Piga, IFAC-PapersOnLine 54 (2021); Yu and Fazekas, arXiv:2404.07339.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ....tangents import ZERO, Composite, add, is_zero
from ...numpy.adjoints import conj
from .precision import written_in_precision


def length_of(b: Any, a: Any) -> int:
    """How many numbers the state has."""
    return max(len(b), len(a)) - 1


non_differentiable(length_of, why="computes with lengths alone")


def recursive(b: Any, tail: Any, x: Any, z: Any) -> Any:
    """The filter along the last axis, and its final state: `tail` is a without its first, which is one.

    b is one longer than the tail, and the state as long as it.
    """
    if len(tail) == 0:
        return b[0] * x, z
    return signal.lfilter(b, np.concatenate([np.ones(1), tail]), x, -1, z)


def no_state(x: Any, tail: Any) -> Any:
    """A state of zeros."""
    return np.zeros((*np.shape(x)[:-1], np.shape(tail)[0]), dtype=np.result_type(x, tail))


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
    one = np.concatenate([np.ones(1), np.zeros_like(c)])
    w, _ = recursive(one, c, np.flip(y_bar, -1), np.stack(start, axis=-1))
    return np.concatenate([np.flip(w, -1), z_bar], axis=-1)


def shifted(w: Any, k: int, n: int) -> Any:
    """w_{n+k} for all n of the signal."""
    return w[..., k : k + n]


@rrule(recursive)
def recursive_rrule(b: np.ndarray, tail: np.ndarray, x: np.ndarray, z: np.ndarray, *, needs):
    """x̄_n = Σ b_k w_{n+k}        b̄_k = Σ x_n w_{n+k}        ā_k = −Σ y_n w_{n+k}        z̄_i = w_i"""
    y, zf = recursive(b, tail, x, z)
    n, taps = np.shape(x)[-1], np.shape(b)[0]

    def recursive_pullback(seed):
        y_bar, z_bar = seed[0], seed[1]
        y_bar = np.zeros_like(y) if is_zero(y_bar) else y_bar
        z_bar = np.zeros_like(zf) if is_zero(z_bar) else z_bar
        w = backwards(tail, y_bar, z_bar)
        b_bar: Any = ZERO
        a_bar: Any = ZERO
        x_bar: Any = ZERO
        z_start: Any = ZERO
        if needs[0]:
            b_bar = np.stack([np.sum(conj(x) * shifted(w, k, n)) for k in range(taps)])
        if needs[1] and taps > 1:
            a_bar = -np.stack([np.sum(conj(y) * shifted(w, k, n)) for k in range(1, taps)])
        if needs[2]:
            x_bar = conj(b[0]) * shifted(w, 0, n)
            for k in range(1, taps):
                x_bar = x_bar + conj(b[k]) * shifted(w, k, n)
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


@written_in_precision(signal.sosfilt)
def sosfilt(sos: np.ndarray | list, x: np.ndarray | list, zi: object = None, *, axis=-1):
    """One filter of second order after another; by a₀, which has to be one, as of its quotients"""
    sections = np.asarray(sos)
    y = np.asarray(x)
    states = []
    for i in range(np.shape(sections)[0]):
        start = None if zi is None else np.asarray(zi)[i]
        y, state = filtered(sections[i, :3], sections[i, 3:], y, axis, start)
        states.append(state)
    return y if zi is None else (y, np.stack(states))
