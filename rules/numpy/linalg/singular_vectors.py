"""The calculus of a thin singular value decomposition a = u s vᴴ, in both directions.

    uᴴ ȧ v = P        u̇ = u X + (1 − u uᴴ) ȧ v / s        v̇ = v Y + (1 − v vᴴ) ȧᴴ u / s
    X = E ∘ (P s + s Pᴴ)        Y = E ∘ (s P + Pᴴ s)        Eᵢⱼ = 1 / (sⱼ² − sᵢ²)

The last term of u̇ is there in a tall matrix, that of v̇ in a wide one. Complex vectors turn besides:
uᵢ by i θᵢ and vᵢ by i ψᵢ with sᵢ (θᵢ − ψᵢ) = Im Pᵢᵢ, so that LAPACK's anchors stay real.

See [Townsend 2016] and [Wan & Zhang 2019].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import non_differentiable
from ..adjoints import adjoint
from .gaps import between, coincident, divided, has_repeats, refuse_mixing, refuse_part
from .hermitian import in_anchor_row
from .phases import anchor_bar, has_phases, is_anchored, refuse_jump, turn_back, turning

NEXT = "use what does not depend on the vectors of vanishing singular values"


def vanishing(s: Any) -> Any:
    """Which singular values are zero up to rounding."""
    scale = np.max(s, axis=-1, initial=0.0, keepdims=True)
    return s <= 4 * np.finfo(s.dtype).eps * s.shape[-1] * scale


def anchor_of(u: Any, v: Any) -> Any:
    """The entries that LAPACK keeps real, one of each pair of vectors."""
    return v[..., 0, :] if u.shape[-2] >= v.shape[-2] else u[..., 0, :]


def is_loose(u: Any, s: Any, v: Any) -> bool:
    """Whether values coincide, or vanish where that leaves vectors free."""
    uneven = u.shape[-2] != v.shape[-2] or np.iscomplexobj(u)
    return has_repeats(s) or bool(uneven and np.any(vanishing(s)))


def has_no_derivative(u: Any, s: Any, v: Any) -> bool:
    """Whether some of the vectors have none: they are loose, or a phase jumps."""
    return is_loose(u, s, v) or (has_phases(u) and not is_anchored(anchor_of(u, v)))


non_differentiable(vanishing, is_loose, has_no_derivative, why="decides what has a derivative")


def square_gaps(s: Any) -> Any:
    """1 / (sⱼ² − sᵢ²) for each i, j, and 0 where the two coincide."""
    columns, rows = np.expand_dims(s, -2), np.expand_dims(s, -1)
    if not has_repeats(s):
        ones = np.eye(np.shape(s)[-1], dtype=s.dtype)
        return 1.0 / ((columns - rows) * (columns + rows) + ones) - ones
    same = coincident(s)
    return np.where(same, 0.0, 1.0 / np.where(same, 1.0, (columns - rows) * (columns + rows)))


def inverses(s: Any) -> Any:
    """1 / s, and 0 where s vanishes."""
    zero = vanishing(s)
    return np.where(zero, 0.0, 1.0 / np.where(zero, 1.0, s))


def moved_vectors(da: Any, u: Any, s: Any, v: Any, inside: Any) -> tuple[Any, Any]:
    """(u̇, v̇), for uᴴ ȧ v = inside."""
    gaps, over = square_gaps(s), np.expand_dims(inverses(s), -2)
    columns, rows = np.expand_dims(s, -2), np.expand_dims(s, -1)
    du = np.matmul(u, gaps * (inside * columns + rows * adjoint(inside)))
    dv = np.matmul(v, gaps * (rows * inside + adjoint(inside) * columns))
    m, n = np.shape(u)[-2], np.shape(v)[-2]
    if m > n:
        du = du + (np.matmul(da, v) - np.matmul(u, inside)) * over
    if n > m:
        dv = dv + (np.matmul(adjoint(da), u) - np.matmul(v, adjoint(inside))) * over
    if not has_phases(u):
        return du, dv
    apart = np.imag(np.diagonal(inside, axis1=-2, axis2=-1)) * inverses(s)
    theta = turn_back(du[..., 0, :], u[..., 0, :])
    if m >= n:
        theta = turn_back(dv[..., 0, :], v[..., 0, :]) + apart
    return du + 1j * u * np.expand_dims(theta, -2), dv + 1j * v * np.expand_dims(theta - apart, -2)


def between_squares(s: Any, loose: bool) -> Any:
    """sⱼ² − sᵢ² for each i, j, infinite where two different values coincide."""
    return between(s, loose) * (s[..., None, :] + s[..., None])


def from_vectors(f: Any, u_bar: Any, s_bar: Any, v_bar: Any, u: Any, s: Any, v: Any, loose: bool) -> Any:
    """ā from the cotangents of the values (loose: some coincide) and of both kinds of vectors."""
    m, n = np.shape(u)[-2], np.shape(v)[-2]
    if has_phases(u):
        by_theta, by_psi, anchor = turning(u, u_bar), turning(v, v_bar), anchor_of(u, v)
        refuse_jump(f, anchor, by_theta + by_psi, u_bar, v_bar)
        refuse_part(f, vanishing(s) * by_theta, "a singular value is zero", NEXT)
        row = anchor_bar(by_theta + by_psi, anchor)
        if m >= n:
            v_bar = v_bar + in_anchor_row(row, v, False)
            s_bar = s_bar + 1j * by_theta * inverses(s)
        else:
            u_bar = u_bar + in_anchor_row(row, u, False)
            s_bar = s_bar - 1j * by_psi * inverses(s)
    of_u, of_v = np.matmul(adjoint(u), u_bar), np.matmul(adjoint(v), v_bar)
    if loose:
        refuse_mixing(f, s, of_u, of_v)
    skew = (of_u - adjoint(of_u)) * s[..., None, :] + s[..., None] * (of_v - adjoint(of_v))
    inside = divided(skew, between_squares(s, loose), s_bar)
    a_bar = np.matmul(np.matmul(u, inside), adjoint(v))
    if m == n:
        return a_bar
    over, zero = np.expand_dims(inverses(s), -2), np.expand_dims(vanishing(s), -2)
    if m > n:
        outside = u_bar - np.matmul(u, of_u)
        refuse_part(f, outside * zero, "a singular value is zero", NEXT)
        a_bar = a_bar + np.matmul(outside * over, adjoint(v))
    if n > m:
        outside = v_bar - np.matmul(v, of_v)
        refuse_part(f, outside * zero, "a singular value is zero", NEXT)
        a_bar = a_bar + np.matmul(u, adjoint(outside * over))
    return a_bar
