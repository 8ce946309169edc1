"""A real objective of einsum, log-sum-exp and indexing: the Gaussian mixture of the ADBench suite.

Full covariances, by the Cholesky factor of each precision: its diagonal as logarithms, then what lies
below it, row by row. A Wishart prior keeps them in bounds. [Šrajer, Kukelova, Fitzgibbon 2018]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

GAMMA, DEGREES = 1.0, 1.0
"""The prior: its scale, and how many degrees of freedom it has beyond the dimension."""

SIZES = ((1_000, 10, 5),)
TINY = ((7, 3, 2),)


def mixture(weights: Any, means: Any, factors: Any, points: Any, places: Any) -> Any:
    """The log posterior of (weights, means, factors), up to a constant."""
    n, d = points.shape
    diagonal = np.exp(factors[:, :d])
    below = factors[:, d:]
    log_det = np.sum(factors[:, :d], axis=1)
    entries = np.concatenate([diagonal, below, np.zeros_like(factors[:, :1])], axis=1)
    q = entries[:, places]
    centred = points[:, None, :] - means[None, :, :]
    scaled = np.einsum("kij,nkj->nki", q, centred)
    inside = weights + log_det - 0.5 * np.sum(scaled * scaled, axis=2)
    top = np.max(inside, axis=1, keepdims=True)
    likelihood = np.sum(np.log(np.sum(np.exp(inside - top), axis=1))) + np.sum(top)
    highest = np.max(weights)
    normaliser = np.log(np.sum(np.exp(weights - highest))) + highest
    prior = 0.5 * GAMMA**2 * (np.sum(diagonal * diagonal) + np.sum(below * below)) - DEGREES * np.sum(log_det)
    return likelihood - n * normaliser - prior


def by_hand(weights: Any, means: Any, factors: Any, points: Any, places: Any) -> tuple[Any, tuple[Any, ...]]:
    """The gradient by way of the responsibilities, as a statistician derives it."""
    n, d = points.shape
    diagonal, below = np.exp(factors[:, :d]), factors[:, d:]
    log_det = np.sum(factors[:, :d], axis=1)
    q = np.concatenate([diagonal, below, np.zeros_like(factors[:, :1])], axis=1)[:, places]
    centred = points[:, None, :] - means[None, :, :]
    scaled = np.einsum("kij,nkj->nki", q, centred)
    inside = weights + log_det - 0.5 * np.sum(scaled * scaled, axis=2)
    top = np.max(inside, axis=1, keepdims=True)
    shifted = np.exp(inside - top)
    total = np.sum(shifted, axis=1, keepdims=True)
    highest = np.max(weights)
    shares = np.exp(weights - highest)
    normaliser = np.log(np.sum(shares)) + highest
    prior = 0.5 * GAMMA**2 * (np.sum(diagonal**2) + np.sum(below**2)) - DEGREES * np.sum(log_det)
    value = np.sum(np.log(total)) + np.sum(top) - n * normaliser - prior

    responsibility = shifted / total
    counts = np.sum(responsibility, axis=0)
    scaled_bar = -responsibility[:, :, None] * scaled
    q_bar = np.einsum("nki,nkj->kij", scaled_bar, centred)
    means_bar = -np.einsum("kij,nki->kj", q, scaled_bar)
    diagonal_bar = np.einsum("kii->ki", q_bar) - GAMMA**2 * diagonal
    rows, columns = np.tril_indices(d, -1)
    factors_bar = np.concatenate(
        [diagonal_bar * diagonal + (counts + DEGREES)[:, None], q_bar[:, rows, columns] - GAMMA**2 * below],
        axis=1,
    )
    return value, (counts - n * shares / np.sum(shares), means_bar, factors_bar)


def places_of(d: int) -> Any:
    """Where each entry of a d × d lower triangle stands among the factors; the last place holds a zero."""
    places = np.full((d, d), d * (d + 1) // 2)
    places[np.diag_indices(d)] = np.arange(d)
    places[np.tril_indices(d, -1)] = np.arange(d, d * (d + 1) // 2)
    return places


def cases(sizes: tuple[tuple[int, int, int], ...] = SIZES) -> list[Case]:
    """One case for each (points, dimension, components)."""
    rng = np.random.default_rng(2)
    made = []
    for n, d, k in sizes:
        parameters = (
            rng.normal(size=k),
            rng.normal(size=(k, d)),
            0.3 * rng.normal(size=(k, d * (d + 1) // 2)),
        )
        data = (rng.normal(size=(n, d)), places_of(d))
        made.append(Case(f"mixture, n = {n:,}, d = {d}, k = {k}", mixture, by_hand, parameters, data))
    return made
