"""Recursive filters as sections of second order, one after another: by coefficients, signal and states.

Where only the signal varies, forwards and backwards are one call of the compiled filter: sections commute,
so that the transpose is the same sections back in time. By the coefficients each section is a filter by
itself, with its own input and output, as in `recursion`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO, Composite, is_zero
from ...numpy.adjoints import conj
from .precision import written_in_precision
from .recursion import ahead, backwards, lag_sums, recursive, recursive_frule


def cascade(b: Any, tail: Any, x: Any, z: Any) -> Any:
    """The sections along the last axis, and their final states: `tail` is a without the first, a one."""
    one = np.ones((b.shape[0], 1), dtype=tail.dtype)
    return signal.sosfilt(np.concatenate([b, one, tail], axis=1), x, -1, z)


def no_states(b: Any, x: Any) -> Any:
    """States of zeros."""
    return np.zeros((b.shape[0], *x.shape[:-1], 2), dtype=np.result_type(b, x))


def axis_of_states(axis: int, ndim: int) -> int:
    """Where the states stand, of which there are as many as sections."""
    return axis % ndim + 1


non_differentiable(no_states, axis_of_states, why="computes with shapes and types alone")


@frule(cascade)
def cascade_frule(tangents, b: np.ndarray, tail: np.ndarray, x: np.ndarray, z: np.ndarray):
    """ẏ = F(ẋ, ż) where the coefficients stay; the same for each section where they move"""
    db, da, dx, dz = tangents
    if is_zero(db) and is_zero(da):
        dx = np.zeros_like(x) if is_zero(dx) else dx
        dz = no_states(b, x) if is_zero(dz) else dz
        dy, dzf = cascade(b, tail, dx, dz)
        y, zf = cascade(b, tail, x, z)
        return (y, zf), Composite[tuple](dy, dzf)
    y, dy, ends, moves = x, dx, [], []
    for i in range(np.shape(b)[0]):
        moving = tuple(each if is_zero(each) else each[i] for each in (db, da, dz))
        (y, end), move = recursive_frule((moving[0], moving[1], dy, moving[2]), b[i], tail[i], y, z[i])
        dy = move[0]
        ends.append(end)
        moves.append(np.zeros_like(end) if is_zero(move[1]) else move[1])
    return (y, np.stack(ends)), Composite[tuple](dy, np.stack(moves))


@rrule(cascade)
def cascade_rrule(b: np.ndarray, tail: np.ndarray, x: np.ndarray, z: np.ndarray, *, needs):
    """x̄ = the sections back in time over ȳ; by coefficients and states as `recursive`, section by section"""
    count, n = np.shape(b)[0], np.shape(x)[-1]
    inputs = [x]
    if needs[0] or needs[1]:
        ends = []
        for i in range(count):
            out, end = recursive(b[i], tail[i], inputs[i], z[i])
            inputs.append(out)
            ends.append(end)
        y, zf = inputs[count], np.stack(ends)
    else:
        y, zf = cascade(b, tail, x, z)

    def cascade_pullback(seed):
        y_bar, z_bar = seed[0], seed[1]
        y_bar = np.zeros_like(y) if is_zero(y_bar) else y_bar
        if is_zero(z_bar) and not (needs[0] or needs[1] or needs[3]):
            back, _ = cascade(conj(b), conj(tail), np.flip(y_bar, -1), no_states(b, y_bar))
            return ZERO, ZERO, np.flip(back, -1), ZERO
        z_bar = np.zeros_like(zf) if is_zero(z_bar) else z_bar
        b_bars: Any = []
        a_bars: Any = []
        starts: Any = []
        for i in range(count - 1, -1, -1):
            w = backwards(tail[i], y_bar, z_bar[i])
            if needs[0]:
                b_bars.append(lag_sums(inputs[i], w))
            if needs[1]:
                a_bars.append(-lag_sums(inputs[i + 1], w[..., 1:]))
            starts.append(w[..., :2])
            if i > 0 or needs[2]:
                y_bar = ahead(b[i], w, n)
        b_bar = np.stack(b_bars[::-1]) if needs[0] else ZERO
        a_bar = np.stack(a_bars[::-1]) if needs[1] else ZERO
        return b_bar, a_bar, y_bar if needs[2] else ZERO, np.stack(starts[::-1]) if needs[3] else ZERO

    return (y, zf), cascade_pullback


def coefficients(sos: Any) -> tuple[Any, Any]:
    """Numerators, and denominators without their first, both divided by that."""
    leading = sos[:, 3:4]
    return sos[:, :3] / leading, sos[:, 4:] / leading


@written_in_precision(signal.sosfilt)
def sosfilt(sos: np.ndarray | list, x: np.ndarray | list, zi: object = None, *, axis=-1):
    """One filter of second order after another; by a₀, which has to be one, as of its quotients"""
    b, tail = coefficients(np.asarray(sos))
    lines = np.moveaxis(np.asarray(x), axis, -1)
    states = no_states(b, lines)
    if zi is None:
        y, _ = cascade(b, tail, lines, states)
        return np.moveaxis(y, -1, axis)
    along = axis_of_states(axis, np.ndim(lines))
    given = np.moveaxis(np.asarray(zi), along, -1)
    y, zf = cascade(b, tail, lines, np.broadcast_to(given, np.shape(states)))
    return np.moveaxis(y, -1, axis), np.moveaxis(zf, -1, along)
