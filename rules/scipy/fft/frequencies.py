"""The frequencies of a transform, which move with the time between samples."""

from __future__ import annotations

import numpy as np
from scipy import fft

from ....core import Real
from ...written import own, written_out


@written_out(fft.fftfreq)
def fftfreq(n: int | np.integer, d: Real = 1.0, *, xp=None, device=None):
    """y = k / (n d)"""
    return own(fft.fftfreq, n, xp=xp, device=device) / d


@written_out(fft.rfftfreq)
def rfftfreq(n: int | np.integer, d: Real = 1.0, *, xp=None, device=None):
    """y = k / (n d) for half a spectrum"""
    return own(fft.rfftfreq, n, xp=xp, device=device) / d
