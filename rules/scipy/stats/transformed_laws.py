"""The laws of random variables that are made of others: shifted, cut, changed, folded, ordered, mixed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import betainc, betaln
from scipy.stats import Mixture
from scipy.stats._distribution_infrastructure import (
    FoldedDistribution,
    MonotonicTransformedDistribution,
    OrderStatisticDistribution,
    ShiftedScaledDistribution,
    TruncatedDistribution,
)

from ....core import non_differentiable
from ...written import own
from .laws import LAWS, Law, above, below, cuts, ends, log_above, log_below, log_density
from .logarithms import log1mexp
from .standing import Program
from .variables import placed


def shifted(one: Program, other: Program) -> Program:
    """A program of (x − loc)/scale: `one`, and where the scale is negative the `other`."""

    def of_standard(X, x):
        base, loc, scale = placed(X)
        z = (x - loc) / scale
        if one is other or np.all(scale > 0):
            return one(base, z)
        return np.where(scale > 0, one(base, z), other(base, z))

    return of_standard


def shifted_log_density(X, x):
    """log f(z) − log |scale|"""
    base, loc, scale = placed(X)
    return log_density(base, (x - loc) / scale) - np.log(np.abs(scale))


def shifted_cuts(X):
    """loc + scale c, in order"""
    base, loc, scale = placed(X)
    moved = [loc + scale * c for c in cuts(base)]
    return moved if np.all(scale > 0) else moved[::-1]


def cut(X: Any) -> Any:
    """What a truncated variable is made of, and its ends."""
    given = X._original_parameters
    every = cuts(X._dist)
    return X._dist, np.maximum(every[0], given["lb"]), np.minimum(every[-1], given["ub"])


def log_mass(X: Any, a: Any, b: Any) -> Any:
    """log (F(b) − F(a)), of the smaller tails"""
    right = own(below, X, a) > 0.5
    if np.all(right):
        upper = log_above(X, a)
        return upper + log1mexp(log_above(X, b) - upper)
    if not np.any(right):
        upper = log_below(X, b)
        return upper + log1mexp(log_below(X, a) - upper)
    one, two = log_above(X, a), log_below(X, b)
    return np.where(right, one + log1mexp(log_above(X, b) - one), two + log1mexp(log_below(X, a) - two))


def cut_log_density(X, x):
    """log f(x) − log (F(b) − F(a))"""
    base, a, b = cut(X)
    return log_density(base, x) - log_mass(base, a, b)


def cut_log_below(X, x):
    """log of the mass from a to x over that from a to b"""
    base, a, b = cut(X)
    return log_mass(base, a, x) - log_mass(base, a, b)


def cut_log_above(X, x):
    """log of the mass from x to b over that from a to b"""
    base, a, b = cut(X)
    return log_mass(base, x, b) - log_mass(base, a, b)


def cut_cuts(X):
    """Those of the variable that are between the ends"""
    base, a, b = cut(X)
    return [a, *[c for c in cuts(base)[1:-1] if own(np.all, (c > a) & (c < b))], b]


class Change(NamedTuple):
    """A monotonic transform: programs of x for its inverse and for the logarithm of the inverse's slope."""

    forth: Program
    back: Program
    log_slope: Program
    rising: bool = True


def change_of(X: Any) -> Change:
    """How a variable was transformed."""
    g = X._g
    if g is np.exp:
        return Change(np.exp, np.log, lambda x: -np.log(x))
    if g is np.log:
        return Change(np.log, np.exp, lambda x: x)
    maker = g.__qualname__.rpartition(".<locals>")[0].rpartition(".")[2]
    if maker == "__rtruediv__":
        return Change(lambda x: 1.0 / x, lambda x: 1.0 / x, lambda x: -2.0 * np.log(np.abs(x)), False)
    p = g.__closure__[0].cell_contents
    if maker == "__pow__":
        return Change(
            lambda x: x**p,
            lambda x: np.sign(x) * np.abs(x) ** (1.0 / p),
            lambda x: (1.0 / p - 1.0) * np.log(np.abs(x)) - np.log(p),
        )
    c = np.log(p)
    return Change(
        lambda x: np.exp(c * x), lambda x: np.log(x) / c, lambda x: -np.log(np.abs(c * x)), bool(c > 0)
    )


def changed(rising: Program, falling: Program) -> Program:
    """A program of the inverse's value."""

    def of_inverse(X, x):
        change = change_of(X)
        z = change.back(x)
        return rising(X._dist, z) if change.rising else falling(X._dist, z)

    return of_inverse


def changed_log_density(X, x):
    """log f(h(x)) + log |h′(x)|"""
    change = change_of(X)
    return log_density(X._dist, change.back(x)) + change.log_slope(x)


def changed_cuts(X):
    """g(c), in order; the images of infinite ends do not move"""
    change = change_of(X)
    lower, upper = own(ends, X)
    moved = [change.forth(c) for c in cuts(X._dist)[1:-1]]
    first, last = (cuts(X._dist)[i] for i in ((0, -1) if change.rising else (-1, 0)))
    sides = [_image(change, c, end) for c, end in ((first, lower), (last, upper))]
    return [sides[0], *(moved if change.rising else moved[::-1]), sides[1]]


