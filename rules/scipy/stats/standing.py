"""The distributions of SciPy's that stand behind random variables of its new infrastructure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scipy import stats
from scipy.stats._distn_infrastructure import rv_generic
from scipy.stats._new_distributions import StandardNormal

from ....core import non_differentiable
from ...written import own
from .family import DISCRETE

Program = Callable[..., Any]

KNOWN: dict[type, tuple[Any, Program]] = {
    stats.Normal: (stats.norm, lambda p: (p["mu"], p["sigma"])),
    StandardNormal: (stats.norm, lambda p: ()),
    stats.Logistic: (stats.logistic, lambda p: ()),
    stats.Uniform: (stats.uniform, lambda p: (p["a"], p["b"] - p["a"])),
    stats.Binomial: (stats.binom, lambda p: (own(read, p, "n"), p["p"])),
}


def behind(X: Any) -> Any:
    """The distribution of SciPy's that stands behind a variable or a class of them, and the program for its
    parameters; None for others."""
    P = X if isinstance(X, type) else type(X)
    known = KNOWN.get(P)
    if known is not None:
        return known
    for name in ("_logpdf_formula", "_pdf_formula", "_logpmf_formula", "_pmf_formula"):
        dist = getattr(getattr(P, name, None), "__self__", None)
        if isinstance(dist, rv_generic):
            names = () if dist.shapes is None else tuple(dist.shapes.replace(",", " ").split())
            return dist, _reader(dist, names)
    return None


def _reader(dist: Any, names: tuple[str, ...]) -> Program:
    """The parameters in their order. Whole numbers do not move: that there is no derivative by them the other
    parameters carry, unless there is no other."""
    family = DISCRETE.get(dist.name)
    fixed = () if family is None or len(family.whole) == len(names) else family.whole

    def reader(p: Any) -> Any:
        return tuple([own(read, p, n) if n in fixed else p[n] for n in names])

    return reader


def read(p: Any, name: str) -> Any:
    """A parameter."""
    return p[name]


def whole_names(P: Any) -> frozenset[str]:
    """The parameters of a class of variables that are whole numbers."""
    known = behind(P)
    family = None if known is None else DISCRETE.get(known[0].name)
    return frozenset() if family is None else frozenset(family.whole)


non_differentiable(behind, whole_names, why="looks up what a variable is made of")


def standing(X: Any) -> Any:
    """The distribution behind a variable, and its parameters."""
    dist, of = behind(X)
    return dist, of(X._original_parameters)
