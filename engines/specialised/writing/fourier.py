"""Fourier transforms: the adjoint is the opposite transform, with the factor where the transform had it.

Of half a spectrum an entry that stands for two counts half on the way back, and twice on the way out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading.kinds import axes
from ..reading.steps import Step
from .backward import Cotangent
from .joining import Joining


class Fourier(Joining):
    """The texts of transforms of the whole of an array, along the last axis or all."""

    def fits_fourier(self, s: Step) -> bool:
        f, kinds = self.inferred.function(s), self._kinds(s)
        of_half = f is np.fft.irfft and len(kinds) == 2 and s.keywords in ((), ("n",))
        return axes(kinds[0]) > 0 and (of_half or (len(kinds) == 1 and not s.keywords))

    def of_fourier(self, s: Step, args: list[str], c: Cotangent) -> None:
        f, g = self.inferred.function(s), self._whole_of(s, c)
        if f in _OPPOSITE:
            back = f'{self.bind(_OPPOSITE[f])}({g}, norm="forward")'
        else:
            helper = from_half if f is np.fft.rfft else to_half
            end = "" if helper is from_half or self._is_complex(args[0]) else ".real"
            back = f"{self.bind(helper)}({g}, {self.primal(s, args[0])}){end}"
        self.give(args[0], back)


def from_half(c: Any, x: Any) -> Any:
    """A cotangent of half the spectrum of x, for x."""
    n = x.shape[-1]
    return np.fft.irfft(c * _weights(c, n), n, norm="forward")


def to_half(c: Any, x: Any) -> Any:
    """A cotangent of the real numbers whose half spectrum is x, for x; ValueError where they have another."""
    n = c.shape[-1]
    if x.shape[-1] != n // 2 + 1:
        raise ValueError("half a spectrum that is cut or padded")
    half = np.fft.rfft(c, norm="forward")
    return half / _weights(half, n)


def _weights(half: Any, n: int) -> Any:
    from ....rules.half_spectra import halves  # rules load at first use

    return halves(half.shape[-1], n, half.ndim - 1, half.ndim, half.dtype)


_OPPOSITE: dict[Any, Any] = {
    **{np.fft.fft: np.fft.ifft, np.fft.ifft: np.fft.fft, np.fft.fft2: np.fft.ifft2},
    **{np.fft.ifft2: np.fft.fft2, np.fft.fftn: np.fft.ifftn, np.fft.ifftn: np.fft.fftn},
}
FOURIER: dict[Any, str] = dict.fromkeys((*_OPPOSITE, np.fft.rfft, np.fft.irfft), "fourier")
"""Which functions have a text here."""
