"""What does a pullback cost of `scipy.fft`, `scipy.signal` and `scipy.ndimage`, beside the function itself?

    python -m benchmarks.linear_maps          prints the table, with `--all` each ratio too

Transforms, filters and resamplings are linear in the signal, so that a pullback is another map of the same
size, and should cost what the function does. Recursive filters by their coefficients, and warps by their
coordinates, are not linear; they have a row of their own. On 131,072 samples each function takes at least a
fifth of a millisecond, so that what a pullback costs before it begins, about as much, counts little. The time
is the processor's, so that what else the machine does counts little, too.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from benchmarks.report import duration, table
from benchmarks.timing import medians
from scipy import fft, ndimage, signal

import chainrules as cr


class Entry(NamedTuple):
    """A function of one array, where it is differentiated, and its name in the table."""

    name: str
    f: Callable[[Any], Any]
    x: Any


class Family(NamedTuple):
    """Functions of one kind, and how many times the function a pullback should cost at most."""

    name: str
    bound: float
    entries: list[Entry]


class Cost(NamedTuple):
    """A family's ratios, by entry, and the seconds of its functions."""

    family: Family
    ratios: dict[str, float]
    primals: dict[str, float]

    @property
    def dearest(self) -> str:
        """The entry that costs most."""
        return max(self.ratios, key=lambda name: self.ratios[name])


