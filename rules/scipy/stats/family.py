"""What a distribution is made of, in its standard form (loc = 0, scale = 1), and where that is found.

A `Family` holds programs of the standard variable and the shapes: the logarithm of the density, and the
distribution function. Their derivatives, of any order, follow from the rules of the functions that they
call; their values are not used where SciPy's own method gives the value. So only one of the two tails is
written down; the logarithms of both are, where SciPy computes them in log space.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from scipy import stats
from scipy.stats._distn_infrastructure import rv_generic
from scipy.stats._multivariate import multi_rv_generic

from ....core import NotDifferentiableError, non_differentiable
from ....tangents.structure import indivisible

Program = Callable[..., Any]


class Family(NamedTuple):
    """Programs of (z, *shapes); those of `ends` and `corners` are of the shapes alone."""

    log_density: Program
    below: Program | None = None  # F, the distribution function
    log_below: Program | None = None  # log F in log space
    log_above: Program | None = None  # log (1 − F) in log space
    ends: Program | None = None  # the ends of the support, where shapes move them
    corners: Program | None = None  # where the density is not smooth within its support, in order


class Discrete(NamedTuple):
    """Programs of (k, *shapes) for whole k; by the shapes named in `whole` there is no derivative."""

    log_mass: Program
    below: Program | None = None  # F; else the masses are summed
    mass: Program | None = None  # p, where it vanishes at an end of a parameter
    log_above: Program | None = None
    whole: tuple[str, ...] = ()


for _name in dir(stats):
    if isinstance(_dist := getattr(stats, _name), rv_generic | multi_rv_generic):
        indivisible(type(_dist))  # its parameters are arguments; what it stores says how it computes

FAMILIES: dict[str, Family] = {}
DISCRETE: dict[str, Discrete] = {}


def family_of(dist: Any) -> Any:
    """The family of one of SciPy's own distributions; any other is refused by name."""
    name = dist.name
    known = FAMILIES.get(name) or DISCRETE.get(name)
    public = getattr(stats, str(name), None)
    same = type(public) is type(dist) and all(
        getattr(public, each) == getattr(dist, each) for each in ("a", "b", "shapes")
    )
    if known is None or not same:
        raise NotDifferentiableError(
            f"the distribution {name} has no derivatives here",
            closest="those of docs/distributions.md, as scipy.stats offers them",
            next="write its density with functions that have rules, or register a rule for its class",
        )
    return known


non_differentiable(family_of, why="looks up what a distribution is made of")
