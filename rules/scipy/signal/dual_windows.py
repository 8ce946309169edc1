"""Windows that bring back a signal from its short-time transform: the one nearest to another window.

A window d is dual to w where Σ_k conj(w) d, over all shifts by the hop, is one. Those are the canonical one,
w / Σ |w|², and what differs from it by u − w_d Σ conj(w) u. [Søndergaard 2007]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import non_differentiable
from ...numpy.adjoints import conj
from ...written import own
from .precision import written_in_precision


def places(n: int, hop: int) -> Any:
    """Which of the sums over shifts each sample belongs to."""
    return np.arange(n) % hop


def missing(n: int, hop: int) -> int:
    """How many samples are missing to a whole number of hops."""
    return -n % hop


non_differentiable(places, missing, why="computes with lengths alone")


def shifted_sums(x: Any, hop: int) -> Any:
    """Σ_k x_{n + k hop}, for each sample"""
    n = np.shape(x)[0]
    whole = np.concatenate([x, np.zeros(missing(n, hop))])
    return np.sum(np.reshape(whole, (-1, hop)), axis=0)[places(n, hop)]


@written_in_precision(signal.closest_STFT_dual_window)
def closest_dual_window(win: np.ndarray, desired_dual: np.ndarray | None = None, *, hop, scaled=True):
    """d = w_d + α (u − w_d Σ conj(w) u), α = ⟨q, w_d⟩ / |q|² with q = w_d Σ conj(w) u, or one"""
    own(signal.closest_STFT_dual_window, win, hop, desired_dual, scaled=scaled)
    wished: Any = own(np.ones_like, win) if desired_dual is None else desired_dual
    canonical = win / shifted_sums(np.real(win) ** 2 + np.imag(win) ** 2, hop)
    q = canonical * shifted_sums(conj(win) * wished, hop)
    if not scaled:
        return canonical + wished - q, 1.0
    factor = np.sum(conj(q) * canonical) / np.sum(np.real(q) ** 2 + np.imag(q) ** 2)
    return canonical + factor * (wished - q), factor
