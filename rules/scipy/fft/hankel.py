"""The fast Hankel transform of logarithmically spaced samples: by them, spacing, order and bias.

The formulas of Hamilton, MNRAS 312, 257 (2000), Appendix B. Where (μ + 1 ± bias) / 2 is zero or a
negative whole number, a coefficient is singular; SciPy puts another in its place, and there is no
derivative. The offset that suits a transform best is smooth between its jumps, where it takes the next
multiple; the derivative is that between them, also at a jump.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import fft, special

from ....core import Array, NotDifferentiableError, non_differentiable
from ...written import written_out


def refuse_singular(mu: Any, bias: Any) -> None:
    """Refuse an order and a bias at which a coefficient is singular."""
    for x in ((mu + 1 + bias) / 2, (mu + 1 - bias) / 2):
        if x <= 0 and x == round(x):
            raise NotDifferentiableError(
                f"scipy.fft.fht of order mu={mu} with bias={bias}, where a coefficient is singular",
                next="take a bias with which (mu + 1 ± bias) / 2 is no zero and no negative whole number",
            )


non_differentiable(refuse_singular, why="checks arguments")


def coefficients(n: Any, dln: Any, mu: Any, offset: Any, bias: Any) -> Any:
    """u_m = (k r)^(-2πim/(n Δ)) 2^x Γ((μ+1+x)/2) / Γ((μ+1−x)/2) at x = bias + 2πim/(n Δ), (B16)"""
    refuse_singular(mu, bias)
    count = np.arange(n // 2 + 1)
    y = count * (np.pi / (n * dln))
    up = special.loggamma((mu + 1 + bias) / 2 + 1j * y)
    down = special.loggamma((mu + 1 - bias) / 2 + 1j * y)
    u = np.exp(up - np.conj(down) + np.log(2.0) * bias + 2j * y * (np.log(2.0) - offset))
    return np.where(2 * count == n, np.real(u), u)


def places(n: Any, dln: Any) -> Any:
    """The logarithms of the places of samples, their middle zero."""
    return (np.arange(n) - (n - 1) / 2) * dln


@written_out(fft.fht)
def fht(a: np.ndarray, dln: Array, mu: Array, offset: Array = 0.0, bias: Array = 0.0):
    """A(k) = ∫ a(r) J_μ(k r) k dr, discrete"""
    n = np.shape(a)[-1]
    where = places(n, dln)
    spectrum = fft.rfft(a * np.exp(-bias * where)) * coefficients(n, dln, mu, offset, bias)
    return np.flip(fft.irfft(spectrum, n), -1) * np.exp(-bias * (where + offset))


@written_out(fft.ifht)
def ifht(A: np.ndarray, dln: Array, mu: Array, offset: Array = 0.0, bias: Array = 0.0):
    """a(r) = ∫ A(k) J_μ(k r) r dk, discrete"""
    n = np.shape(A)[-1]
    where = places(n, dln)
    inverse = np.conj(coefficients(n, dln, mu, offset, bias))
    spectrum = fft.rfft(A * np.exp(bias * (where + offset))) / inverse
    return np.flip(fft.irfft(spectrum, n), -1) * np.exp(bias * where)


@written_out(fft.fhtoffset)
def fhtoffset(dln: Array, mu: Array, initial: Array = 0.0, bias: Array = 0.0):
    """initial + (a − round a) Δ, where a = (ln 2 − initial)/Δ + arg(Γ Γ)/π (Hamilton, eq. B29)"""
    y = np.pi / (2 * dln)
    up = np.imag(special.loggamma((mu + 1 + bias) / 2 + 1j * y))
    down = np.imag(special.loggamma((mu + 1 - bias) / 2 + 1j * y))
    a = (np.log(2.0) - initial) / dln + (up + down) / np.pi
    return initial + (a - np.round(a)) * dln
