"""A real objective of matrix products: a two-layer classifier of 8 × 8 images under cross-entropy."""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

SIZES = ((1_500, 64, 32, 10),)
TINY = ((6, 4, 3, 2),)


def classifier(w1: Any, b1: Any, w2: Any, b2: Any, images: Any, labels: Any) -> Any:
    """Mean cross-entropy of the labels, given one-hot, with a small penalty on the weights."""
    hidden = np.tanh(images @ w1 + b1)
    scores = hidden @ w2 + b2
    scores = scores - np.max(scores, axis=1, keepdims=True)
    log_p = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    penalty = np.sum(w1 * w1) + np.sum(w2 * w2)
    return -np.sum(labels * log_p) / images.shape[0] + 1e-3 * penalty


def by_hand(w1: Any, b1: Any, w2: Any, b2: Any, images: Any, labels: Any) -> tuple[Any, tuple[Any, ...]]:
    """Back-propagation as a textbook writes it."""
    hidden = np.tanh(images @ w1 + b1)
    scores = hidden @ w2 + b2
    scores = scores - np.max(scores, axis=1, keepdims=True)
    exp = np.exp(scores)
    total = np.sum(exp, axis=1, keepdims=True)
    log_p = scores - np.log(total)
    n = images.shape[0]
    value = -np.sum(labels * log_p) / n + 1e-3 * (np.sum(w1 * w1) + np.sum(w2 * w2))

    scores_bar = (exp / total - labels) / n
    inner_bar = (scores_bar @ w2.T) * (1 - hidden * hidden)
    w2_bar = hidden.T @ scores_bar + 2e-3 * w2
    w1_bar = images.T @ inner_bar + 2e-3 * w1
    return value, (w1_bar, np.sum(inner_bar, axis=0), w2_bar, np.sum(scores_bar, axis=0))


def cases(sizes: tuple[tuple[int, int, int, int], ...] = SIZES) -> list[Case]:
    """One case for each (images, pixels, hidden units, classes)."""
    rng = np.random.default_rng(3)
    made = []
    for n, pixels, hidden, classes in sizes:
        parameters = (
            rng.normal(size=(pixels, hidden)) / np.sqrt(pixels),
            rng.normal(size=hidden),
            rng.normal(size=(hidden, classes)) / np.sqrt(hidden),
            rng.normal(size=classes),
        )
        data = (rng.uniform(size=(n, pixels)), np.eye(classes)[rng.integers(classes, size=n)])
        made.append(Case(f"classifier, {n:,} images", classifier, by_hand, parameters, data))
    return made
