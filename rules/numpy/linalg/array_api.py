"""The functions of `numpy.linalg` that NumPy has under other names too, with their own arguments.

cross, diagonal, matmul, matrix_norm, outer, tensordot, trace, vecdot and vector_norm are those of the
array API standard: matrices stand in the last axes, arguments are given by name.
"""

from __future__ import annotations

import numpy as np

from ....core import Array
from ...written import written_out
from .. import vector_products
from ..axes import kept
from ..reductions import lines


@written_out(np.linalg.cross)
def cross(x1: np.ndarray, x2: np.ndarray, *, axis=-1):
    """y = x₁ × x₂, along one axis"""
    return np.cross(x1, x2, axis=axis)


@written_out(np.linalg.diagonal)
def diagonal(x: np.ndarray, *, offset=0):
    """y = a diagonal of each matrix"""
    return np.diagonal(x, offset, -2, -1)


@written_out(np.linalg.matmul)
def matmul(x1: Array, x2: Array):
    """y = x₁ x₂"""
    return np.matmul(x1, x2)


@written_out(np.linalg.matrix_norm)
def matrix_norm(x: np.ndarray, *, keepdims=False, ord="fro"):
    """y = ‖x‖ of each matrix"""
    return np.linalg.norm(x, ord, (-2, -1), keepdims)


@written_out(np.linalg.outer)
def outer(x1: np.ndarray, x2: np.ndarray):
    """yᵢⱼ = x₁ᵢ x₂ⱼ"""
    return np.outer(x1, x2)


@written_out(np.linalg.tensordot)
def tensordot(x1: Array, x2: Array, *, axes=2):
    """y = Σ x₁ x₂ over pairs of axes"""
    return np.tensordot(x1, x2, axes)


@written_out(np.linalg.trace)
def trace(x: np.ndarray, *, offset=0, dtype=None):
    """y = Σ xᵢᵢ of each matrix"""
    return np.trace(x if dtype is None else x.astype(dtype), offset, -2, -1)


@written_out(np.linalg.vecdot)
def vecdot(x1: Array, x2: Array, *, axis=-1):
    """y = Σ conj(x₁) x₂ along one axis"""
    return vector_products.vecdot(x1, x2, axis=axis)


@written_out(np.linalg.vector_norm)
def vector_norm(x: Array, *, axis=None, keepdims=False, ord=2):
    """y = ‖x‖ along axes, which it takes as one"""
    rows, _, _, line_shape = lines(np.shape(x), axis)
    y = np.linalg.norm(np.reshape(np.transpose(x, rows), line_shape), ord, -1)
    return np.reshape(y, kept(np.shape(x), axis)) if keepdims else y
