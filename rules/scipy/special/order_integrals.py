"""Moments of Schläfli's integrals: the derivatives of Bessel functions by their order, over the values.

A Bessel function is an integral of e^{f(t)}, f = ±x sinh t − v t or ±x cosh t − v t, along a path between
valleys (DLMF 10.9.17–18, 10.32.9 and 12); each derivative by the order v is one more factor −t in it. The
path goes through a saddle σ of f, from which f(σ + u) − f(σ) = v (sinh u − u) + m (cosh u − 1), m = f″(σ). On
its legs the integrand falls without oscillating more than it falls, so that Gauss–Legendre panels give 1e-12,
whatever the order and the argument. For K the trapezoidal rule does.

Moments are divided by the integral without a factor. So what SciPy computes is multiplied by a number that
does not cancel: of the Hankel functions J ± iY where x ≥ v, of J, Y, I, K each on its own where it has no
zeros.
All arrays here are flat, orders v ≥ 0, arguments x > 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)
FALL = 38.0  # the integrand is left out below e^−38 of its largest value
PANEL = 3.0  # the longest panel, in t
TRAPEZOIDS = 80
ROWS = 128  # points at once: what their nodes take stays in the processor's cache


def panels(lengths: Any, integrand: Any) -> Any:
    """∫ over [0, length] of each array that `integrand(p, rows)` gives, p (points, nodes); by panels."""
    counts = np.maximum(np.ceil(lengths / PANEL), 1).astype(int)
    total: Any = None
    for count in np.unique(counts):
        every = np.flatnonzero(counts == count)
        for rows in np.array_split(every, -(-every.size // ROWS)):
            width = lengths[rows] / count
            for j in range(count):
                p = width[:, None] * (j + 0.5 * (NODES + 1))
                sums = [0.5 * width * (part @ WEIGHTS) for part in integrand(p, rows)]
                if total is None:
                    total = [np.zeros(lengths.size, complex) for _ in sums]
                for whole, part in zip(total, sums, strict=True):
                    whole[rows] += part
    return total


def exponent(v: Any, m: Any, u: Any) -> Any:
    """v (sinh u − u) + m (cosh u − 1), of real numbers"""
    h = np.sinh(0.5 * u)
    return v * (np.sinh(u) - u) + 2.0 * m * h * h


def falling(v: Any, m: Any, p: Any, b: Any) -> Any:
    """e^{v (sinh u − u) + m (cosh u − 1)} at u = p + ib, by real functions, which are many times faster"""
    e = np.exp(0.5 * p)
    even, odd = 0.5 * (e + 1 / e), 0.5 * (e - 1 / e)
    c, s = np.cos(0.5 * b), np.sin(0.5 * b)
    a = 2 * odd * even * (c * c - s * s) - p  # sinh u − u
    d = 2 * s * c * (even * even + odd * odd) - b
    f, g = 2 * ((odd * c) ** 2 - (even * s) ** 2), 4 * odd * even * s * c  # cosh u − 1
    if np.iscomplexobj(m):
        size, phase = v * a - m.imag * g, v * d + m.imag * f
    else:
        size, phase = v * a + m * f, v * d + m * g
    size = np.exp(size)
    return size * np.cos(phase) + 1j * (size * np.sin(phase))


def powers(t: Any, weight: Any, k: int) -> list[Any]:
    """weight (−t)ʲ for j from 0 to k"""
    parts = [weight]
    for _ in range(k):
        parts.append(-t * parts[-1])
    return parts


def upward(v: Any, m: Any, sigma: Any, k: int) -> Any:
    """∫ (−t)ʲ e^{f(t) − f(σ)} dt from the saddle σ to ∞ + iπ, where sinh and cosh fall."""
    steep = np.where(np.iscomplexobj(m), 1.0, np.tan(3 * np.pi / 8))
    size = np.abs(m)
    if np.iscomplexobj(m):
        square, cube = size, v / 3
    else:
        square, cube = 2.4 * size, 2.7 * v
    with np.errstate(divide="ignore"):
        near = np.minimum(np.sqrt(FALL / square), np.cbrt(FALL / cube))
        far = np.where(near > 1.6, 0.5, 0.1) if np.iscomplexobj(m) else np.minimum(near, 0.7)
        length = np.minimum(near * (1 + far), np.arcsinh(FALL / np.maximum(v, size)) + 1.5)
    rise = np.pi - np.imag(sigma)

    def integrand(p, rows):
        top = rise[rows, None]
        bend = np.tanh(p * (steep / top))
        b = top * bend
        weight = falling(v[rows, None], m[rows, None], p, b) * (1 + 1j * steep * (1 - bend * bend))
        return powers(sigma[rows, None] + (p + 1j * b), weight, k)

    return panels(length, integrand)


def leftward(v: Any, x: Any, beta: Any, k: int) -> Any:
    """∫ (−t)ʲ e^{f(t) − f(iβ)} dt from −∞ to the saddle iβ, v = x cos β"""
    m = 1j * x * np.sin(beta)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.minimum(np.cbrt(6 * FALL / v), np.arcsinh(FALL / x) + 2.0)
        slant = np.minimum(0.4, beta / scale)
        length = np.minimum(np.sqrt(FALL / (np.abs(m) * slant)), scale)
        length = np.where(length == length, length, scale)

    def integrand(p, rows):
        high, tilt = beta[rows, None], slant[rows, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            bend = np.tanh(np.where(high > 0, p * tilt / high, 0.0))
        b = -high * bend
        weight = falling(v[rows, None], m[rows, None], -p, b) * (1 + 1j * tilt * (1 - bend * bend))
        return powers(1j * (high + b) - p, weight, k)

    return panels(length, integrand)


def hankel_moments(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ H⁽¹⁾ᵥ(x) / H⁽¹⁾ᵥ(x) for j up to k, where x ≥ v (DLMF 10.9.18)"""
    beta = 2.0 * np.arcsin(np.sqrt(0.5 * (x - v) / x))
    right = upward(v, 1j * x * np.sin(beta), 1j * beta, k)
    left = leftward(v, x, beta, k)
    whole = [a + b for a, b in zip(left, right, strict=True)]
    return [part / whole[0] for part in whole]


