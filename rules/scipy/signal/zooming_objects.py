"""`CZT` and `ZoomFFT`: the chirp z-transform of a fixed length as an object, by its points.

An object holds what it was made of, W and A or the frequencies; the tables that SciPy makes of them have no
derivative of their own. Its calls are those of `czt` and `zoom_fft`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal
from scipy.signal import CZT, ZoomFFT

from ....core import Array, non_differentiable
from ....tangents import construct
from ...written import own, written_out
from ..interpolate.objects import holding, show

for name in ("w", "a"):
    show(CZT, name, home=__name__)
for name in ("f1", "f2"):
    show(ZoomFFT, name, home=__name__)


@construct.register(CZT)
def make_czt(P: Any, values: Any, like: Any) -> Any:
    """An object of these points, as `move` makes it."""
    return CZT(like.n, like.m, values.get("w", like.w), values.get("a", like.a))


@construct.register(ZoomFFT)
def make_zoom(P: Any, values: Any, like: Any) -> Any:
    """An object of these frequencies, as `move` makes it."""
    ends = values.get("f1", like.f1), values.get("f2", like.f2)
    return ZoomFFT(like.n, ends, like.m, fs=like.fs, endpoint=has_endpoint(like))


def has_endpoint(zoom: Any) -> bool:
    """Whether the last of the frequencies is the upper end: an object does not keep what it was told."""
    turn = 2j * np.pi * (zoom.f2 - zoom.f1) / zoom.fs
    return zoom.m > 1 and bool(np.abs(zoom.w - np.exp(-turn / (zoom.m - 1))) < np.abs(turn) / zoom.m**2 / 2)


def told(zoom: Any) -> tuple[int, Any, bool]:
    """How many points an object has, its sampling frequency, and whether the last point is the upper end."""
    return zoom.m, zoom.fs, has_endpoint(zoom)


def default_ratio(n: int, m: Any) -> complex:
    """The ratio of the points of a Fourier transform."""
    return complex(CZT(n, m).w)


non_differentiable(told, has_endpoint, default_ratio, why="tells what an object was made of")


@written_out(CZT)
def czt_object(w: object = None, a: Array = 1 + 0j, *, n, m=None):
    """The object holds W and A"""
    made = own(CZT, n, m, w, a)
    return holding(made, ("w", "a"), default_ratio(n, m) if w is None else w, 1.0 * a)


@written_out(CZT.__call__)
def czt_call(self: CZT, x: np.ndarray | list, *, axis=-1):
    """y_k = Σ x_n A⁻ⁿ W^nk"""
    own(CZT.__call__, self, x, axis=axis)
    if isinstance(self, ZoomFFT):
        m, fs, endpoint = told(self)
        return signal.zoom_fft(x, np.stack([self.f1, self.f2]), m, fs=fs, endpoint=endpoint, axis=axis)
    return signal.czt(x, self.m, self.w, self.a, axis=axis)


@written_out(ZoomFFT)
def zoom_object(fn: Array | list | tuple, *, n, m=None, fs=2, endpoint=False):
    """The object holds the first and the last of its frequencies"""
    made = own(ZoomFFT, n, fn, m, fs=fs, endpoint=endpoint)
    ends = np.reshape(np.asarray(fn) * 1.0, -1)
    low: Any = ends[0] if np.shape(ends)[0] == 2 else 0.0
    turn = 2j * np.pi / fs
    ratio = np.exp(-turn * (ends[-1] - low) / (made.m - 1 if endpoint else made.m))
    return holding(made, ("f1", "f2", "w", "a"), low, ends[-1], ratio, np.exp(turn * low))


@written_out(CZT.points)
def points(self: CZT):
    """A W^−k"""
    return signal.czt_points(self.m, self.w, self.a)
