"""What of `scipy.signal` has no derivative: places, counts, truth values, waves that jump."""

from __future__ import annotations

from scipy import signal

from ....core import non_differentiable

non_differentiable(
    signal.argrelextrema,
    signal.argrelmax,
    signal.argrelmin,
    signal.find_peaks_cwt,
    why="returns places",
)
non_differentiable(signal.check_COLA, signal.check_NOLA, why="returns a truth value")
non_differentiable(signal.choose_conv_method, why="chooses a method")
non_differentiable(
    signal.correlation_lags,
    signal.besselap,
    signal.buttap,
    signal.max_len_seq,
    signal.unit_impulse,
    why="computes with counts alone",
)
non_differentiable(signal.square, why="is constant between its jumps")
non_differentiable(signal.findfreqs, why="spans whole decades")
