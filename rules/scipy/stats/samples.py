"""Random samples of continuous distributions: how each number moves with the parameters.

With its probability held, a sample z of F moves as the quantile does, ż = −F_θ θ̇/f(z), whatever algorithm
drew it [Figurnov, Mohamed & Mnih 2018], and x = loc + scale z. The mean of a function of samples then has the
derivative of its expectation. Samples of discrete distributions are steps and have no rule.

An angle is drawn on the line and turned back by whole turns. It moves as it did on the line, so that the mean
of a function has the derivative of its expectation where the function has the period of a turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.stats import rv_continuous
from scipy.stats._distn_infrastructure import rv_continuous_frozen, rv_frozen, rv_generic

from ....core import non_differentiable
from ....core.types import Array
from ...written import as_found, own, written_out
from .calls import signature_with, standard
from .continuous import distribution_function
from .family import family_of
from .quantiles import solved

_SIGNATURE = signature_with(after=("size", "random_state"))
_ANGLES = {type(stats.vonmises): -np.pi, type(stats.wrapcauchy): 0.0}
"""Where the first turn begins, by class."""


@written_out(rv_generic.rvs, signature=_SIGNATURE)
def rvs_written_out(dist: rv_continuous, *parameters: Array, size=None, random_state=None):
    """F(z) is held, y = loc + scale z"""
    return moved(dist, own(dist.rvs, *parameters, size=size, random_state=random_state), parameters)


@written_out(*[angles.rvs for angles in _ANGLES], signature=_SIGNATURE)
def angle_rvs_written_out(dist: rv_continuous, *parameters: Array, size=None, random_state=None):
    """F(z) is held, y = loc + scale z − 2π k"""
    y = own(rv_generic.rvs, dist, *parameters, size=size, random_state=random_state)
    return as_found(turned_back(dist, y), moved(dist, y, parameters))


def moved(dist: Any, y: Any, parameters: Any) -> Any:
    """A sample y that moves with the parameters."""
    shapes, loc, scale = standard(dist.numargs, parameters)
    z = standardised(y, loc, scale)
    if len(shapes):
        family = family_of(dist)
        z = solved(family.log_density, distribution_function(dist, family), z, np.zeros(np.shape(z)), *shapes)
    return as_found(y, loc + scale * z)


@written_out(rv_frozen.rvs)
def frozen_rvs_written_out(frozen: rv_continuous_frozen, *, size=None, random_state=None):
    """x = F⁻¹(u)"""
    return frozen.dist.rvs(*frozen.args, size=size, random_state=random_state, **frozen.kwds)


def standardised(y: Any, loc: Any, scale: Any) -> Any:
    """(y − loc)/scale"""
    return (y - loc) / scale


def turned_back(dist: Any, y: Any) -> Any:
    """An angle of the first turn."""
    first = next(angle for P, angle in _ANGLES.items() if isinstance(dist, P))
    return np.mod(y - first, 2.0 * np.pi) + first


non_differentiable(standardised, turned_back, why="finds the sample that was drawn, which is held")