def real_saddle(v: Any, x: Any) -> tuple[Any, Any]:
    """α with cosh α = v/x, and w = √(v² − x²)"""
    w = np.sqrt((v - x) * (v + x))
    return np.log1p(((v - x) + w) / x), w


def j_moments(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ Jᵥ(x) / Jᵥ(x), where v > x (DLMF 10.9.17)"""
    alpha, w = real_saddle(v, x)
    leg = [part.imag for part in upward(v, w, alpha, k)]
    return [part / leg[0] for part in leg]


def i_moments(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ Iᵥ(x) / Iᵥ(x) (DLMF 10.32.12)"""
    leg = [part.imag for part in upward(v, np.hypot(v, x), np.arcsinh(v / x), k)]
    return [part / leg[0] for part in leg]


def k_moments(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ Kᵥ(x) / Kᵥ(x), by the trapezoidal rule from the peak of e^{vt − x cosh t} (DLMF 10.32.9)"""
    sigma, w = np.arcsinh(v / x), np.hypot(v, x)
    with np.errstate(divide="ignore"):
        narrow = np.sqrt(2 * FALL / w)
        before = np.where(narrow < 0.5, 1.75 * narrow, FALL / np.maximum(v, 1e-300) + 2)
    first = np.maximum(sigma - before, 0.0)
    after = np.minimum(narrow, np.arcsinh(FALL / w) + 1.0)
    count = int(min(max(TRAPEZOIDS, 4 * np.max(sigma + after - first, initial=0.0)), 4000))
    step = (sigma + after - first) / count
    t = first[:, None] + step[:, None] * np.arange(count + 1)
    s = t - sigma[:, None]
    near = exponent(v[:, None], w[:, None], np.maximum(s, -1.0))
    away = x[:, None] * np.cosh(t) - w[:, None] - v[:, None] * s
    weight = 0.5 * np.exp(-np.where(s > -1, near, away))
    weight[:, 0] *= np.where(first == 0, 0.5, 1.0)
    falls = np.exp(-2 * v[:, None] * t)
    even, odd = weight * (1 + falls), weight * -np.expm1(-2 * v[:, None] * t)
    sums = []
    for j in range(k + 1):
        sums.append(np.sum((odd if j % 2 else even) * t**j, axis=1))
    return [part / sums[0] for part in sums]


def y_moments(v: Any, x: Any, k: int) -> list[Any]:
    """Dʲ Yᵥ(x) / Yᵥ(x), where v > x: the real axis, on which e^{f} is largest at −α, up to α, and a leg"""
    alpha, w = real_saddle(v, x)
    with np.errstate(divide="ignore"):
        before = 1.75 * np.sqrt(2 * FALL / w)
        before = np.minimum(2 * alpha, np.where(before < 1, before, np.maximum(before, FALL / v + 2)))
        after = np.minimum(np.sqrt(2 * FALL / w), np.cbrt(6 * FALL / v))
    after = np.minimum(after, np.arcsinh(FALL / v) + 1.0)

    def side(sign):
        def integrand(p, rows):
            s = sign * p
            near = exponent(v[rows, None], w[rows, None], s)
            away = x[rows, None] * np.sinh(alpha[rows, None] + s) - w[rows, None] - v[rows, None] * s
            weight = np.exp(-np.where(p < 1, near, away))
            return powers(-(alpha[rows, None] + s), weight, k)

        return integrand

    low, high = panels(before, side(-1.0)), panels(after, side(1.0))
    leg = upward(v, w, alpha, k)
    small = np.exp(2 * (w - v * alpha))
    whole = [(a + b).real + small * c.real for a, b, c in zip(low, high, leg, strict=True)]
    return [part / whole[0] for part in whole]
