"""Lending in forward mode: calls that may change what they are given.

Such a call returns `(value, tangent, states)`: the tangents of what its operands hold after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from ...core.callables import Attribute
from ...core.forward import forward_rule
from ...core.registry import rules_of
from ...tangents import ZERO, is_zero
from . import forward_resolution as resolution
from .lending import Target
from .opaque import refuse_mutation
from .programs import lent_slots
from .site import Site
from .writers import writes

Values = tuple[Any, ...]


def call_forward(
    site: Site, f: Any, name: str, own: Any, args: Values, kwargs: dict[str, Any], tangents: Values
) -> tuple[Any, Any, Values]:
    """A call whose operands may change."""
    operands = (*(() if site.callee == "plain" else (own,)), *tangents)
    target = Target(site, f, name, args)
    moving = tangents
    if len(target.values) > len(args):
        first = ZERO if site.callee == "plain" else own
        moving = (first.__self__ if target.bound and not is_zero(first) else first, *tangents)
    lent = frozenset(i + target.shift for i in site.writes)
    answer = written_forward(target.f, target.values, kwargs, moving, lent, own if target.closure else None)
    if answer is not None:
        y, dy, states = answer
        return y, dy, tuple(states.get(i + target.shift, operands[i]) for i in site.writes)
    if all(is_zero(t) for t in operands):
        called = getattr(f, name) if site.callee == "method" else f
        return called(*args, **kwargs), ZERO, (ZERO,) * len(site.writes)
    y, dy = {
        "plain": resolution.plain_forward,
        "closure": resolution.closure_forward,
        "method": resolution.method_forward,
    }[site.callee](f, name, own, args, kwargs, tangents)
    return y, dy, tuple(operands[i] for i in site.writes)


def written_forward(
    f: Any, values: Values, kwargs: Mapping[str, Any], tangents: Values, lent: frozenset[int], own: Any
) -> tuple[Any, Any, dict[int, Any]] | None:
    """A call of f that may change its values at the places `lent`; None where f changes nothing."""
    if type(f) is FunctionType and rules_of(f) is None:
        if not writes(f):
            return None
        order, places = lent_slots(f, len(values), tuple(kwargs), lent)
        answer = resolution.python_forward(f, values, kwargs, tangents, own, lent=order)
        if not order:
            return (*answer, {})
        y, dy, states = answer
        return y, dy, dict(zip(places, states, strict=True))
    if isinstance(f, type | Attribute):
        return None
    rule = forward_rule(f, values, kwargs, resolution.engine())
    mutates = getattr(getattr(rule, "method", None), "mutates", ())
    if rule is None or not mutates:
        return None
    places: Any = rule.slots  # type: ignore[union-attr]  # a rule that mutates is wrapped
    refuse_mutation(f, rule, frozenset(i for i in mutates if places[i] in lent))
    y, dy, states = rule(tangents, *values, **kwargs)  # type: ignore[misc]  # and gives three
    return y, dy, {places[i]: state for i, state in states.items()}
