"""Least squares and pseudo-inverses at constant rank: lstsq, pinv, pinvh; the rules are NumPy's.

Where the rank changes the solution jumps and has no derivative. Where the cut-off drops singular values that
are not zero it is the derivative of the truncated decomposition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import Array, non_differentiable
from ...numpy.linalg.factorizations import mirrored
from ...written import as_found, own, written_out
from .stacks import over_stacks
from .systems import check_finite_entries


def relative_cut(a: Any, atol: Any, rtol: Any) -> float:
    """SciPy's cut-off as a fraction of the greatest singular value."""
    largest = float(np.linalg.norm(a, 2)) if a.size else 0.0
    part = max(a.shape) * np.finfo(np.result_type(a, np.float32)).eps if rtol is None else rtol
    return float(part + (atol / largest if atol and largest else 0.0))


def rank_above(a: Any, cut: Any) -> Any:
    """How many singular values are above the cut-off."""
    s = np.linalg.svd(a, compute_uv=False)
    return np.sum(s > cut * np.max(s, initial=0.0))


non_differentiable(relative_cut, rank_above, why="compares with a bound")


@written_out(linalg.pinv)
def pinv(a: np.ndarray, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """y = a⁺"""
    check_finite_entries(a, check_finite)
    if np.ndim(a) > 2:
        return over_stacks(linalg.pinv, a, atol=atol, rtol=rtol, return_rank=return_rank)
    cut = relative_cut(a, atol, rtol)
    y = np.linalg.pinv(a, cut)
    return (y, rank_above(a, cut)) if return_rank else y


@written_out(linalg.pinvh)
def pinvh(a: np.ndarray, *, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """y = a⁺, of the Hermitian matrix of which one triangle is read"""
    check_finite_entries(a, check_finite)
    if np.ndim(a) > 2:
        return over_stacks(linalg.pinvh, a, atol=atol, rtol=rtol, lower=lower, return_rank=return_rank)
    whole = mirrored(a, not lower)
    cut = relative_cut(whole, atol, rtol)
    y = np.linalg.pinv(whole, cut)
    return (y, rank_above(whole, cut)) if return_rank else y


def driver_of(lapack_driver: Any) -> Any:
    """The driver that SciPy takes."""
    return linalg.lstsq.default_lapack_driver if lapack_driver is None else lapack_driver


def precision_of(a: Any) -> float:
    """The default of the cut-off, by the precision that SciPy computes in."""
    return float(np.finfo(np.result_type(a, np.float32)).eps)


non_differentiable(driver_of, precision_of, why="reads an argument")


@written_out(linalg.lstsq)
def lstsq(
    a: np.ndarray, b: Array, *, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True,
    lapack_driver=None,
):  # fmt: skip
    """x = a⁺ b, the residuals Σ |b − a x|², the rank, and the singular values of a"""
    check_finite_entries(a, check_finite)
    check_finite_entries(b, check_finite)
    driver = driver_of(lapack_driver)
    if np.ndim(a) > 2 or np.ndim(b) > 2:
        return over_stacks(linalg.lstsq, a, b, cond=cond, lapack_driver=driver)
    found = own(linalg.lstsq, a, b, cond, lapack_driver=driver)
    m, n = np.shape(a)
    cut = precision_of(a) if cond is None else cond
    x = np.matmul(np.linalg.pinv(a, cut), b)
    residuals = found[1]
    if driver != "gelsy" and m > n and found[2] == n:
        left = b - np.matmul(a, x)
        residuals = as_found(found[1], np.sum(np.real(np.conj(left) * left), axis=0))
    s = None if driver == "gelsy" else np.linalg.svd(a, compute_uv=False)
    return x, residuals, found[2], s
