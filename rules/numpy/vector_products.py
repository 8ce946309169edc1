"""Products of stacks of vectors: vecdot, matvec, vecmat. The vector on the left is conjugated.

Absent: `axes=`, which names the axes of each operand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array
from ..written import written_out
from .adjoints import conj


@written_out(np.vecdot)
def vecdot(x1: Array, x2: Array, *, axis=-1, keepdims=False):
    """y = Σ conj(x₁) x₂"""
    left: Any = x1
    right: Any = x2
    row = np.expand_dims(conj(np.moveaxis(left, axis, -1)), -2)
    column = np.expand_dims(np.moveaxis(right, axis, -1), -1)
    y = np.squeeze(np.matmul(row, column), axis=(-2, -1))[()]
    return np.expand_dims(y, axis) if keepdims else y


@written_out(np.matvec)
def matvec(x1: Array, x2: Array):
    """y = x₁ x₂"""
    return np.matmul(x1, np.expand_dims(x2, -1))[..., 0]


@written_out(np.vecmat)
def vecmat(x1: Array, x2: Array):
    """y = x₁ᴴ x₂"""
    return np.matmul(np.expand_dims(conj(x1), -2), x2)[..., 0, :]
