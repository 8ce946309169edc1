"""Cotangents of a cascade over a long signal: what its coefficients need of the signal is one small matrix.

A block of L samples takes its input and the states before it to its output and the states after it by the
same matrix M, so that M̄ = Σ (input, before)ᴴ (output bar, after bar) over all blocks: one matrix product. The
rows of M are the filter's responses to units, a few short signals, and the coefficients' cotangents are
theirs, section by section. The states between blocks are a recursion with one matrix, Ps + t, solved by
pairing its steps [Blelloch 1990].

Where two poles are close to 1 or −1, the states of a section say nearly the same. Their parts in phase and
out of it, z₁ − a₁z₂/2 and z₂, do not, and are what is computed with here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import non_differentiable
from ....tangents import ZERO, add
from ...numpy.adjoints import conj
from .in_sections import by_sections, through_sections

SAMPLES = 32
_SHORTEST = 1024
_WORK = 50_000


def has_blocks(x: Any, count: int) -> bool:
    """Whether a signal is so long, with so many sections, that blocks are faster."""
    return bool(x.shape[-1] >= _SHORTEST and x.size * count >= _WORK)


def precision_of(*arrays: Any) -> Any:
    """The precision that the filter computes in."""
    return np.result_type(*arrays)


non_differentiable(has_blocks, precision_of, why="computes with shapes and types alone")


def states_between(step: Any, terms: Any, start: Any) -> Any:
    """All states of s' = s P + t from the start on, one more than there are terms; in log₂ n products."""
    n = terms.shape[-2]
    if n == 0:
        return start[..., None, :]
    even, odd = terms[..., ::2, :], terms[..., 1::2, :]
    states = np.empty((*terms.shape[:-2], n + 1, terms.shape[-1]), dtype=terms.dtype)
    states[..., ::2, :] = states_between(step @ step, even[..., : n // 2, :] @ step + odd, start)
    states[..., 1::2, :] = states[..., :n:2, :] @ step + even
    return states


def by_state(rows: Any, count: int) -> Any:
    """(..., 2·count) as the states of sections, (count, ..., 2)."""
    return np.moveaxis(np.reshape(rows, (*rows.shape[:-1], count, 2)), -2, 0)


def by_row(z: Any) -> Any:
    """The states of sections as rows, one for each signal."""
    return np.reshape(np.moveaxis(z, 0, -2), (*z.shape[1:-1], 2 * z.shape[0]))


def phases(tail: Any) -> tuple[Any, Any]:
    """The matrix from the parts in phase and out of it to the states, and its inverse, on rows."""
    count = tail.shape[0]
    second = 2 * np.arange(count) + 1
    out = np.eye(2 * count, dtype=tail.dtype)
    back = np.eye(2 * count, dtype=tail.dtype)
    out[second, second - 1] = tail[:, 0] / 2
    back[second, second - 1] = -tail[:, 0] / 2
    return out, back


def bordered(matrix: Any) -> Any:
    """The identity for the samples of a block, the matrix for its states."""
    size = SAMPLES + matrix.shape[0]
    whole = np.eye(size, dtype=matrix.dtype)
    whole[SAMPLES:, SAMPLES:] = matrix
    return whole


def summed(ins: Any, outs: Any) -> Any:
    """Σ insᴴ outs over all blocks of all signals."""
    rows = np.reshape(ins, (-1, ins.shape[-1]))
    return conj(rows).T @ np.reshape(outs, (-1, outs.shape[-1]))


def by_blocks(b: Any, tail: Any, x: Any, z: Any, y_bar: Any, z_bar: Any, needs: Any) -> Any:
    """Cotangents of b, tail, x and z from those of the output and of the final states."""
    rest = x.shape[-1] % SAMPLES
    if rest == 0:
        return by_whole_blocks(b, tail, x, z, y_bar, z_bar, needs)
    signals, state = through_sections(b, tail, x[..., :rest], z)
    later = by_whole_blocks(b, tail, x[..., rest:], state, y_bar[..., rest:], z_bar, needs)
    before = by_sections(b, tail, signals, y_bar[..., :rest], later[3], needs)
    x_bar = np.concatenate([before[2], later[2]], axis=-1) if needs[2] else ZERO
    return add(before[0], later[0]), add(before[1], later[1]), x_bar, before[3]


def by_whole_blocks(b: Any, tail: Any, x: Any, z: Any, y_bar: Any, z_bar: Any, needs: Any) -> Any:
    """The same where the length is that of some blocks; the cotangent of z is always given."""
    count, size = tail.shape[0], 2 * tail.shape[0]
    precision = precision_of(b, tail, x, z, y_bar, z_bar)
    b, tail = b.astype(precision), tail.astype(precision)
    out, back = phases(tail)
    units, turn = bordered(out), bordered(back)
    signals, ends = through_sections(b, tail, units[:, :SAMPLES], by_state(units[:, SAMPLES:], count))
    responses = np.concatenate([signals[-1], by_row(ends)], axis=1) @ turn
    adjoint = conj(responses).T
    step, blocks = responses[SAMPLES:, SAMPLES:], (-1, x.shape[-1] // SAMPLES, SAMPLES)

    inputs, outputs = np.reshape(x, blocks), np.reshape(y_bar, blocks)
    start, end = np.reshape(by_row(z), (-1, size)), np.reshape(by_row(z_bar), (-1, size))
    before = states_between(step, inputs @ responses[:SAMPLES, SAMPLES:], start @ back)
    terms = np.flip(outputs @ adjoint[:SAMPLES, SAMPLES:], -2)
    after = np.flip(states_between(conj(step).T, terms, end @ conj(out).T), -2)

    sums = [
        np.concatenate([summed(ins, outputs), summed(ins, after[:, 1:])], axis=1)
        for ins in (inputs, before[:, :-1])
    ]
    bars = np.concatenate(sums) @ conj(turn).T
    z_bars = by_state(bars[:, SAMPLES:], count)
    b_bar, a_bar, _, _ = by_sections(b, tail, signals, bars[:, :SAMPLES], z_bars, (*needs[:2], False, False))
    x_bar: Any = ZERO
    if needs[2]:
        x_bar = outputs @ adjoint[:SAMPLES, :SAMPLES] + after[:, 1:] @ adjoint[SAMPLES:, :SAMPLES]
        x_bar = np.reshape(x_bar, x.shape)
    z_start = by_state(np.reshape(after[:, 0] @ conj(back).T, (*x.shape[:-1], size)), count)
    return b_bar, a_bar, x_bar, z_start
