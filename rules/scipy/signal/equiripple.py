"""Filters of equal ripples: `remez`, by the edges of the bands, the gains and the weights.

At one frequency more than there are free taps the weighted error is greatest, with signs that alternate
[Parks & McClellan 1972]. Which places of SciPy's grid these are is held
constant; the grid of a band moves with its lower edge, the last place with the upper one. Refused by name:
exchanges that did not end, and filters with more ripples than that, which would follow one of two sets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import NotDifferentiableError, non_differentiable
from ...written import as_found, own, written_out
from .arguments import refuse_complex


def gains(f: Any, *, numtaps: int, odd: bool) -> Any:
    """What each tap of the first half, with its fellow, and the one in the middle give to each frequency"""
    apart = np.arange(numtaps // 2, 0, -1) - (0.0 if numtaps % 2 else 0.5)
    turns = 2.0 * np.pi * f[:, None] * apart
    if odd:
        return 2.0 * np.sin(turns)
    if numtaps % 2:
        return np.concatenate((2.0 * np.cos(turns), np.ones((np.shape(f)[0], 1))), axis=1)
    return 2.0 * np.cos(turns)


def asked(f: Any, gain: Any, weight: Any, type: str) -> tuple[Any, Any]:
    """Gain and weight at each frequency; both of a differentiator go with it"""
    if type != "differentiator":
        return gain, weight
    return gain * f, np.where(gain < 1e-4, weight, weight / np.where(gain < 1e-4, 1.0, f))


def grid(edges: Any, numtaps: int, odd: bool, density: int) -> tuple[Any, ...]:
    """SciPy's frequencies, the band of each, whether it is an upper edge, and whether it moves."""
    step = 0.5 / (density * (numtaps // 2 + (numtaps % 2 and not odd)))
    lifted = odd and edges[0, 0] < step
    places: list[float] = []
    bands: list[int] = []
    for band, (low, high) in enumerate(edges):
        at = [step if lifted and band == 0 else low]
        while at[-1] + step <= high:
            at.append(at[-1] + step)
        places += [*at[:-1], high]
        bands += [band] * len(at)
    upper = np.append(np.diff(bands) > 0, True)
    moves = upper | (np.array(bands) > 0) | (not lifted)
    count = len(places) - (odd == bool(numtaps % 2) and places[-1] > 0.5 - step)
    return np.array(places)[:count], np.array(bands)[:count], upper[:count].astype(int), moves[:count]


def ripples(h: Any, edges: Any, desired: Any, weight: Any, type: str, density: int) -> tuple[Any, ...]:
    """The places of the grid where the error is greatest: as `grid` tells of them, and the signs."""
    odd = type != "bandpass"
    f, band, upper, moves = grid(edges, len(h), odd, density)
    gain, weighing = asked(f, desired[band], weight[band], type)
    each = gains(f, numtaps=len(h), odd=odd)
    free = np.shape(each)[1]
    error = weighing * (gain - each @ h[:free])
    greatest = np.max(np.abs(error))
    found = np.flatnonzero(np.abs(error) >= greatest * (1 - 1e-5) - 1e-13)
    signs = np.sign(error[found])
    if len(found) != free + 1 or not np.all(np.diff(signs)):
        raise NotDifferentiableError(
            f"scipy.signal.remez found {len(found)} ripples, where {free + 1} tell of one filter",
            next="move an edge or a weight a little, or ask for a larger maxiter",
        )
    return f[found], band[found], upper[found], moves[found], signs


non_differentiable(grid, ripples, why="places and signs")


@written_out(signal.remez)
def remez(
    bands: np.ndarray | list,
    desired: np.ndarray | list,
    weight: object = None,
    *,
    numtaps,
    type="bandpass",
    maxiter=25,
    grid_density=16,
    fs=None,
):
    """Σ h_m b_m(f_k) ± δ / W(f_k) = D(f_k), at the frequencies f_k where the error is greatest"""
    refuse_complex("remez", bands=bands, desired=desired)
    options = {"type": type, "maxiter": maxiter, "grid_density": grid_density, "fs": fs}
    found = own(signal.remez, numtaps, bands, desired, weight=weight, **options)
    edges = np.reshape(np.asarray(bands), (-1, 2)) / (1.0 if fs is None else fs)
    wanted = np.reshape(np.asarray(desired) * 1.0, -1)
    w = own(np.ones, np.shape(wanted)[0]) if weight is None else np.reshape(np.asarray(weight) * 1.0, -1)
    f, band, upper, moves, signs = own(ripples, found, edges, wanted, w, type, grid_density)
    at = edges[band, upper]
    f = np.where(moves, at + (f - own(np.copy, at)), f)
    gain, weighing = asked(f, wanted[band], w[band], type)
    odd = type != "bandpass"
    ripple = signs / weighing
    h = np.linalg.solve(np.concatenate((gains(f, numtaps=numtaps, odd=odd), ripple[:, None]), axis=1), gain)
    half = h[: numtaps // 2]
    middle = np.zeros(numtaps % 2) if odd else h[numtaps // 2 : -1]
    return as_found(found, np.concatenate((half, middle, -np.flip(half) if odd else np.flip(half))))
