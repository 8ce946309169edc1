"""Where the derivatives of `scipy.special` are held to mpmath: a module for each family, with a list `ROWS`.

Points are drawn from a fixed seed, on a logarithmic scale where several regimes are to be met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np


class Row(NamedTuple):
    """A function of `scipy.special`, the same in mpmath, the points, and by which arguments."""

    name: str
    exact: Callable[..., Any]
    points: Iterable[tuple[Any, ...]]
    partials: tuple[int, ...] = (0,)
    tolerance: float = 1e-8  # the largest relative error that is no failure


def log_uniform(low: float, high: float, n: int, seed: int = 0) -> list[float]:
    """Positive numbers spread evenly over the orders of magnitude."""
    drawn = np.random.default_rng(seed).uniform(np.log10(low), np.log10(high), n)
    return [float(v) for v in 10.0**drawn]


def uniform(low: float, high: float, n: int, seed: int = 0) -> list[float]:
    """Numbers spread evenly."""
    return [float(v) for v in np.random.default_rng(seed).uniform(low, high, n)]


def both_signs(numbers: list[float]) -> list[float]:
    """Each number and its negative."""
    return [s * v for v in numbers for s in (1.0, -1.0)]


def points(*columns: Iterable[Any]) -> list[tuple[Any, ...]]:
    """The points whose coordinates stand beside each other in the columns."""
    return list(zip(*columns, strict=True))


def in_plane(radii: list[float], seed: int = 0) -> list[complex]:
    """Complex numbers of these sizes in any direction."""
    angles = np.random.default_rng(seed + 100).uniform(-np.pi, np.pi, len(radii))
    return [complex(r * np.cos(t), r * np.sin(t)) for r, t in zip(radii, angles, strict=True)]
