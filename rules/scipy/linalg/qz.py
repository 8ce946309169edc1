"""Generalised Schur forms: qz, ordqz.

    a = q s zᴴ, b = q t zᴴ        q̇ = q ω, ż = z ψ        ṡ = c − ω s + s ψ, ṫ = d − ω t + t ψ
    c = qᴴ ȧ z, d = qᴴ ḃ z; the strictly lower parts of ω and ψ make both triangular, column by column

Real forms with blocks of two rows and eigenvalues that coincide are refused. Complex vectors have phases that
nothing fixes: what depends on them is refused, and there is no tangent.

See [Stewart & Sun 1990].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....tangents import ZERO, NotImplementedTangent, from_fields
from ...numpy.adjoints import adjoint, conj
from ...numpy.linalg.gaps import refuse_part
from ...numpy.nesting import nest
from ...written import own, written_out
from .rounding import against
from .stacks import over_stacks

FREE = NotImplementedTangent("the vectors of a complex generalised Schur form have phases that nothing fixes")
NEXT = "use what does not depend on the phase of a vector, as the quotients of the diagonals"


def form_of(a: Any, b: Any, s: Any, t: Any, q: Any, z: Any) -> Any:
    """(s, t, q, z), the form of a and b that SciPy found."""
    return s, t, q, z


def refuse_form(s: Any, t: Any) -> None:
    """Refuse blocks of two rows, and eigenvalues that coincide."""
    alpha, beta = np.diagonal(s), np.diagonal(t)
    gaps = np.abs(alpha[:, None] * beta[None, :] - beta[:, None] * alpha[None, :])
    size = np.hypot(np.abs(alpha), np.abs(beta))
    near = gaps <= 100 * np.finfo(float).eps * size[:, None] * size[None, :]
    if np.any(np.tril(s, -1)) or np.sum(near) > len(alpha):
        raise NotDifferentiableError(
            "scipy.linalg.qz has no derivative at real forms of complex pairs or where eigenvalues coincide",
            next='give output="complex" where eigenvalues are complex',
        )


def by_first(s: Any, t: Any, j: int) -> bool:
    """Which equation has the greater pivot."""
    return bool(abs(s[j, j]) >= abs(t[j, j]))


non_differentiable(refuse_form, by_first, why="decides what has a derivative")


def turned_by(c: Any, d: Any, s: Any, t: Any) -> tuple[Any, Any]:
    """The strictly lower l, m with c − l s + s m and d − l t + t m triangular."""
    n = np.shape(s)[-1]
    lows: Any = []
    others = []
    for j in range(n):
        one, two = c[j + 1 :, j], d[j + 1 :, j]
        for k in range(j):
            one, two = one - lows[k][j + 1 :] * s[k, j], two - lows[k][j + 1 :] * t[k, j]
        low = other = one
        if j < n - 1:
            s_rest, t_rest = s[j + 1 :, j + 1 :], t[j + 1 :, j + 1 :]
            system = s[j, j] * t_rest - t[j, j] * s_rest
            other = linalg.solve_triangular(system, t[j, j] * one - s[j, j] * two, check_finite=False)
            if by_first(s, t, j):
                low = (one + np.matmul(s_rest, other)) / s[j, j]
            else:
                low = (two + np.matmul(t_rest, other)) / t[j, j]
        lows.append(np.concatenate((np.zeros(j + 1), low)))
        others.append(np.concatenate((np.zeros(j + 1), other)))
    return np.stack(lows, axis=-1), np.stack(others, axis=-1)


def turned_back(low_bar: Any, other_bar: Any, s: Any, t: Any) -> tuple[Any, Any]:
    """The adjoint of `turned_by`, in c and d."""
    n = np.shape(s)[-1]
    c_bar, d_bar = np.zeros_like(low_bar), np.zeros_like(low_bar)
    places = np.arange(n)
    for j in range(n - 2, -1, -1):
        s_rest, t_rest = s[j + 1 :, j + 1 :], t[j + 1 :, j + 1 :]
        first = by_first(s, t, j)
        quotient = low_bar[j + 1 :, j] / conj(s[j, j] if first else t[j, j])
        back = other_bar[j + 1 :, j] + np.matmul(adjoint(s_rest if first else t_rest), quotient)
        system = s[j, j] * t_rest - t[j, j] * s_rest
        found = linalg.solve_triangular(system, back, 2, check_finite=False)
        one, two = conj(t[j, j]) * found, -conj(s[j, j]) * found
        if first:
            one = one + quotient
        else:
            two = two + quotient
        one = np.expand_dims(np.concatenate((np.zeros(j + 1), one)), -1)
        two = np.expand_dims(np.concatenate((np.zeros(j + 1), two)), -1)
        c_bar, d_bar = c_bar + one * (places == j), d_bar + two * (places == j)
        earlier = places < j
        low_bar = low_bar - one * np.where(earlier, conj(s[:, j]), 0.0)
        low_bar = low_bar - two * np.where(earlier, conj(t[:, j]), 0.0)
    return c_bar, d_bar


@frule(form_of)
def form_of_frule(
    tangents, a: np.ndarray, b: np.ndarray, s: np.ndarray, t: np.ndarray, q: np.ndarray, z: np.ndarray
):
    """q̇ = q ω, ż = z ψ        ṡ = c − ω s + s ψ, ṫ = d − ω t + t ψ"""
    y = form_of(a, b, s, t, q, z)
    s, t, q, z = y
    refuse_form(s, t)
    if np.iscomplexobj(s):
        return y, from_fields(tuple, (FREE, FREE, FREE, FREE))
    c = np.matmul(adjoint(q), np.matmul(tangents[0] + np.zeros_like(a), z))
    d = np.matmul(adjoint(q), np.matmul(tangents[1] + np.zeros_like(b), z))
    low, other = turned_by(c, d, s, t)
    omega, psi = low - adjoint(low), other - adjoint(other)
    ds = np.triu(c - np.matmul(omega, s) + np.matmul(s, psi))
    dt = np.triu(d - np.matmul(omega, t) + np.matmul(t, psi))
    return y, from_fields(tuple, (ds, dt, np.matmul(q, omega), np.matmul(z, psi)))


@rrule(form_of)
def form_of_rrule(a: np.ndarray, b: np.ndarray, s: np.ndarray, t: np.ndarray, q: np.ndarray, z: np.ndarray):
    """g = qᴴ q̄ − s̄ sᴴ − t̄ tᴴ, h = zᴴ z̄ + sᴴ s̄ + tᴴ t̄        ā = q (s̄ + what comes of both) zᴴ"""
    y = form_of(a, b, s, t, q, z)
    s, t, q, z = y

    def form_of_pullback(y_bar):
        refuse_form(s, t)
        s_bar, t_bar = np.triu(nest(y_bar[0], np.shape(s))), np.triu(nest(y_bar[1], np.shape(t)))
        q_bar, z_bar = nest(y_bar[2], np.shape(q)), nest(y_bar[3], np.shape(z))
        g = np.matmul(adjoint(q), q_bar) - np.matmul(s_bar, adjoint(s)) - np.matmul(t_bar, adjoint(t))
        h = np.matmul(adjoint(z), z_bar) + np.matmul(adjoint(s), s_bar) + np.matmul(adjoint(t), t_bar)
        for part in (g, h):
            refuse_part(
                linalg.qz,
                against(np.imag(np.diagonal(part)), part),
                "a vector has a phase that nothing fixes",
                NEXT,
            )
        c_bar, d_bar = turned_back(np.tril(g - adjoint(g), -1), np.tril(h - adjoint(h), -1), s, t)
        a_bar = np.matmul(np.matmul(q, s_bar + c_bar), adjoint(z))
        b_bar = np.matmul(np.matmul(q, t_bar + d_bar), adjoint(z))
        return a_bar, b_bar, ZERO, ZERO, ZERO, ZERO

    return y, form_of_pullback


@written_out(linalg.qz)
def qz(
    A: np.ndarray, B: np.ndarray, *, output="real", lwork=None, sort=None, overwrite_a=False,
    overwrite_b=False, check_finite=True,
):  # fmt: skip
    """a = q s zᴴ, b = q t zᴴ"""
    if np.ndim(A) > 2 or np.ndim(B) > 2:
        return over_stacks(linalg.qz, A, B, output=output, sort=sort)
    s, t, q, z = own(linalg.qz, A, B, output, sort=sort, check_finite=check_finite)
    one, two = (A + 0j, B + 0j) if np.iscomplexobj(s) else (A, B)
    return form_of(one, two, s, t, q, z)


@written_out(linalg.ordqz)
def ordqz(
    A: np.ndarray, B: np.ndarray, *, sort="lhp", output="real", overwrite_a=False, overwrite_b=False,
    check_finite=True,
):  # fmt: skip
    """the form of `qz` in an order, and between its parts the diagonals"""
    if np.ndim(A) > 2 or np.ndim(B) > 2:
        return over_stacks(linalg.ordqz, A, B, sort=sort, output=output)
    found = own(linalg.ordqz, A, B, sort, output, check_finite=check_finite)
    one, two = (A + 0j, B + 0j) if np.iscomplexobj(found[0]) else (A, B)
    s, t, q, z = form_of(one, two, found[0], found[1], found[4], found[5])
    return s, t, np.diagonal(s) + 0j, np.diagonal(t) + np.zeros_like(found[3]), q, z
