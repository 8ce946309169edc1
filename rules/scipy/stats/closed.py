"""Densities and distribution functions in closed form, where every point lies well inside the support.

A density moves as its logarithm does, ẏ = y ℓ̇. Of what has no shapes, with the density f and
z = (x − loc)/scale: F_x = f, F_loc = −f, F_scale = −f z. Else the programs of `continuous` answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rv_continuous

from ....core import frule, rrule, unbroadcast
from ....core.calls import forward_of, reverse_of
from ....core.types import Array
from ....tangents import ZERO, is_zero, materialize
from .calls import signature_with
from .continuous import cdf_program, inside_of, pdf_program, sf_program
from .smooth import standardised

AT_X = signature_with("x")


@frule(rv_continuous.pdf, signature=AT_X)
def pdf_frule(tangents, dist: rv_continuous, x: Array, *parameters: Array, engine):
    """ẏ = y ℓ̇"""
    inside = inside_of(dist, x, parameters)
    if inside is None:
        return forward_of(pdf_program, (dist, x, *parameters), tangents, {}, engine)
    y = rv_continuous.pdf(dist, x, *parameters)
    return y, y * inside.moved(tangents)


@rrule(rv_continuous.pdf, signature=AT_X)
def pdf_rrule(dist: rv_continuous, x: Array, *parameters: Array, needs, engine):
    """The cotangents of ℓ for ȳ y"""
    inside = inside_of(dist, x, parameters)
    if inside is None:
        return reverse_of(pdf_program, (dist, x, *parameters), {}, needs, engine)
    y = rv_continuous.pdf(dist, x, *parameters)

    def pdf_pullback(y_bar):
        return inside.turned(needs, materialize(y_bar, like=y) * y)

    return y, pdf_pullback


def slope_of(dist: Any, x: Any, parameters: Any) -> Any:
    """f and z of what has no shapes; None where a point is not well inside the support."""
    inside = None if dist.numargs else inside_of(dist, x, parameters)
    if inside is None:
        return None
    return np.exp(inside.logarithm()), standardised(x, inside.loc, inside.scale)


def _declare(method: Any, sign: float, program: Any) -> None:
    """The rules of F or of 1 − F."""

    @frule(method, signature=AT_X)
    def tail_frule(tangents, dist: rv_continuous, x: Array, *parameters: Array, engine):
        """ẏ = ±f (ẋ − ˙loc − z ˙scale)"""
        slope = slope_of(dist, x, parameters)
        if slope is None:
            return forward_of(program, (dist, x, *parameters), tangents, {}, engine)
        y, moved = method(dist, x, *parameters), 0.0
        for t, by in zip(tangents[1:], (1.0, -1.0, -slope[1]), strict=False):
            moved = moved if is_zero(t) else moved + by * t
        return y, sign * slope[0] * moved

    @rrule(method, signature=AT_X)
    def tail_rrule(dist: rv_continuous, x: Array, *parameters: Array, needs, engine):
        """x̄ = ±Σ ȳ f, loc̄ = ∓Σ ȳ f, scalē = ∓Σ ȳ f z"""
        slope = slope_of(dist, x, parameters)
        if slope is None:
            return reverse_of(program, (dist, x, *parameters), {}, needs, engine)
        y = method(dist, x, *parameters)

        def tail_pullback(y_bar):
            turned = sign * materialize(y_bar, like=y) * slope[0]
            every = zip((x, *parameters), (1.0, -1.0, -slope[1]), needs[1:], strict=False)
            return ZERO, *[unbroadcast(turned * by, np.shape(v)) if n else ZERO for v, by, n in every]

        return y, tail_pullback


_declare(rv_continuous.cdf, 1.0, cdf_program)
_declare(rv_continuous.sf, -1.0, sf_program)
