"""Sections of second order from zeros, poles and gain.

Which zero meets which pole is a choice among finitely many, and does not move: SciPy makes it, and what it
chose is read from its sections. The coefficients are then short products of the zeros and poles. Where what
is read does not give SciPy's sections again, the point is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import NotDifferentiableError, non_differentiable
from ...written import written_out
from .arguments import refuse_complex
from .conversions import tf2zpk

_CLOSE = 1e-5


def grouped(sections: Any, roots: Any) -> list[list[int]]:
    """Which roots stand in which section; those that SciPy adds at the origin have the last numbers."""
    known = np.concatenate([roots, np.zeros(2 * len(sections))])
    free = list(range(len(known)))
    groups = []
    for section in sections:
        group = []
        for root in np.roots(section):
            nearest = min(free, key=lambda i: (abs(known[i] - root), i))
            free.remove(nearest)
            group.append(nearest)
        groups.append(group)
    return groups


def chosen(z: Any, p: Any, k: Any, pairing: Any, analog: bool) -> tuple[Any, Any, Any]:
    """The sections, and which zeros and poles stand in each."""
    sos = signal.zpk2sos(z, p, k, pairing, analog=analog)
    plain = signal.zpk2sos(z, p, 1.0, pairing, analog=analog)
    return sos, grouped(plain[:, :3], z), grouped(plain[:, 3:], p)


def refuse_unlike(sos: Any, expected: Any) -> None:
    """Refuse sections that are not SciPy's."""
    scale = np.max(np.abs(expected), axis=1, keepdims=True)
    if not np.all(np.abs(sos - expected) <= _CLOSE * np.maximum(scale, 1e-300)):
        raise NotDifferentiableError(
            "scipy.signal.zpk2sos where zeros or poles are too close to tell which stands in which section",
            next="move them apart, or filter by coefficients: scipy.signal.zpk2tf",
        )


non_differentiable(chosen, refuse_unlike, why="chooses pairs of zeros and poles")


def quadratic(roots: Any, group: list[int]) -> Any:
    """(x − r)(x − s), with as many zeros before it as roots are missing"""
    if len(group) == 0:
        return np.stack([np.zeros(()), np.zeros(()), np.ones(())])
    if len(group) == 1:
        return np.stack([np.zeros(()), np.ones(()), -np.real(roots[group[0]])])
    r, s = roots[group[0]], roots[group[1]]
    return np.stack([np.ones(()), -np.real(r + s), np.real(r * s)])


def sections_of(z: Any, p: Any, k: Any, pairing: Any, analog: bool) -> Any:
    """One row of six coefficients for each section, the gain in the first."""
    expected, zeros, poles = chosen(z, p, k, pairing, analog)
    origin = np.zeros(2 * len(zeros))
    z, p = np.concatenate([z, origin]), np.concatenate([p, origin])
    rows = []
    for i in range(len(zeros)):
        above = quadratic(z, zeros[i])
        if i == 0:
            above = k * above
        rows.append(np.concatenate([above, quadratic(p, poles[i])]))
    sos = np.stack(rows)
    refuse_unlike(sos, expected)
    return sos


@written_out(signal.zpk2sos)
def zpk2sos(z: np.ndarray | list, p: np.ndarray | list, k: object, *, pairing=None, analog=False):
    """Π k (x² − (z + z') x + z z') / (x² − (p + p') x + p p')"""
    return sections_of(np.asarray(z), np.asarray(p), k, pairing, analog)


@written_out(signal.tf2sos)
def tf2sos(b: np.ndarray | list, a: np.ndarray | list, *, pairing=None, analog=False):
    """The sections of the polynomials' roots"""
    refuse_complex("tf2sos", b=b, a=a)
    z, p, k = tf2zpk(b, a)
    return sections_of(z, p, k, pairing, analog)
