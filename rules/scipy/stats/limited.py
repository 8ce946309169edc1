"""Statistics of what lies within limits, and of samples without their ends.

Which entries are taken is held; an entry that is an end and tied with others shares with them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from ....core import non_differentiable
from ...written import own, written_out
from .agreement import agreed, as_result
from .samples_of import Samples, along, statistic


def within_limits(a: Any, limits: Any, inclusive: Any) -> Any:
    """Which entries lie within limits, of which each may be missing."""
    low, high = (None, None) if limits is None else limits
    inside = np.ones(np.shape(a), bool)
    if low is not None:
        inside &= (a >= low) if inclusive[0] else (a > low)
    if high is not None:
        inside &= (a <= high) if inclusive[1] else (a < high)
    return inside


def counted(inside: Any) -> Any:
    """How many there are."""
    return np.count_nonzero(inside, axis=-1) * 1.0


def ranks_of(x: Any) -> Any:
    """The place of each entry among them all."""
    return np.argsort(np.argsort(x, axis=-1, kind="stable"), axis=-1, kind="stable")


non_differentiable(within_limits, counted, ranks_of, why="says which entries are taken, and where they lie")


@statistic(stats.tmean, "a")
def tmean(a, *, limits=None, inclusive=(True, True)):
    """The mean of what lies within the limits"""
    inside = within_limits(a, limits, inclusive)
    return np.sum(np.where(inside, a, 0.0), axis=-1) / counted(inside)


@statistic(stats.tvar, "a")
def tvar(a, *, limits=None, inclusive=(True, True), ddof=1):
    """The variance of what lies within the limits"""
    inside = within_limits(a, limits, inclusive)
    n = counted(inside)
    middle = np.sum(np.where(inside, a, 0.0), axis=-1) / n
    return np.sum(np.where(inside, np.square(a - np.expand_dims(middle, -1)), 0.0), axis=-1) / (n - ddof)


@statistic(stats.tstd, "a")
def tstd(a, *, limits=None, inclusive=(True, True), ddof=1):
    """The standard deviation of what lies within the limits"""
    return np.sqrt(tvar(a, limits=limits, inclusive=inclusive, ddof=ddof))


@statistic(stats.tsem, "a")
def tsem(a, *, limits=None, inclusive=(True, True), ddof=1):
    """That standard deviation over √n"""
    n = counted(within_limits(a, limits, inclusive))
    return tstd(a, limits=limits, inclusive=inclusive, ddof=ddof) / np.sqrt(n)


@statistic(stats.tmin, "a")
def tmin(a, *, lowerlimit=None, inclusive=True):
    """The least entry above the limit"""
    return np.min(np.where(within_limits(a, (lowerlimit, None), (inclusive, True)), a, np.inf), axis=-1)


@statistic(stats.tmax, "a")
def tmax(a, *, upperlimit=None, inclusive=True):
    """The greatest entry below the limit"""
    return np.max(np.where(within_limits(a, (None, upperlimit), (True, inclusive)), a, -np.inf), axis=-1)


@statistic(stats.trim_mean, "a")
def trim_mean(a, *, proportiontocut):
    """The mean without the least and the greatest"""
    count = np.shape(a)[-1]
    cut = int(proportiontocut * count)
    return np.mean(np.sort(a, axis=-1)[..., cut : count - cut], axis=-1)


def in_order_of(y: Any, sorted_part: Any, axis: Any) -> Any:
    """Sorted entries, in the order in which SciPy has left them."""
    axis = 0 if axis is None else axis
    ranks = own(ranks_of, np.moveaxis(y, axis, -1))
    return np.moveaxis(np.take_along_axis(sorted_part, ranks, axis=-1), -1, axis)


@written_out(stats.trimboth)
def trimboth(a: Samples, *, proportiontocut, axis=0):
    """The entries without the least and the greatest"""
    y = own(stats.trimboth, a, proportiontocut, axis)
    x = np.sort(along(a, axis), axis=-1)
    cut = int(proportiontocut * np.shape(x)[-1])
    return agreed(y, in_order_of(y, x[..., cut : np.shape(x)[-1] - cut], axis), "scipy.stats.trimboth")


@written_out(stats.trim1)
def trim1(a: Samples, *, proportiontocut, tail="right", axis=0):
    """The entries without those at one end"""
    y = own(stats.trim1, a, proportiontocut, tail, axis)
    x = np.sort(along(a, axis), axis=-1)
    count = np.shape(x)[-1]
    cut = int(proportiontocut * count)
    rest = x[..., : count - cut] if tail.lower() == "right" else x[..., cut:]
    return agreed(y, in_order_of(y, rest, axis), "scipy.stats.trim1")


def inside_of(x: Any, low: Any, high: Any) -> Any:
    """Which entries are not clipped."""
    return (x >= low) & (x <= high)


non_differentiable(inside_of, why="says which entries are taken")


@written_out(stats.sigmaclip)
def sigmaclip(a: Samples, low: Any = 4.0, high: Any = 4.0):
    """What lies within so many standard deviations of its own mean, and these limits"""
    y = own(stats.sigmaclip, a, low, high)
    x = np.reshape(np.asarray(a), -1)
    taken = x[inside_of(x, y.lower, y.upper)]
    middle, spread = np.mean(taken), np.std(taken)
    title = "scipy.stats.sigmaclip"
    parts = (taken, middle - spread * low, middle + spread * high)
    found = [agreed(own_part, part, title) for own_part, part in zip(y, parts, strict=True)]
    return as_result(y, ("clipped", "lower", "upper"), *found)
