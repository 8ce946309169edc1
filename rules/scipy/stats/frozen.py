"""Frozen distributions: objects that hold parameters, whose tangents have the fields `args` and `kwds`.

`gamma(a, scale=s)` made where a derivative is taken holds all of its parameters in `args`, in their order.
The methods are those of the distribution at what it holds.
"""

from __future__ import annotations

from typing import Any

from scipy.stats import rv_continuous
from scipy.stats._distn_infrastructure import rv_continuous_frozen, rv_discrete_frozen, rv_frozen, rv_generic

from ....core import frule, rrule
from ....core.types import Array
from ....tangents import ZERO, Composite, from_fields, is_zero, unthunk
from ...written import own, written_out
from ..interpolate.objects import holding
from .calls import signature_with


def freeze_frule(tangents, dist: rv_generic, *parameters: Array):
    """ẏ has the tangents of the parameters"""
    y = frozen(dist, parameters)
    return y, from_fields(type(y), {"args": Composite[tuple](*tangents[1:])})


def freeze_rrule(dist: rv_generic, *parameters: Array):
    """Each parameter's cotangent is what ȳ has in its place"""
    count = len(parameters)

    def freeze_pullback(y_bar):
        held = unthunk(y_bar.args)
        if is_zero(held):
            return (ZERO,) * (count + 1)
        return (ZERO, *[held[i] for i in range(count)])

    return frozen(dist, parameters), freeze_pullback


def frozen(dist: Any, parameters: tuple[Any, ...]) -> Any:
    """A frozen distribution, which holds its parameters."""
    return holding(dist.freeze(*parameters), ("dist", "args", "kwds"), dist, parameters, {})


def freeze_program(dist: rv_generic, *parameters: Array):
    """The object holds the distribution and its parameters"""
    return holding(own(empty, dist), ("dist", "args", "kwds"), dist, parameters, {})


def empty(dist: Any) -> Any:
    """A frozen distribution that holds nothing, since all its methods ask for what a program holds."""
    return object.__new__(rv_continuous_frozen if isinstance(dist, rv_continuous) else rv_discrete_frozen)


freeze_rrule.body_of = lambda count: freeze_program  # type: ignore[attr-defined]


for _make in (rv_generic.freeze, rv_generic.__call__):
    frule(_make, signature=signature_with())(freeze_frule)
    rrule(_make, signature=signature_with())(freeze_rrule)


@written_out(rv_continuous_frozen.pdf)
def frozen_pdf_written_out(frozen: rv_continuous_frozen, x: Array):
    """f(x)"""
    return frozen.dist.pdf(x, *frozen.args, **frozen.kwds)


@written_out(rv_continuous_frozen.logpdf)
def frozen_logpdf_written_out(frozen: rv_continuous_frozen, x: Array):
    """log f(x)"""
    return frozen.dist.logpdf(x, *frozen.args, **frozen.kwds)


@written_out(rv_discrete_frozen.pmf)
def frozen_pmf_written_out(frozen: rv_discrete_frozen, k: Array):
    """p(k)"""
    return frozen.dist.pmf(k, *frozen.args, **frozen.kwds)


@written_out(rv_discrete_frozen.logpmf)
def frozen_logpmf_written_out(frozen: rv_discrete_frozen, k: Array):
    """log p(k)"""
    return frozen.dist.logpmf(k, *frozen.args, **frozen.kwds)


@written_out(rv_frozen.cdf)
def frozen_cdf_written_out(frozen: rv_frozen, x: Array):
    """F(x)"""
    return frozen.dist.cdf(x, *frozen.args, **frozen.kwds)


@written_out(rv_frozen.logcdf)
def frozen_logcdf_written_out(frozen: rv_frozen, x: Array):
    """log F(x)"""
    return frozen.dist.logcdf(x, *frozen.args, **frozen.kwds)


@written_out(rv_frozen.sf)
def frozen_sf_written_out(frozen: rv_frozen, x: Array):
    """1 − F(x)"""
    return frozen.dist.sf(x, *frozen.args, **frozen.kwds)


@written_out(rv_frozen.logsf)
def frozen_logsf_written_out(frozen: rv_frozen, x: Array):
    """log (1 − F(x))"""
    return frozen.dist.logsf(x, *frozen.args, **frozen.kwds)


@written_out(rv_frozen.ppf)
def frozen_ppf_written_out(frozen: rv_frozen, q: Array):
    """F⁻¹(q)"""
    return frozen.dist.ppf(q, *frozen.args, **frozen.kwds)


@written_out(rv_frozen.isf)
def frozen_isf_written_out(frozen: rv_frozen, q: Array):
    """F⁻¹(1 − q)"""
    return frozen.dist.isf(q, *frozen.args, **frozen.kwds)
