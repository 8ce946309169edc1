"""`out=`: functions of NumPy that write their value into an array, by the rules that they have without it.

The state of the array after the call is what is differentiated; what it held before has no influence. The
value is computed apart and copied, so that an argument may be written into as well. That of
elementwise functions stands in core, with their other keywords. Absent: `einsum`, whose operands end nowhere,
`choose`, whose data come second, and `hfft`, `ifft2`, `irfft2`, where NumPy forgets it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import UnsupportedArgument
from ...core.calls import forward_of
from ...core.registry import Method, register, rules_of
from ...core.seeds import absorbs
from ...tangents import ZERO, add, project_to
from ..taking import keywords, parameters_of, taking
from . import clipping as clipping  # this and the next have the rules that are added to
from . import diagonals as diagonals
from . import fourier as fourier
from . import indexing as indexing
from . import joining as joining
from . import nanfunctions as nanfunctions
from . import placing as placing
from . import products as products
from . import quantiles as quantiles
from . import reductions as reductions
from . import rounding as rounding
from . import running as running
from . import selecting as selecting
from . import spread as spread
from . import tensors as tensors
from . import vector_products as vector_products
from .linalg import chains as chains

FUNCTIONS: tuple[Callable[..., Any], ...] = (
    *(
        np.sum,
        np.mean,
        np.prod,
        np.max,
        np.amax,
        np.min,
        np.amin,
        np.ptp,
        np.std,
        np.var,
        np.cumsum,
        np.cumprod,
    ),
    *(np.round, np.around, np.take, np.compress, np.dot, np.outer, np.matmul),
    *(np.concatenate, np.stack),
    *(
        np.nanmax,
        np.nanmin,
        np.nanmean,
        np.nansum,
        np.nanprod,
        np.nanstd,
        np.nanvar,
        np.nancumsum,
        np.nancumprod,
    ),
    *(np.median, np.percentile, np.quantile, np.nanmedian, np.nanpercentile, np.nanquantile),
    *(np.cumulative_sum, np.cumulative_prod, np.trace, np.vecdot, np.matvec, np.vecmat),
    *(getattr(np.fft, name) for name in ("fft", "fft2", "fftn", "ifft", "ifftn", "ihfft")),
    *(getattr(np.fft, name) for name in ("rfft", "rfft2", "rfftn", "irfft", "irfftn")),
    *(np.linalg.multi_dot, np.ndarray.trace),
    *(getattr(np.ndarray, name) for name in ("sum", "mean", "prod", "max", "min", "std", "var", "cumsum")),
    *(getattr(np.ndarray, name) for name in ("cumprod", "round", "take", "dot", "clip")),
)


def _writes_output(f: Callable[..., Any]) -> None:
    """Register, for each rule of f, one that takes an array to write into after its data."""
    rules = rules_of(f)
    assert rules is not None and rules.split is not None
    for mode, make in (("forward", _forward), ("reverse", _reverse)):
        for method in tuple(rules.methods[mode]):  # type: ignore[index]  # the two modes
            count = len(method.signature.types)
            rule = _named(make(f, count), method, rules.split.metadata)
            types = (*method.signature.types, np.ndarray)
            register(f, rule, mode, types=types, by_name=("out",), mutates=(count,))  # type: ignore[arg-type]  # the two modes


def _forward(f: Callable[..., Any], count: int) -> Any:
    def into_frule(tangents: Any, *x: Any, engine: Any, **metadata: Any) -> Any:
        out = x[count]
        y, dy = forward_of(f, _apart(x[:count], out), tuple(tangents[:count]), metadata, engine)
        _write(f, out, y)
        dout = ZERO if absorbs(dy) else project_to(out)(dy)
        return out, dout, {count: dout}

    return into_frule


def _reverse(f: Callable[..., Any], count: int) -> Any:
    def into_rrule(*x: Any, engine: Any, **metadata: Any) -> Any:
        out = x[count]
        y, back = engine.value_and_pullback(f, *_apart(x[:count], out), **metadata)
        _write(f, out, y)
        return out, _pullback(back, count)

    return into_rrule


def _pullback(back: Any, count: int) -> Any:
    """The pullback of such a call, from that of the call without `out`."""

    def into_pullback(y_bar: Any, states: Any) -> Any:
        return (*back(add(y_bar, states[count])), ZERO)

    return into_pullback


def _apart(x: tuple[Any, ...], out: Any) -> tuple[Any, ...]:
    """The arguments, where writing does not reach them."""
    return tuple(v.copy() if isinstance(v, np.ndarray) and np.may_share_memory(v, out) else v for v in x)


def _write(f: Any, out: Any, y: Any) -> None:
    if np.shape(y) != out.shape:
        raise UnsupportedArgument(f, "out", out, why=f"the value has the shape {np.shape(y)}")
    np.copyto(out, y)


def _named(rule: Any, method: Method, metadata: frozenset[str]) -> Any:
    """The rule with the keywords of another, and a name and place that say whose it is."""
    own = [p for p in parameters_of(rule) if p.kind is not p.VAR_KEYWORD]
    rule.written_at = method.location
    return taking(rule, [*own, *keywords(sorted(metadata), default=None)], name=f"{method.name}_into")


for _f in FUNCTIONS:
    _writes_output(_f)
