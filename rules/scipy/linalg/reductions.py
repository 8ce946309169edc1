"""Reductions of a matrix by similarity: hessenberg, matrix_balance.

Hessenberg's form is written out as the reflections that LAPACK makes, one a column; a column that has nothing
left to reflect is refused, since the reflection jumps there. Balancing scales by powers of two and exchanges
rows and columns, which do not move.

See [Golub & Van Loan 2013].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import NotDifferentiableError, non_differentiable
from ...numpy.adjoints import adjoint, conj
from ...written import as_found, own, written_out
from .stacks import over_stacks
from .systems import check_finite_entries, check_matrix


def refuse_reduced(x: Any) -> None:
    """Refuse a column whose entries below the first are zero, and the first one real."""
    left = max(np.max(np.abs(x[1:]), initial=0.0), abs(np.imag(x[0])))
    if left <= np.finfo(float).tiny:
        raise NotDifferentiableError(
            "scipy.linalg.hessenberg has no derivative where a column is reduced already",
            next="use what does not depend on the form, as the eigenvalues of the matrix",
        )


def side_of(x: Any) -> float:
    """The sign of the first entry, which the reflection turns round."""
    return -1.0 if np.real(x[0]) < 0 or np.signbit(np.real(x[0])) else 1.0


non_differentiable(refuse_reduced, side_of, why="looks at a value")


def reflector(x: Any) -> tuple[Any, Any]:
    """v and τ with (1 − τ v vᴴ)ᴴ x along the first axis, and real [LAPACK's larfg]"""
    refuse_reduced(x)
    end = -side_of(x) * np.sqrt(np.sum(np.real(conj(x) * x)))
    first = np.ones_like(x[:1])
    return np.concatenate((first, x[1:] / (x[0] - end))), (end - x[0]) / end


def count_of(a: Any) -> int:
    """How many reflections there are; of a complex matrix one more, which makes the last entry real."""
    n = int(a.shape[-1])
    return n - 1 if np.iscomplexobj(a) and n > 2 else n - 2


non_differentiable(count_of, why="counts")


@written_out(linalg.hessenberg)
def hessenberg(a: np.ndarray, *, calc_q=False, overwrite_a=False, check_finite=True):
    """a = q h qᴴ, with zeros in h below its first subdiagonal"""
    if np.ndim(a) > 2:
        return over_stacks(linalg.hessenberg, a, calc_q=calc_q)
    check_finite_entries(a, check_finite)
    n = np.shape(a)[-1]
    h, q = a, np.eye(n, dtype=np.result_type(a, np.float32))
    for k in range(count_of(a)):
        v, tau = reflector(h[k + 1 :, k])
        v = np.expand_dims(v, -1)
        low, right = h[k + 1 :], q[:, k + 1 :]
        low = low - conj(tau) * np.matmul(v, np.matmul(adjoint(v), low))
        h = np.concatenate((h[: k + 1], low), axis=0)
        side = h[:, k + 1 :]
        side = side - tau * np.matmul(np.matmul(side, v), adjoint(v))
        h = np.concatenate((h[:, : k + 1], side), axis=1)
        q = np.concatenate((q[:, : k + 1], right - tau * np.matmul(np.matmul(right, v), adjoint(v))), axis=1)
    h = np.triu(h, -1)
    return (h, q) if calc_q else h


@written_out(linalg.matrix_balance)
def matrix_balance(A: np.ndarray, *, permute=True, scale=True, separate=False, overwrite_a=False):
    """b = t⁻¹ a t, t scales by powers of two and exchanges"""
    check_matrix(linalg.matrix_balance, "A", A)
    if np.ndim(A) > 2:
        return over_stacks(linalg.matrix_balance, A, permute=permute, scale=scale)
    found, (scaling, perm) = own(linalg.matrix_balance, A, permute, scale, True)
    b = as_found(found, A[perm][:, perm] * ratios(scaling))
    return b, (scaling, perm) if separate else own(linalg.matrix_balance, A, permute, scale)[1]


def ratios(scaling: Any) -> Any:
    """By what each entry is multiplied."""
    return scaling[None, :] / scaling[:, None]


non_differentiable(ratios, why="is constant")
