"""Distribution functions that are integrals of their densities, by a rule whose nodes do not move.

Over a finite range Gauss' rule, over an infinite one the double exponential rule [Takahasi & Mori 1974]. The
derivative by x is the density; by the shapes it is the integral of the density's derivative, of the tail that
does not hold the middle of the distribution, so that it keeps its digits there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

GAUSS = np.polynomial.legendre.leggauss(160)
STEPS = np.arange(-62, 63) * 0.06
GROWN = np.exp(0.5 * np.pi * np.sinh(STEPS))  # from 10⁻¹⁴ to 10¹⁴
GROWTH = 0.06 * 0.5 * np.pi * np.cosh(STEPS) * GROWN
SHARE, PART = GROWN / (1.0 + GROWN), GROWTH / np.square(1.0 + GROWN)
FAR = 111  # nodes up to 10⁶, where an exponential tail has vanished
REACH, MEASURE = GROWN[:FAR], GROWTH[:FAR]


def stretch(z: Any) -> Any:
    """Room for the nodes, as a last axis."""
    return np.expand_dims(z, -1)


def from_end(log_density: Any, end: float) -> Any:
    """The program for ∫ f from a finite end to x."""
    t, w = 0.5 * (GAUSS[0] + 1.0), 0.5 * GAUSS[1]

    def below(x, *shapes):
        width = stretch(x - end)
        spread = tuple([stretch(np.asarray(s)) for s in shapes])
        return np.sum(w * width * np.exp(log_density(end + width * t, *spread)), axis=-1)

    return below


def from_infinity(log_density: Any, middle: Any) -> Any:
    """The program for ∫ f from −∞ to x left of the middle, −∫ f from x to ∞ right of it."""

    def below(x, *shapes):
        sign = np.where(x < middle(*shapes), -1.0, 1.0)
        spread = tuple([stretch(np.asarray(s)) for s in shapes])
        nodes = stretch(x) + stretch(sign) * REACH
        return -sign * np.sum(MEASURE * np.exp(log_density(nodes, *spread)), axis=-1)

    return below


def from_zero(log_density: Any) -> Any:
    """The program for ∫ f from 0 to x left of 1, −∫ f from x to ∞ right of it; f has exponential tails."""

    def below(x, *shapes):
        left = x < 1.0
        spread = tuple([stretch(np.asarray(s)) for s in shapes])
        nodes = np.where(stretch(left), stretch(x) * SHARE, stretch(x) + np.minimum(GROWN, REACH[-1]))
        measure = np.where(stretch(left), stretch(x) * PART, -np.where(REACH[-1] < GROWN, 0.0, GROWTH))
        return np.sum(measure * np.exp(log_density(nodes, *spread)), axis=-1)

    return below
