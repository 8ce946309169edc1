"""Lending in forward mode: calls that may change what they are given.

Such a call returns, after its value, the objects that it was handed over for writing, and so do its
tangents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from ....core.callables import Attribute
from ....core.changes import functional
from ....core.registry import rules_of
from ....tangents import ZERO, is_zero
from ....tangents.slots import Kind, join
from ..analysis.changing import unchanging_all
from ..analysis.forms import lent_slots
from ..reading.computed import computed, getter_of
from ..syntax.site import Site, is_of_programs
from ..values.aliases import refreshed_frule
from ..values.structures import field_tangent, is_field, parts_of, tuple_tangent
from . import forward_resolution
from .changed_arguments import OfFunction, OfMethod
from .lending import Target, changes_nothing, holds_twice, stays_as_it_is, written_operands
from .states import forward_that_writes, pushed

Values = tuple[Any, ...]


def call_forward(
    site: Site, f: Any, name: str, own: Any, args: Values, kwargs: dict[str, Any], tangents: Values
) -> tuple[Any, Any]:
    """A call whose operands may change, with those that may after its value."""
    if f is computed:
        if getter := getter_of(*args):
            return call_forward(site.first, getter, "", own, args[:1], {}, tangents[:1])
        f = getattr
    if site.callee == "method" and 0 in site.writes and is_field(f, name):
        called, member, held = replace(site, callee="closure"), field_tangent(own, name), getattr(f, name)
        y, dy = call_forward(called, held, "", member, args, kwargs, tangents)
        value, state, *others = parts_of(dy, len(y))
        if holds_twice(f, name, held):
            after = refreshed_frule((own, state), f, held)[1]
        else:
            after = join(own, name, state, Kind("object", type(f)))
        return (y[0], f, *y[2:]), tuple_tangent(value, after, *others)
    target = Target(site, f, name, args, kwargs.values())
    moving = tangents
    if len(target.values) > len(args):
        first: Any = ZERO if site.callee == "plain" else own
        moving = (first.__self__ if target.bound and not is_zero(first) else first, *tangents)
    closure = own if target.closure else None
    answer = written_forward(target.f, target.values, kwargs, moving, target.places(site, kwargs), closure)
    if answer is not None and target.bound and 0 in site.writes:
        method = OfMethod(f, len(site.writes))
        return method.value(answer[0]), method.together(answer[1])
    if answer is not None:
        return answer
    if site.writes:
        unchanging_all(target.f, (*args, *kwargs.values()))
    operands = (*(() if site.callee == "plain" else (f,)), *args, *kwargs.values())
    dots = (*(() if site.callee == "plain" else (own,)), *tangents)
    if all(is_zero(t) for t in dots):
        called = getattr(f, name) if site.callee == "method" else f
        y, dy = called(*args, **kwargs), ZERO
    else:
        y, dy = {
            "plain": forward_resolution.plain_forward,
            "closure": forward_resolution.closure_forward,
            "method": forward_resolution.method_forward,
        }[site.callee](f, name, own, args, kwargs, tangents)
    places = written_operands(site, len(args), kwargs)
    return (y, *(operands[i] for i in places)), tuple_tangent(dy, *(dots[i] for i in places))


def check_settled(site: Site, f: Any, name: str, args: Values, kwargs: Mapping[str, Any]) -> Values:
    """Refuse a generator that reads what changes while it runs; what it reads that may change after."""
    return Target(site, f, name, args).check(site, kwargs)


def written_forward(
    f: Any, values: Values, kwargs: Mapping[str, Any], tangents: Values, lent: tuple[int, ...], own: Any
) -> tuple[Any, Any] | None:
    """A call that may change its values, by a function or a rule that says so; else None."""
    if is_of_programs(f):
        return None
    if type(f) is FunctionType and rules_of(f) is None:
        if changes_nothing(f, values, lent):
            return None
        if (own is None or is_zero(own)) and all(is_zero(t) for t in tangents):
            every = (*values, *kwargs.values(), f)
            return (f(*values, **kwargs), *(every[i] for i in lent)), ZERO
        return lent_forward(f, values, kwargs, tangents, own, lent)
    if isinstance(f, Attribute) or not lent:
        return None
    if isinstance(f, type):
        return forward_resolution.construct_lent(f, values, dict(kwargs), tangents, lent)  # type: ignore[no-any-return]  # a pair
    changed = functional(f, values, kwargs) if 0 in lent else None
    if changed is not None:
        every = (*values, *kwargs.values())
        if all(is_zero(t) for t in tangents):
            y, dy = changed(*values, **kwargs), ZERO
        else:
            y, dy = forward_resolution.forward(changed, values, kwargs, tangents)
        dvalue, dx = parts_of(dy, 2)
        moved = (dx if i == 0 else tangents[i] for i in lent)
        return (y[0], *(every[i] for i in lent)), tuple_tangent(dvalue, *moved)
    rule = forward_that_writes(f, values, kwargs)
    return None if rule is None else pushed(f, rule, values, kwargs, tangents, lent)


def lent_forward(
    f: FunctionType,
    values: Values,
    kwargs: Mapping[str, Any],
    tangents: Values,
    own: Any,
    lent: tuple[int, ...],
) -> tuple[Any, Any]:
    """A call of a Python function that may change its values at the places `lent`, −1 for itself."""
    itself = lent[:1] == (-1,)
    unchanged = itself and stays_as_it_is(f, values, lent)
    order = lent_slots(f, len(values), tuple(kwargs), lent[unchanged:])
    y, dy = forward_resolution.python_forward(f, values, kwargs, tangents, own, lent=order)
    if not itself:
        return y, dy
    names = tuple(n for n in order if isinstance(n, str))
    if unchanged and len(lent) == 1:
        return (y, f), tuple_tangent(dy, own)
    if unchanged:
        value, *states = parts_of(dy, len(y))
        return (y[0], f, *y[1:]), tuple_tangent(value, own, *states)
    view = OfFunction(f, names, len(lent) - 1)
    return view.value(y), view.together(dy)
