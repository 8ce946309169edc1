"""Schur forms: schur, rsf2csf.

    a = z t zᴴ, c = zᴴ ȧ z        ż = z ω        ṫ = c + t ω − ω t
    ω = l − lᴴ, whose strictly lower part l makes ṫ triangular, column by column: (tⱼⱼ − t) lⱼ = cⱼ − l tⱼ

Real vectors of a complex pair turn within their plane: a real form with such pairs is refused, take the
complex one. There each vector has a phase that nothing fixes: what depends on it is refused, and there is no
tangent. Where eigenvalues coincide the vectors are any basis of their space: the subspaces before and after
are differentiated, and what turns within is refused.

See [Stewart & Sun 1990].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....tangents import ZERO, NotImplementedTangent, from_fields
from ...numpy.adjoints import adjoint, conj
from ...numpy.linalg.gaps import refuse_part, repeated
from ...numpy.nesting import nest
from ...written import own, written_out
from .rounding import against
from .stacks import over_stacks
from .systems import check_finite_entries

FREE = NotImplementedTangent(
    "Schur vectors of complex matrices, or of coinciding eigenvalues, are not determined"
)
NEXT = "use what does not depend on the choice, as z @ z.conj().T of the leading vectors, or the eigenvalues"


def schur_pair(a: Any, t: Any, z: Any) -> Any:
    """(t, z), the Schur form of a that SciPy found."""
    return t, z


def refuse_pairs(t: Any) -> None:
    """Refuse real forms with blocks of two rows."""
    if np.any(np.tril(t, -1)):
        raise NotDifferentiableError(
            "the real Schur vectors of complex pairs of eigenvalues are not differentiated",
            next='give output="complex"',
        )


def coinciding(t: Any) -> Any:
    """Which pairs of eigenvalues coincide, each with itself if it does with others."""
    return repeated(np.diagonal(t))


non_differentiable(refuse_pairs, coinciding, why="decides what has a derivative")


def system_of(t: Any, same: Any, j: int) -> Any:
    """tⱼⱼ − t of the rows below, with ones where it vanishes."""
    rest = np.shape(t)[-1] - j - 1
    whole = t[j, j] * np.eye(rest) - t[j + 1 :, j + 1 :]
    return whole + np.eye(rest) * np.where(same[j + 1 :, j], 1.0, 0.0)


def turned_by(c: Any, t: Any, same: Any) -> Any:
    """The strictly lower l with c + t l − l t triangular."""
    n = np.shape(t)[-1]
    columns: Any = []
    for j in range(n):
        right = c[j + 1 :, j]
        for k in range(j):
            right = right - columns[k][j + 1 :] * t[k, j]
        if j < n - 1:
            right = linalg.solve_triangular(system_of(t, same, j), right, check_finite=False)
        columns.append(np.concatenate((np.zeros(j + 1), right)))
    return np.stack(columns, axis=-1) if n else np.zeros_like(c)


def turned_back(low_bar: Any, t: Any, same: Any) -> Any:
    """The adjoint of `turned_by`, in c."""
    n = np.shape(t)[-1]
    c_bar = np.zeros_like(low_bar)
    places = np.arange(n)
    for j in range(n - 2, -1, -1):
        given = low_bar[j + 1 :, j]
        refuse_part(linalg.schur, against(given * same[j + 1 :, j], low_bar), "eigenvalues coincide", NEXT)
        found = linalg.solve_triangular(system_of(t, same, j), given, 2, check_finite=False)
        column = np.concatenate((np.zeros(j + 1), found))
        c_bar = c_bar + np.expand_dims(column, -1) * (places == j)
        low_bar = low_bar - np.expand_dims(column, -1) * np.where(places < j, conj(t[:, j]), 0.0)
    return c_bar


@frule(schur_pair)
def schur_pair_frule(tangents, a: np.ndarray, t: np.ndarray, z: np.ndarray):
    """ż = z ω        ṫ = c + t ω − ω t        ω = l − lᴴ"""
    t, z = schur_pair(a, t, z)
    refuse_pairs(t)
    same = coinciding(t)
    if np.iscomplexobj(t) or np.any(same):
        return (t, z), from_fields(tuple, (FREE, FREE))
    c = np.matmul(np.matmul(adjoint(z), tangents[0]), z)
    low = turned_by(c, t, same)
    omega = low - adjoint(low)
    dt = np.triu(c + np.matmul(t, omega) - np.matmul(omega, t))
    return (t, z), from_fields(tuple, (dt, np.matmul(z, omega)))


@rrule(schur_pair)
def schur_pair_rrule(a: np.ndarray, t: np.ndarray, z: np.ndarray):
    """g = zᴴ z̄ + tᴴ t̄ − t̄ tᴴ        ā = z (t̄ and, below it, what comes of g − gᴴ) zᴴ"""
    t, z = schur_pair(a, t, z)

    def schur_pair_pullback(y_bar):
        refuse_pairs(t)
        same = coinciding(t)
        t_bar, z_bar = np.triu(nest(y_bar[0], np.shape(t))), nest(y_bar[1], np.shape(z))
        g = np.matmul(adjoint(z), z_bar) + np.matmul(adjoint(t), t_bar) - np.matmul(t_bar, adjoint(t))
        refuse_part(
            linalg.schur,
            against(np.imag(np.diagonal(g)), z_bar),
            "a vector has a phase that nothing fixes",
            NEXT,
        )
        refuse_part(linalg.schur, t_bar * same, "eigenvalues coincide", NEXT)
        c_bar = t_bar + turned_back(np.tril(g - adjoint(g), -1), t, same)
        return np.matmul(np.matmul(z, c_bar), adjoint(z)), ZERO, ZERO

    return (t, z), schur_pair_pullback


@written_out(linalg.schur)
def schur(a: np.ndarray, *, output="real", lwork=None, overwrite_a=False, sort=None, check_finite=True):
    """a = z t zᴴ, t triangular"""
    if np.ndim(a) > 2:
        return over_stacks(linalg.schur, a, output=output, sort=sort)
    found = own(linalg.schur, a, output, sort=sort, check_finite=check_finite)
    whole = a + 0j if output in ("complex", "c") else a
    t, z = schur_pair(whole, found[0], found[1])
    return (t, z) if sort is None else (t, z, found[2])


def is_block(t: Any, m: int) -> bool:
    """Whether two rows are still a block."""
    eps = np.finfo(float).eps
    return bool(abs(t[m, m - 1]) > eps * (abs(t[m - 1, m - 1]) + abs(t[m, m])))


non_differentiable(is_block, why="looks at a value")


@written_out(linalg.rsf2csf)
def rsf2csf(T: np.ndarray, Z: np.ndarray, *, check_finite=True):
    """one rotation for each block of two rows, from the last to the first"""
    if np.ndim(T) > 2 or np.ndim(Z) > 2:
        return over_stacks(linalg.rsf2csf, T, Z)
    check_finite_entries(T, check_finite)
    check_finite_entries(Z, check_finite)
    t, z = T + 0j, Z + 0j
    n = np.shape(T)[-1]
    i, j = np.indices((n, n))
    for m in range(n - 1, 0, -1):
        if is_block(t, m):
            first = np.linalg.eigvals(t[m - 1 : m + 1, m - 1 : m + 1])[0] - t[m, m]
            size = np.sqrt(np.abs(first) ** 2 + np.abs(t[m, m - 1]) ** 2)
            c, s = first / size, t[m, m - 1] / size
            g = np.stack((np.stack((conj(c), s)), np.stack((-s, c))))
            rows = np.concatenate(
                (t[m - 1 : m + 1, : m - 1], np.matmul(g, t[m - 1 : m + 1, m - 1 :])), axis=1
            )
            t = np.concatenate((t[: m - 1], rows, t[m + 1 :]), axis=0)
            turned = np.matmul(t[: m + 1, m - 1 : m + 1], adjoint(g))
            pair = np.concatenate((turned, t[m + 1 :, m - 1 : m + 1]), axis=0)
            t = np.concatenate((t[:, : m - 1], pair, t[:, m + 1 :]), axis=1)
            pair = np.matmul(z[:, m - 1 : m + 1], adjoint(g))
            z = np.concatenate((z[:, : m - 1], pair, z[:, m + 1 :]), axis=1)
        t = np.where((i == m) & (j == m - 1), 0.0, t)
    return t, z
