"""What computes with lengths alone, and what chooses where transforms run."""

from __future__ import annotations

from scipy import fft

from ....core import non_differentiable

non_differentiable(
    fft.next_fast_len, fft.prev_fast_len, fft.get_workers, why="computes with lengths and settings alone"
)
