"""Adjoints: the conjugate, and the conjugate transpose of the last two axes, at no cost for real arrays."""

from __future__ import annotations

from typing import Any

import numpy as np


def conj(x: Any) -> Any:
    """The conjugate of a complex array; a real one itself, not a copy."""
    if type(x) is np.ndarray and x.dtype.kind != "c":
        return x
    return np.conj(x) if np.iscomplexobj(x) else x


def adjoint(x: Any) -> Any:
    """xᴴ of a matrix or a stack of them.

    Example: >>> adjoint(np.array([[1, 2j]]))
             array([[1.-0.j],
                    [0.-2.j]])
    """
    if type(x) is np.ndarray and x.dtype.kind != "c":
        return x.mT
    return conj(np.swapaxes(x, -1, -2))
