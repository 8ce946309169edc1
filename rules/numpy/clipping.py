"""clip: x where it is between its bounds, else the bound that it passes.

At a bound x takes the cotangent, beyond it the bound does; where the bounds cross, the upper one wins,
as in its value. The bounds may be given by their older names or by `min` and `max`, the value may be
written into an array. Where the cotangent goes is a mask, never a product with zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, rrule, unbroadcast
from ...core.seeds import absorbs
from ...tangents import NO_TANGENT, ZERO, add, project_to


def _bounds(a_min: Any, a_max: Any, low: Any, high: Any) -> Any:
    """The bounds, by whichever pair of names they are given; NumPy refuses both."""
    if low is None and high is None:
        return a_min, a_max
    if a_min is not None or a_max is not None:
        np.clip(0.0, a_min, a_max, min=low, max=high)
    return low, high


def _beyond(x: Any, low: Any, high: Any) -> Any:
    """Masks of where x is below its lower and above its upper bound; the upper one wins over the lower."""
    above = False if high is None else np.greater(x if low is None else np.maximum(x, low), high)
    below = False if low is None else np.logical_and(np.less(x, low), np.logical_not(above))
    return below, above


@frule(np.clip)
def clip_frule(tangents, a: Array, a_min=None, a_max=None, out: None = None, min=None, max=None):
    """ẏ is the tangent of whichever of a and its bounds y is"""
    da, *by_position, _, dmin, dmax = tangents
    low, high = _bounds(a_min, a_max, min, max)
    dlow, dhigh = (p if p is not ZERO else n for p, n in zip(by_position, (dmin, dmax), strict=True))
    below, above = _beyond(a, low, high)
    y = np.clip(a, low, high)
    inner = 0.0 if da is ZERO else da
    lower = 0.0 if dlow is ZERO else dlow
    upper = 0.0 if dhigh is ZERO else dhigh
    return y, np.broadcast_to(np.where(above, upper, np.where(below, lower, inner)), np.shape(y))


@rrule(np.clip)
def clip_rrule(a: Array, a_min=None, a_max=None, out: None = None, min=None, max=None):
    """ȳ goes to whichever of a and its bounds y is"""
    low, high = _bounds(a_min, a_max, min, max)
    below, above = _beyond(a, low, high)
    shape = np.shape(a)

    def clip_pullback(y_bar):
        a_bar = unbroadcast(np.where(np.logical_or(below, above), 0.0, y_bar), shape)
        bounds = ((a_min, below), (a_max, above), (None, None), (min, below), (max, above))
        return a_bar, *(_of_bound(bound, beyond, y_bar) for bound, beyond in bounds)

    return np.clip(a, low, high), clip_pullback


def _of_bound(bound: Any, beyond: Any, y_bar: Any) -> Any:
    """The cotangent of a bound, which is what x takes no part of."""
    return NO_TANGENT if bound is None else unbroadcast(np.where(beyond, y_bar, 0.0), np.shape(bound))


@frule(np.clip, mutates=(3,))
def clip_into_frule(tangents, a: Array, a_min, a_max, out: np.ndarray, min=None, max=None):
    """As without `out`, whose state after the call is the value."""
    y, dy = clip_frule(tangents, a, a_min, a_max, None, min, max)
    np.copyto(out, y)
    dout = ZERO if absorbs(dy) else project_to(out)(dy)
    return out, dout, {3: dout}


@rrule(np.clip, mutates=(3,))
def clip_into_rrule(a: Array, a_min, a_max, out: np.ndarray, min=None, max=None):
    """As without `out`, with the cotangent of its state after the call."""
    y, pullback = clip_rrule(a, a_min, a_max, None, min, max)
    np.copyto(out, y)

    def clip_into_pullback(y_bar, states):
        a_bar, low_bar, high_bar, _, *by_name = pullback(add(y_bar, states[3]))
        return a_bar, low_bar, high_bar, ZERO, *by_name

    return out, clip_into_pullback


@frule(np.ndarray.clip)
def ndarray_clip_frule(tangents, a: Array, min=None, max=None):
    """As `numpy.clip`."""
    return clip_frule((*tangents, ZERO, ZERO, ZERO), a, min, max)


@rrule(np.ndarray.clip)
def ndarray_clip_rrule(a: Array, min=None, max=None):
    """As `numpy.clip`."""
    y, pullback = clip_rrule(a, min, max)

    def clip_pullback(y_bar):
        return pullback(y_bar)[:3]

    return y, clip_pullback
