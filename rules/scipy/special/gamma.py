"""The gamma function and its logarithm, beta functions, binomial coefficients, rising factorials.

Γ′ = Γ ψ (DLMF 5.2.2). Differences of digammas are computed as such, so that nothing cancels where one
argument is much larger than the other. At a pole of Γ there is no derivative, and NaN says so; 1/Γ is
smooth there, and binomial coefficients that vanish because of it have their slopes. `comb` and `perm` are
cut off outside 0 ≤ k ≤ N, where they are 0.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import Array, frule, non_differentiable, rrule, scalar_rule
from ....core.broadcasting import fit
from ...written import as_found, own, written_out
from .polygammas import polygamma, psi_difference, reciprocal_gamma_slope
from .quietly import quietly

MOST = 80.0  # beyond which Γ may overflow

scalar_rule(special.gamma, quietly(lambda y, x: y * special.psi(x)), strong_zero=True)
scalar_rule(special.gammaln, lambda y, x: special.psi(x), strong_zero=True)
scalar_rule(special.loggamma, lambda y, z: special.psi(z), strong_zero=True)
scalar_rule(special.psi, lambda y, z: polygamma(1, z), strong_zero=True)
scalar_rule(special.rgamma, quietly(lambda y, x: reciprocal_gamma_slope(x)), strong_zero=True)
non_differentiable(special.gammasgn, why="a sign, which does not move")


def _pole(x):
    """Where Γ has one."""
    return (x <= 0) & (x == np.round(x))


def _near_a_pole(x):
    """Where Γ is so large that 1/Γ has fewer digits than its slope."""
    return (x < 0.1) & (np.abs(x - np.round(x)) < 0.1)


def _rising_by_z(y, z, m):
    """y (ψ(z+m) − ψ(z)), by reflection where both are poles; at one of Γ(z), y ψ(z+m) + Γ(z+m) (1/Γ)′(z)"""
    if np.all(z > 0):
        return y * psi_difference(z, m)
    both = _pole(z) & _pole(z + m)
    flat = _pole(z) & ~both
    start, step = np.where(both, 1.0 - z, np.where(flat, 1.0, z)), np.where(both, -m, np.where(flat, 0.0, m))
    end = np.where(flat, z + m, 1.0)
    at_zero = y * special.psi(end) + special.gamma(end) * reciprocal_gamma_slope(np.where(flat, z, 1.0))
    return np.where(flat, at_zero, y * psi_difference(start, step))


def _beta_by_first(y, a, b):
    """y (ψ(a) − ψ(a+b)); near a pole of Γ(a+b), where y vanishes, y ψ(a) + Γ(a) Γ(b) (1/Γ)′(a+b)"""
    if np.all(a + b > 0.1):
        return -y * psi_difference(a, b)
    flat = _near_a_pole(a + b) & (np.abs(a) < MOST) & (np.abs(b) < MOST)
    smooth = -y * psi_difference(np.where(flat, 1.0, a), np.where(flat, 0.0, b))
    gammas = special.gamma(a) * special.gamma(b)
    at_zero = y * special.psi(a) + gammas * reciprocal_gamma_slope(np.where(flat, a + b, 1.0))
    return np.where(flat, at_zero, smooth)


scalar_rule(
    special.poch,
    quietly(_rising_by_z),
    quietly(lambda y, z, m: y * special.psi(z + m)),
    strong_zero=True,
)
scalar_rule(
    special.beta,
    quietly(_beta_by_first),
    quietly(lambda y, a, b: _beta_by_first(y, b, a)),
    strong_zero=True,
)
scalar_rule(
    special.betaln,
    quietly(lambda y, a, b: -psi_difference(a, b)),
    quietly(lambda y, a, b: -psi_difference(b, a)),
    strong_zero=True,
)


def _vanishes(y, n, k):
    """Where a binomial coefficient is zero, or near it, as at k = n + 1"""
    near = (_near_a_pole(k + 1.0) | _near_a_pole(n - k + 1.0)) & (np.abs(n) < MOST) & (np.abs(k) < MOST)
    return ((y == 0) | near) & ~_near_a_pole(n + 1.0)


def _binomial_by_n(y, n, k):
    """y (ψ(n+1) − ψ(n−k+1)); where y vanishes, Γ(n+1)/Γ(k+1) (ψ(n+1)/Γ(n−k+1) + (1/Γ)′(n−k+1))"""
    m = n + 1.0
    if np.all((k > -0.9) & (n - k > -0.9) & (n > -0.9) & (y != 0)):
        return -y * psi_difference(m, -k)
    flat = _vanishes(y, n, k)
    smooth = -y * psi_difference(np.where(flat, 1.0, m), np.where(flat, 0.0, -k))
    moved = special.psi(m) * special.rgamma(n - k + 1.0) + reciprocal_gamma_slope(n - k + 1.0)
    at_zero = special.gamma(n + 1.0) * special.rgamma(k + 1.0) * moved
    return np.where(flat, at_zero, smooth)


def _binomial_by_k(y, n, k):
    """y (ψ(n−k+1) − ψ(k+1)); where y vanishes, the derivative of Γ(n+1)/(Γ(k+1) Γ(n−k+1)) factor by factor"""
    if np.all((k > -0.9) & (n - k > -0.9) & (n > -0.9) & (y != 0)):
        return y * psi_difference(k + 1.0, n - 2 * k)
    flat = _vanishes(y, n, k)
    low = np.where(flat, 1.0, k + 1.0)
    smooth = y * psi_difference(low, np.where(flat, 0.0, n - k + 1.0 - low))
    left = reciprocal_gamma_slope(k + 1.0) * special.rgamma(n - k + 1.0)
    right = special.rgamma(k + 1.0) * reciprocal_gamma_slope(n - k + 1.0)
    return np.where(flat, special.gamma(n + 1.0) * (left - right), smooth)


scalar_rule(special.binom, quietly(_binomial_by_n), quietly(_binomial_by_k), strong_zero=True)


def _combinations(n, k, repetition):
    """`comb` as SciPy has it, in `binom`."""
    if repetition:
        n = n + k - 1
    inside = (k <= n) & (n >= 0) & (k >= 0)
    return np.where(inside, special.binom(np.where(inside, n, 1.0), np.where(inside, k, 0.0)), 0.0)[()]


def _permutations(n, k):
    """`perm` as SciPy has it, in `poch`."""
    inside = (k <= n) & (n >= 0) & (k >= 0)
    return np.where(inside, special.poch(np.where(inside, n - k + 1, 1.0), np.where(inside, k, 0.0)), 0.0)[()]


@written_out(special.comb)
def comb_written_out(N: Array, k: Array, *, exact=False, repetition=False):
    """y = N! / (k! (N−k)!), with repetition that of N + k − 1"""
    if exact:  # Python's whole numbers of whole numbers
        return own(special.comb, N, k, exact=True, repetition=repetition)
    return _combinations(N, k, repetition)


@written_out(special.perm)
def perm_written_out(N: Array, k: Array, *, exact=False):
    """y = N! / (N−k)!"""
    if exact:
        return own(special.perm, N, k, exact=True)
    return _permutations(N, k)


@written_out(special.factorial)
def factorial_written_out(n: Array, *, exact=False, extend="zero"):
    """y = Γ(n + 1), and 0 for n < 0 unless extended"""
    if exact:
        return own(special.factorial, n, exact=True, extend=extend)
    if extend == "complex":
        return special.gamma(n + 1)
    negative = np.less(n, 0)
    found = np.where(negative, 0.0, special.gamma(np.where(negative, 0.0, n) + 1))[()]
    return as_found(own(special.factorial, n, extend=extend), found)


@frule(special.polygamma)
def polygamma_frule(tangents, x: Array, *, n):
    """y = ψ⁽ⁿ⁾(x)        ẏ = ψ⁽ⁿ⁺¹⁾(x) ẋ"""
    return special.polygamma(n, x), special.polygamma(np.add(n, 1), x) * tangents[0]


@rrule(special.polygamma)
def polygamma_rrule(x: Array, *, n):
    """y = ψ⁽ⁿ⁾(x)        x̄ = ψ⁽ⁿ⁺¹⁾(x) ȳ"""

    def polygamma_pullback(y_bar):
        return fit(special.polygamma(np.add(n, 1), x) * y_bar, x)

    return special.polygamma(n, x), polygamma_pullback


def _multivariate_slope(a, d):
    """Σ_{j<d} ψ(a − j/2)"""
    return np.sum(special.psi(np.asarray(a)[..., None] - np.arange(d) / 2), axis=-1)


@frule(special.multigammaln)
def multigammaln_frule(tangents, a: Array, *, d):
    """y = d(d−1)/4 log π + Σ_{j<d} log Γ(a − j/2)        ẏ = Σ ψ(a − j/2) ȧ (DLMF 35.3.4)"""
    return special.multigammaln(a, d), _multivariate_slope(a, d) * tangents[0]


@rrule(special.multigammaln)
def multigammaln_rrule(a: Array, *, d):
    """y = d(d−1)/4 log π + Σ_{j<d} log Γ(a − j/2)        ā = Σ ψ(a − j/2) ȳ"""

    def multigammaln_pullback(y_bar):
        return fit(_multivariate_slope(a, d) * y_bar, a)

    return special.multigammaln(a, d), multigammaln_pullback
