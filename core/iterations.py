"""Iterations: linear systems that are known by their products alone.

Conjugate gradients where a matrix is symmetric and positive [Hestenes & Stiefel 1952], and generalised
conjugate residuals elsewhere [Eisenstat, Elman & Schultz 1983]. What comes out satisfies the system, by a
product of its own, or nothing comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_CLOSE, _SOLVED = 1e-12, 1e-11
_GRADIENTS, _RESIDUALS = 500, 200

Product = Callable[[Any], Any]


def by_conjugate_gradients(product: Product, b: Any) -> Any:
    """The w with product(w) = b; None where the matrix is not positive, or it takes long."""
    w, rest, p = np.zeros_like(b), b, b
    size = least = rest @ rest
    for _ in range(min(len(b), _GRADIENTS)):
        if size <= _CLOSE**2 * least:
            break
        q = product(p)
        curve = p @ q
        if not curve > 0.0:
            return None
        share = size / curve
        w, rest = w + share * p, rest - share * q
        before, size = size, rest @ rest
        p = rest + (size / before) * p
    return w if is_solution(product, w, b) else None


def by_conjugate_residuals(product: Product, b: Any) -> Any:
    """The w with product(w) = b; None where it takes long, or a step does not lead anywhere.

    All earlier directions are kept, and each image is orthogonal to those before.
    """
    many = min(len(b), _RESIDUALS)
    directions, images = np.empty((many, len(b)), b.dtype), np.empty((many, len(b)), b.dtype)
    w, rest, least = np.zeros_like(b), b, _CLOSE * np.linalg.norm(b)
    for k in range(many):
        length = np.linalg.norm(rest)
        if length <= least:
            break
        p, q = rest, product(rest)
        for _ in range(2):  # what rounding leaves of the first time
            shares = images[:k] @ q
            p, q = p - shares @ directions[:k], q - shares @ images[:k]
        size = np.linalg.norm(q)
        if not 0.0 < size < np.inf:
            return None
        p, q = p / size, q / size
        share = q @ rest
        if not abs(share) > 1e-6 * length:
            return None
        directions[k], images[k] = p, q
        w, rest = w + share * p, rest - share * q
    return w if is_solution(product, w, b) else None


def is_solution(product: Product, w: Any, b: Any) -> bool:
    """Whether w satisfies the system."""
    return bool(np.linalg.norm(product(w) - b) <= _SOLVED * np.linalg.norm(b))
