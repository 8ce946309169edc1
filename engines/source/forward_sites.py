"""Call sites in forward mode: what a generated program calls in place of each active call.

A site takes the tangents of the varying operands in one tuple before the operands themselves, and
returns `(value, tangent)`. Where all tangents are zero the call runs as written: forward activity
is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...tangents import ZERO, is_zero
from . import forward_resolution as resolution
from . import lending_forward as lending
from .arguments import sizes_of
from .lending import copied, copies
from .site import Site, makers


def make(site: Site) -> Callable[..., Any]:
    """The function of a forward site."""
    layout, mask, callee = site.layout, site.mask, site.callee
    forward = {
        "plain": resolution.plain_forward,
        "closure": resolution.closure_forward,
        "method": resolution.method_forward,
    }[callee]

    def call(dots: Any, f: Any, *values: Any) -> Any:
        name, operands = (values[0], values[1:]) if callee == "method" else ("", values)
        if site.shared and copies(getattr(f, name, None) if name else f):
            f, operands = copied(site, f, operands)
        own, given = (ZERO, dots) if callee == "plain" else (dots[0], dots[1:])
        tangents = _aligned(given, mask)
        args, kwargs, _ = layout.spread(operands)
        if not layout.direct:
            tangents = layout.spread_tangents(tangents, sizes_of(operands))
        if site.writes:
            return lending.call_forward(site, f, name, own, args, kwargs, tangents)
        if is_zero(own) and all(is_zero(t) for t in tangents):
            called = getattr(f, name) if callee == "method" else f
            return called(*args, **kwargs), ZERO
        if site.shared or site.unsettled:
            lending.check_settled(site, f, name, args)
        return forward(f, name, own, args, kwargs, tangents)

    return call


makers["forward"] = make


def _aligned(given: tuple[Any, ...], mask: tuple[bool, ...]) -> tuple[Any, ...]:
    """One tangent for each operand."""
    if len(given) == len(mask):
        return given
    rest = iter(given)
    return tuple(next(rest) if varies else ZERO for varies in mask)
