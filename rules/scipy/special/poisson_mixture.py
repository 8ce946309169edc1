"""Poisson mixtures of distributions that a recurrence joins: Σ Poisson(j; h) F(j), point by point.

Where F(j) = F(j+1) + T(j), summation by parts gives Σ w(j) F(j) = F(N+1) W(N) + Σ T(i) W(i), where W(i) is
the sum of w up to i; or from the other end F(0) − Σ T(i) (1 − W(i)). A term T follows from the one before by
its ratio, so that a mixture costs a few products a term. Derivatives of T by a parameter have two signs:
those of the first sum cancel in the upper tail, where those of the second do not. Each point begins at its
own first term that counts, which is computed as such.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from ....core import NotDifferentiableError
from .gamma_by_parameter import gamma_density

MOST = 5000
TINY = 1e-18
SMALLEST = 1e-290
CANCELS = 1e-2
By = Callable[[Any], Any]


class Terms(NamedTuple):
    """T(j) and s(j) where a sum begins, T(j+1)/T(j), s(j+1) − s(j), and F′(j) itself, which is dear."""

    first: By
    ratio: By
    slope: By
    change: By
    whole: By


def ends(centre: Any) -> tuple[Any, Any, int]:
    """The first and the last index that count, of each point, and the most from one to the other.

    `centre` is that of the largest term.
    """
    wide = 9.5 * np.sqrt(centre)
    low, high = np.maximum(np.floor(centre - wide) - 3.0, 0.0), np.ceil(centre + 1.2 * wide) + 40.0
    if np.max(high, initial=0.0) > MOST:
        raise NotDifferentiableError(
            f"a noncentral distribution, a mixture of {int(np.max(high))} others",
            next="for so large a noncentrality, use the normal distribution that it tends to",
        )
    return low, high, int(np.max(high - low, initial=0.0))


def weight(j: Any, h: Any) -> Any:
    """hʲe⁻ʰ/j!"""
    return gamma_density(j + 1.0, h)


def mixed_terms(centre: Any, first: By, ratio: By) -> Any:
    """Σ t(j) of positive terms from the largest on both ways, of t(j) there and of t(j+1)/t(j)."""
    _, _, count = ends(centre)
    j = np.floor(centre)
    term = total = first(j)
    up, down = (j, term), (j, term)
    for step in range(count):
        at, term = up
        term = term * ratio(at)
        total, up = total + term, (at + 1.0, term)
        at, rest = down
        rest = np.where(at > 0, rest / ratio(at - 1.0), 0.0)
        total, down = total + rest, (at - 1.0, rest)
        if step % 8 == 7 and np.all(term + rest <= TINY * total):
            break
    return total


def mixed_slopes(h: Any, centre: Any, terms: Callable[..., Terms], *parameters: Any) -> Any:
    """Σ w(j) F′(j) where F′(j) = F′(j+1) + T(j) s(j), of the terms of the parameters."""
    t_of, ratio, slope, change, _ = terms(*parameters)
    low, high, count = ends(centre)
    i, w, weights = low, weight(low, h), special.gammaincc(low + 1.0, h)
    t, s = t_of(low), slope(low)
    lost = t < SMALLEST
    total, size, last = np.zeros_like(h), np.zeros_like(h), weights
    for step in range(count):
        part = t * s * weights
        total, size = total + part, size + np.abs(part)
        before, steeper = ratio(i), change(i)
        t, s, i = t * before, s + steeper, i + 1.0
        last, w = weights, w * h / i
        weights = last + w
        if step % 8 == 7 and np.all((i > centre) & _ended(part, size, before)):
            break
    rest = np.flatnonzero(~_ended(t * s * last, size, ratio(i)))
    if rest.size:
        total[rest] += terms(*(p[rest] for p in parameters)).whole(i[rest]) * last[rest]
    upper = np.flatnonzero(lost | (np.abs(total) < CANCELS * size))
    if upper.size:
        some = terms(*(p[upper] for p in parameters))
        total[upper] = _from_above(h[upper], low[upper], high[upper], some)
    return total


def _ended(part: Any, size: Any, ratio: Any) -> Any:
    """Whether a part and all that follow by that ratio are nothing beside the size."""
    return np.abs(part) <= TINY * size * np.clip(2.0 * (1.0 - ratio), 0.0, 1.0) ** 2


def _from_above(h: Any, low: Any, high: Any, terms: Terms) -> Any:
    """F′(low) (1 − W(low − 1)) − Σ T(i) s(i) (1 − W(i)), from the last i down."""
    i = high
    t, s, w = terms.first(i), terms.slope(i), weight(i, h)
    beyond = special.gammainc(i + 1.0, h)
    total = np.zeros_like(h)
    for _ in range(int(np.max(high - low, initial=0.0)) + 1):
        inside = i >= low
        total = total - np.where(inside, t * s * beyond, 0.0)
        beyond = np.where(inside, beyond + w, beyond)
        w = w * i / np.where(h > 0, h, 1.0)
        i = i - 1.0
        t, s = t / terms.ratio(i), s - terms.change(i)
    return total + terms.whole(low) * np.where(low > 0, special.gammainc(low, h), 1.0)
