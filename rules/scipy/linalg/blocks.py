"""Blocks with a matrix on the diagonal and a direction in the corner: derivatives of functions of matrices.

    f([a e; 0 a]) = [f(a) L(a, e); 0 f(a)]        [Mathias 1996]

holds for every function f that is analytic at the eigenvalues of a, coinciding ones too.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def triangle(a: Any, e: Any) -> Any:
    """The block of a, with e in its upper right corner."""
    a, e = a + np.zeros_like(e), e + np.zeros_like(a)
    return np.concatenate(
        (np.concatenate((a, e), axis=-1), np.concatenate((np.zeros_like(a), a), axis=-1)), axis=-2
    )


def pair(a: Any, b: Any) -> Any:
    """The block with a and b on its diagonal."""
    return np.concatenate(
        (np.concatenate((a, np.zeros_like(a)), axis=-1), np.concatenate((np.zeros_like(b), b), axis=-1)),
        axis=-2,
    )


def corner(y: Any) -> Any:
    """The upper right block."""
    n = np.shape(y)[-1] // 2
    return y[..., :n, n:]
