"""Filters that run forwards and backwards, so that no frequency is late; ends extended as the caller asks.

Gustafsson's method, which chooses the states instead of extending the ends, is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import UnsupportedArgument, non_differentiable
from .cascades import sosfilt
from .precision import written_in_precision
from .recursion import lfilter
from .states import lfilter_zi, sosfilt_zi


def length(name: str, padtype: Any, padlen: Any, size: int, n: int, method: str = "pad") -> int:
    """How many samples both ends are extended by."""
    if method != "pad":
        raise UnsupportedArgument(name, "method", method, supported=["pad"])
    if padtype is None or padlen == 0:
        return 0
    edge = size if padlen is None else int(padlen)
    if n <= edge:
        raise UnsupportedArgument(name, "padlen", edge, why=f"the signal has only {n} samples")
    return edge


def sections_size(sos: Any) -> int:
    """What SciPy extends a signal by for so many sections."""
    count = 2 * len(sos) + 1
    return 3 * (count - min(int((sos[:, 2] == 0).sum()), int((sos[:, 5] == 0).sum())))


non_differentiable(length, sections_size, why="computes with lengths alone")


def ends_added(x: Any, kind: Any, edge: int) -> Any:
    """Lines with both ends continued: turned about the last sample, reflected, or held."""
    if edge == 0:
        return x
    first, last = x[..., :1], x[..., -1:]
    if kind == "constant":
        shape = (*np.shape(x)[:-1], edge)
        return np.concatenate([np.broadcast_to(first, shape), x, np.broadcast_to(last, shape)], axis=-1)
    before, after = np.flip(x[..., 1 : edge + 1], -1), np.flip(x[..., -edge - 1 : -1], -1)
    if kind == "odd":
        before, after = 2.0 * first - before, 2.0 * last - after
    return np.concatenate([before, x, after], axis=-1)


@written_in_precision(signal.filtfilt)
def filtfilt(
    b: np.ndarray | list,
    a: np.ndarray | list,
    x: np.ndarray | list,
    *,
    axis=-1,
    padtype="odd",
    padlen=None,
    method="pad",
    irlen=None,
):
    """The filter forwards and then backwards over a signal with its ends extended"""
    lines = np.moveaxis(np.asarray(x), axis, -1)
    size = 3 * max(len(a), len(b))
    edge = length("scipy.signal.filtfilt", padtype, padlen, size, np.shape(lines)[-1], method)
    around = ends_added(lines, padtype, edge)
    zi = lfilter_zi(b, a)
    y, _ = lfilter(b, a, around, zi * around[..., :1])
    y, _ = lfilter(b, a, np.flip(y, -1), zi * y[..., -1:])
    y = np.flip(y, -1)
    return np.moveaxis(y[..., edge : np.shape(y)[-1] - edge], -1, axis)


@written_in_precision(signal.sosfiltfilt)
def sosfiltfilt(sos: np.ndarray, x: np.ndarray | list, *, axis=-1, padtype="odd", padlen=None):
    """The sections forwards and then backwards over a signal with its ends extended"""
    lines = np.moveaxis(np.asarray(x), axis, -1)
    size = sections_size(sos)
    edge = length("scipy.signal.sosfiltfilt", padtype, padlen, size, np.shape(lines)[-1])
    around = ends_added(lines, padtype, edge)
    zi = sosfilt_zi(sos)
    shape = (np.shape(zi)[0], *(1,) * (np.ndim(lines) - 1), 2)
    zi = np.reshape(zi, shape)
    y, _ = sosfilt(sos, around, zi * around[..., :1])
    y, _ = sosfilt(sos, np.flip(y, -1), zi * y[..., -1:])
    y = np.flip(y, -1)
    return np.moveaxis(y[..., edge : np.shape(y)[-1] - edge], -1, axis)
