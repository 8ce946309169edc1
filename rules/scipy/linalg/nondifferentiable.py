"""What of `scipy.linalg` has no derivative: what tells the structure of a matrix, and constant matrices."""

from __future__ import annotations

from scipy import linalg

from ....core import non_differentiable

non_differentiable(
    linalg.bandwidth, linalg.ishermitian, linalg.issymmetric, why="tells the structure of a matrix"
)
non_differentiable(
    linalg.find_best_blas_type,
    linalg.get_blas_funcs,
    linalg.get_lapack_funcs,
    why="chooses functions by types",
)
non_differentiable(
    linalg.dft, linalg.hadamard, linalg.helmert, linalg.hilbert, linalg.invhilbert, linalg.invpascal,
    linalg.pascal, why="a matrix that depends on its size alone",
)  # fmt: skip
