"""Recursive filters as sections of second order, one after another: by coefficients, signal and states.

Where only the signal varies, forwards and backwards are one call of the compiled filter: sections commute,
so that the transpose is the same sections back in time. By the coefficients each section is a filter by
itself; backwards over a long signal, blocks of it stand for the whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO, Composite, is_zero
from ...numpy.adjoints import conj
from ...numpy.nesting import nest
from .in_blocks import by_blocks, has_blocks
from .in_sections import by_sections, cascade, no_states, through_sections
from .precision import written_in_precision
from .recursion import recursive_frule


def axis_of_states(axis: int, ndim: int) -> int:
    """Where the states stand, of which there are as many as sections."""
    return axis % ndim + 1


non_differentiable(axis_of_states, why="computes with shapes and types alone")


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
    """x̄ = the sections back in time over ȳ; by coefficients and states section by section, or in blocks"""
    moving = needs[0] or needs[1]
    in_blocks = moving and has_blocks(x, b.shape[0])
    if moving and not in_blocks:
        signals, zf = through_sections(b, tail, x, z)
        y = signals[-1]
    else:
        signals = [x]
        y, zf = cascade(b, tail, x, z)

    def cascade_pullback(seed):
        y_bar = nest(seed[0], np.shape(y))
        if is_zero(seed[1]) and not (moving or needs[3]):
            back, _ = cascade(conj(b), conj(tail), np.flip(y_bar, -1), no_states(b, y_bar))
            return ZERO, ZERO, np.flip(back, -1), ZERO
        z_bar = nest(seed[1], np.shape(zf))
        if in_blocks:
            return by_blocks(b, tail, x, z, y_bar, z_bar, needs)
        return by_sections(b, tail, signals, y_bar, z_bar, needs)

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
