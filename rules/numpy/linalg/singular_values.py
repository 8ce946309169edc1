"""Singular value decompositions: svd, svdvals, for one matrix or a stack of them, of any shape.

Complex singular vectors have a phase for each pair. LAPACK makes the first entry of each right vector
real, of each left one where the matrix is wide; see `phases`. Coinciding singular values: see `gaps`. A
singular value that is zero has the derivative along the vectors that LAPACK returned. The vectors that
`full_matrices=True` adds are any basis of what is left: a cotangent of theirs is refused, and
where they exist all vectors of that side have no tangent.

See [Townsend 2016] and [Wan & Zhang 2019].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import frule, non_differentiable, rrule
from ....core.calls import forward_of
from ....tangents import NotImplementedTangent, from_fields, is_zero
from ..adjoints import adjoint
from ..nesting import nest
from .gaps import has_repeats, refuse_part, settled
from .singular_vectors import from_vectors, has_no_derivative, is_loose, moved_vectors

SVDResult: Any = type(np.linalg.svd(np.ones((1, 1))))
MISSING = NotImplementedTangent(
    "singular vectors have no derivative where values coincide or vanish or a phase jumps, nor have those "
    "that full_matrices adds"
)


def thin_factors(y: Any) -> Any:
    """u, s, v of a thin decomposition, inside a first derivative."""
    k = np.shape(y[1])[-1]
    u, v = y[0][..., :k], adjoint(y[2][..., :k, :])
    loose = is_loose(u, y[1], v)
    return settled(u, loose), y[1], settled(v, loose)


@frule(np.linalg.svd)
def svd_frule(tangents, a: np.ndarray, *, full_matrices=True, compute_uv=True, hermitian=False, engine):
    """a = u s vᴴ        ṡ = Re diag uᴴ ȧ v        u̇, v̇: see `singular_vectors`"""
    if hermitian:
        return forward_of(hermitian_svd, (a,), tangents[:1], {"compute_uv": compute_uv}, engine)
    (da,) = tangents
    y = np.linalg.svd(a, full_matrices and compute_uv)
    u, s, v = thin_factors(y)
    inside = np.matmul(np.matmul(adjoint(u), da), v)
    ds = np.real(np.diagonal(inside, axis1=-2, axis2=-1))
    if not compute_uv:
        return np.linalg.svd(a, full_matrices, False), ds
    if has_no_derivative(u, s, v):
        return y, from_fields(SVDResult, (MISSING, ds, MISSING))
    du, dv = moved_vectors(da, u, s, v, inside)
    dvh: Any = adjoint(dv)
    if np.shape(u) != np.shape(y[0]):
        du = MISSING
    if np.shape(v)[-1] != np.shape(y[2])[-2]:
        dvh = MISSING
    return y, from_fields(SVDResult, (du, ds, dvh))


@rrule(np.linalg.svd)
def svd_rrule(a: np.ndarray, *, full_matrices=True, compute_uv=True, hermitian=False, engine):
    """a = u s vᴴ        ā = u diag(s̄) vᴴ and what comes from ū, v̄: see `singular_vectors`"""
    if hermitian:
        y, pullback = engine.value_and_pullback(hermitian_svd, a, compute_uv=compute_uv)
        return y, lambda y_bar: pullback(y_bar)[0]
    if not compute_uv:
        return np.linalg.svd(a, full_matrices, False), lambda s_bar: from_values(a, s_bar)
    y = np.linalg.svd(a, full_matrices)
    u, s, v = thin_factors(y)
    loose = has_repeats(s)

    def svd_pullback(y_bar):
        u_bar, vh_bar = nest(y_bar[0], np.shape(y[0])), nest(y_bar[2], np.shape(y[2]))
        s_bar = nest(y_bar[1], np.shape(s))
        if is_zero(y_bar[0]) and is_zero(y_bar[2]):
            return np.matmul(u * np.expand_dims(s_bar, -2), adjoint(v))
        u_bar, v_bar = thin_bars(np.linalg.svd, u_bar, vh_bar, np.shape(s)[-1])
        return from_vectors(np.linalg.svd, u_bar, s_bar, v_bar, u, s, v, loose)

    return y, svd_pullback


def thin_bars(f: Any, u_bar: Any, vh_bar: Any, k: int) -> tuple[Any, Any]:
    """ū and v̄ of the first k vectors; others are any basis, and a cotangent of them is refused."""
    if np.shape(u_bar)[-1] > k:
        refuse_part(f, u_bar[..., k:], "full_matrices adds vectors in any basis", THIN)
        u_bar = u_bar[..., :k]
    if np.shape(vh_bar)[-2] > k:
        refuse_part(f, vh_bar[..., k:, :], "full_matrices adds vectors in any basis", THIN)
        vh_bar = vh_bar[..., :k, :]
    return u_bar, adjoint(vh_bar)


THIN = "give full_matrices=False, or use the first vectors alone"


def from_values(a: Any, s_bar: Any) -> Any:
    """u diag(s̄) vᴴ"""
    u, _, v = thin_factors(np.linalg.svd(a, False))
    return np.matmul(u * np.expand_dims(s_bar, -2), adjoint(v))


def moved_values(da: Any, a: Any) -> Any:
    """Re diag uᴴ ȧ v"""
    u, _, v = thin_factors(np.linalg.svd(a, False))
    inside = np.matmul(np.matmul(adjoint(u), da), v)
    return np.real(np.diagonal(inside, axis1=-2, axis2=-1))


@frule(np.linalg.svdvals)
def svdvals_frule(tangents, x: np.ndarray):
    """s = the singular values of x        ṡ = Re diag uᴴ ẋ v"""
    return np.linalg.svdvals(x), moved_values(tangents[0], x)


@rrule(np.linalg.svdvals)
def svdvals_rrule(x: np.ndarray):
    """s = the singular values of x        x̄ = u diag(s̄) vᴴ"""

    def svdvals_pullback(s_bar):
        return from_values(x, s_bar)

    return np.linalg.svdvals(x), svdvals_pullback


def falling(w: Any) -> Any:
    """The places of eigenvalues by falling modulus."""
    return np.argsort(np.abs(w))[..., ::-1]


non_differentiable(falling, why="returns indices")


def hermitian_svd(a, *, compute_uv):
    """`svd(a, hermitian=True)`, written out: singular values are moduli of eigenvalues."""
    if not compute_uv:
        w = np.linalg.eigvalsh(a)
        return np.take_along_axis(np.abs(w), falling(w), -1)
    w, u = np.linalg.eigh(a)
    order = falling(w)
    s = np.take_along_axis(np.abs(w), order, -1)
    signs = np.copysign(1.0, np.take_along_axis(w, order, -1))
    u = np.take_along_axis(u, np.expand_dims(order, -2), -1)
    return SVDResult(u, s, adjoint(u * np.expand_dims(signs, -2)))
