"""Frequency responses of filters: by coefficients, by zeros, poles and gain, and by the frequencies.

The frequencies that SciPy chooses itself are held constant; those that are given have a derivative.

See [Oppenheim & Schafer 2010].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import Array, non_differentiable
from ...written import written_out
from .arguments import refuse_axes, refuse_empty
from .precision import rounded_as, written_in_precision


def chosen(f: Any, worN: Any, whole: bool, fs: Any, include_nyquist: bool) -> Any:
    """The frequencies that f chooses, where a number of them is given."""
    count = 512 if worN is None else int(worN)
    return f(np.ones(1), worN=count, whole=whole, fs=fs, include_nyquist=include_nyquist)[0]


def is_count(worN: Any) -> bool:
    """Whether a number of frequencies is given, not the frequencies."""
    return worN is None or isinstance(worN, int | np.integer)


non_differentiable(chosen, is_count, why="chooses frequencies")


def frequencies(worN: Any, whole: bool, fs: Any, include_nyquist: bool) -> Any:
    """The frequencies, in the units of fs."""
    if is_count(worN):
        return chosen(signal.freqz, worN, whole, fs, include_nyquist)
    return np.atleast_1d(np.asarray(worN) * 1.0)


def at(c: Any, u: Any) -> Any:
    """Σ c_k u^k"""
    y = np.zeros_like(u) + c[-1]
    for k in range(len(c) - 2, -1, -1):
        y = y * u + c[k]
    return y


@written_out(signal.freqz)
def freqz(
    b: np.ndarray | list,
    a: Array | list = 1,
    worN: object = 512,
    *,
    whole=False,
    plot=None,
    fs=2 * np.pi,
    include_nyquist=False,
):
    """H(ω) = Σ b_k e^(−iωk) / Σ a_k e^(−iωk)"""
    w = frequencies(worN, whole, fs, include_nyquist)
    u = np.exp(-2j * np.pi / fs * w)
    b = np.atleast_1d(np.asarray(b))
    a = np.atleast_1d(np.asarray(a))
    refuse_empty("freqz", b=b, a=a)
    w = rounded_as(w, b, a) if is_count(worN) and a.dtype.kind in "fc" else w
    return w, rounded_as(at(b, u) / at(a, u), b, a)


@written_out(signal.freqz_sos, signal.sosfreqz)
def freqz_sos(sos: np.ndarray | list, worN: object = 512, *, whole=False, fs=2 * np.pi):
    """The product of the responses of the sections"""
    w = frequencies(worN, whole, fs, False)
    u, h = np.exp(-2j * np.pi / fs * w), 1.0
    sections = np.asarray(sos)
    for i in range(np.shape(sections)[0]):
        h = h * (at(sections[i, :3], u) / at(sections[i, 3:], u))
    return rounded_as(w.astype(float), sections), rounded_as(h, sections)


@written_in_precision(signal.freqz_zpk)
def freqz_zpk(
    z: np.ndarray | list, p: np.ndarray | list, k: object, worN: object = 512, *, whole=False, fs=2 * np.pi
):
    """H(ω) = k Π (e^(iω) − z) / Π (e^(iω) − p)"""
    w = frequencies(worN, whole, fs, False)
    u = np.exp(2j * np.pi / fs * w)
    zeros = np.asarray(z)
    poles = np.asarray(p)
    refuse_axes("freqz_zpk", z=zeros, p=poles)
    above = np.prod(u[:, None] - zeros, axis=-1)
    return w, k * above / np.prod(u[:, None] - poles, axis=-1)
