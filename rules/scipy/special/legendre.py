"""Legendre functions and spherical harmonics by their arguments, and lpmv by its degree.

SciPy returns the first `diff_n` derivatives of `legendre_p`, `assoc_legendre_p`, `sph_legendre_p`,
`sph_harm_y` and their `_all` forms, and the slope of each is the next. Two is the most that it has: what
would be the third is refused. On the sphere they are finite at the poles; `assoc_legendre_p` of order 1
has an infinite slope at ±1. Functions of the second kind follow from their equation. Degrees and orders
are whole numbers, but for the degree of `lpmv`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import Array, UnsupportedArgument, non_differentiable, scalar_rule, unbroadcast
from ....core.registry import Mode, register
from ....core.seeds import ready
from ....tangents import NO_TANGENT, ZERO, Composite, NotImplementedTangent, is_zero
from ...numpy.exponential import inside
from .gegenbauer import gegenbauer_by
from .last_argument import by_last
from .polygammas import psi_difference

HIGHEST = 2


def hold(f: Any, diff_n: int) -> None:
    """Refuse the derivative that SciPy does not have."""
    if diff_n >= HIGHEST:
        why = "SciPy has two derivatives of it, and this would be the third"
        raise UnsupportedArgument(f, "diff_n", diff_n, why=why, next="use a smaller diff_n")


non_differentiable(hold, why="checks an argument")


def _by_argument(f: Any, signature: str, count: int) -> None:
    """The rules of a function of whole numbers and one argument, whose value is all derivatives to diff_n."""

    def legendre_frule(tangents: Any, *x: Any, diff_n: int = 0, **options: Any) -> Any:
        y = f(*x, diff_n=diff_n, **options)
        if is_zero(tangents[-1]):
            return y, ZERO
        hold(f, diff_n)
        return y, np.broadcast_to(f(*x, diff_n=diff_n + 1, **options)[1:] * tangents[-1], np.shape(y))

    def legendre_rrule(*x: Any, diff_n: int = 0, **options: Any) -> Any:
        def legendre_pullback(y_bar: Any) -> Any:
            hold(f, diff_n)
            slopes = f(*x, diff_n=diff_n + 1, **options)[1:]
            return (NO_TANGENT,) * (count - 1) + (
                unbroadcast(np.conj(slopes) * ready(y_bar), np.shape(x[-1])),
            )

        return f(*x, diff_n=diff_n, **options), legendre_pullback

    _register(f, legendre_frule, legendre_rrule, count, signature)


def _register(f: Any, forward: Any, reverse: Any, count: int, signature: str) -> None:
    rules: tuple[tuple[Any, Mode], ...] = ((forward, "forward"), (reverse, "reverse"))
    for rule, mode in rules:
        rule.__name__ = rule.__qualname__ = f"{f.__name__}_{mode[0]}rule"
        register(f, rule, mode, types=(Array,) * count, declared=signature)


def _harmonics(f: Any) -> None:
    """The rules of spherical harmonics of θ and φ: the value, its gradient (2) and its Hessian (2, 2)."""

    def slopes(x: Any, diff_n: int) -> Any:
        """For each of the outputs its derivatives by θ and φ, along the first axis of derivatives."""
        hold(f, diff_n)
        if diff_n == 0:
            return (f(*x, diff_n=1)[1],)
        _, gradient, hessian = f(*x, diff_n=2)
        return gradient, hessian

    def harmonic_frule(tangents: Any, *x: Any, diff_n: int = 0) -> Any:
        y = f(*x, diff_n=diff_n)
        if is_zero(tangents[-1]) and is_zero(tangents[-2]):
            return y, ZERO
        pushed: tuple[Any, ...] = ()
        for order, part in enumerate(slopes(x, diff_n)):
            total: Any = 0.0
            for i in range(2):
                if not is_zero(tangents[i - 2]):
                    total = total + _at(part, i, order) * _spread(tangents[i - 2], order)
            pushed = (*pushed, np.broadcast_to(total, np.shape(y if diff_n == 0 else y[order])))
        return y, pushed[0] if diff_n == 0 else Composite[tuple](*pushed)

    def harmonic_rrule(*x: Any, diff_n: int = 0) -> Any:
        y = f(*x, diff_n=diff_n)

        def harmonic_pullback(y_bar: Any) -> Any:
            found: list[Any] = [NO_TANGENT, NO_TANGENT]
            parts = slopes(x, diff_n)
            for i in range(2):
                total: Any = ZERO
                for order in range(len(parts)):
                    seed = ready(y_bar if diff_n == 0 else y_bar[order])
                    if not is_zero(seed):
                        product = np.real(np.conj(_at(parts[order], i, order)) * seed)
                        shed = np.sum(product, axis=tuple(range(-order, 0))) if order else product
                        total = total + unbroadcast(shed, np.shape(x[i - 2]))
                found.append(total)
            return tuple(found)

        return y, harmonic_pullback

    _register(f, harmonic_frule, harmonic_rrule, 4, "n, m, theta, phi, /, *, diff_n=0")


def _at(part: Any, i: int, order: int) -> Any:
    """The derivative by the i-th angle of what has so many axes of derivatives."""
    return part[..., i] if order == 0 else part[..., i, :]


def _spread(t: Any, order: int) -> Any:
    """A tangent with axes of length one for those of the derivatives."""
    return np.reshape(t, np.shape(t) + (1,) * order)


for f in (special.legendre_p, special.legendre_p_all):
    _by_argument(f, "n, z, /, *, diff_n=0", 2)
for f in (special.assoc_legendre_p, special.assoc_legendre_p_all):
    _by_argument(f, "n, m, z, /, *, branch_cut=2, norm=False, diff_n=0", 3)
for f in (special.sph_legendre_p, special.sph_legendre_p_all):
    _by_argument(f, "n, m, theta, /, *, diff_n=0", 3)
for f in (special.sph_harm_y, special.sph_harm_y_all):
    _harmonics(f)


def _scale(m: Any, v: Any) -> Any:
    """P_v^{−m} is (−1)ᵐ / (v − m + 1)_{2m} times P_v^m, for negative orders; else 1        [DLMF 14.9.3]"""
    size = np.abs(m)
    sign = np.where(size % 2 == 0, 1.0, -1.0)
    return np.where(m < 0, sign / special.poch(np.where(m < 0, v - size + 1, 1.0), 2 * size), 1.0)


def _by_x(y: Any, m: Any, v: Any, x: Any) -> Any:
    """P′ = −|m| x P / (1 − x²) − P_v^{|m|+1} / √(1 − x²)        [DLMF 14.10.2 and 14.10.5]

    At ±1 the limits, finite or infinite, of P_v^m = (−1)ᵐ (2m − 1)!! (1 − x²)^(m/2) C_{v−m}^{(m+½)}.
    """
    size = np.abs(m)
    end = np.abs(x) == 1
    inner = np.where(end, 0.0, x)
    room = (1.0 - inner) * (1.0 + inner)
    next_order = _scale(m, v) * special.lpmv(size + 1, v, inner)
    slope = -size * inner / room * np.where(end, 0.0, y) - next_order / np.sqrt(room)
    if not np.any(end):
        return inside(y, slope)
    return np.where(end, _scale(m, v) * _at_an_end(size, v, x), inside(y, slope))


def _at_an_end(m: Any, v: Any, x: Any) -> Any:
    """At 1: v(v+1)/2 for order 0, infinite for 1, −(v−1)v(v+1)(v+2)/4 for 2, else 0; at −1 with signs"""
    v = np.where(v < -0.5, -1 - v, v)
    even = np.where(x > 0, 1.0, np.where(v == np.rint(v), np.where(v % 2 == 0, 1.0, -1.0), np.nan))
    plain = v * (v + 1) / 2 * even * x
    infinite = np.where(v > 0, np.inf * even, 0.0)
    second = -(v - 1) * v * (v + 1) * (v + 2) / 4 * even * x
    return np.select([m == 0, m == 1, m == 2], [plain, infinite, second], 0.0)


def _by_degree(y: Any, m: Any, v: Any, x: Any) -> Any:
    """∂P_v^m/∂v = (−1)ᵐ (2m − 1)!! (1 − x²)^(m/2) ∂C_{v−m}^{(m+½)}/∂v, and through the scale for m < 0"""
    size = np.abs(m)
    sign = np.where(size % 2 == 0, 1.0, -1.0)
    odd = np.exp(special.gammaln(2 * size + 1.0) - special.gammaln(size + 1.0) - size * np.log(2.0))
    factor = sign * odd * ((1.0 - x) * (1.0 + x)) ** (size / 2)
    slope = inside(y, factor * gegenbauer_by(v - size, size + 0.5, x, i=1))
    below = np.asarray(m) < 0
    if not np.any(below):
        return slope
    first = v - size + 1.0
    if np.any(below & (first <= 0) & (first == np.rint(first))):
        return LOW
    return _scale(m, v) * slope - np.where(below, y * psi_difference(first, 2.0 * size), 0.0)


LOW = NotImplementedTangent("scipy.special.lpmv by its degree, below a negative order: it is a limit")
NO_ORDER = NotImplementedTangent("Legendre functions by their order, which is a whole number")
scalar_rule(special.lpmv, NO_ORDER, _by_degree, _by_x)


def _second(f: Any, count: int) -> None:
    """(Q, Q′) has the slopes Q′, Q″ = (2z Q′ − (n(n+1) − m²/(1 − z²)) Q) / (1 − z²)        [DLMF 14.2.2]"""

    def slopes(y: Any, *x: Any) -> Any:
        z, room = x[-1], (1.0 - x[-1]) * (1.0 + x[-1])
        n = np.arange(np.shape(y[0])[-1])
        m = np.arange(np.shape(y[0])[0])[:, None] if count == 3 else 0
        return y[1], (2 * z * y[1] - (n * (n + 1) - m * m / room) * y[0]) / room

    by_last(f, count, slopes)


_second(special.lqn, 2)
_second(special.lqmn, 3)
