"""Singular value decompositions and what follows from them: svd, svdvals, orth, null_space, subspace_angles.

The vectors are SciPy's, by either driver; how they move says NumPy's `singular_vectors`. `orth` are the left
vectors of the values that are kept. The basis of a null space is any, but for its sign where it is one real
vector: a loss that does not change as the basis turns is taken to depend on the null space alone, any other
is refused, and there is no tangent. An angle between subspaces that is zero has derivative zero, and others
are functions of singular values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO, NotImplementedTangent, from_fields, is_zero
from ...numpy.adjoints import adjoint
from ...numpy.linalg.gaps import has_repeats, refuse_part
from ...numpy.linalg.singular_values import MISSING, thin_bars, thin_factors
from ...numpy.linalg.singular_vectors import from_vectors, has_no_derivative, moved_vectors
from ...numpy.nesting import nest
from ...written import own, written_out
from .rounding import against
from .stacks import over_stacks


def vectors_too(a: Any, full: Any, options: Any) -> Any:
    """(u, s, vh) in what SciPy puts them in, the vectors even where the values alone are asked for."""
    return linalg.svd(a, full, True, check_finite=options[0], lapack_driver=options[1])


@frule(linalg.svd)
def svd_frule(
    tangents, a: np.ndarray, *, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True,
    lapack_driver="gesdd",
):  # fmt: skip
    """a = u s vᴴ        ṡ = Re diag uᴴ ȧ v        u̇, v̇: see `singular_vectors`"""
    y = vectors_too(a, full_matrices and compute_uv, (check_finite, lapack_driver))
    u, s, v = thin_factors(y)
    inside = np.matmul(np.matmul(adjoint(u), tangents[0]), v)
    ds = np.real(np.diagonal(inside, axis1=-2, axis2=-1))
    if not compute_uv:
        return y[1], ds
    if has_no_derivative(u, s, v):
        return y, from_fields(type(y), (MISSING, ds, MISSING))
    du, dv = moved_vectors(tangents[0], u, s, v, inside)
    dvh: Any = adjoint(dv)
    if np.shape(u) != np.shape(y[0]):
        du = MISSING
    if np.shape(v)[-1] != np.shape(y[2])[-2]:
        dvh = MISSING
    return y, from_fields(type(y), (du, ds, dvh))


@rrule(linalg.svd)
def svd_rrule(
    a: np.ndarray, *, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True,
    lapack_driver="gesdd",
):  # fmt: skip
    """a = u s vᴴ        ā = u diag(s̄) vᴴ and what comes from ū, v̄: see `singular_vectors`"""
    y = vectors_too(a, full_matrices and compute_uv, (check_finite, lapack_driver))
    u, s, v = thin_factors(y)
    loose = has_repeats(s)

    def svd_pullback(y_bar):
        u_bar, s_bar, vh_bar = (y_bar[0], y_bar[1], y_bar[2]) if compute_uv else (ZERO, y_bar, ZERO)
        s_bar = nest(s_bar, np.shape(s))
        if is_zero(u_bar) and is_zero(vh_bar):
            return np.matmul(u * np.expand_dims(s_bar, -2), adjoint(v))
        u_bar, vh_bar = nest(u_bar, np.shape(y[0])), nest(vh_bar, np.shape(y[2]))
        u_bar, v_bar = thin_bars(linalg.svd, u_bar, vh_bar, np.shape(s)[-1])
        return from_vectors(linalg.svd, u_bar, s_bar, v_bar, u, s, v, loose)

    return y if compute_uv else y[1], svd_pullback


@written_out(linalg.svdvals)
def svdvals(a: np.ndarray, *, overwrite_a=False, check_finite=True):
    """s of `svd`"""
    return linalg.svd(a, compute_uv=False, check_finite=check_finite)


def count_of(basis: Any) -> int:
    """How many vectors there are."""
    return int(basis.shape[-1])


non_differentiable(count_of, why="counts")


@written_out(linalg.orth)
def orth(A: np.ndarray, *, rcond=None):
    """the left vectors of the singular values that are not zero"""
    if np.ndim(A) > 2:
        return over_stacks(linalg.orth, A, rcond=rcond)
    count = count_of(own(linalg.orth, A, rcond))
    return linalg.svd(A, full_matrices=False)[0][:, :count]


ANY = NotImplementedTangent("the vectors of a null space are any basis of it")


def basis_of_null(a: Any, n: Any) -> Any:
    """n, a basis of the null space of a that SciPy found."""
    return n


@frule(basis_of_null)
def basis_of_null_frule(tangents, a: np.ndarray, n: np.ndarray):
    """a n = 0        ṅ = −a⁺ ȧ n, of one real vector"""
    y = basis_of_null(a, n)
    if np.shape(y)[-1] > 1 or (np.iscomplexobj(y) and np.shape(y)[-1]):
        return y, ANY
    return y, -np.matmul(np.linalg.pinv(a), np.matmul(tangents[0], y))


@rrule(basis_of_null)
def basis_of_null_rrule(a: np.ndarray, n: np.ndarray):
    """a n = 0        ā = −a⁺ᴴ n̄ nᴴ        [Golub & Pereyra 1973]"""
    y = basis_of_null(a, n)

    def basis_of_null_pullback(n_bar):
        turned = np.matmul(adjoint(y), n_bar)
        why = "the loss depends on the basis of a null space, which is any"
        refuse_part(linalg.null_space, against(turned - adjoint(turned), n_bar), why, NEXT)
        return -np.matmul(np.matmul(adjoint(np.linalg.pinv(a)), n_bar), adjoint(y)), ZERO

    return y, basis_of_null_pullback


NEXT = "use what depends on the null space alone, as the projector n @ n.conj().T"


@written_out(linalg.null_space)
def null_space(A: np.ndarray, *, rcond=None, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    """the vectors that A maps to zero, at constant rank"""
    if np.ndim(A) > 2:
        return over_stacks(linalg.null_space, A, rcond=rcond, lapack_driver=lapack_driver)
    n = own(linalg.null_space, A, rcond, check_finite=check_finite, lapack_driver=lapack_driver)
    return basis_of_null(A, n)


def is_tiny(s: Any) -> Any:
    """Which sines are zero up to rounding."""
    return s <= 10 * np.finfo(s.dtype).eps


non_differentiable(is_tiny, why="compares with a bound")


@written_out(linalg.subspace_angles)
def subspace_angles(A: np.ndarray, B: np.ndarray):
    """cosines of them are singular values of qᴴ p, sines of p − q qᴴ p [Knyazev & Argentati 2002]"""
    if np.ndim(A) > 2 or np.ndim(B) > 2:
        return over_stacks(linalg.subspace_angles, A, B)
    own(linalg.subspace_angles, A, B)
    q, p = basis(A), basis(B)
    if np.shape(q)[1] < np.shape(p)[1]:
        q, p = p, q
    product = np.matmul(adjoint(q), p)
    cosines = np.linalg.svd(product, compute_uv=False)
    sines = np.flip(np.linalg.svd(p - np.matmul(q, product), compute_uv=False))
    zero = is_tiny(sines)
    small = np.square(cosines) >= 0.5
    by_sine = np.arcsin(np.where(zero | ~small, 0.0, sines))
    by_cosine = np.arccos(np.where(small, 0.0, cosines))
    return np.flip(np.where(small, by_sine, by_cosine))


def basis(a: Any) -> Any:
    """An orthonormal basis of the columns, which are independent."""
    return np.linalg.qr(a)[0]
