"""What does a pullback of `scipy.linalg` cost, beside the formula that a person would write with SciPy?

Of the exponential, beside the exponential itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.dispatch import Pair
from scipy import linalg

import chainrules as cr


def pairs(n: int = 100) -> list[Pair]:
    """On matrices of n rows, with values computed before."""
    rng = np.random.default_rng(0)
    a, seed = rng.standard_normal((n, n)) / np.sqrt(n) + 2 * np.eye(n), rng.standard_normal((n, n))
    spd = a @ a.T + np.eye(n)
    _, of_solve = cr.vjp(linalg.solve, a, seed)
    _, of_cholesky = cr.vjp(cholesky, spd)
    (w, u), of_eigh = cr.vjp(linalg.eigh, spd)
    (left, s, vh), of_svd = cr.vjp(linalg.svd, a)
    _, of_expm = cr.vjp(linalg.expm, a)
    x, low = linalg.solve(a, seed), cholesky(spd)
    seeds = (rng.standard_normal(n), seed)
    thrice = (seed, seeds[0], seed.T)
    return [
        Pair("solve", "by hand", lambda: of_solve(seed), lambda: solve_by_hand(a, x, seed)),
        Pair("cholesky", "by hand", lambda: of_cholesky(seed), lambda: cholesky_by_hand(low, seed)),
        Pair("eigh", "by hand", lambda: of_eigh(seeds), lambda: eigh_by_hand(w, u, *seeds)),
        Pair("svd", "by hand", lambda: of_svd(thrice), lambda: svd_by_hand(left, s, vh, *thrice)),
        Pair("expm", "`expm(a)`", lambda: of_expm(seed), lambda: linalg.expm(a)),
    ]


def cholesky(a: Any) -> Any:
    """The lower factor."""
    return linalg.cholesky(a, lower=True)


def solve_by_hand(a: Any, x: Any, x_bar: Any) -> Any:
    """Giles 2008."""
    b_bar = linalg.solve(a.T, x_bar)
    return -b_bar @ x.T, b_bar


def cholesky_by_hand(low: Any, low_bar: Any) -> Any:
    """Murray 2016, as a cotangent of the triangle that is read."""
    inside = np.tril(low.T @ low_bar)
    inside[np.diag_indices_from(inside)] /= 2
    half = linalg.solve_triangular(low, inside, trans=1, lower=True)
    whole = linalg.solve_triangular(low, half.T, trans=1, lower=True)
    return np.tril(whole + whole.T) - np.diag(np.diag(whole))


def eigh_by_hand(w: Any, u: Any, w_bar: Any, u_bar: Any) -> Any:
    """Giles 2008, as a cotangent of the triangle that is read."""
    gaps = w - w[:, None]
    np.fill_diagonal(gaps, 1.0)
    inside = (u.T @ u_bar) / gaps
    np.fill_diagonal(inside, w_bar)
    whole = u @ inside @ u.T
    return np.tril(whole + whole.T) - np.diag(np.diag(whole))


def svd_by_hand(u: Any, s: Any, vh: Any, u_bar: Any, s_bar: Any, vh_bar: Any) -> Any:
    """Townsend 2016, of a square matrix."""
    gaps = (s - s[:, None]) * (s + s[:, None])
    np.fill_diagonal(gaps, np.inf)
    of_u, of_v = u.T @ u_bar, vh @ vh_bar.T
    inside = ((of_u - of_u.T) * s + s[:, None] * (of_v - of_v.T)) / gaps
    np.fill_diagonal(inside, s_bar)
    return u @ inside @ vh
