"""Call sites in forward mode: what a generated program calls in place of each active call.

A site takes the tangents of the varying operands in one tuple before the operands themselves, and
returns `(value, tangent)`. Where all tangents are zero the call runs as written: forward activity
is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core.caches import generation, keep, new_cache
from ....core.forward import forward_rule
from ....tangents import ZERO, is_zero
from ..memory.augmented import Augmented
from ..memory.copying import as_given, refuse_passing_on
from ..reading.opaque import refuse_mutation
from ..syntax.arguments import sizes_of
from ..syntax.site import Site, makers
from ..values.streams import bounded
from ..values.writing import IMMUTABLE
from . import forward_resolution as resolution
from . import lending_forward as lending
from . import spreading
from .resolution import engine
from .setters import is_store

Values = tuple[Any, ...]


def make(site: Site) -> Callable[..., Any]:
    """The function of a forward site."""
    if site.plain and any(site.mask):
        return {1: _one, 2: _two}.get(len(site.mask), _any)(site)
    layout, mask, callee = site.layout, site.mask, site.callee
    several, later = site.spreads, bool(site.shared or site.unsettled)
    forward = {
        "plain": resolution.plain_forward,
        "closure": resolution.closure_forward,
        "method": resolution.method_forward,
    }[callee]

    def call(dots: Any, f: Any, *values: Any) -> Any:
        name, operands = (values[0], values[1:]) if callee == "method" else ("", values)
        if not later:
            return moved(dots, f, name, operands)
        own, copies = as_given(site, f, name, operands)
        y, dy = moved(dots, own, name, copies)
        refuse_passing_on(site, name, y, (f, *operands), (own, *copies))
        return y, dy

    def moved(dots: Any, f: Any, name: str, operands: Values) -> Any:
        own, given = (ZERO, dots) if callee == "plain" else (dots[0], dots[1:])
        tangents = _aligned(given, mask)
        args, kwargs, _ = layout.spread(operands)
        if not layout.direct:
            tangents = layout.spread_tangents(tangents, sizes_of(operands))
        if several:
            return spreading.call_forward(site, f, name, own, operands, args, kwargs, tangents)
        if site.writes:
            return lending.call_forward(site, f, name, own, args, kwargs, tangents)
        if is_zero(own) and all(is_zero(t) for t in tangents):
            called = getattr(f, name) if callee == "method" else f
            return called(*args, **kwargs), ZERO
        reads = lending.check_settled(site, f, name, args, kwargs) if later else ()
        y, dy = forward(f, name, own, args, kwargs, tangents)
        return bounded(y, reads), dy

    return call


makers["forward"] = make


def _one(site: Site) -> Callable[..., Any]:
    """Positional arguments of something that does not vary: the rule for their types is kept."""
    cache = new_cache()

    def call(dots: Any, f: Any, a: Any) -> Any:
        if is_zero(dots[0]):
            return f(a), ZERO
        try:
            rule = cache[f, type(a)]
        except (KeyError, TypeError):  # not met before, or not hashable
            rule = None
        return _met(cache, dots, f, a) if rule is None else rule(dots, a)

    return call


def _two(site: Site) -> Callable[..., Any]:
    cache = new_cache()
    first, second = site.mask

    def call(dots: Any, f: Any, a: Any, b: Any) -> Any:
        if is_zero(dots[0]) and is_zero(dots[-1]):
            return f(a, b), ZERO
        tangents = dots if first and second else (dots[0], ZERO) if first else (ZERO, dots[0])
        try:
            rule = cache[f, type(a), type(b)]
        except (KeyError, TypeError):
            rule = None
        return _met(cache, tangents, f, a, b) if rule is None else rule(tangents, a, b)

    return call


def _any(site: Site) -> Callable[..., Any]:
    cache, mask = new_cache(), site.mask

    def call(dots: Any, f: Any, *args: Any) -> Any:
        if all(map(is_zero, dots)):
            return f(*args), ZERO
        tangents = _aligned(dots, mask)
        try:
            rule = cache[f, *map(type, args)]
        except (KeyError, TypeError):
            rule = None
        return _met(cache, tangents, f, *args) if rule is None else rule(tangents, *args)

    return call


def _met(cache: dict[Any, Any], tangents: Any, f: Any, *args: Any) -> Any:
    """A call that the site's cache does not hold."""
    since = generation()
    rule = _lasting_rule(f, args)
    if rule is None:
        return resolution.plain_forward(f, "", ZERO, args, {}, tangents)
    keep(cache, (f, *map(type, args)), rule, since)
    return rule(tangents, *args)


def _lasting_rule(f: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The rule of an operator, a function of NumPy or a store into what Python and NumPy store into."""
    if type(f) is Augmented and isinstance(args[0], IMMUTABLE):
        f = f.op
    lasting = type(f).__module__ == "numpy" or getattr(f, "__module__", "") == "_operator"
    if not (lasting or (is_store(f) and type(args[0]) in _STORED)) or any(map(_is_iterator, args)):
        return None
    rule = forward_rule(f, args, {}, engine())
    if rule is not None:
        refuse_mutation(f, rule)
    return rule


_STORED = (np.ndarray, list, dict)


def _is_iterator(x: Any) -> bool:
    return hasattr(type(x), "__next__")


def _aligned(given: tuple[Any, ...], mask: tuple[bool, ...]) -> tuple[Any, ...]:
    """One tangent for each operand."""
    if len(given) == len(mask):
        return given
    rest = iter(given)
    return tuple([next(rest) if varies else ZERO for varies in mask])
