"""Freshness: functions whose result is an array of its own, whatever they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading.calls import module_of
from ..reading.places import accumulated
from ..reading.steps import Step

_OF_NUMPY: frozenset[Any] = frozenset(
    [
        accumulated,
        *(np.sum, np.mean, np.max, np.min, np.amax, np.amin, np.prod, np.matmul, np.dot, np.concatenate),
        *(np.stack, np.outer, np.cross, np.where, np.zeros, np.ones, np.empty, np.full, np.zeros_like),
        *(np.ones_like, np.empty_like, np.full_like, np.vander, np.arange, np.linspace, np.eye, np.copy),
        *(np.cumsum, np.roll, np.vstack, np.hstack, np.linalg.solve, np.linalg.inv, np.std, np.var),
        *(np.ndarray.sum, np.ndarray.mean, np.ndarray.dot, np.ndarray.copy, np.ndarray.flatten),
        *(np.linalg.svd, np.linalg.qr, np.linalg.eigh, np.linalg.eigvalsh, np.linalg.cholesky, np.linalg.det),
        *(np.linalg.slogdet, np.linalg.norm, np.linalg.pinv, np.linalg.lstsq, np.cumprod, np.diff, np.tile),
        *(np.repeat, np.clip, np.interp, np.take, np.tril, np.triu, np.kron, np.cov),
        *(np.argsort, np.argmax, np.argmin, np.nonzero, np.searchsorted, np.round, np.linspace, np.tensordot),
        *(np.inner, np.vdot, np.convolve, np.column_stack, np.pad, np.ndarray.clip),
        *(np.ndarray.cumprod, np.ndarray.repeat, np.ndarray.take, np.ndarray.var, np.ndarray.std),
        *(np.ndarray.argsort, np.ndarray.round, np.ndarray.astype, np.ndarray.nonzero, np.trapezoid),
        *(np.ndarray.max, np.ndarray.min, np.ndarray.prod, np.ndarray.cumsum, np.identity, np.sort),
        *(np.gradient, np.polyfit, np.polyval, np.median, np.percentile, np.quantile, np.average, np.insert),
        *(np.append, np.delete, np.nansum, np.nanmean, np.logspace, np.geomspace, np.block, np.dstack),
        *(np.unique, np.ediff1d, np.select, np.partition, np.take_along_axis, np.correlate),
        *(np.ptp, np.linalg.multi_dot, np.linalg.eig, np.linalg.eigvals, np.diagflat, np.fft.fftshift),
        *(np.fft.ifftshift, np.linalg.matrix_norm, np.linalg.vector_norm),
        *(np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.fft2, np.fft.ifft2, np.fft.rfft2),
        *(np.fft.irfft2, np.fft.fftn, np.fft.ifftn, np.fft.fftfreq, np.fft.rfftfreq),
    ]
)
_OF_SCIPY = {
    "scipy.linalg": frozenset(
        [
            *("solve", "solve_triangular", "solve_banded", "solveh_banded", "solve_toeplitz", "toeplitz"),
            *("inv", "pinv", "lstsq", "expm", "logm", "sqrtm", "cholesky", "cho_factor", "cho_solve"),
            *("lu", "lu_factor", "lu_solve", "qr", "eigh", "eigvalsh", "svd", "svdvals", "block_diag"),
        ]
    ),
    "scipy.special": frozenset(("logsumexp", "softmax", "log_softmax")),
    "scipy.integrate": frozenset(("cumulative_trapezoid", "cumulative_simpson", "trapezoid", "simpson")),
}
"""By package: these load where a program uses them."""


def is_fresh(f: Any, s: Step) -> bool:
    """Whether the result of a call of f shares no memory with what f is given.

    Not where the call allows otherwise: by `copy=False` or `overwrite_a=True`, or by either without its name.
    """
    if isinstance(f, np.ufunc):
        return True
    package = ".".join(module_of(f).split(".")[:2])
    if f not in _OF_NUMPY and getattr(f, "__name__", None) not in _OF_SCIPY.get(package, ()):
        return False
    unnamed = s.args[: len(s.args) - len(s.keywords)]
    allowed = any(k == "copy" or k.startswith("overwrite") for k in s.keywords)
    return not allowed and "=True" not in unnamed and "=False" not in unnamed
