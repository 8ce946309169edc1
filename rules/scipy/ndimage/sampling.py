"""A spline image at any place: by its coefficients, by the places, and any of its partial derivatives.

`sampled` gives several partial derivatives of a tensor-product B-spline at once, `scattered` is its
transpose by the coefficients. The derivative of one by the places is the same with an order of
differentiation one higher, so that the two are closed under differentiation. Bases by de Boor's recursion
for equidistant knots (A Practical Guide to Splines, 1978, ch. X).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy import ndimage

from ....core import frule, non_differentiable, rrule
from ....tangents import ZERO, add, is_zero

WINDOWS = 1 << 17  # coefficients at a time, so that the windows stay in the cache


@functools.cache
def pieces(order: int, nu: int) -> Any:
    """The polynomials that a derivative of the B-splines of an order is made of, one row for each in u.

    A row holds the coefficients of 1, u, u², … of the B-spline that is j knots back, u in [0, 1).
    """
    rows = np.zeros((order + 1, order + 1))
    rows[0, 0] = 1.0
    for p in range(1, order + 1):
        low, high = np.vstack([np.zeros(order + 1), rows[:-1]]), rows
        up = np.roll(low, 1, axis=1), np.roll(high, 1, axis=1)  # times u: the degree is below the order
        j = np.arange(order + 1.0)[:, None]
        rows = (up[0] + (p - j) * low + (j + 1) * high - up[1]) / p
        rows[p + 1 :] = 0.0
    for _ in range(nu):
        rows = np.hstack([rows[:, 1:] * np.arange(1.0, order + 1), np.zeros((order + 1, 1))])
    return rows


def basis(order: int, u: Any, nu: int) -> Any:
    """The B-splines of an order that are not zero at u in [0, 1) of their knots, or a derivative of them."""
    powers = np.empty((order + 1, *u.shape))
    powers[0] = 1.0
    for k in range(order):
        np.multiply(powers[k], u, out=powers[k + 1])
    return pieces(order, nu) @ powers


def taps(q: Any, order: int) -> tuple[Any, Any]:
    """The first coefficient that counts at each place, and how far on the place is."""
    half = q + 0.5 if order % 2 == 0 else q
    m = np.floor(half)
    return m.astype(np.intp) - order // 2, half - m


def windows(shape: tuple[int, ...], q: Any, order: int, nus: Any) -> tuple[Any, list[list[Any]]]:
    """The coefficients that count at each place, by their places in the flat array, and their weights.

    An axis of taps for each axis of the spline, then the places.
    """
    flat: Any = np.zeros((*(1,) * len(shape), q.shape[1]), dtype=np.intp)
    weights: list[list[Any]] = []
    for axis, n in enumerate(shape):
        start, u = taps(q[axis], order)
        along = np.clip(start + np.arange(order + 1)[:, None], 0, n - 1)
        flat = flat * n + along.reshape(*(1,) * axis, order + 1, *(1,) * (len(shape) - axis - 1), -1)
        known = {nu[axis]: basis(order, u, nu[axis]) for nu in nus}
        weights.append([known[nu[axis]] for nu in nus])
    return flat, weights


def _blocks(n: int, order: int, ndim: int) -> list[slice]:
    size = max(1, WINDOWS // (order + 1) ** ndim)
    return [slice(i, i + size) for i in range(0, n, size)]


def _plain(c: Any, q: Any, order: int) -> Any:
    """The spline itself, compiled."""
    dtype = np.result_type(c, q)
    return ndimage.map_coordinates(c, q, dtype, order, mode="nearest", prefilter=False)


def sampled(c: Any, q: Any, *, order: int, nus: tuple[tuple[int, ...], ...]) -> Any:
    """Partial derivatives of the spline with coefficients c at the places q: one row for each of `nus`."""
    if not any(map(any, nus)):
        return _plain(c, q, order)[None]
    y = np.empty((len(nus), q.shape[1]), dtype=np.result_type(c, q))
    for block in _blocks(q.shape[1], order, c.ndim):
        flat, weights = windows(c.shape, q[:, block], order, nus)
        around = c.ravel()[flat]
        for row in range(len(nus)):
            part = around
            for axis in range(c.ndim - 1, -1, -1):
                part = np.einsum("...jn,jn->...n", part, weights[axis][row])
            y[row, block] = part
    return y


def scattered(s: Any, q: Any, *, shape: tuple[int, ...], order: int, nus: tuple[tuple[int, ...], ...]) -> Any:
    """The transpose of `sampled` by the coefficients."""
    size = int(np.prod(shape))
    c = np.zeros(size, dtype=np.result_type(s, q))
    for block in _blocks(q.shape[1], order, len(shape)):
        flat, weights = windows(shape, q[:, block], order, nus)
        total: Any = 0.0
        for row in range(len(nus)):
            part = s[row, block]
            for axis in range(len(shape) - 1, -1, -1):
                part = weights[axis][row].reshape(order + 1, *(1,) * (part.ndim - 1), -1) * part
            total = total + part
        at, total = flat.ravel(), np.ravel(total)
        if s.dtype.kind == "c":
            c += np.bincount(at, total.real, size) + 1j * np.bincount(at, total.imag, size)
        else:
            c += np.bincount(at, total, size)
    return c.reshape(shape)


def raised(nus: tuple[tuple[int, ...], ...], axis: int) -> tuple[tuple[int, ...], ...]:
    """Orders of differentiation, one more along an axis."""
    return tuple(tuple(n + (i == axis) for i, n in enumerate(nu)) for nu in nus)


non_differentiable(raised, why="computes with orders alone")


def by_places(c: Any, q: Any, order: int, nus: Any) -> Any:
    """The slopes of all rows of `sampled`: the axis of the place first."""
    ndim = np.ndim(c)
    every: tuple[Any, ...] = ()
    for axis in range(ndim):
        every = (*every, *raised(nus, axis))
    slopes = sampled(c, q, order=order, nus=every)
    return np.reshape(slopes, (ndim, len(nus), np.shape(q)[1]))


@frule(sampled)
def sampled_frule(tangents, c: np.ndarray, q: np.ndarray, *, order, nus):
    """y = S(q) c        ẏ = S(q) ċ + Σ_a S_a(q) c q̇_a"""
    dc, dq = tangents
    dy = ZERO if is_zero(dc) else sampled(dc, q, order=order, nus=nus)
    more = ZERO if is_zero(dq) else np.einsum("arn,an->rn", by_places(c, q, order, nus), dq)
    return sampled(c, q, order=order, nus=nus), add(dy, more)


@rrule(sampled)
def sampled_rrule(c: np.ndarray, q: np.ndarray, *, order, nus, needs):
    """y = S(q) c        c̄ = Sᵀ(q) ȳ,  q̄_a = Σ over rows of ȳ S_a(q) c"""

    def sampled_pullback(y_bar):
        c_bar = scattered(y_bar, q, shape=np.shape(c), order=order, nus=nus) if needs[0] else ZERO
        q_bar = np.einsum("arn,rn->an", np.conj(by_places(c, q, order, nus)), y_bar) if needs[1] else ZERO
        return c_bar, q_bar

    return sampled(c, q, order=order, nus=nus), sampled_pullback


@frule(scattered)
def scattered_frule(tangents, s: np.ndarray, q: np.ndarray, *, shape, order, nus):
    """c = Sᵀ(q) s        ċ = Sᵀ(q) ṡ + Σ_a S_aᵀ(q) (s q̇_a)"""
    ds, dq = tangents
    dc = ZERO if is_zero(ds) else scattered(ds, q, shape=shape, order=order, nus=nus)
    if not is_zero(dq):
        for axis in range(len(shape)):
            more = scattered(s * dq[axis], q, shape=shape, order=order, nus=raised(nus, axis))
            dc = add(dc, more)
    return scattered(s, q, shape=shape, order=order, nus=nus), dc


@rrule(scattered)
def scattered_rrule(s: np.ndarray, q: np.ndarray, *, shape, order, nus, needs):
    """c = Sᵀ(q) s        s̄ = S(q) c̄,  q̄_a = Σ over rows of s S_a(q) c̄"""

    def scattered_pullback(c_bar):
        s_bar = sampled(c_bar, q, order=order, nus=nus) if needs[0] else ZERO
        q_bar = np.einsum("arn,rn->an", by_places(c_bar, q, order, nus), np.conj(s)) if needs[1] else ZERO
        return s_bar, q_bar

    return scattered(s, q, shape=shape, order=order, nus=nus), scattered_pullback
