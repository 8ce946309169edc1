"""Gegenbauer functions by their degree and parameter, for real degrees; among them those of Legendre.

C_ν^λ with λ = ½ is P_ν. The integral of Mehler and Dirichlet (DLMF 18.10.1, 14.12.1), with sin(t/2) = k
sin ψ and k² = (1 − x)/2, is

    C_ν^λ = 2^(2−2λ) Γ(ν + 2λ) / (Γ(ν + 1) Γ(λ)²) ((1 + x)/2)^(½−λ) ∫ cos(2(ν + λ) a) cos^(2λ−1) ψ / cos a dψ,

a = arcsin(k sin ψ), ψ from 0 to π/2. It is differentiated under the integral, whose rule (tanh-sinh)
converges exponentially; for λ < ½ the parameter is raised first (18.9.7). For λ = ½ and −0.98 < x ≤ 1 see
`legendre_by_degree`. By x the degree is lowered. By the parameter alone, a polynomial of whole degree goes
by its recurrence (18.9.1), whatever λ and x. Where the integral cancels, for high degrees and parameters
together, the point is refused. At x = −1 the slope by the degree is infinite for λ = ½; left of it a
function of real degree has no real value: NaN.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....core import Array, NotDifferentiableError, frule, non_differentiable, rrule
from ....core.broadcasting import fit
from ....tangents import ZERO, is_zero
from .jets import constant, exponential, linear, log_gamma, product, rising
from .legendre_by_degree import LOWEST as LEGENDRE
from .legendre_by_degree import legendre_by_degree

WANTED = 1e-9
ENDS = 3.3  # where tanh-sinh ends: what is left out is below 1e−18
LOWEST = -0.5
MOST = 10_000  # the highest degree that goes by the recurrence


def gegenbauer_values(nu: Any, lam: Any, x: Any, i: int, j: int) -> Any:
    """∂ⁱ/∂νⁱ ∂ʲ/∂λʲ C_ν^λ(x), entry by entry."""
    nu, lam, x = np.broadcast_arrays(nu, lam, x)
    complex_parameters = np.iscomplexobj(nu) or np.iscomplexobj(lam)
    found = np.empty(nu.shape, complex if np.iscomplexobj(x) or complex_parameters else float)
    whole = (nu == np.rint(nu)) & (nu >= 0) & (nu <= MOST) & (i == 0)
    if np.any(whole):
        found[whole] = _of_whole_degree(nu[whole].astype(int), lam[whole], x[whole], j)
    rest = ~whole
    if j == 0 and i > 0 and np.isrealobj(x):
        legendre = rest & (lam == 0.5) & (x > LEGENDRE) & (x <= 1) & (np.abs(nu) <= MOST)
        found[legendre] = legendre_by_degree(nu[legendre], x[legendre], i)
        rest &= ~legendre
    if complex_parameters and np.any(rest):
        raise _refusal(nu[rest][0], lam[rest][0], "one of them is complex")
    for at in np.argwhere(rest):
        place = tuple(at)
        found[place] = _one(float(nu[place]), float(lam[place]), x[place], i, j)
    return found[()]


def _of_whole_degree(n: Any, lam: Any, x: Any, j: int) -> Any:
    """The recurrence (k+1) Cₖ₊₁ = 2 (k+λ) x Cₖ − (k+2λ−1) Cₖ₋₁ of series in δλ        [DLMF 18.9.1]"""
    found = np.where(n == 0, float(j == 0), 0.0) + 0.0 * x * lam
    before, now = [0.0 * x] * (j + 1), [float(m == 0) + 0.0 * x for m in range(j + 1)]
    for k in range(int(np.max(n, initial=0))):
        a, b = 2 * (k + lam) * x, k + 2 * lam - 1
        following = [a * p - b * q for p, q in zip(now, before, strict=True)]
        for m in range(1, j + 1):
            following[m] = following[m] + 2 * (x * now[m - 1] - before[m - 1])
        before, now = now, [p / (k + 1) for p in following]
        found = np.where(n == k + 1, now[j], found)
    return math.factorial(j) * found


non_differentiable(gegenbauer_values, why="has no part in the derivative")


def _one(nu: float, lam: float, x: Any, i: int, j: int) -> Any:
    if not np.isfinite(x + nu + lam) or (np.isrealobj(x) and x < -1):
        return math.nan
    if x == -1:
        infinite = lam == 0.5 and (i, j) == (1, 0)
        return -math.copysign(math.inf, math.cos(math.pi * nu)) if infinite else math.nan
    if lam <= LOWEST:
        raise _refusal(nu, lam, "the parameter is not above −½")
    shape = (max(i, 1) + 1, j + 1)  # a slope, beside which a zero of the function is small
    if lam >= 0.5:
        series, size = _integral(nu, lam, x, shape)
    else:
        if nu + lam == 0:
            raise _refusal(nu, lam, "degree and parameter add up to zero")
        (a, a_size), (b, b_size) = _integral(nu, lam + 1, x, shape), _integral(nu - 2, lam + 1, x, shape)
        share = product(linear(lam, 0.0, 1.0, shape), _reciprocal(nu + lam, shape))
        series, size = product(share, a - b), abs(lam / (nu + lam)) * (a_size + b_size)
    found = series[i, j] * math.factorial(i) * math.factorial(j)
    if size * 1e-16 > WANTED * np.max(np.abs(series)):
        raise _refusal(nu, lam, "it cancels")
    return found if np.iscomplexobj(x) else found.real


def _refusal(nu: complex, lam: complex, why: str) -> NotDifferentiableError:
    return NotDifferentiableError(
        f"the Gegenbauer function of degree {nu:g} and parameter {lam:g} has no derivative by them: {why}",
        next="take the derivative by x alone, or use lower degrees and parameters",
    )


def _reciprocal(value: float, shape: tuple[int, int]) -> Any:
    """1 / (value + s + t)"""
    made = np.zeros(shape)
    for i, j in np.ndindex(shape):
        made[i, j] = math.comb(i + j, i) * (-1.0) ** (i + j) / value ** (i + j + 1)
    return made


def _integral(nu: float, lam: float, x: Any, shape: tuple[int, int]) -> tuple[Any, float]:
    """The series of C in s = δν and t = δλ, and the size of what it is the sum of."""
    u, h = np.linspace(-ENDS, ENDS, 160 + 8 * int(abs(nu) + lam), retstep=True)
    inner = math.pi / 2 * np.sinh(u)
    weights = h * math.pi / 2 * np.cosh(u) / np.cosh(inner) ** 2 * math.pi / 4
    psi, rest = math.pi / 2 / (1 + np.exp(-2 * inner)), math.pi / 2 / (1 + np.exp(2 * inner))
    k2 = (1 - x) / 2
    a = np.arcsin(np.sqrt(k2 + 0j) * np.sin(psi))
    kept = np.sqrt((1 + x) / 2 + k2 * np.sin(rest) ** 2 + 0j)  # cos a, which does not cancel near x = −1
    wide = (*shape, len(u))
    log_cos = np.log(np.sin(rest))
    power = exponential(linear((2 * lam - 1) * log_cos, 0.0, 0.0, wide) + _by_t(2 * log_cos, wide))
    waves = _waves(2 * (nu + lam) * a, 2 * a, wide)
    terms = weights / kept * product(power + 0j, waves)
    total, size = np.sum(terms, axis=-1), float(np.max(np.sum(np.abs(terms), axis=-1)))
    half = np.log((1 + x) / 2 + (0j if np.iscomplexobj(x) else 0.0))
    front = _front(nu, lam, half, shape)
    return product(front, total), abs(front[0, 0]) * size


def _by_t(value: Any, shape: tuple[int, ...]) -> Any:
    made = np.zeros(shape)
    if shape[1] > 1:
        made[0, 1] = value
    return made


def _waves(phase: Any, rate: Any, shape: tuple[int, ...]) -> Any:
    """cos(phase + rate (s + t))"""
    made = np.zeros(shape, complex)
    for i, j in np.ndindex(shape[:2]):
        made[i, j] = rate ** (i + j) * np.cos(phase + (i + j) * math.pi / 2)
        made[i, j] /= math.factorial(i) * math.factorial(j)
    return made


def _front(nu: float, lam: float, half: Any, shape: tuple[int, int]) -> Any:
    """What stands before the integral; 1/Γ has zeros, and both Γ are shifted to positive arguments."""
    up = max(0, math.ceil(-nu))
    over = max(0, math.ceil(1 - nu - 2 * lam))
    logs = log_gamma(nu + 2 * lam + over, 1.0, 2.0, shape) - log_gamma(nu + 1 + up, 1.0, 0.0, shape)
    logs = logs - 2 * log_gamma(lam, 0.0, 1.0, shape)
    logs = logs + linear((2 - 2 * lam) * math.log(2), 0.0, -2 * math.log(2), shape)
    logs = logs + linear((0.5 - lam) * half, 0.0, 0.0, shape)
    if shape[1] > 1:
        logs[0, 1] = logs[0, 1] - half
    front = product(exponential(logs), rising(nu + 1, 1.0, 0.0, up, shape))
    below = rising(nu + 2 * lam, 1.0, 2.0, over, shape)
    return product(front, _inverse(below, nu, lam)) if over else front


def _inverse(a: Any, nu: float, lam: float) -> Any:
    """One over a series."""
    if a[0, 0] == 0:
        raise _refusal(nu, lam, "it is a pole")
    rest = -a / a[0, 0]
    rest[0, 0] = 0.0
    made = term = constant(1.0, a.shape)
    for _ in range(a.shape[0] + a.shape[1] - 2):
        term = product(term, rest)
        made = made + term
    return made / a[0, 0]


def gegenbauer_by(n: Any, lam: Any, x: Any, *, i: int = 0, j: int = 0) -> Any:
    """∂ⁱ/∂nⁱ ∂ʲ/∂λʲ C_n^λ(x)"""
    return gegenbauer_values(n, lam, x, i, j)


def _by_x(n: Any, lam: Any, x: Any, i: int, j: int) -> Any:
    """∂ⁱ∂ʲ of 2λ C_{n−1}^{λ+1}"""
    found = 2 * lam * gegenbauer_by(n - 1, lam + 1, x, i=i, j=j)
    return found + 2 * j * gegenbauer_by(n - 1, lam + 1, x, i=i, j=j - 1) if j else found


@frule(gegenbauer_by)
def gegenbauer_by_frule(tangents, n: Array, lam: Array, x: Array, *, i=0, j=0):
    """ẏ = y(i+1, j) ṅ + y(i, j+1) λ̇ + ∂ⁱ∂ʲ(2λ C_{n−1}^{λ+1}) ẋ"""
    y = gegenbauer_by(n, lam, x, i=i, j=j)
    dn, dlam, dx = tangents
    total = np.zeros(np.shape(y))
    if not is_zero(dn):
        total = total + gegenbauer_by(n, lam, x, i=i + 1, j=j) * dn
    if not is_zero(dlam):
        total = total + gegenbauer_by(n, lam, x, i=i, j=j + 1) * dlam
    if not is_zero(dx):
        total = total + _by_x(n, lam, x, i, j) * dx
    return y, total


@rrule(gegenbauer_by)
def gegenbauer_by_rrule(n: Array, lam: Array, x: Array, *, i=0, j=0, needs):
    """n̄ = y(i+1, j)* ȳ, λ̄ = y(i, j+1)* ȳ, x̄ = ∂ⁱ∂ʲ(2λ C_{n−1}^{λ+1})* ȳ"""

    def gegenbauer_by_pullback(y_bar):
        n_bar = lam_bar = x_bar = ZERO
        if needs[0]:
            n_bar = fit(np.conj(gegenbauer_by(n, lam, x, i=i + 1, j=j)) * y_bar, n)
        if needs[1]:
            lam_bar = fit(np.conj(gegenbauer_by(n, lam, x, i=i, j=j + 1)) * y_bar, lam)
        if needs[2]:
            x_bar = fit(np.conj(_by_x(n, lam, x, i, j)) * y_bar, x)
        return n_bar, lam_bar, x_bar

    return gegenbauer_by(n, lam, x, i=i, j=j), gegenbauer_by_pullback
