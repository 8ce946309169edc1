"""Medians, intervals and supports: quantiles at given probabilities, and the ends of the support.

The support of a continuous distribution moves with loc, with the scale where it is finite, and with the
shapes that are its ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rv_continuous
from scipy.stats._distn_infrastructure import rv_frozen, rv_generic

from ....core import non_differentiable
from ....core.types import Array
from ...written import as_found, own, written_out
from .calls import signature_with, standard
from .family import family_of


@written_out(rv_generic.median, signature=signature_with())
def median_written_out(dist: rv_generic, *parameters: Array):
    """F⁻¹(½)"""
    return dist.ppf(0.5, *parameters)


@written_out(rv_generic.interval, signature=signature_with("confidence"))
def interval_written_out(dist: rv_generic, confidence: Array, *parameters: Array):
    """F⁻¹(½ (1 − c)), F⁻¹(½ (1 + c))"""
    return dist.ppf((1.0 - confidence) / 2, *parameters), dist.ppf((1.0 + confidence) / 2, *parameters)


@written_out(rv_generic.support, signature=signature_with())
def support_written_out(dist: rv_continuous, *parameters: Array):
    """loc + scale a, loc + scale b"""
    lower, upper = own(dist.support, *parameters)
    shapes, loc, scale = standard(dist.numargs, parameters)
    family = family_of(dist)
    a, b = own(dist.support, *shapes) if family.ends is None else family.ends(*shapes)
    return as_found(lower, loc + scale * bounded(a)), as_found(upper, loc + scale * bounded(b))


def bounded(end: Any) -> Any:
    """An end of the support, 0 where it is infinite: no scale moves it there."""
    return np.where(infinite(end), 0.0, end)[()]


def infinite(end: Any) -> Any:
    """Where an end is infinite."""
    return ~np.isfinite(end)


non_differentiable(infinite, why="answers truth values")


@written_out(rv_frozen.median)
def frozen_median_written_out(frozen: rv_frozen):
    """F⁻¹(½)"""
    return frozen.dist.median(*frozen.args, **frozen.kwds)


@written_out(rv_frozen.interval)
def frozen_interval_written_out(frozen: rv_frozen, confidence: Array):
    """F⁻¹(½ (1 − c)), F⁻¹(½ (1 + c))"""
    return frozen.dist.interval(confidence, *frozen.args, **frozen.kwds)


@written_out(rv_frozen.support)
def frozen_support_written_out(frozen: rv_frozen):
    """loc + scale a, loc + scale b"""
    return frozen.dist.support(*frozen.args, **frozen.kwds)
