"""The derivatives of ₀F₁, ₁F₁ and ₂F₁ by what their parameters are linear in, as jets, many points at once.

By the power series where it does not cancel; else by that of Kummer's or Pfaff's transformation (DLMF
13.2.39, 15.8.1); elsewhere by the solution of the differential equation, continued from the series, which has
to have SciPy's value where it ends. At z = 1 by Gauss' sum (15.4.20). Derivatives by the argument are those
with raised parameters (16.3.1). A point that none of these reaches is refused. Where SciPy's value is
infinite or NaN, at poles and beyond a cut, the derivatives are NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ....core import NotDifferentiableError
from . import continuation
from .hypergeometric_series import series
from .linear_forms import (
    Form,
    Jet,
    Orders,
    constant,
    everywhere,
    moved,
    over,
    times,
    times_gamma,
    times_power,
)

LOST = 1e-10  # of the digits of a sum, at most
AGREES = 1e-9  # with SciPy, after a continuation
KEPT = 1e-14  # of the digits, where a continuation begins
STARTS = ((16.0, 4.0, 1.0, 0.25), (8.0, 2.0, 0.5, 0.1), (0.7, 0.4, 0.2, 0.05))  # how far out, of pFq
FAR = 300.0  # left of which e^z is too small for Kummer's transformation
NEAR = 0.8  # within which the series of ₂F₁ is short
Forms = list[Form]
Sum = tuple[Jet, Any]


def zero_f_one(p: Forms, z: Any, orders: Orders) -> Jet:
    """Of ₀F₁(b; z): the m-th derivative by z, m the last order, and all by what moves b."""
    along = _along(special.hyp0f1, continuation.zero_f_one, 0, orders, lambda z: z)
    return _first_good(special.hyp0f1, p, z, (True, _plain(0, orders)), (True, along))


def one_f_one(p: Forms, z: Any, orders: Orders) -> Jet:
    """Of ₁F₁(a; b; z)."""
    m = orders[-1]

    def kummer(p: Forms, z: Any) -> Sum:
        """e^z M(b − a, b, −z)"""
        a, b = p
        first, factor = _start(p, 1, z, orders), np.exp(z)
        total, size = series([b.less(a)], [b.plus(m)], -z, first)
        return factor * total, np.abs(factor) * size

    left = (np.real(z) < -1) & ~_ends(p[:1], orders)
    return _first_good(
        special.hyp1f1,
        p,
        z,
        (~left, _plain(1, orders)),
        (left & (np.real(z) > -FAR), kummer),
        (True, _along(special.hyp1f1, continuation.one_f_one, 1, orders, lambda z: z)),
    )


def two_f_one(p: Forms, z: Any, orders: Orders) -> Jet:
    """Of ₂F₁(a, b; c; z)."""
    m = orders[-1]

    def pfaff(p: Forms, z: Any) -> Sum:
        """(1 − z)^(−a) F(a, c − b; c; z/(z − 1))"""
        a, b, c = p
        first = times_power(_start(p, 2, z, orders), -np.log1p(-z), a.plus(m))
        return series([a.plus(m), c.less(b)], [c.plus(m)], z / (z - 1), first)

    def gauss(p: Forms, z: Any) -> Sum:
        """Γ(c) Γ(c − a − b)/(Γ(c − a) Γ(c − b)), shifted"""
        a, b, c = p
        rest = c.less(a).less(b).plus(-m)
        made = times_gamma(_start(p, 2, z, orders), [c.plus(m), rest], [c.less(a), c.less(b)])
        return made, np.where(rest.value > 0, 0.0, np.full(made.shape, np.inf))

    def via(z: Any) -> Any:
        """A point on the way around 1"""
        beyond = (np.real(z) > 0.5) & (np.imag(z) != 0)
        return np.where(beyond, 0.5 + 0.8j * np.sign(np.imag(z)), z) if np.iscomplexobj(z) else z

    inside, ends = np.abs(z) <= NEAR, _ends(p[:2], orders)
    along = _along(special.hyp2f1, continuation.two_f_one, 2, orders, via)
    return _first_good(
        special.hyp2f1,
        p,
        z,
        ((inside & (np.real(z) >= 0)) | (np.abs(z) < 0.3) | ends, _plain(2, orders)),
        ((np.real(z) < 0) & (np.abs(z / (z - 1)) < NEAR), pfaff),
        (z == 1, gauss),
        ((z != 1) & ((np.real(z) < 1) | (np.imag(z) != 0)), along),
    )


def _start(p: Forms, tops: int, z: Any, orders: Orders) -> Jet:
    """(tops)ₘ/(bottoms)ₘ, by which the m-th derivative is a multiple of the function"""
    first = constant(np.ones_like(z), orders[:-1])
    for k in range(orders[-1]):
        for form in p[:tops]:
            first = times(first, form.plus(k))
        for form in p[tops:]:
            first = over(first, form.plus(k))
    return first


def _plain(tops: int, orders: Orders) -> Callable[[Forms, Any], Sum]:
    """The power series."""

    def plain(p: Forms, z: Any) -> Sum:
        forms = [form.plus(orders[-1]) for form in p]
        return series(forms[:tops], forms[tops:], z, _start(p, tops, z, orders))

    return plain


def _along(
    f: np.ufunc, equation: Any, tops: int, orders: Orders, via: Callable[[Any], Any]
) -> Callable[[Forms, Any], Sum]:
    """The solution of the equation, which begins as the power series."""
    *others, m = orders
    plain, slope_of = _plain(tops, orders), _plain(tops, (*others, m + 1))

    def start(p: Forms, through: Any) -> Any:
        """Where the series still keeps its digits, and the function and its slope there"""
        at, left = through + 0.0, np.arange(len(through))
        w, slope = np.zeros((2, *(order + 1 for order in others), len(through)), at.dtype)
        for radius in STARTS[tops]:
            at[left] = through[left] * np.minimum(1.0, radius / np.abs(through[left]))
            here = ([form.at(left) for form in p], at[left])
            (w[..., left], size), (slope[..., left], _) = plain(*here), slope_of(*here)
            left = left[~everywhere(size * 1e-16 <= KEPT * np.abs(_value(w[..., left])))]
        return at, w, slope

    def along(p: Forms, z: Any) -> Sum:
        shifted, through = [form.plus(m) for form in p], via(z)
        path = start(p, through)
        for end in (through, z):
            path = continuation.continued(equation, shifted, path, end)
        w = path[1]
        scale = np.max(np.abs(w), axis=tuple(range(w.ndim - 1))) + np.abs(z * _value(path[2]))
        known = _value(_start(p, tops, z, orders)) * f(*(form.value for form in shifted), z)
        off = np.abs(known - _value(w))
        return w, np.where(off <= AGREES * scale, 0.0, np.full(w.shape, np.inf))

    return along


def _value(jet: Jet) -> Any:
    return jet[(0,) * (jet.ndim - 1)]


def _first_good(f: np.ufunc, p: Forms, z: Any, *choices: tuple[Any, Callable[[Forms, Any], Sum]]) -> Jet:
    """Of each point what the first choice that keeps its digits makes of it: where to try it, and how."""
    x = (*(form.value for form in p), z)
    left, made = np.isfinite(f(*x)), []
    for tried, choice in choices:
        rows = np.flatnonzero(left & tried)
        total, size = choice([form.at(rows) for form in p], z[rows])
        beside = np.maximum(np.abs(total), np.abs(_value(total)))
        good = everywhere(size * 1e-16 <= LOST * beside)
        made.append((rows[good], total[..., good]))
        left[rows[good]] = False
    for row in np.flatnonzero(left):
        point = f"{f.__name__} by its parameters at ({', '.join(f'{v[row]:g}' for v in x)})"
        raise NotDifferentiableError(
            f"scipy.special.{point}: the series, or SciPy, lose its digits",
            next="take the derivative by the argument alone, or move the parameters",
        )
    found = np.full((*made[0][1].shape[:-1], left.size), np.nan, z.dtype)
    for rows, part in made:
        found[..., rows] = part
    return found


def _ends(tops: Forms, orders: Orders) -> Any:
    """Where the series is a polynomial, whatever is moved."""
    still = [f.value if not moved(f, orders[:-1]) else np.full_like(f.value, 0.5) for f in tops]
    return np.any([(v <= 0) & (v == np.rint(v)) for v in still], axis=0)