def _image(change: Change, c: Any, end: Any) -> Any:
    """g(c), which is the end that SciPy has; held where c or it is infinite."""
    held = own(np.all, ~np.isfinite(c) | ~np.isfinite(end))
    return end if held else change.forth(c)


def folded_log_density(X, x):
    """log (f(x) + f(−x))"""
    return np.logaddexp(log_density(X._dist, x), log_density(X._dist, -x))


def folded_below(X, x):
    """F(x) − F(−x)"""
    return below(X._dist, x) - below(X._dist, -x)


def folded_above(X, x):
    """1 − F(x) + F(−x)"""
    return above(X._dist, x) + below(X._dist, -x)


def folded_cuts(X):
    """|c| of every end and corner"""
    lower, upper = own(ends, X)
    every = [np.abs(c) for c in cuts(X._dist)]
    inner = sorted([c for c in every if own(np.all, (c > lower) & (c < upper))])
    first = [c for c in every if own(np.all, c == lower)]
    last = [c for c in every if own(np.all, c == upper)]
    return [first[0] if first else lower, *inner, last[0] if last else upper]


def ranks(X: Any) -> Any:
    """The parameters of the beta distribution of F(x)"""
    given = X._original_parameters
    return given["r"], given["n"] - given["r"] + 1.0


def ordered_log_density(X, x):
    """log f + (r − 1) log F + (n − r) log (1 − F) − log B(r, n − r + 1)"""
    a, b = ranks(X)
    terms = times_log(a - 1.0, log_below(X._dist, x)) + times_log(b - 1.0, log_above(X._dist, x))
    return log_density(X._dist, x) + terms - betaln(a, b)


def times_log(a: Any, logs: Any) -> Any:
    """a times a logarithm that may be −∞ where a is 0"""
    return a * np.where(own(np.isneginf, logs) & (a == 0), 0.0, logs)


def ordered_below(X, x):
    """I_F(r, n − r + 1)"""
    a, b = ranks(X)
    return betainc(a, b, below(X._dist, x))


def ordered_above(X, x):
    """I_{1−F}(n − r + 1, r)"""
    a, b = ranks(X)
    return betainc(b, a, above(X._dist, x))


def mixed(program: Program) -> Program:
    """Σ w times a program of each component"""

    def weighted(X, x):
        total = 0.0 * x
        for i in range(len(X._components)):
            total = total + X._weights[i] * program(X._components[i], x)
        return total

    return weighted


def mixed_logs(program: Program) -> Program:
    """log Σ w exp of a program of each component"""

    def weighted(X, x):
        logs = [program(X._components[i], x) for i in range(len(X._components))]
        top = own(_top, logs)
        total = 0.0 * x
        for i in range(len(logs)):
            total = total + X._weights[i] * np.exp(logs[i] - top)
        return np.log(total) + top

    return weighted


def _top(logs: Any) -> Any:
    """The largest, 0 where none is finite"""
    top = np.max(np.stack(np.broadcast_arrays(*logs)), axis=0)
    return np.where(np.isfinite(top), top, 0.0)


def mixed_cuts(X):
    """Those of every component, in order"""
    lower, upper = own(ends, X)
    every = [c for i in range(len(X._components)) for c in cuts(X._components[i])]
    inner = sorted([c for c in every if own(np.all, (c > lower) & (c < upper))])
    first = [c for c in every if own(np.all, c == lower)]
    last = [c for c in every if own(np.all, c == upper)]
    return [first[0], *inner, last[0]]


def logarithm_of(program: Program) -> Program:
    """The logarithm of a program's value"""
    return lambda X, x: np.log(program(X, x))


LAWS |= {
    ShiftedScaledDistribution: Law(
        shifted_log_density,
        shifted(below, above),
        shifted(above, below),
        shifted(log_below, log_above),
        shifted(log_above, log_below),
        shifted_cuts,
    ),
    TruncatedDistribution: Law(
        cut_log_density,
        lambda X, x: np.exp(cut_log_below(X, x)),
        lambda X, x: np.exp(cut_log_above(X, x)),
        cut_log_below,
        cut_log_above,
        cut_cuts,
    ),
    MonotonicTransformedDistribution: Law(
        changed_log_density,
        changed(below, above),
        changed(above, below),
        changed(log_below, log_above),
        changed(log_above, log_below),
        changed_cuts,
    ),
    FoldedDistribution: Law(
        folded_log_density,
        folded_below,
        folded_above,
        logarithm_of(folded_below),
        logarithm_of(folded_above),
        folded_cuts,
    ),
    OrderStatisticDistribution: Law(
        ordered_log_density,
        ordered_below,
        ordered_above,
        logarithm_of(ordered_below),
        logarithm_of(ordered_above),
        lambda X: cuts(X._dist),
    ),
    Mixture: Law(
        mixed_logs(log_density),
        mixed(below),
        mixed(above),
        mixed_logs(log_below),
        mixed_logs(log_above),
        mixed_cuts,
    ),
}
non_differentiable(change_of, why="looks up how a variable was made")
