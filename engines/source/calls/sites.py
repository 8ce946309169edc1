"""Call sites in reverse: what a generated program calls in place of each active call.

A site knows from the syntax which operands vary; what it is given at run time decides the rest.
For each combination of callable and argument types the resolution is done once and kept. A site
returns `(value, pullback)`, and the pullback one answer for each operand that the syntax shows: a
starred argument gets the cotangent of its tuple, a `**mapping` that of its dict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.caches import new_cache
from ..memory.copying import as_given, refuse_passing_on
from ..syntax.arguments import sizes_of
from ..syntax.site import Site, makers
from ..values.answers import Regrouped
from ..values.reaching import NUMBERS
from . import lending, resolution, spreading


def _one(site: Site) -> Callable[..., Any]:
    cache, mask = new_cache(), site.mask

    def call(f: Any, a: Any) -> Any:
        try:
            rule = cache[f, type(a)]
        except (KeyError, TypeError):  # not met before, or not hashable
            rule = None
        return resolution.call_in_reverse(f, (a,), mask, cache) if rule is None else rule(a)

    return call


def _two(site: Site) -> Callable[..., Any]:
    cache, mask = new_cache(), site.mask

    def call(f: Any, a: Any, b: Any) -> Any:
        try:
            rule = cache[f, type(a), type(b)]
        except (KeyError, TypeError):
            rule = None
        return resolution.call_in_reverse(f, (a, b), mask, cache) if rule is None else rule(a, b)

    return call


def _any(site: Site) -> Callable[..., Any]:
    cache, mask = new_cache(), site.mask

    def call(f: Any, *args: Any) -> Any:
        try:
            rule = cache[f, *map(type, args)]
        except (KeyError, TypeError):
            rule = None
        return resolution.call_in_reverse(f, args, mask, cache) if rule is None else rule(*args)

    return call


def make(site: Site) -> Callable[..., Any]:
    """The function of a reverse site."""
    if not site.plain:
        return _general(site)
    return {1: _one, 2: _two}.get(len(site.mask), _any)(site)


makers["reverse"] = make


def _general(site: Site) -> Callable[..., Any]:
    """Keywords, stars, methods of varying objects, callables that vary themselves, and copies."""
    layout, callee = site.layout, site.callee
    reverse = {
        "plain": resolution.plain_in_reverse,
        "closure": resolution.closure_in_reverse,
        "method": resolution.method_in_reverse,
    }[callee]
    before, several, later = callee != "plain", site.spreads, bool(site.shared or site.unsettled)
    simple = callee == "plain" and layout.direct and not (site.keywords or site.writes or several)
    of_numbers = _any(site) if simple else None

    def call(f: Any, *values: Any) -> Any:
        if of_numbers is not None and NUMBERS.issuperset(map(type, values)) and resolution.lasting(f):
            return of_numbers(f, *values)  # which nothing can change
        name, operands = (values[0], values[1:]) if callee == "method" else ("", values)
        given = (f, *operands) if later else ()
        if later:
            f, operands = as_given(site, f, name, operands)
        args, kwargs, needs = layout.spread(operands)
        if several:
            y, back = spreading.call_in_reverse(site, f, name, operands, args, kwargs, needs)
        elif site.writes or site.shared or site.unsettled:
            y, back = lending.call_in_reverse(site, f, name, args, kwargs, needs)
        else:
            y, back = reverse(f, name, args, kwargs, needs)
        if later:
            refuse_passing_on(site, name, y, given, (f, *operands))
        if layout.direct:
            return y, back
        return y, Regrouped(back, layout, len(args), tuple(kwargs), sizes_of(operands), int(before))

    return call
