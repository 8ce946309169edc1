"""The noncentral t distribution by each of its arguments, and its inverses.

F(t; ν, δ) = ∫ Φ(t u − δ) f(u) du, where u = √(χ²(ν)/ν). Every derivative, of any order, is taken under the
integral: of Φ by t and δ, of f by ν. As ∫ ∂f/∂ν du = 0, Φ(t u − δ) may have Φ(t − δ) taken from it, which
keeps the digits of the tails and of many degrees. In v = log u the integrand has one peak and is analytic
within π/4 of the real axis, so that the trapezoidal rule converges exponentially.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError, scalar_rule
from ....tangents import NotImplementedTangent
from .inverse import inverse_rule
from .log_concave import DROP, log_gamma_star, moments
from .polygammas import polygamma

MOST = 20_000
MANY = 40.0
WHOLE = NotImplementedTangent("the order of a derivative is a whole number")


def noncentral_by(v: Any, d: Any, t: Any, k: Any, i: Any, j: Any) -> Any:
    """∂ᵏ⁺ⁱ⁺ʲF/∂νᵏ∂δⁱ∂tʲ for k + i + j ≥ 1

    Example: >>> round(float(noncentral_by(1.0, 0.0, 0.0, 0, 0, 1)), 12)
             0.318309886184
    """
    v, d, t = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (v, d, t)))
    shape, v, d, t, order = v.shape, v.ravel(), d.ravel(), t.ravel(), (int(k), int(i), int(j))
    out = np.where((v > 0) & np.isfinite(v + d) & ~np.isnan(t), 0.0, np.nan)
    moves = (out == 0) & np.isfinite(t)
    with np.errstate(all="ignore"):
        out[moves] = _integral(v[moves], d[moves], t[moves], *order)
    return out.reshape(shape)[()]


def _integral(v: Any, d: Any, t: Any, k: int, i: int, j: int) -> Any:
    """The trapezoidal rule, for points that need about as many nodes at once."""
    left, right = _ends(v, d, t, i + j > 0)
    step = 0.5 / np.sqrt(2 * v + 2 * np.where(d * t > 0, d * d, 0.0) + 25.0)
    nodes = 2 ** np.ceil(np.log2((right - left) / step)).astype(int)
    if np.max(nodes, initial=0) > MOST:
        raise NotDifferentiableError(
            f"the noncentral t distribution of {np.min(v):g} degrees of freedom, whose tail is too long",
            next="use more degrees of freedom",
        )
    out = np.zeros_like(v)
    for count in np.unique(nodes):
        here = np.flatnonzero(nodes == count)
        for few in np.array_split(here, 1 + here.size * count // 400_000):
            a, b = left[few][:, None], right[few][:, None]
            at = a + (b - a) * (np.arange(count + 1) / count)
            p, q, r = (x[few][:, None] for x in (v, d, t))
            out[few] = np.sum(_integrand(at, p, q, r, k, i, j), axis=1) * (b - a)[:, 0] / count
    return out


def _ends(v: Any, d: Any, t: Any, dense: bool) -> Any:
    """Where the integrand has fallen by e⁻⁴² on both sides of its peak."""
    sign = np.where(t < 0, 1.0, -1.0)

    def height(w: Any) -> Any:
        z = t * np.exp(w) - d
        return _log_chi(w, v) + (-0.5 * z * z if dense else special.log_ndtr(sign * z))

    if dense:
        root = np.sqrt((d * t) ** 2 + 4 * v * (v + t * t))
        peak = np.log(np.where(d * t > 0, (d * t + root) / (2 * (v + t * t)), 2 * v / (root - d * t)))
    else:
        peak = _peak(v, d, t, sign)
    top = height(peak)
    left, right = (_fallen(lambda w, s=s: height(peak + s * w) - top, v) for s in (-1.0, 1.0))
    if dense:
        return peak - left, peak + right
    return peak - left, np.maximum(peak + right, _fallen(lambda w: _log_chi(w, v), v))


def _log_chi(w: Any, v: Any) -> Any:
    """log of the density of v = log u, relative to its peak"""
    return v * w - 0.5 * v * np.expm1(2 * w)


def _peak(v: Any, d: Any, t: Any, sign: Any) -> Any:
    """The zero of ν (1 − u²) − |t| u φ/Φ, which is below u = 1, by bisection"""

    def slope(w: Any) -> Any:
        z = sign * (t * np.exp(w) - d)
        mills = np.exp(-0.5 * z * z - special.log_ndtr(z)) / np.sqrt(2 * np.pi)
        return -v * np.expm1(2 * w) - np.abs(t) * np.exp(w) * mills

    low, high = np.full_like(v, -1.0), np.zeros_like(v)
    while np.any(wrong := slope(low) < 0):
        low = np.where(wrong, 2 * low, low)
    for _ in range(40):
        middle = 0.5 * (low + high)
        rises = slope(middle) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return low


def _fallen(drop: Any, v: Any) -> Any:
    """How far to go until the drop is 42, or a little beyond."""
    width = 0.5 / np.sqrt(v + 1.0)
    while np.any(short := drop(width) > -DROP):
        width = np.where(short, 1.25 * width, width)
    return width


def _integrand(w: Any, v: Any, d: Any, t: Any, k: int, i: int, j: int) -> Any:
    u, n, a = np.exp(w), i + j, 0.5 * v
    z = t * u - d
    chi = 2 * np.sqrt(a / (2 * np.pi)) * np.exp(-log_gamma_star(a))
    if n:
        normal = np.exp(_log_chi(w, v) - 0.5 * z * z) / np.sqrt(2 * np.pi)
        value = (-1.0) ** (i + n - 1) * u**j * normal * special.eval_hermitenorm(n - 1, z)
    else:
        value = _difference(z, t - d, t * np.expm1(w)) * np.exp(_log_chi(w, v))
    slopes = [0.5 * (_log_over_psi(a) + 2 * w - np.expm1(2 * w))]
    for m in range(2, k + 1):
        through_log = (-1.0) ** m * special.factorial(m - 2) / v ** (m - 1)
        slopes.append(0.5 * (through_log - polygamma(m - 1, a) / 2.0 ** (m - 1)))
    return chi * value * moments(lambda m, _: slopes[m - 1], k, 0)


def _difference(z: Any, centre: Any, off: Any) -> Any:
    """Φ(z) − Φ(c), of the smaller tails; by Gauss' rule for φ where z − c is small"""
    upper = centre > 0
    s = np.where(upper, -1.0, 1.0)
    far = s * (special.ndtr(s * z) - special.ndtr(s * centre))
    near = np.abs(off) < 0.25
    nodes, weights = np.polynomial.legendre.leggauss(8)
    total: Any = 0.0
    for x, weight in zip(nodes, weights, strict=True):
        total = total + 0.5 * weight * np.exp(-0.5 * (centre + 0.5 * (1 + x) * off) ** 2)
    return np.where(near, off * total / np.sqrt(2 * np.pi), far)


