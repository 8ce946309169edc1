"""Convolution and correlation of two sequences: convolve, correlate, in every mode.

Both are bilinear; `correlate` conjugates its second sequence. The modes are parts of the full result, and
the cotangent is that of the full result with zeros around it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ...tangents import ZERO
from .adjoints import conj
from .tensors import bilinear


def part_of_full(f: Any, mode: str, m: int, n: int) -> tuple[int, int]:
    """How many entries of the full result stand before the part that a mode gives, and after it."""
    short, long = min(m, n), max(m, n)
    if mode == "full":
        return 0, 0
    if mode == "valid":
        return short - 1, short - 1
    if mode == "same":
        before = short // 2 if f is np.correlate and m < n else (short - 1) // 2
        return before, m + n - 1 - long - before
    raise UnsupportedArgument(f, "mode", mode, supported=["full", "same", "valid"])


non_differentiable(part_of_full, why="computes with lengths alone")


def in_full(y_bar: Any, around: tuple[int, int]) -> Any:
    """The cotangent of the full result."""
    zeros = np.zeros(around[0], dtype=y_bar.dtype), np.zeros(around[1], dtype=y_bar.dtype)
    return np.concatenate((zeros[0], y_bar, zeros[1]))


def convolved(a: Any, v: Any, mode: Any) -> Any:
    """a * v, a number being a sequence of one."""
    return np.convolve(np.reshape(a, -1), np.reshape(v, -1), mode)


@frule(np.convolve)
def convolve_frule(tangents, a: Array, v: Array, *, mode="full"):
    """yₖ = Σ aᵢ vₖ₋ᵢ        ẏ = ȧ * v + a * v̇"""
    return convolved(a, v, mode), bilinear(lambda p, q: convolved(p, q, mode), tangents, a, v)


@rrule(np.convolve)
def convolve_rrule(a: Array, v: Array, *, mode="full", needs):
    """yₖ = Σ aᵢ vₖ₋ᵢ        āᵢ = Σ ȳₖ conj(vₖ₋ᵢ)        v̄ⱼ = Σ ȳₖ conj(aₖ₋ⱼ)"""
    a_shape, v_shape = np.shape(a), np.shape(v)
    around = part_of_full(np.convolve, mode, np.size(a), np.size(v))

    def convolve_pullback(y_bar):
        seed = in_full(y_bar, around)
        a_bar: Any = ZERO
        v_bar: Any = ZERO
        if needs[0]:
            a_bar = np.reshape(np.correlate(seed, np.reshape(v, -1), "valid"), a_shape)
        if needs[1]:
            v_bar = np.reshape(np.correlate(seed, np.reshape(a, -1), "valid"), v_shape)
        return a_bar, v_bar

    return convolved(a, v, mode), convolve_pullback


@frule(np.correlate)
def correlate_frule(tangents, a: np.ndarray, v: np.ndarray, *, mode="valid"):
    """yₖ = Σ aₙ₊ₖ conj(vₙ)        ẏ = ȧ ⋆ v + a ⋆ v̇"""
    return np.correlate(a, v, mode), bilinear(lambda p, q: np.correlate(p, q, mode), tangents, a, v)


@rrule(np.correlate)
def correlate_rrule(a: np.ndarray, v: np.ndarray, *, mode="valid", needs):
    """yₖ = Σ aₙ₊ₖ conj(vₙ)        āᵢ = Σ ȳᵢ₋ₙ vₙ        v̄ₙ = Σ conj(ȳₖ) aₙ₊ₖ"""
    around = part_of_full(np.correlate, mode, np.size(a), np.size(v))

    def correlate_pullback(y_bar):
        seed = in_full(y_bar, around)
        a_bar: Any = ZERO
        v_bar: Any = ZERO
        if needs[0]:
            a_bar = np.convolve(seed, v, "valid")
        if needs[1]:
            v_bar = conj(np.correlate(seed, a, "valid"))[::-1]
        return a_bar, v_bar

    return np.correlate(a, v, mode), correlate_pullback
