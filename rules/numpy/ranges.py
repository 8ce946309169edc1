"""`arange`: differentiable in where it starts and in its step. The stop only decides the length.

A jump of the length has no derivative; everywhere else it is zero. `linspace` is in creation.py.
"""

from __future__ import annotations

import numpy as np

from ...core import Real, frule, rrule
from ...tangents import ZERO, add


@frule(np.arange, signature="start, stop=None, step=1, /")
def arange_frule(tangents, start: Real, stop: Real | None = None, step: Real = 1):
    """yₖ = start + k step        ẏₖ is the like of the tangents; of the stop alone it is zero"""
    y = np.arange(start, stop, step)
    dstart, _, dstep = tangents
    if stop is None:
        return y, ZERO
    counts = np.arange(len(y))
    return y, add(dstart if dstart is ZERO else dstart * np.ones(len(y)), dstep * counts)


@rrule(np.arange, signature="start, stop=None, step=1, /")
def arange_rrule(start: Real, stop: Real | None = None, step: Real = 1):
    """The start has Σ ȳₖ, the step Σ k ȳₖ, the stop zero"""
    y = np.arange(start, stop, step)
    only_stop = stop is None
    counts = np.arange(len(y))

    def arange_pullback(y_bar):
        return ZERO if only_stop else np.sum(y_bar), ZERO, np.sum(counts * y_bar)

    return y, arange_pullback
