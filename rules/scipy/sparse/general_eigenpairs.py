"""A few eigenpairs of a sparse matrix that need not be symmetric, as real numbers.

A pair (v, λ) is complex, of a real matrix too. Of its real and imaginary parts are asked A v = λ v, vᴴv = 1
and that the phase of v against the vector that was found stays: a bordered real system, factorised for each
pair [Peters & Wilkinson 1979]. So a loss that does not depend on the phase has its derivative; ARPACK chooses
the phase as it iterates. An eigenvalue that is not simple, as far as rounding tells, is refused, and a pair
that has not converged.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from ....core import NotDifferentiableError, implicit, non_differentiable
from ...written import own, written_out
from .eigenpairs import CONVERGED, Bordered, check_matrix
from .entries import Sparse, as_sparse


class ComplexBordered(Bordered):
    """The factorised derivative of `unsolved_parts` by the pair, or its transpose."""

    def __init__(self, f: Any, a: Any, value: Any, vector: Any) -> None:
        a, re, im = sparse.csc_array(a), np.real(vector)[:, None], np.imag(vector)[:, None]
        if np.linalg.norm(a @ vector - value * vector) > CONVERGED * linalg.norm(a, 1):
            raise NotDifferentiableError(
                f"{f.__name__} has not converged to an eigenpair, at the value {value:.6g}",
                next="ask for a smaller tol=, or allow more iterations with maxiter=",
            )
        one = sparse.eye_array(len(vector), format="csc")
        shifted, turn = a - value.real * one, value.imag * one
        blocks = [[shifted, turn, -re, im], [-turn, shifted, -im, -re]]
        borders = [[re.T, im.T, None, None], [-im.T, re.T, None, None]]
        self.factorise(sparse.block_array([*blocks, *borders], format="csc"), value)


def parts_of(value: Any, vector: Any) -> Any:
    """A pair as real numbers: the vector's real and imaginary parts, then the value's."""
    return np.concatenate((np.real(vector), np.imag(vector), [np.real(value), np.imag(value)]))


def nearest(alone: Any, values: Any) -> Any:
    """Which of the values that came with vectors each of those is that came alone."""
    free, order = list(range(len(values))), []
    for x in alone:
        order.append(min(free, key=lambda k: abs(values[k] - x)))
        free.remove(order[-1])
    return np.array(order, int)


non_differentiable(ComplexBordered, parts_of, nearest, why="is a solver, an order, or what was found")


def unsolved_parts(y: Any, a: Any, reference: Any) -> Any:
    """A v − λ v, (vᴴv − 1)/2 and Im(v₀ᴴv), of a pair as real numbers."""
    n = np.shape(a)[0]
    re, im, real, imaginary = y[:n], y[n : 2 * n], y[2 * n], y[2 * n + 1]
    length = (re @ re + im @ im - 1.0) / 2.0
    phase = reference[:n] @ im - reference[n : 2 * n] @ re
    return np.concatenate(
        (
            a @ re - real * re + imaginary * im,
            a @ im - real * im - imaginary * re,
            np.reshape(length, (1,)),
            np.reshape(phase, (1,)),
        )
    )


@written_out(linalg.eigs)
def eigs(
    A: Sparse | np.ndarray,
    *,
    k=6,
    M=None,
    sigma=None,
    which="LM",
    return_eigenvectors=True,
    Minv=None,
    OPinv=None,
    OPpart=None,
    **options,
):
    """A v = λ v, vᴴv = 1, the phase held        (A − λ) v̇ − λ̇ v = −Ȧ v, v₀ᴴv̇ = 0"""
    check_matrix(linalg.eigs, A, M=M, Minv=Minv, OPinv=OPinv, OPpart=OPpart)
    options = {"k": k, "sigma": sigma, "which": which, **options}
    values, vectors = own(linalg.eigs, A, **options)
    a, n, found = as_sparse(A), np.shape(A)[0], []
    for i in range(len(values)):
        y = parts_of(values[i], vectors[:, i])
        solver = ComplexBordered(linalg.eigs, a, values[i], vectors[:, i])
        found.append(implicit.root(unsolved_parts, y, a, y, solver=solver))
    rows = np.stack(found)
    moved = rows[:, 2 * n] + 1j * rows[:, 2 * n + 1]
    if return_eigenvectors:
        return moved, np.transpose(rows[:, :n] + 1j * rows[:, n : 2 * n])
    alone = own(linalg.eigs, A, return_eigenvectors=False, **options)
    return moved[nearest(alone, values)]
