"""Random variables of SciPy's new infrastructure: how they are made, of parameters and of one another.

Such an object's tangent has the fields `_original_parameters`, the tangents of the parameters that it was
given by their names, and `_dist`, that of the variable that it transforms; of a mixture `_components` and
`_weights`. A family made by `make_distribution` is a class made as the program runs: its rule is declared
when it is first called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from scipy.stats import Mixture
from scipy.stats._distn_infrastructure import rv_generic
from scipy.stats._distribution_infrastructure import (
    FoldedDistribution,
    ShiftedScaledDistribution,
    TransformedDistribution,
    UnivariateDistribution,
)

from ....core import NotDifferentiableError, frule, non_differentiable, rrule
from ....core.calls import forward_of, reverse_of
from ....core.loading import declare_classes
from ....core.types import Array
from ....tangents import ZERO, is_zero
from ...taking import keywords, positional, taking
from ...written import own, written_out
from .agreement import as_result
from .discrete import whole
from .standing import whole_names

OPTIONS = ("tol", "validation_policy", "cache_policy")


def declare_family(P: Any) -> None:
    """Register the rule of a class of random variables: its parameters, all by keyword, are data."""
    if issubclass(P, TransformedDistribution):
        return
    names = sorted(
        {name for parameterization in P._parameterizations for name in parameterization.parameters}
    )

    fixed = whole_names(P)
    moving = [name for name in names if name not in fixed] or names

    def family_written_out(*given, **options):
        named = {name: p for name, p in zip(names, given, strict=False) if p is not None}
        still = sum([0.0 * whole(p) for name, p in named.items() if name in fixed])
        held = {name: p + still for name, p in named.items() if name in moving}
        return as_result(own(P, **named, **options), ("_original_parameters",), held)

    given = [p.replace(default=None) for p in positional(*names)]
    taken = [*given, *keywords(OPTIONS, default=None)]
    taking(family_written_out, taken, name=f"{P.__name__}_written_out")
    family_written_out.__annotations__ = dict.fromkeys(names, Array | None)
    family_written_out.__doc__ = "The tangents of the parameters, by their names"
    text = ", ".join([*(f"{name}=None" for name in names), "*", *(f"{name}=None" for name in OPTIONS)])
    written_out(P, signature=text)(family_written_out)


declare_classes(UnivariateDistribution, declare_family)


@frule(stats.make_distribution)
def make_distribution_frule(tangents, dist: rv_generic):
    """A class has no tangent"""
    return stats.make_distribution(dist), ZERO


@rrule(stats.make_distribution)
def make_distribution_rrule(dist: rv_generic):
    """A class has no cotangent"""

    def make_distribution_pullback(y_bar):
        return (ZERO,)

    return stats.make_distribution(dist), make_distribution_pullback


def moved(X: Any, loc: Any, scale: Any) -> Any:
    """loc + scale X"""
    made = own(ShiftedScaledDistribution, X, loc=loc, scale=scale)
    given = {"loc": loc, "scale": scale}
    return as_result(made, ("_dist", "_original_parameters"), X, given)


def placed(X: Any) -> Any:
    """What a variable is a shift and a multiple of, the shift and the factor."""
    if not isinstance(X, ShiftedScaledDistribution):
        return X, 0.0, 1.0
    given = X._original_parameters
    return X._dist, given.get("loc", 0.0), given.get("scale", 1.0)


def plus(X: UnivariateDistribution, loc: object):
    """X + loc"""
    base, before, scale = placed(X)
    return moved(base, before + loc, scale)


def minus(X: UnivariateDistribution, loc: object):
    """X − loc"""
    number: Any = loc
    return X + (-number)


def times(X: UnivariateDistribution, scale: object):
    """X scale"""
    base, loc, before = placed(X)
    return moved(base, loc * scale, before * scale)


def over(X: UnivariateDistribution, scale: object):
    """X / scale"""
    number: Any = scale
    return X * (1.0 / number)


def plus_reversed(X: UnivariateDistribution, loc: object):
    """loc + X"""
    return X + loc


def minus_reversed(X: UnivariateDistribution, loc: object):
    """loc − X"""
    return X * -1.0 + loc


def times_reversed(X: UnivariateDistribution, scale: object):
    """scale X"""
    return X * scale


def negative(X: UnivariateDistribution):
    """−X"""
    return X * -1.0


def reciprocal(X: Any) -> Any:
    """1 / X"""
    return as_result(own(_reciprocal, X), ("_dist",), X)


def _reciprocal(X: Any) -> Any:
    return 1.0 / X


def over_reversed(X: UnivariateDistribution, number: object):
    """number / X"""
    return reciprocal(X) * number


def raised(X: UnivariateDistribution, base: object):
    """baseˣ = e^{x log base}"""
    hold_base(X, base)
    number: Any = base
    return stats.exp(X * np.log(number))


def hold_base(X: Any, base: Any) -> None:
    """Raise what SciPy raises."""
    UnivariateDistribution.__rpow__(X, base)


non_differentiable(hold_base, why="checks arguments")


_OWN = ("__add__", "__sub__", "__mul__", "__truediv__")
for _name, _program in {
    "__add__": plus,
    "__sub__": minus,
    "__mul__": times,
    "__truediv__": over,
    "__radd__": plus_reversed,
    "__rsub__": minus_reversed,
    "__rmul__": times_reversed,
    "__rtruediv__": over_reversed,
    "__neg__": negative,
    "__rpow__": raised,
}.items():
    _owners: Any = (
        (UnivariateDistribution, ShiftedScaledDistribution) if _name in _OWN else (UnivariateDistribution,)
    )
    for _owner in _owners:
        written_out(getattr(_owner, _name))(_program)


def power(X: Any, n: Any) -> Any:
    """Xⁿ, n a whole number; of an even one |X|ⁿ"""
    made = own(UnivariateDistribution.__pow__, X, n)
    base = stats.abs(X) if isinstance(made._dist, FoldedDistribution) else X
    return as_result(made, ("_dist",), base)


def _refuse_motion() -> None:
    raise NotDifferentiableError(
        "the exponent of a random variable's power is a whole number: there is no derivative by it",
        closest="the power of a number by a random variable, by that number",
        next="keep it out of what is differentiated",
    )


@frule(UnivariateDistribution.__pow__)
def power_frule(tangents, X: UnivariateDistribution, n: object, *, engine):
    """Ẋ is a field; refused where ṅ is not 0"""
    if not is_zero(tangents[1]):
        _refuse_motion()
    return forward_of(power, (X, n), (tangents[0], ZERO), {}, engine)


@rrule(UnivariateDistribution.__pow__)
def power_rrule(X: UnivariateDistribution, n: object, *, needs, engine):
    """X̄ is that of a field; refused where n̄ is asked for"""
    if needs[1]:
        _refuse_motion()
    return reverse_of(power, (X, n), {}, (needs[0], False), engine)


@written_out(stats.abs, UnivariateDistribution.__abs__)
def absolute(X: UnivariateDistribution):
    """|X|"""
    return as_result(own(FoldedDistribution, X), ("_dist",), X)


@written_out(stats.exp)
def exponential(X: UnivariateDistribution):
    """eˣ"""
    return as_result(own(stats.exp, X), ("_dist",), X)


@written_out(stats.log)
def logarithm(X: UnivariateDistribution):
    """log X"""
    return as_result(own(stats.log, X), ("_dist",), X)


@written_out(stats.truncate)
def truncated(X: UnivariateDistribution, lb: object = -np.inf, ub: object = np.inf):
    """X between lb and ub"""
    given = {"lb": lb, "ub": ub}
    return as_result(own(stats.truncate, X, lb, ub), ("_dist", "_original_parameters"), X, given)


@written_out(stats.order_statistic, signature="X, r, n")
def order_statistic(X: UnivariateDistribution, r: object, n: object):
    """The r-th of n values"""
    given = {"r": whole(r), "n": whole(n)}
    made = own(stats.order_statistic, X, r=r, n=n)
    return as_result(made, ("_dist", "_original_parameters"), X, given)


@written_out(Mixture)
def mixture(components: list | tuple, weights: object = None):
    """The components and their weights"""
    made = own(Mixture, components, weights=weights)
    if weights is None:
        return as_result(made, ("_components",), components)
    return as_result(made, ("_components", "_weights"), components, np.asarray(weights))
