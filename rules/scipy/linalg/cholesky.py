"""Cholesky factors: cholesky, cho_factor, for one matrix or a stack of them.

One triangle of the argument is read, and its cotangent stands there. What `cho_factor` leaves in the other
triangle are the entries of its argument, as they were; zeros since SciPy 1.18.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, frule, rrule
from ...numpy.adjoints import adjoint
from ...numpy.linalg.factorizations import as_read, lower_half, mirrored
from ...written import own, written_out
from ..versions import SCIPY
from .stacks import over_stacks
from .systems import check_matrix


def under(low: Any, x: Any, trans: int = 0) -> Any:
    """l⁻¹ x, or l⁻ᴴ x."""
    return linalg.solve_triangular(low, x, trans, True, check_finite=False)


@frule(linalg.cholesky)
def cholesky_frule(tangents, a: Array, *, lower=False, overwrite_a=False, check_finite=True):
    """a = l lᴴ        l̇ = l Φ(l⁻¹ ȧ l⁻ᴴ)        Φ: the lower triangle with half its diagonal"""
    check_matrix(linalg.cholesky, "a", a)
    y = linalg.cholesky(a, lower, check_finite=check_finite)
    low = y if lower else adjoint(y)
    inside = under(low, adjoint(under(low, mirrored(tangents[0], not lower))))
    dlow = np.matmul(low, lower_half(inside))
    return y, dlow if lower else adjoint(dlow)


@rrule(linalg.cholesky)
def cholesky_rrule(a: Array, *, lower=False, overwrite_a=False, check_finite=True):
    """a = l lᴴ        ā = l⁻ᴴ Φ(lᴴ l̄) l⁻¹, Hermitian part, as it was read        [Murray 2016]"""
    check_matrix(linalg.cholesky, "a", a)
    y = linalg.cholesky(a, lower, check_finite=check_finite)

    def cholesky_pullback(y_bar):
        low, low_bar = (y, y_bar) if lower else (adjoint(y), adjoint(y_bar))
        half = under(low, lower_half(np.matmul(adjoint(low), low_bar)), 2)
        return as_read(under(low, adjoint(half), 2), not lower)

    return y, cholesky_pullback


@written_out(linalg.cho_factor)
def cho_factor(a: Array, *, lower=False, overwrite_a=False, check_finite=True):
    """the factor in one triangle, and in the other what was there, or zeros"""
    if np.ndim(a) > 2:
        return over_stacks(linalg.cho_factor, a, lower=lower)
    factor = linalg.cholesky(a, lower, check_finite=check_finite)
    if SCIPY >= (1, 18):
        return factor, own(np.asarray, bool(lower))
    return factor + (np.triu(a, 1) if lower else np.tril(a, -1)), lower
