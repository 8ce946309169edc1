"""The pseudo-inverse whose cut-off drops singular values that are not zero: of the truncated decomposition.

With a = u s vᴴ it is z = u g vᴴ, conjugated and turned round, where g is 1/s of the values that are kept and
0 of the others. A pair of kept values moves it as the inverse does; a kept and a dropped one turn into each
other, with the difference of their squares below the line; two that are dropped do not count. Where a value
crosses the cut-off z jumps and has no derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import non_differentiable
from ..adjoints import adjoint


def kept_values(s: Any, cut: Any) -> Any:
    """Which singular values are above the cut-off, relative to the greatest."""
    return s > np.asarray(cut)[..., None] * np.max(s, axis=-1, keepdims=True)


def drops(a: Any, cut: Any) -> bool:
    """Does the cut-off drop singular values that are more than rounding?"""
    if cut is None or not np.size(a):
        return False
    s = np.linalg.svd(a, compute_uv=False)
    kept = kept_values(s, cut)
    least = np.min(s, axis=-1, where=kept, initial=np.inf)
    most = np.max(s, axis=-1, where=~kept, initial=0.0)
    return bool(np.any(most > np.sqrt(np.finfo(s.dtype).eps) * np.where(np.isinf(least), 0.0, least)))


non_differentiable(kept_values, drops, why="compares with a bound")


def moved_truncated(da: Any, a: Any, cut: Any) -> Any:
    """ż for z = u g vᴴ and f = uᴴ ȧ v:
    ż = u (p ∘ f + q ∘ fᴴ) vᴴ + (1 − u uᴴ) ȧ v g² vᴴ + u g² uᴴ ȧ (1 − v vᴴ)
    p = 1 / (s² − t²), q = t / (s (s² − t²)) of a kept s and a dropped t; p = 0, q = −1 / (s t) of two kept
    [the Daleckii–Krein theorem for the Hermitian matrix of a and aᴴ].
    The map is its own adjoint: z̄ to ā is the same."""
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    kept = kept_values(s, cut)
    p, q = coefficients(s, kept)
    squared = np.where(kept, 1 / np.where(kept, s, 1.0) ** 2, 0.0)[..., None, :]
    v, uh = adjoint(vh), adjoint(u)
    f = np.matmul(np.matmul(uh, da), v)
    inside = np.matmul(np.matmul(u, p * f + q * adjoint(f)), vh)
    right = np.matmul(da, v) - np.matmul(u, f)
    left = np.matmul(uh, da) - np.matmul(f, vh)
    return inside + np.matmul(right * squared, vh) + np.matmul(u * squared, left)


def coefficients(s: Any, kept: Any) -> tuple[Any, Any]:
    """p and q of each pair."""
    row, column = s[..., :, None], s[..., None, :]
    both, one = kept[..., :, None] & kept[..., None, :], kept[..., :, None] ^ kept[..., None, :]
    large = np.where(one, np.where(kept[..., :, None], row, column), 1.0)
    small = np.where(one, np.where(kept[..., :, None], column, row), 0.0)
    p = np.where(one, 1 / (large**2 - small**2), 0.0)
    inverse = np.where(both, 1 / np.where(both, row * column, 1.0), 0.0)
    return p, p * small / large - inverse
