"""Sigmoids and what normalises exponentials: expit, logit, logsumexp, softmax; and Dirichlet's kernel.

1 − y is computed as the sigmoid of −x, where it would cancel. In `logsumexp` an entry that equals the value
takes the cotangent whole, as in `np.logaddexp`: all do where all are −∞. An entry with weight b = 0 gets
derivative 0, and its weight e^{a − y}. `logit` has infinite slopes at 0 and 1, which a zero cotangent does
not meet.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule, scalar_rule
from ....core.broadcasting import fit
from ....tangents import ZERO, Composite, Zero, is_zero, unthunk
from ...numpy.exponential import _log_share as log_share
from ...numpy.exponential import inside
from ...quiet import divide

scalar_rule(special.expit, lambda y, x: y * special.expit(-x))
scalar_rule(special.log_expit, lambda y, x: special.expit(-x))
scalar_rule(special.logit, lambda y, x: inside(y, divide(1.0, x * (1.0 - x))), strong_zero=True)
scalar_rule(special.softplus, lambda y, x: special.expit(x), signature="x, /")


def _diric_slope(x, n):
    """−(1/n) Σ c_j sin(c_j x), c_j = j − (n − 1)/2 for j < n, of the kernel as the sum (1/n) Σ cos(c_j x)"""
    x, n = np.asarray(x, dtype=float), np.asarray(n)
    j = np.arange(max(1, int(np.max(n, initial=1))))
    c = np.where(j < n[..., None], j - (n[..., None] - 1) / 2, 0.0)
    return -np.sum(c * np.sin(c * x[..., None]), axis=-1) / n


@frule(special.diric)
def diric_frule(tangents, x: Array, *, n):
    """y = sin(n x/2) / (n sin(x/2))        ẏ = −(1/n) Σ c_j sin(c_j x) ẋ"""
    return special.diric(x, n), _diric_slope(x, n) * tangents[0]


@rrule(special.diric)
def diric_rrule(x: Array, *, n):
    """y = sin(n x/2) / (n sin(x/2))        x̄ = −(1/n) Σ c_j sin(c_j x) ȳ"""

    def diric_pullback(y_bar):
        return fit(_diric_slope(x, n) * y_bar, x)

    return special.diric(x, n), diric_pullback


def only_real_signs(return_sign, *x):
    """Refuse the sign of a complex sum."""
    if return_sign and any(np.iscomplexobj(v) for v in x):
        why = "the sign of a complex sum is a phase, which moves"
        raise UnsupportedArgument(
            special.logsumexp,
            "return_sign",
            True,
            why=why,
            next="leave it out: the imaginary part is the phase",
        )


non_differentiable(only_real_signs, why="checks an argument")


def _sum_and_weights(a, b, axis, return_sign):
    """The value and the sign with all axes kept, and e^{a − y} with the sign of the sum."""
    only_real_signs(return_sign, a, b)
    if np.iscomplexobj(a) or np.iscomplexobj(b):
        y = special.logsumexp(a, axis=axis, b=b, keepdims=True)
        return y, 1.0, np.exp(log_share(y, a))
    y, sign = special.logsumexp(a, axis=axis, b=b, keepdims=True, return_sign=True)
    w = np.exp(log_share(y, a)) * np.where(sign == 0, 1.0, sign)
    return (y if return_sign else np.where(sign < 0, np.nan, y)), sign, w


def _without(y, axis, keepdims):
    return y if keepdims else np.squeeze(y, axis=axis)[()]


@frule(special.logsumexp)
def logsumexp_frule(
    tangents, a: Array, b: Array | None = None, *, axis=None, keepdims=False, return_sign=False
):
    """y = log|Σ b e^a|        ẏ = ± Σ e^{a − y} (b ȧ + ḃ)"""
    y, sign, w = _sum_and_weights(a, b, axis, return_sign)
    da, db = (*tangents, ZERO)[:2]
    moved = (0.0 if is_zero(da) else (da if b is None else b * da)) + (
        0.0 if b is None or is_zero(db) else db
    )
    dy = _without(np.sum(w * moved + 0.0 * w, axis=axis, keepdims=True), axis, keepdims)
    y = _without(y, axis, keepdims)
    if return_sign:
        return (y, _without(sign, axis, keepdims)), Composite[tuple](dy, Zero())
    return y, dy


@rrule(special.logsumexp)
def logsumexp_rrule(a: Array, b: Array | None = None, *, axis=None, keepdims=False, return_sign=False):
    """y = log|Σ b e^a|        ā = ± b e^{a − y} ȳ        b̄ = ± e^{a − y} ȳ"""
    y, sign, w = _sum_and_weights(a, b, axis, return_sign)
    kept = np.shape(y)

    def logsumexp_pullback(y_bar):
        seed = unthunk(y_bar[0]) if return_sign else y_bar
        if is_zero(seed):
            return ZERO, ZERO
        spread = np.conj(w) * np.reshape(seed, kept)
        return fit(spread if b is None else np.conj(b) * spread, a), ZERO if b is None else fit(spread, b)

    y = _without(y, axis, keepdims)
    return ((y, _without(sign, axis, keepdims)) if return_sign else y), logsumexp_pullback


@frule(special.softmax)
def softmax_frule(tangents, x: Array, *, axis=None):
    """y = e^x / Σ e^x        ẏ = y (ẋ − Σ y ẋ)"""
    y = special.softmax(x, axis=axis)
    return y, y * (tangents[0] - np.sum(y * tangents[0], axis=axis, keepdims=True))


@rrule(special.softmax)
def softmax_rrule(x: Array, *, axis=None):
    """y = e^x / Σ e^x        x̄ = conj(y) (ȳ − Σ conj(y) ȳ)"""
    y = special.softmax(x, axis=axis)

    def softmax_pullback(y_bar):
        return np.conj(y) * (y_bar - np.sum(np.conj(y) * y_bar, axis=axis, keepdims=True))

    return y, softmax_pullback


@frule(special.log_softmax)
def log_softmax_frule(tangents, x: Array, *, axis=None):
    """y = x − log Σ e^x        ẏ = ẋ − Σ e^y ẋ"""
    y = special.log_softmax(x, axis=axis)
    return y, tangents[0] - np.sum(np.exp(y) * tangents[0], axis=axis, keepdims=True)


@rrule(special.log_softmax)
def log_softmax_rrule(x: Array, *, axis=None):
    """y = x − log Σ e^x        x̄ = ȳ − conj(e^y) Σ ȳ"""
    y = special.log_softmax(x, axis=axis)

    def log_softmax_pullback(y_bar):
        return y_bar - np.conj(np.exp(y)) * np.sum(y_bar, axis=axis, keepdims=True)

    return y, log_softmax_pullback
