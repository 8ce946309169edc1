"""Covariances and correlation coefficients: cov, corrcoef.

Differentiated by the observations and by `aweights`; `fweights` are counts. Degrees of freedom that are
not positive warn and give what NumPy gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, non_differentiable
from ..written import written_out
from .adjoints import conj


def table_type(m: Any, y: Any, dtype: Any) -> Any:
    """The dtype in which covariances are computed."""
    if dtype is not None:
        return np.dtype(dtype)
    return np.result_type(m, np.float64) if y is None else np.result_type(m, y, np.float64)


def as_counts(fweights: Any) -> Any:
    """Frequencies as floats, as NumPy checks them."""
    return np.asarray(fweights, dtype=float)


def checked(*arguments: Any) -> None:
    """Let NumPy refuse what it refuses, and warn of what it warns of."""
    np.cov(*arguments[:-1], dtype=arguments[-1])


non_differentiable(table_type, as_counts, checked, why="reads types and counts")


def table(m: Any, rowvar: Any, keep: bool) -> Any:
    """The observations with a row for each variable."""
    rows = np.reshape(m, (1, -1)) if np.ndim(m) < 2 else m
    return rows.T if not rowvar and not keep else rows


@written_out(np.cov)
def cov(
    m: Array,
    y: Array | None = None,
    aweights: Array | None = None,
    *,
    rowvar=True,
    bias=False,
    ddof=None,
    fweights=None,
    dtype=None,
):
    """c = Σ w (x − x̄)(x − x̄)ᴴ / n, with x̄ the mean and n the degrees of freedom"""
    checked(m, y, rowvar, bias, ddof, fweights, aweights, dtype)
    x = table(m, rowvar, np.ndim(m) == 1)
    if y is not None:
        others = np.reshape(y, (1, -1)) if np.ndim(y) < 2 else y
        x = np.concatenate((x, table(others, rowvar, np.shape(others)[0] == 1)), axis=0)
    x = x.astype(table_type(m, y, dtype))
    freedom = (0 if bias else 1) if ddof is None else ddof
    if fweights is None and aweights is None:
        centred = x - np.mean(x, axis=1, keepdims=True)
        return np.squeeze(np.matmul(centred, conj(centred).T) / max(np.shape(x)[1] - freedom, 0))
    weights = 1.0 if fweights is None else as_counts(fweights)
    lost = freedom
    if aweights is not None:
        weights = weights * aweights
        lost = freedom * np.sum(weights * aweights) / np.sum(weights)
    total = np.sum(weights)
    centred = x - np.sum(weights * x, axis=1, keepdims=True) / total
    return np.squeeze(np.matmul(weights * centred, conj(centred).T) / (total - lost))


@written_out(np.corrcoef)
def corrcoef(x: Array, y: Array | None = None, *, rowvar=True, dtype=None):
    """r = c / √(diag c diag cᵀ), c the covariances, its parts no larger than 1"""
    c = np.cov(x, y, rowvar, dtype=dtype)
    if np.ndim(c) == 0:
        return c / c
    deviation = np.sqrt(np.real(np.diagonal(c)))
    r = c / np.expand_dims(deviation, 1) / deviation
    if np.iscomplexobj(r):
        return np.clip(np.real(r), -1, 1) + 1j * np.clip(np.imag(r), -1, 1)
    return np.clip(r, -1, 1)
