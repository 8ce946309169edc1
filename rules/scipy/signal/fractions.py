"""Partial fractions: of quotients of polynomials, and back; poles that coincide as they are grouped.

At a simple pole the residue is the quotient there without that factor. Poles that coincide have no
derivative as roots, and are refused; from residues back to polynomials they may coincide. Which poles count
as one is frozen.

See [Oppenheim & Schafer 2010].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from ....core import non_differentiable
from ...written import written_out
from .arguments import refuse_axes, refuse_empty
from .conversions import refuse_coincident
from .transfer import first, lists, summed

_REDUCED: dict[str, Any] = {
    **dict.fromkeys(("max", "maximum"), np.max),
    **dict.fromkeys(("min", "minimum"), np.min),
    **dict.fromkeys(("avg", "mean"), np.mean),
}


def by_size(p: Any) -> Any:
    """The order of poles in which SciPy returns them."""
    return np.argsort(np.abs(p))


def runs(p: Any, tol: float) -> list[tuple[int, int]]:
    """Neighbouring poles that count as one: where they begin and how many they are."""
    found = [(0, 1)]
    for i in range(1, len(p)):
        start, count = found[-1]
        if abs(p[i] - p[start]) <= tol:
            found[-1] = start, count + 1
        else:
            found.append((i, 1))
    return found


def groups(p: Any, tol: float, rtype: str) -> list[list[int]]:
    """Roots that count as one, each with those not taken yet."""
    signal.unique_roots(p, tol, rtype)
    free, found = list(range(len(p))), []
    while free:
        near = [i for i in free if abs(p[i] - p[free[0]]) <= tol]
        found.append(near)
        free = [i for i in free if i not in near]
    return found


non_differentiable(by_size, runs, groups, why="the order and the groups are frozen")


def divided(b: Any, a: Any) -> tuple[Any, Any]:
    """The quotient and the remainder of polynomials, the highest power first."""
    n = np.shape(b)[0] - np.shape(a)[0] + 1
    if n <= 0:
        return np.zeros(0), b
    quotient = []
    for i in range(n):
        q = b[0] / a[0]
        quotient.append(q)
        b = (b - q * np.concatenate([a, np.zeros(n - 1 - i)]))[1:]
    return np.stack(quotient), b


def value_at(c: Any, x: Any) -> Any:
    """A polynomial, the highest power first."""
    y = np.zeros_like(x)
    for i in range(np.shape(c)[0]):
        y = y * x + c[i]
    return y


def simple(b: Any, x: Any) -> Any:
    """b(x_i) / Π (x_i − x_j)"""
    n = np.shape(x)[0]
    others = np.where(np.eye(n) == 1, 1.0, x[:, None] - x)
    return value_at(b, x) / np.prod(others, axis=1)


@written_out(signal.residue)
def residue(b: np.ndarray | list, a: np.ndarray | list, *, tol=1e-3, rtype="avg"):
    """b / a = Σ r_i / (s − p_i) + k, with simple poles"""
    b, a = lists("residue", b, a)
    b = b * np.ones(1)
    a = a * np.ones(1)
    b, a = b[first(b) :], a[first(a) :]
    poles = np.roots(a)
    refuse_coincident(poles)
    k, rest = divided(b, a)
    poles = poles[by_size(poles)]
    return simple(rest, poles) / a[0], poles, k


@written_out(signal.residuez)
def residuez(b: np.ndarray | list, a: np.ndarray | list, *, tol=1e-3, rtype="avg"):
    """b / a = Σ r_i / (1 − p_i z⁻¹) + k, with simple poles"""
    b, a = lists("residuez", b, a)
    b = np.flip(b) * np.ones(1)
    a = np.flip(a) * np.ones(1)
    b, a = b[first(b) :], a[first(a) :]
    poles = np.roots(np.flip(a))
    refuse_coincident(poles)
    k, rest = divided(b, a)
    poles = poles[by_size(poles)]
    return -poles * simple(rest, 1.0 / poles) / a[0], poles, np.flip(k)


def products(p: Any, tol: float) -> tuple[list[Any], Any]:
    """What each residue is multiplied by, and the denominator."""
    counted = runs(p, tol)
    factors = []
    for start, count in counted:
        others = np.ones(1)
        for other, times in counted:
            if other != start:
                others = multiplied(others, p[other], times)
        factors.extend([multiplied(others, p[start], count - 1 - i) for i in range(count)])
    whole = np.ones(1)
    for start, count in counted:
        whole = multiplied(whole, p[start], count)
    return factors, whole


def multiplied(c: Any, root: Any, times: int) -> Any:
    """A polynomial times (s − r)^n"""
    for _ in range(times):
        c = np.concatenate([c, np.zeros(1)]) - root * np.concatenate([np.zeros(1), c])
    return c


@written_out(signal.invres)
def invres(r: np.ndarray | list, p: np.ndarray | list, k: np.ndarray | list, *, tol=1e-3, rtype="avg"):
    """Σ r_i / (s − p_i)^m + k as b / a; the first of poles that count as one stands for them"""
    r = np.atleast_1d(np.asarray(r))
    p = np.atleast_1d(np.asarray(p))
    refuse_axes("invres", r=r, p=p)
    k = np.atleast_1d(np.asarray(k)) * 1.0
    factors, whole = products(p, tol)
    above: Any = np.zeros(1)
    if np.any(k != 0):
        above = np.convolve(k[first(k) :], whole)
    for i in range(len(factors)):
        above = summed(above, r[i] * factors[i])
    return above, whole


@written_out(signal.invresz)
def invresz(r: np.ndarray | list, p: np.ndarray | list, k: np.ndarray | list, *, tol=1e-3, rtype="avg"):
    """Σ r_i / (1 − p_i z⁻¹)^m + k as b / a"""
    r = np.atleast_1d(np.asarray(r))
    p = np.atleast_1d(np.asarray(p))
    refuse_axes("invresz", r=r, p=p)
    k = np.flip(np.atleast_1d(np.asarray(k)) * 1.0)
    factors, whole = products(p, tol)
    above: Any = np.zeros(1)
    if np.any(k != 0):
        above = np.convolve(k[first(k) :], np.flip(whole))
    for i in range(len(factors)):
        above = summed(above, r[i] * np.flip(factors[i]))
    return np.flip(above), whole


def counts(found: list[list[int]]) -> Any:
    """How many roots count as one."""
    return np.array([len(each) for each in found])


non_differentiable(counts, why="counts")


@written_out(signal.unique_roots)
def unique_roots(p: np.ndarray | list, *, tol=1e-3, rtype="min"):
    """The least, the greatest or the mean of the roots that count as one, and their numbers"""
    p = np.asarray(p)
    refuse_empty("unique_roots", p=p)
    found = groups(p, tol, rtype)
    return np.stack([_REDUCED[rtype](p[each]) for each in found]), counts(found)
