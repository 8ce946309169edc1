"""Solutions of the hypergeometric equations continued along a path, as jets of their parameters.

About every point lead (n+1)(n+2) cₙ₊₂ = lower(n) cₙ − (n+1) middle(n) cₙ₊₁ are the coefficients of the Taylor
series of a solution of ₀F₁'s, ₁F₁'s or ₂F₁'s equation (DLMF 10.2.1, 13.2.1, 15.10.1), lower and middle being
linear forms of the parameters. A step goes half of the way to the nearest singular point; where its sum
cancels, as where the function oscillates, it is halved and taken again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .linear_forms import Form, Jet, everywhere, split, times

TERMS = 300
STEPS = 500
TINY = 1e-17
CANCELS = 100.0
Path = tuple[Any, Any, Any]  # where points are, the solution and its slope there


class Equation(NamedTuple):
    """What the coefficients about a point z follow from, the forms being those of n = 0."""

    lead: Any
    rate: Any  # of middle, as n grows
    middle: Form
    lower: list[Form]
    reach: Any  # how far a step may go


def zero_f_one(b: Form, z: Any) -> Equation:
    """z w″ + b w′ = w"""
    return Equation(z, 1.0, b, [], 0.5 * np.abs(z))


def one_f_one(a: Form, b: Form, z: Any) -> Equation:
    """z w″ + (b − z) w′ = a w"""
    return Equation(z, 1.0, b.plus(-z), [a], 0.5 * np.abs(z))


def two_f_one(a: Form, b: Form, c: Form, z: Any) -> Equation:
    """z (1 − z) w″ + (c − (a + b + 1) z) w′ = a b w"""
    slopes = tuple(t - (r + s) * z for r, s, t in zip(a.slopes, b.slopes, c.slopes, strict=True))
    middle = Form(c.value - (a.value + b.value + 1) * z, slopes)
    return Equation(z * (1 - z), 1 - 2 * z, middle, [a, b], 0.5 * np.minimum(np.abs(z), np.abs(1 - z)))


def continued(equation: Callable[..., Equation], p: list[Form], path: Path, end: Any) -> Path:
    """The solutions for parameters p continued to `end`; NaN where that takes too many steps.

    Example: >>> half, one = np.full(1, 0.5), np.ones((1, 1))     # ₀F₁(½; z) = cosh 2√z
             >>> path = 1.0 * one[0], np.cosh(2) * one, np.sinh(2) * one
             >>> _, w, _ = continued(zero_f_one, [Form(half, (1,))], path, 4 * one[0])
             >>> round(float(w[0, 0] / np.cosh(4)), 12)
             1.0
    """
    at, w, slope = (np.array(part) for part in path)
    end = end + 0 * at
    share, rows = np.ones(len(at)), np.flatnonzero(at != end)
    for _ in range(STEPS):
        if not rows.size:
            break
        here = equation(*(form.at(rows) for form in p), at[rows])
        left = end[rows] - at[rows]
        far = np.minimum(1.0, share[rows] * here.reach / np.abs(left))
        new, size, found = _step(here, far * left, w[..., rows], slope[..., rows])
        usual = np.abs(new) + np.abs(w[..., rows]) + np.abs(far * left * slope[..., rows])
        cancels = ~everywhere(size <= CANCELS * usual)
        share[rows] = np.where(cancels, 0.5 * share[rows], np.minimum(1.5 * share[rows], 1.0))
        taken = rows[~cancels]
        w[..., taken], slope[..., taken] = new[..., ~cancels], found[..., ~cancels]
        at[taken] = np.where(far == 1, end[rows], at[rows] + far * left)[~cancels]
        rows = rows[(cancels | (far < 1)) & (share[rows] > 1e-4)]
    w[..., at != end] = np.nan
    return at, w, slope


def _step(here: Equation, h: Any, w: Jet, slope: Jet) -> tuple[Jet, Any, Jet]:
    """h further the solution, Σ |term| of it, and its slope."""
    fixed, moving = split(here.lower, w)
    middle, share = here.middle, h / here.lead
    older, newer = w, h * slope
    total, size, rise = older + newer, np.abs(older) + np.abs(newer), newer.copy()
    for n in range(TERMS):
        factor = h * share / ((n + 1) * (n + 2))
        for form in fixed:
            factor = factor * (form.value + n)
        lower = older * factor
        for form in moving:
            lower = times(lower, form.plus(n))
        drag = times(newer, middle.plus(here.rate * n)) * (share / (n + 2))
        older, newer = newer, lower - drag
        total += newer
        size += np.abs(newer)
        rise += (n + 2) * newer
        if n % 8 == 7 and not np.any(np.abs(newer) + np.abs(older) > TINY * size):
            return total, size, rise / h
    size = np.where(np.abs(newer) + np.abs(older) > TINY * size, np.inf, size)
    return total, size, rise / h
