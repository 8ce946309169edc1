"""Bessel functions by their order: J, Y, I, K, both H, and I and K scaled, for a positive argument.

For x² < 4 (v + 1) J and I are their power series (DLMF 10.15.1, 10.38.1), differentiated term by term;
elsewhere the derivatives are moments of Schläfli's integrals (`order_integrals`) times what SciPy computes.
Where v < 1, I is an even function of v and a multiple of K, which keeps the digits of a derivative that is as
small as K. Negative orders go by reflection (DLMF 10.4.6–8, 10.27.2–3). Accurate to 1e-12 of the value, or of
abs(H) where J and Y oscillate, for orders up to 10⁴.

Refused: a negative argument, where the function has a value at integer orders alone; the point v = x = 0,
where J and I jump. For a complex argument the derivative is not implemented.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ....core import Array, frule, non_differentiable, rrule, unbroadcast
from ....tangents import ZERO, NotImplementedTangent, is_zero
from ...numpy.adjoints import conj
from .order_integrals import hankel_moments, i_moments, j_moments, k_moments, y_moments

TERMS = 26
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
NAMES = {
    "j": "jv",
    "y": "yv",
    "i": "iv",
    "k": "kv",
    "h1": "hankel1",
    "h2": "hankel2",
    "ie": "ive",
    "ke": "kve",
}


def by_order(v: Any, z: Any, *, kind: str, k: int) -> Any:
    """The k-th derivative by the order v of the Bessel function named `kind`."""
    if np.iscomplexobj(z):
        return NotImplementedTangent(f"scipy.special.{NAMES[kind]} by its order at a complex argument")
    missing = refused(v, z, kind)
    return order_values(v, z, kind, k) if missing is None else missing


def neighbours(v: Any, z: Any, kind: str, k: int) -> Any:
    """The derivative of `by_order` by its argument: the recurrences hold for every derivative by v."""
    below, above = by_order(v - 1, z, kind=kind, k=k), by_order(v + 1, z, kind=kind, k=k)
    if kind in ("i", "ie"):
        slope = 0.5 * (below + above)
        return slope - by_order(v, z, kind=kind, k=k) if kind == "ie" else slope
    if kind in ("k", "ke"):
        slope = -0.5 * (below + above)
        return slope + by_order(v, z, kind=kind, k=k) if kind == "ke" else slope
    return 0.5 * (below - above)


@frule(by_order)
def by_order_frule(tangents, v: Array, z: Array, *, kind, k):
    """y = ∂ᵏ𝒞ᵥ(z)/∂vᵏ        ẏ = ∂ᵏ⁺¹𝒞ᵥ/∂vᵏ⁺¹ v̇ + ½ (yᵥ₋₁ − yᵥ₊₁) ż, with the signs of the function"""
    dv, dz = tangents
    dy = ZERO if is_zero(dv) else by_order(v, z, kind=kind, k=k + 1) * dv
    return by_order(v, z, kind=kind, k=k), dy if is_zero(dz) else neighbours(v, z, kind, k) * dz + dy


@rrule(by_order)
def by_order_rrule(v: Array, z: Array, *, kind, k, needs):
    """v̄ = conj(∂ᵏ⁺¹𝒞ᵥ/∂vᵏ⁺¹) ȳ        z̄ = conj(½ (yᵥ₋₁ − yᵥ₊₁)) ȳ, with the signs of the function"""

    def by_order_pullback(y_bar):
        v_bar = z_bar = ZERO
        if needs[0]:
            v_bar = unbroadcast(conj(by_order(v, z, kind=kind, k=k + 1)) * y_bar, np.shape(v))
        if needs[1]:
            z_bar = unbroadcast(conj(neighbours(v, z, kind, k)) * y_bar, np.shape(z))
        return v_bar, z_bar

    return by_order(v, z, kind=kind, k=k), by_order_pullback


def order_values(v: Any, z: Any, kind: str, k: int) -> Any:
    """The numbers of `by_order`, real z."""
    v, z = np.broadcast_arrays(np.asarray(v, float), np.asarray(z, float))
    shape, v, z = v.shape, v.ravel(), z.ravel()
    out = np.full(v.size, np.nan, complex if kind in ("h1", "h2") else float)
    inner = np.isfinite(v) & np.isfinite(z) & (z > 0)
    edge = np.isfinite(v) & ((z == 0) | (z == np.inf))
    if np.any(edge):
        out[edge] = at_edge(v[edge], z[edge], kind, k)
    if np.any(inner):
        out[inner] = signed(kind, v[inner], z[inner], k)[k]
    return out.reshape(shape)[()]


non_differentiable(order_values, why="is what the rules of by_order stand for")


def refused(v: Any, z: Any, kind: str) -> Any:
    """Of the first point where the function has a value and no derivative by its order; None without one."""
    z = np.asarray(z)
    if kind in ("k", "ke") or np.all(z > 0):
        return None
    v, z = np.broadcast_arrays(v, z)
    jumps = (z == 0) & (v <= 0)
    alone = (z < 0) & (v == np.round(v)) & (kind not in ("y", "h1", "h2"))
    for i in np.flatnonzero(jumps | alone)[:1]:
        point = f"v = {v.flat[i]:g}, z = {z.flat[i]:g}"
        why = "where it has real values at some orders alone"
        return NotImplementedTangent(f"scipy.special.{NAMES[kind]} by its order at {point}, {why}")
    return None


non_differentiable(refused, why="looks for a point")


def at_edge(v: Any, z: Any, kind: str, k: int) -> Any:
    """At z = 0 and ∞: the limits."""
    if kind in ("k", "ke"):
        odd = np.where(v == 0, 0.0, np.sign(v) * np.inf) if k % 2 else np.full(v.shape, np.inf)
        return np.where(z == 0, odd, 0.0)
    if kind == "i":
        return np.where(z == 0, 0.0, np.nan)
    if kind == "y":
        return np.where(z == 0, -np.inf * (-1.0) ** (k + 1) if k % 2 == 0 else -np.inf, 0.0)
    return np.where((z == 0) & (kind in ("h1", "h2")), np.nan, 0.0)


def sin_pi(x: Any) -> Any:
    """sin πx, exactly zero at the integers."""
    n = np.round(x)
    return np.sin(np.pi * (x - n)) * np.where(n % 2 == 0, 1.0, -1.0)


def turns(v: Any, k: int, sine: bool) -> list[Any]:
    """The derivatives of sin πv or cos πv up to the k-th."""
    return [np.pi**j * sin_pi(v + 0.5 * ((j + (not sine)) % 4)) for j in range(k + 1)]


def product(a: list[Any], b: list[Any]) -> list[Any]:
    """Leibniz: the derivatives of a product; a factor zero wins over an infinite one."""
    found = []
    for n in range(len(a)):
        total: Any = 0.0
        for i in range(n + 1):
            factor = math.comb(n, i) * a[i]
            total = total + np.where(factor == 0, 0.0, factor * np.where(factor == 0, 0.0, b[n - i]))
        found.append(total)
    return found


def signed(kind: str, v: Any, x: Any, k: int) -> list[Any]:
    """The derivatives up to the k-th for orders of both signs."""
    if kind in ("h1", "h2"):
        side = 1j if kind == "h1" else -1j
        if np.all(v >= 0) and np.all(v <= x):
            found = hankel(v, x, k)
            return found if kind == "h1" else [np.conj(part) for part in found]
        return [a + side * b for a, b in zip(signed("j", v, x, k), signed("y", v, x, k), strict=True)]
    found = POSITIVE[kind](np.abs(v), x, k)
    below = np.flatnonzero(v < 0)
    if below.size:
        mirrored = reflected(kind, -v[below], x[below], k)
        for j in range(k + 1):
            found[j][below] = (-1) ** j * mirrored[j]
    return found


def reflected(kind: str, v: Any, x: Any, k: int) -> list[Any]:
    """The derivatives by v of 𝒞₋ᵥ for v > 0."""
    if kind in ("k", "ke"):
        return POSITIVE[kind](v, x, k)
    sine, cosine = turns(v, k, True), turns(v, k, False)
    if kind in ("i", "ie"):
        small = positive_k(v, x, k)
        scale = 2 / np.pi * (np.exp(-x) if kind == "ie" else 1.0)
        return [a + scale * b for a, b in zip(POSITIVE[kind](v, x, k), product(sine, small), strict=True)]
    j, y = positive_j(v, x, k), positive_y(v, x, k)
    first, second = (
        (product(cosine, j), product(sine, y)) if kind == "j" else (product(sine, j), product(cosine, y))
    )
    return [a - b if kind == "j" else a + b for a, b in zip(first, second, strict=True)]


def times(values: Any, moments: list[Any]) -> list[Any]:
    """The derivatives, from what they are relative to the values."""
    return [values * part for part in moments]


def pick(v: Any, x: Any, k: int, *choices: tuple[Any, Callable[..., list[Any]]]) -> list[Any]:
    """Each choice computes the points of its mask."""
    found = [np.empty(v.size) for _ in range(k + 1)]
    for mask, compute in choices:
        rows = np.flatnonzero(mask)
        if rows.size:
            for whole, part in zip(found, compute(v[rows], x[rows], k), strict=True):
                whole[rows] = part
    return found


def positive_j(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ Jᵥ for v ≥ 0"""
    series = x * x < 4 * (v + 1)
    return pick(
        v,
        x,
        k,
        (series, lambda v, x, k: times(special.jv(v, x), series_moments(v, x, k, -1.0))),
        (~series & (v > x), lambda v, x, k: times(special.jv(v, x), j_moments(v, x, k))),
        (~series & (v <= x), lambda v, x, k: [h.real for h in hankel(v, x, k)]),
    )


