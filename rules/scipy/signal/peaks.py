"""Peaks: which samples are peaks is frozen, their heights, prominences and widths move with the samples.

A prominence is measured from the higher of two bases, which share it where they are equally high. A width is
the distance between two places where straight lines between samples cross a height.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import Array, non_differentiable
from ...written import own, written_out


def crossings(x: Any, peaks: Any, heights: Any, ends: Any, step: int) -> tuple[Any, Any]:
    """The sample at or below the height next to each peak on one side, and whether a line crosses it."""
    found, crossed = np.array(peaks, dtype=int), np.zeros(len(peaks), dtype=bool)
    for j in range(len(found)):
        i = found[j]
        while i != ends[j] and heights[j] < x[i]:
            i += step
        found[j], crossed[j] = i, x[i] <= heights[j] and i != peaks[j]
    return found, crossed


def whole(peaks: Any) -> Any:
    """Places of peaks."""
    return np.asarray(peaks).astype(int)


non_differentiable(crossings, whole, why="the selection is frozen")


def prominences_of(x: Any, peaks: Any, left: Any, right: Any) -> Any:
    """x_p − max(x_l, x_r)"""
    return x[peaks] - np.maximum(x[left], x[right])


@written_out(signal.peak_prominences)
def peak_prominences(x: np.ndarray | list, *, peaks, wlen=None):
    """How far each peak is above the higher of its two bases"""
    _, left, right = own(signal.peak_prominences, x, peaks, wlen)
    return prominences_of(np.asarray(x).astype(float), whole(peaks), left, right), left, right


def places(x: Any, heights: Any, near: Any, crossed: Any, step: int) -> Any:
    """Where lines between samples cross the heights."""
    inner = near - step
    rise = np.where(crossed, x[inner] - x[near], 1.0)
    return near - step * np.where(crossed, (heights - x[near]) / rise, 0.0)


def widths_of(x: Any, peaks: Any, prominences: Any, bases: Any, rel_height: Any) -> tuple[Any, Any, Any, Any]:
    """Widths, heights at which they are measured, and where they begin and end."""
    heights = x[peaks] - prominences * rel_height
    left = places(x, heights, *crossings(x, peaks, heights, bases[0], -1), -1)
    right = places(x, heights, *crossings(x, peaks, heights, bases[1], 1), 1)
    return right - left, heights, left, right


@written_out(signal.peak_widths)
def peak_widths(
    x: np.ndarray | list,
    rel_height: Array = 0.5,
    prominence_data: object = None,
    *,
    peaks,
    wlen=None,
):
    """How wide each peak is at its height less a part of its prominence"""
    x = np.asarray(x).astype(float)
    where = whole(peaks)
    own(signal.peak_widths, x, peaks, rel_height, prominence_data, wlen)
    if prominence_data is None:
        _, left, right = own(signal.peak_prominences, x, peaks, wlen)
        return widths_of(x, where, prominences_of(x, where, left, right), (left, right), rel_height)
    given: Any = prominence_data
    return widths_of(x, where, np.asarray(given[0]), (given[1], given[2]), rel_height)


@written_out(signal.find_peaks)
def find_peaks(
    x: np.ndarray | list,
    *,
    height=None,
    threshold=None,
    distance=None,
    prominence=None,
    width=None,
    wlen=None,
    rel_height=0.5,
    plateau_size=None,
):
    """The places of peaks, which do not move, and their heights, prominences and widths, which do"""
    peaks, said = own(
        signal.find_peaks,
        x,
        height=height,
        threshold=threshold,
        distance=distance,
        prominence=prominence,
        width=width,
        wlen=wlen,
        rel_height=rel_height,
        plateau_size=plateau_size,
    )
    x = np.asarray(x).astype(float)
    more = dict(said)
    if "peak_heights" in said:
        more["peak_heights"] = x[peaks]
    if "left_thresholds" in said:
        more["left_thresholds"] = x[peaks] - x[peaks - 1]
        more["right_thresholds"] = x[peaks] - x[peaks + 1]
    if "prominences" in said:
        left, right = said["left_bases"], said["right_bases"]
        prominences = prominences_of(x, peaks, left, right)
        more["prominences"] = prominences
        if "widths" in said:
            found = widths_of(x, peaks, prominences, (left, right), rel_height)
            more["widths"], more["width_heights"] = found[0], found[1]
            more["left_ips"], more["right_ips"] = found[2], found[3]
    return peaks, more