def families(n: int = 1 << 17) -> list[Family]:
    """Every family, on signals of n samples and on images of as many."""
    rng = np.random.default_rng(0)
    side = max(8, int(n**0.5))
    x, image = rng.normal(size=n), rng.normal(size=(side, side))
    z = x + 1j * rng.normal(size=n)
    half = fft.rfft(x)
    taps, few, kernel = rng.normal(size=min(64, n // 4)), rng.normal(size=9), rng.normal(size=(5, 5))
    b, a = signal.butter(4, 0.2)
    sos = signal.butter(6, 0.2, output="sos")
    matrix = np.array([[0.9, 0.2], [-0.2, 0.9]])
    places = rng.uniform(0, side - 1, size=(2, side, side))
    window = signal.get_window("hann", min(256, n // 4))
    spectrum = signal.stft(x, nperseg=len(window))[2]
    return [
        Family("transforms", 2.0, [
            Entry("fft", fft.fft, z), Entry("ifft", fft.ifft, z), Entry("rfft", fft.rfft, x),
            Entry("irfft", fft.irfft, half), Entry("fft2", fft.fft2, z.reshape(2, -1)),
            Entry("rfft2", fft.rfft2, image), Entry("hfft", fft.hfft, half), Entry("dct", fft.dct, x),
            Entry("dct, type 1", lambda v: fft.dct(v, 1), x), Entry("dst", fft.dst, x),
            Entry("dctn", fft.dctn, image), Entry("fftshift", fft.fftshift, np.tile(x, 8)),
            Entry("fht", lambda v: fft.fht(v, 0.01, 0.5), x)]),
        Family("convolutions", 2.0, [
            Entry("convolve", lambda v: signal.convolve(v, taps), x),
            Entry("convolve, same", lambda v: signal.convolve(v, taps, "same"), x),
            Entry("convolve, direct", lambda v: signal.convolve(v, taps, method="direct"), x),
            Entry("fftconvolve", lambda v: signal.fftconvolve(v, taps), x),
            Entry("oaconvolve", lambda v: signal.oaconvolve(v, taps), x),
            Entry("correlate", lambda v: signal.correlate(v, taps, "same"), x),
            Entry("convolve2d", lambda v: signal.convolve2d(v, kernel, "same"), image),
            Entry("convolve2d, wrap", lambda v: signal.convolve2d(v, kernel, "same", "wrap"), image),
            Entry("correlate2d", lambda v: signal.correlate2d(v, kernel, "same"), image)]),
        Family("filters of images", 2.0, [
            Entry("correlate", lambda v: ndimage.correlate(v, kernel), image),
            Entry("convolve, wrap", lambda v: ndimage.convolve(v, kernel, mode="wrap"), image),
            Entry("correlate1d", lambda v: ndimage.correlate1d(v, few), image),
            Entry("correlate1d, constant", lambda v: ndimage.correlate1d(v, few, mode="constant"), image),
            Entry("gaussian_filter", lambda v: ndimage.gaussian_filter(v, 2.0), image),
            Entry("gaussian_filter1d", lambda v: ndimage.gaussian_filter1d(v, 2.0), image),
            Entry("uniform_filter", lambda v: ndimage.uniform_filter(v, 5), image),
            Entry("sobel", lambda v: ndimage.sobel(v), image),
            Entry("laplace", lambda v: ndimage.laplace(v), image),
            Entry("gaussian_laplace", lambda v: ndimage.gaussian_laplace(v, 2.0), image),
            Entry("fourier_gaussian", lambda v: ndimage.fourier_gaussian(v, 2.0), image),
            Entry("spline_filter", lambda v: ndimage.spline_filter(v), image)]),
        Family("warps, by the image", 2.0, [
            Entry("map_coordinates", lambda v: ndimage.map_coordinates(v, places), image),
            Entry("map_coordinates, linear", lambda v: ndimage.map_coordinates(v, places, order=1), image),
            Entry("affine_transform", lambda v: ndimage.affine_transform(v, matrix), image),
            Entry("shift", lambda v: ndimage.shift(v, 1.5), image),
            Entry("zoom", lambda v: ndimage.zoom(v, 1.5), image),
            Entry("rotate", lambda v: ndimage.rotate(v, 20.0, reshape=False), image)]),
        Family("filters and resamplings of signals", 2.0, [
            Entry("savgol_filter", lambda v: signal.savgol_filter(v, 11, 3), x),
            Entry("savgol_filter, mirror", lambda v: signal.savgol_filter(v, 11, 3, mode="mirror"), x),
            Entry("detrend", lambda v: signal.detrend(v), x),
            Entry("hilbert", lambda v: signal.hilbert(v), x),
            Entry("resample", lambda v: signal.resample(v, 3 * len(v) // 4), x),
            Entry("resample_poly", lambda v: signal.resample_poly(v, 3, 2), x),
            Entry("upfirdn", lambda v: signal.upfirdn(taps, v, 2, 3), x),
            Entry("czt", lambda v: signal.czt(v), x),
            Entry("zoom_fft", lambda v: signal.zoom_fft(v, [0.1, 0.2]), x),
            Entry("stft", lambda v: signal.stft(v, nperseg=len(window))[2], x),
            Entry("istft", lambda v: signal.istft(v, nperseg=len(window))[1], spectrum),
            Entry("cspline1d", lambda v: signal.cspline1d(v), x)]),
        Family("recursive filters, by the signal", 4.0, [
            Entry("lfilter", lambda v: signal.lfilter(b, a, v), x),
            Entry("sosfilt", lambda v: signal.sosfilt(sos, v), x),
            Entry("filtfilt", lambda v: signal.filtfilt(b, a, v), x),
            Entry("sosfiltfilt", lambda v: signal.sosfiltfilt(sos, v), x),
            Entry("decimate", lambda v: signal.decimate(v, 4), x)]),
        Family("recursive filters, by their coefficients", 4.0, [
            Entry("lfilter by b", lambda v: signal.lfilter(v, a, x), b),
            Entry("lfilter by a", lambda v: signal.lfilter(b, v, x), a),
            Entry("sosfilt", lambda v: signal.sosfilt(v, x), sos)]),
        Family("warps, by the coordinates", 4.0, [
            Entry("map_coordinates", lambda v: ndimage.map_coordinates(image, v), places),
            Entry("map_coordinates, linear", lambda v: ndimage.map_coordinates(image, v, order=1), places),
            Entry("map_coordinates, order 5", lambda v: ndimage.map_coordinates(image, v, order=5), places)]),
    ]  # fmt: skip


def pullback_of(entry: Entry) -> Callable[[], Any]:
    """The pullback of an entry, of noise."""
    y, pullback = cr.vjp(entry.f, entry.x)
    seed = np.random.default_rng(1).normal(size=np.shape(y)).astype(y.dtype)
    return lambda: pullback(seed)


def cost(family: Family, rounds: int = 15) -> Cost:
    """Each pullback beside its function, in turns."""
    ratios, primals = {}, {}
    for entry in family.entries:
        times = medians({"ours": pullback_of(entry), "bare": _call(entry)}, rounds, time.process_time)
        primals[entry.name] = times["bare"]
        ratios[entry.name] = times["ours"] / times["bare"]
    return Cost(family, ratios, primals)


def _call(entry: Entry) -> Callable[[], Any]:
    return lambda: entry.f(entry.x)


def markdown(costs: list[Cost]) -> str:
    """The table."""
    head = [
        "pullback over the function, of",
        "functions",
        "median",
        "at most",
        "within it",
        "the dearest",
        "takes",
    ]
    body = []
    for c in costs:
        ratios = list(c.ratios.values())
        within = sum(ratio <= c.family.bound for ratio in ratios)
        body.append([
            c.family.name, str(len(ratios)), f"{statistics.median(ratios):.1f}×", f"{c.family.bound:.0f}×",
            str(within), f"`{c.dearest}`", f"{c.ratios[c.dearest]:.1f}×",
        ])  # fmt: skip
    return table(head, body)


def main(arguments: list[str]) -> int:
    """Print the table."""
    costs = []
    for family in families():
        print(f"{family.name} …", file=sys.stderr, flush=True)
        costs.append(c := cost(family))
        if "--all" in arguments:
            for name, ratio in c.ratios.items():
                print(f"{family.name:40} {name:26} {duration(c.primals[name]):>8} {ratio:8.1f}×", flush=True)
    print(markdown(costs))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