def positive_y(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ Yᵥ for v ≥ 0"""
    return pick(
        v,
        x,
        k,
        (v > x, lambda v, x, k: times(special.yv(v, x), y_moments(v, x, k))),
        (v <= x, lambda v, x, k: [h.imag for h in hankel(v, x, k)]),
    )


def hankel(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ H⁽¹⁾ᵥ for 0 ≤ v ≤ x"""
    return times(special.hankel1(v, x), hankel_moments(v, x, k))


def positive_k(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ Kᵥ"""
    return times(special.kv(v, x), k_moments(v, x, k))


def positive_ke(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ eˣKᵥ"""
    return times(special.kve(v, x), k_moments(v, x, k))


def positive_i(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ Iᵥ for v ≥ 0"""
    return modified(v, x, k, special.iv)


def positive_ie(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ e⁻ˣIᵥ for v ≥ 0"""
    return modified(v, x, k, special.ive)


def modified(v: Any, x: Any, k: int, f: Any) -> list[Any]:
    """Of iv or ive."""
    series = x * x < 4 * (v + 1)
    return pick(
        v,
        x,
        k,
        (series, lambda v, x, k: times(f(v, x), series_moments(v, x, k, 1.0))),
        (~series & (v >= 1), lambda v, x, k: times(f(v, x), i_moments(v, x, k))),
        (~series & (v < 1), lambda v, x, k: even_i(v, x, k, f is special.ive)),
    )


def even_i(v: Any, x: Any, k: int, scaled: bool) -> list[Any]:
    """Iᵥ = (1/π) ∫₀^π e^{x cos θ} cos vθ dθ + (sin πv/π) (∫₀^∞ e^{−x cosh t} sinh vt dt − Kᵥ)

    From DLMF 10.32.4 and 10.32.9; all but the last is even in v. Computed without eˣ.
    """
    width = np.minimum(np.pi, np.sqrt(2 * 40.0 / x) * 1.6)
    theta = 0.5 * width[:, None] * (NODES + 1)
    weight = 0.5 * width[:, None] * WEIGHTS * np.exp(-2 * x[:, None] * np.sin(0.5 * theta) ** 2) / np.pi
    after = np.arccosh(1 + 40.0 / x)
    t = 0.5 * after[:, None] * (NODES + 1)
    falls = 0.5 * after[:, None] * WEIGHTS * np.exp(-2 * x[:, None] * np.sinh(0.5 * t) ** 2 - 2 * x[:, None])
    sine = turns(v, k, True)
    angle, grows = v[:, None] * theta, v[:, None] * t
    cosines = (np.cos(angle), -np.sin(angle), -np.cos(angle), np.sin(angle))
    growth = (np.sinh(grows), np.cosh(grows))
    round_ = [np.sum(weight * theta**j * cosines[j % 4], axis=1) for j in range(k + 1)]
    along = [np.sum(falls * t**j * growth[j % 2], axis=1) / np.pi for j in range(k + 1)]
    kernel = [part * np.exp(-2 * x) / np.pi for part in positive_ke(v, x, k)]
    both = [a - b for a, b in zip(along, kernel, strict=True)]
    scale = 1.0 if scaled else np.exp(x)
    return [scale * (a + b) for a, b in zip(round_, product(sine, both), strict=True)]


def series_moments(v: Any, x: Any, k: int, sign: float) -> list[Any]:
    """Dʲ𝒞ᵥ/𝒞ᵥ of J (sign −1) and I (sign 1): each term is e^{v log x/2} / Γ(v + n + 1) times a constant.

    With g = v log(x/2) − log Γ(v + n + 1) its derivatives are the complete Bell polynomials of those of g.
    """
    n = np.arange(TERMS)
    ratio = np.ones((v.size, TERMS))
    ratio[:, 1:] = sign * 0.25 * (x * x)[:, None] / (n[1:] * (v[:, None] + n[1:]))
    terms = np.cumprod(ratio, axis=1)
    order = v[:, None] + n + 1
    g = [np.log(0.5 * x)[:, None] - special.psi(order), *[-special.polygamma(j, order) for j in range(1, k)]]
    bell: list[Any] = [np.ones_like(terms)]
    for j in range(k):
        bell.append(sum(math.comb(j, i) * bell[j - i] * g[i] for i in range(j + 1)))
    sums = [np.sum(terms * part, axis=1) for part in bell]
    return [part / sums[0] for part in sums]


POSITIVE = {
    "j": positive_j,
    "y": positive_y,
    "i": positive_i,
    "k": positive_k,
    "ie": positive_ie,
    "ke": positive_ke,
}
