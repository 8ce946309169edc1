"""Functions of a sparse matrix times a vector: `funm_multiply_krylov`, by matrix, vector, factor, function.

The derivative by the matrix is that of a matrix of twice the size [Higham 2008, theorem 3.6]. Backward it has
rank one in its direction, and is read, where the matrix stores an entry, between the Krylov spaces of both
vectors [Kandolf et al. 2021]. Spaces grow until their last coefficients are rounding. Nothing is dense. What
the function captured has the derivative of the function of the projected matrix. Refused by name: a second
derivative by that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from ....core import Array, NotDifferentiableError, frule, non_differentiable, rrule
from ....core.calls import forward_of, reverse_of
from ....tangents import ZERO
from ...written import as_found, own, written_out
from .entries import Sparse, entries, places
from .exponential import twice

_LARGEST = 640
"""Dimensions of a Krylov space beyond which it does not converge."""


def krylov(matrix: Any, b: Any, size: int) -> tuple[Any, Any]:
    """An orthonormal basis V of b, A b, A² b, … and H = Vᴴ A V; smaller where the space ends."""
    length = np.linalg.norm(b)
    v = np.zeros((len(b), size), np.result_type(matrix.dtype, b.dtype))
    h = np.zeros((size + 1, size), v.dtype)
    v[:, 0] = b / length
    for k in range(size):
        w = matrix @ v[:, k]
        scale = np.linalg.norm(w)
        for _ in range(2):
            part = v[:, : k + 1].conj().T @ w
            h[: k + 1, k] += part
            w = w - v[:, : k + 1] @ part
        h[k + 1, k] = np.linalg.norm(w)
        if k + 1 == size or abs(h[k + 1, k]) <= 1e-14 * scale:
            return v[:, : k + 1], h[: k + 1, : k + 1]
        v[:, k + 1] = w / h[k + 1, k]
    raise AssertionError


def sizes(n: int) -> list[int]:
    """The dimensions to try, each twice the last one."""
    some = [m for m in (20, 40, 80, 160, 320, _LARGEST) if m < n]
    return some if len(some) == 6 else [*some, n]


def ended(coefficients: Any, size: int) -> bool:
    """Whether more dimensions would add nothing: the space has ended, or its last part is rounding."""
    last = np.max(np.abs(coefficients[-3:]), initial=0.0)
    return len(coefficients) < size or bool(last <= 1e-13 * np.max(np.abs(coefficients)))


def not_near() -> NotDifferentiableError:
    """Say that spaces do not converge."""
    return NotDifferentiableError(
        f"{_LARGEST} dimensions do not tell the derivative of funm_multiply_krylov",
        next="scale the matrix down, or use a function of a dense matrix",
    )


def projection(f: Any, values: Any, b: Any, at: Any) -> tuple[Any, Any, Any]:
    """V, H and the length of b, in a space that is large enough for f(A) b."""
    n = len(b)
    matrix, length = sparse.csr_array((values, at), shape=(n, n)), np.linalg.norm(b)
    if not length:
        return np.zeros((n, 1), b.dtype), np.zeros((1, 1), b.dtype), length
    for size in sizes(n):
        v, h = krylov(matrix, b, size)
        if size == n or ended(f(h)[:, 0], size):
            return v, h, length
    raise not_near()


def held(f: Any, values: Any, b: Any, at: Any) -> tuple[Any, Any, Any]:
    """The same, whose derivative by matrix and vector is refused."""
    return projection(f, values, b, at)


def refuse(*tangents: Any) -> None:
    """Refuse a second derivative by what a function captured."""
    if any(t is not ZERO for t in tangents):
        raise NotDifferentiableError(
            "a second derivative by what the f of funm_multiply_krylov captured",
            next="use a function of a dense matrix, or differences of the gradient",
        )


@frule(held)
def held_frule(tangents, f: object, values, b, at):
    """Refused but by f, of which it does not depend"""
    refuse(*tangents[1:3])
    return held(f, values, b, at), ZERO


@rrule(held)
def held_rrule(f: object, values, b, at, *, needs):
    """Refused but by f, of which it does not depend"""
    refuse(*[True for n in needs[1:3] if n])

    def held_pullback(y_bar):
        return ZERO, ZERO, ZERO, ZERO

    return held(f, values, b, at), held_pullback


def within(f: Any, v: Any, h: Any, length: Any) -> Any:
    """|b| V f(H) e₁"""
    return length * (v @ f(h)[:, 0])


def applied(f: Any, values: Any, b: Any, at: Any) -> Any:
    """f(a) b for the matrix a that stores these values at these places."""
    v, h, length = projection(f, values, b, at)
    return within(f, v, h, length) if length else b * 0.0


def coupled(f: Any, values: Any, u: Any, v: Any, at: Any, there: Any) -> Any:
    """What the derivative of f at aᵀ in the direction u vᵀ has at these places."""
    n = len(u)
    both = np.linalg.norm(u) * np.linalg.norm(v)
    if not both:
        return np.zeros(len(there[0]), np.result_type(values, u, v))
    matrix = sparse.csr_array((values, at), shape=(n, n))
    for size in sizes(n):
        left, h = krylov(matrix.T.tocsr(), u, size)
        right, k = krylov(matrix, v, size)
        m = len(h)
        whole = np.zeros((m + len(k),) * 2, np.result_type(h, k))
        whole[:m, :m], whole[m:, m:], whole[0, m] = h, k.T, both
        x = f(whole)[:m, m:]
        if size == n or (ended(x, size) and ended(x.T, size)):
            return np.sum((left @ x)[there[0]] * right[there[1]], axis=1)
    raise not_near()


@frule(applied)
def applied_frule(tangents, f: object, values, b, at, *, engine):
    """y = f(a) b        (ẏ, y) = f([a ȧ; 0 a]) (ḃ, b), and |b| V ḟ(H) e₁"""
    df, dv, db, _ = tangents
    y, y_dot, n = applied(f, values, b, at), ZERO, len(b)
    if dv is not ZERO:
        both, there = twice(values, dv, at, n)
        start = np.zeros_like(b) if db is ZERO else db
        y_dot = applied(f, both, np.concatenate([start, b]), there)[:n]
    elif db is not ZERO:
        y_dot = applied(f, values, db, at)
    if df is not ZERO:
        moving = forward_of(within, (f, *held(f, values, b, at)), (df, ZERO, ZERO, ZERO), {}, engine)[1]
        y_dot = moving if y_dot is ZERO else y_dot + moving
    return y, y_dot


@rrule(applied)
def applied_rrule(f: object, values, b, at, *, engine, needs):
    """b̄ = f(a)ᴴ ȳ        ā = L(aᵀ, ȳ* bᵀ)*, where a stores        f̄ by |b| V f(H) e₁"""
    by_f, by_values, by_b, _ = needs

    def applied_pullback(y_bar):
        w = np.conj(y_bar)
        v_bar = like(np.conj(coupled(f, values, w, b, at, at)), values) if by_values else ZERO
        b_bar = like(np.conj(applied(f, values, w, at[::-1])), b) if by_b else ZERO
        if not by_f:
            return ZERO, v_bar, b_bar, ZERO
        inner = (f, *held(f, values, b, at))
        _, pullback = reverse_of(within, inner, {}, (True, False, False, False), engine)
        return pullback(y_bar)[0], v_bar, b_bar, ZERO

    return applied(f, values, b, at), applied_pullback


def like(x_bar: Any, x: Any) -> Any:
    """The real part of a cotangent of what is real."""
    return x_bar if np.iscomplexobj(x) else np.real(x_bar)


def offset(at: Any, n: int) -> Any:
    """The places in the upper right block of a matrix of twice the size."""
    return at[0], at[1] + n


@frule(coupled)
def coupled_frule(tangents, f: object, values, u, v, at, there):
    """L([a ȧ; 0 a]ᵀ) in the direction [u u̇; 0 u] [v v̇; 0 v]ᵀ: the block with the dots"""
    df, dv, du, dw, *_ = tangents
    refuse(df)
    n = len(u)
    moving = np.zeros_like(values) if dv is ZERO else dv
    zero, turned = np.zeros_like(u), at[::-1]
    both, where = twice(values, moving, turned, n)
    where, block = where[::-1], offset(there, n)
    y_dot = coupled(
        f, both, np.concatenate([u, zero]), np.concatenate([v, zero if dw is ZERO else dw]), where, block
    )
    low = np.concatenate([zero if du is ZERO else du, u])
    return coupled(f, values, u, v, at, there), y_dot + coupled(
        f, both, low, np.concatenate([zero, v]), where, block
    )


@rrule(coupled)
def coupled_rrule(f: object, values, u, v, at, there, *, needs):
    """Σ w y = uᵀ L(a, W) v, with W what w places: ū = L(a, W) v, v̄ = L(a, W)ᵀ u, ā from both blocks"""

    refuse(*[True for n in needs[:1] if n])

    def coupled_pullback(y_bar):
        n, w, zero = len(u), np.conj(y_bar), np.zeros_like(u)
        where = tuple(
            [np.concatenate(i) for i in ((at[0], there[0], at[0] + n), (at[1], there[1] + n, at[1] + n))]
        )
        both = np.concatenate([values, w, values])
        first, last = np.concatenate([u, zero]), np.concatenate([zero, v])
        values_bar = u_bar = v_bar = ZERO
        if needs[1]:
            blocks = np.concatenate([at[0], at[0] + n]), np.concatenate([at[1], at[1] + n])
            twofold = np.conj(coupled(f, both, first, last, where, blocks))
            values_bar = like(twofold[: len(values)] + twofold[len(values) :], values)
        if needs[2]:
            u_bar = like(np.conj(applied(f, both, last, where)[:n]), u)
        if needs[3]:
            v_bar = like(np.conj(applied(f, both, first, where[::-1])[n:]), v)
        return ZERO, values_bar, u_bar, v_bar, ZERO, ZERO

    return coupled(f, values, u, v, at, there), coupled_pullback


def agreeing(found: Any, y: Any, tolerance: float) -> None:
    """Refuse what SciPy has not come near to."""
    apart = np.linalg.norm(found - y)
    if not apart <= 1e3 * tolerance + 1e-8 * np.linalg.norm(y):
        raise NotDifferentiableError(
            f"funm_multiply_krylov did not converge: {apart:.1e} is left", next="give a larger max_restarts"
        )


non_differentiable(projection, offset, refuse, agreeing, why="how the value is found, a place, or a check")


@written_out(linalg.funm_multiply_krylov)
def funm_multiply_krylov(
    f: object,
    A: Sparse | np.ndarray,
    b: Array,
    t: Array = 1.0,
    *,
    assume_a="general",
    atol=0.0,
    rtol=1e-6,
    restart_every_m=None,
    max_restarts=20,
):
    """y = f(t A) b ≈ |b| V f(H) e₁"""
    options = {"assume_a": assume_a, "t": t, "atol": atol, "rtol": rtol}
    options |= {"restart_every_m": restart_every_m, "max_restarts": max_restarts}
    y = own(linalg.funm_multiply_krylov, f, A, b, **options)
    at = own(places_in, A)
    values = entries(A, at) * t
    ours = applied(f, values, b, at)
    agreeing(y, ours, max(rtol * np.linalg.norm(b), atol))
    return as_found(y, ours)


def places_in(A: Any) -> Any:
    """What a sparse matrix stores, all places of a dense one."""
    if sparse.issparse(A):
        return places(A)
    return tuple(np.reshape(i, -1) for i in np.indices(np.shape(A)))