def _log_over_psi(a: Any) -> Any:
    """log a − ψ(a), by DLMF 5.11.2 where a is large"""
    large = a > MANY
    b = np.where(large, a, MANY)
    r = 1.0 / (b * b)
    series = 0.5 / b + r * np.polynomial.polynomial.polyval(r, (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132))
    return np.where(large, series, np.log(a) - special.psi(a))


scalar_rule(
    noncentral_by,
    lambda y, v, d, t, k, i, j: noncentral_by(v, d, t, k + 1, i, j),
    lambda y, v, d, t, k, i, j: noncentral_by(v, d, t, k, i + 1, j),
    lambda y, v, d, t, k, i, j: noncentral_by(v, d, t, k, i, j + 1),
    WHOLE,
    WHOLE,
    WHOLE,
)
scalar_rule(
    special.nctdtr,
    lambda y, v, d, t: noncentral_by(v, d, t, 1, 0, 0),
    lambda y, v, d, t: noncentral_by(v, d, t, 0, 1, 0),
    lambda y, v, d, t: noncentral_by(v, d, t, 0, 0, 1),
    strong_zero=True,
)
inverse_rule(special.nctdtridf, special.nctdtr, 0)
inverse_rule(special.nctdtrinc, special.nctdtr, 1)
inverse_rule(special.nctdtrit, special.nctdtr, 2)
