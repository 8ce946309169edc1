"""Nesting: calls that change their arguments, and objects made by an `__init__`, differentiated again.

A call that changes its arguments is one that returns them after its value (see lending.py), so its
derivative is a function of values like any other: the program of the function it runs, or of the
function that stands for a method of Python's containers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any

from ....core.changes import functional
from ....core.loading import load_for
from ....core.registry import rules_of
from ....tangents import ZERO, Composite, is_zero
from ..analysis.changing import holds_changer
from ..analysis.effects_of import changes_captured
from ..analysis.forms import captured_lent, lent_slots
from ..calls.changed_arguments import OfFunction, OfMethod
from ..calls.construction import lending_initialiser
from ..calls.inner import Field, Inner, Path, Values
from ..calls.lending import Target, changes_nothing
from ..calls.states import forward_that_writes, rule_that_writes
from ..emitting.programs import lent_program, program
from ..memory.aliased_arguments import form_for
from ..syntax.site import Site, is_of_programs
from ..values.answers import BoundAnswers, Placed, after
from ..values.streams import answers_of
from ..values.structures import parts_of
from .leaves import Paths, forward_program, itself, unsupported
from .stores import initialised, initialised_forward
from .streams import is_generator, running, takes_items
from .writes import changed_first, passed, passed_by_field, seen, seen_forward, written_call, written_pushed


def lent_reverse(
    target: Target,
    site: Site,
    kwargs: dict[str, Any],
    mask: tuple[bool, ...],
    paths: Paths,
    args: Values,
    reverse_call: Callable[..., Inner],
) -> Inner | None:
    """A call whose operands may change, now or later; None where that makes no difference."""
    reads = target.check(site, kwargs)
    own = _own_paths(target, site, (0,))
    needs, every = (site.callee != "plain",) * len(own) + mask, (*own, *paths)
    f, values, places = target.f, target.values, target.places(site, kwargs)
    if _of_programs(f, site) or takes_items(f, values, places):
        return None
    if _is_field(target, site) and not site.writes:
        return None
    if _is_field(target, site) and 0 in site.writes:
        return _by_field(target, kwargs, places, mask, paths, args, reverse_call)
    if _is_lent(f, values, places):
        made = lent_program(f, len(values), tuple(kwargs), needs, places, target.closure, target.later(site))
        bound = program(f, form_for(made.form, f, values, kwargs), values).bind(f)
        assert isinstance(bound, FunctionType)
        callee = (0,) if (site.callee == "plain" and not target.unbound) or target.closure else None
        ran = running(Inner(args, bound, values, kwargs, every, itself, callee), answers_of(made.form), reads)
        inner = ran if made.picks is None else ran.then(functools.partial(Placed, picks=made.picks))
        if places[:1] == (-1,):
            inner = seen(inner, OfFunction(f, tuple(captured_lent(made.form)), len(places) - 1))
    elif not site.writes:
        return None
    elif lending_initialiser(f, values, kwargs):
        inner = initialised(f, values, kwargs, needs, every, args, bool(target.later(site)), places)
    else:
        inner = _changing(target, kwargs, places, needs, every, args, reverse_call)
    if target.bound:
        inner = inner.then(BoundAnswers)
        inner = seen(inner, OfMethod(args[0], len(places))) if 0 in site.writes else inner
    picks = target.picks(len(needs))
    return inner if picks is None else inner.then(functools.partial(Placed, picks=picks))


def lent_forward(
    target: Target,
    site: Site,
    kwargs: dict[str, Any],
    moving: Values,
    own: Any,
    paths: Paths,
    dots: Paths,
    args: Values,
    forward_call: Callable[..., Inner],
) -> Inner | None:
    """The same, forward; `own` is the tangent of the callee or of the object."""
    reads = target.check(site, kwargs)
    before = _own_paths(target, site, (1,))
    before_dots = (None,) * len(before) if site.callee == "plain" else _own_paths(target, site, (0, 0))
    own = own.__self__ if target.bound and not is_zero(own) else own
    every, every_dots = (*before, *paths), (*before_dots, *dots)
    moved = (*(own if p else ZERO for p in before), *moving)
    f, values, places = target.f, target.values, target.places(site, kwargs)
    if _of_programs(f, site) or takes_items(f, values, places):
        return None
    if _is_field(target, site) and not site.writes:
        return None
    if _is_field(target, site) and 0 in site.writes:
        refuse_changing_field(f)
        given, moved = (target.owner, target.name, places, *values), (own, ZERO, ZERO, *moving)
        every, every_dots = ((1,), None, None, *paths), ((0, 0), None, None, *dots)
        return forward_call(passed_by_field, given, kwargs, moved, None, None, every, every_dots, None, args)
    if _is_lent(f, values, places):
        lent = lent_slots(f, len(values), tuple(kwargs), places)
        closure = (own, (0, 0)) if target.closure else (None, None)
        callee = (1,) if (site.callee == "plain" and not target.unbound) or target.closure else None
        if places and not is_generator(f) and all(t is None or is_zero(t) for t in (closure[0], *moved)):
            inner = still(Inner(args, f, values, kwargs, every, itself, callee, lent=places))
        else:
            more = (callee, every, every_dots, closure[1], args, lent)
            inner = running(forward_program(f, values, kwargs, moved, closure[0], *more), reads=reads)
        if places[:1] == (-1,):
            names = tuple(n for n in lent if isinstance(n, str))
            inner = seen_forward(inner, OfFunction(f, names, len(places) - 1))
        elif target.bound and 0 in site.writes:
            inner = seen_forward(inner, OfMethod(args[1], len(places)))
        return inner
    if not site.writes:
        return None
    if lending_initialiser(f, values, kwargs):
        return initialised_forward(f, values, kwargs, moved, every, every_dots, args, places)
    g = _functional(f, values, kwargs, places)
    if g is not None and len(places) > 1:
        given, moved = (g, places, *values), (ZERO, ZERO, *moved)
        every, every_dots = (None, None, *every), (None, None, *every_dots)
        return forward_call(changed_first, given, kwargs, moved, None, None, every, every_dots, None, args)
    if g is not None:
        return forward_call(g, values, kwargs, moved, None, None, every, every_dots, None, args)
    rule = forward_that_writes(f, values, kwargs)
    if rule is not None:
        return written_pushed(f, rule, values, kwargs, moved, places, every, every_dots, args)
    itself_at = ((1,), (0, 0)) if target.closure else (None, None)
    given, moved = (f, places, *values), (own if target.closure else ZERO, ZERO, *moved)
    every, every_dots = (itself_at[0], None, *every), (itself_at[1], None, *every_dots)
    return forward_call(passed, given, kwargs, moved, None, None, every, every_dots, None, args)


def _own_paths(target: Target, site: Site, owner: Path) -> Paths:
    """Where the object stands that a method is called on, if that is a value of the call."""
    if target.unbound:
        return ((*owner, Field("__self__")),)
    return (owner,) * (target.shift + (site.callee != "plain"))


def _of_programs(f: Any, site: Site) -> bool:
    """Whether an operator's call of the engine is called; refused where its function may change something."""
    if is_of_programs(f) and site.writes:
        raise unsupported(
            "a derivative of a function that may change what it is given",
            closest="a derivative of a function that returns what it computes",
            next="let the function change a copy, as in `g(x.copy())`, or differentiate once",
        )
    return is_of_programs(f)


def _is_lent(f: Any, values: Values, places: tuple[int, ...]) -> bool:
    """Whether what is called is a Python function that may change what it is given, or what it captured."""
    if type(f) is not FunctionType or rules_of(f) is not None or changes_nothing(f, values, places):
        return False
    return places != (-1,) or bool(changes_captured(f))


def _is_field(target: Target, site: Site) -> bool:
    """Whether what a field holds is called, which varies with the object."""
    return site.callee == "method" and target.shift < 0


def _by_field(
    target: Target,
    kwargs: dict[str, Any],
    places: tuple[int, ...],
    mask: tuple[bool, ...],
    paths: Paths,
    args: Values,
    reverse_call: Callable[..., Inner],
) -> Inner:
    """A call in reverse of what a field holds, with the object and the values at these places."""
    refuse_changing_field(target.f)
    given, needs = (target.owner, target.name, places, *target.values), (True, False, False, *mask)
    at = ((0,), None, None, *paths)
    inner = reverse_call(passed_by_field, given, kwargs, needs, False, None, at, args, unsettled=True)
    return inner.then(lambda back: Placed(back, ((0, None), *((i + 3, None) for i in range(len(mask))))))


def refuse_changing_field(f: Any) -> None:
    """Refuse a call of what a field holds, where the call may change that."""
    if holds_changer(f):
        raise unsupported(
            "a call of a field that changes what the field holds",
            closest="a method of the object that changes it",
            next="write the change as a method of the object, or differentiate once",
        )


def _changing(
    target: Target,
    kwargs: dict[str, Any],
    places: tuple[int, ...],
    needs: tuple[bool, ...],
    paths: Paths,
    operands: Values,
    reverse_call: Callable[..., Inner],
) -> Inner:
    """A call in reverse of what is not written in Python, with the values at these places after its own."""
    f, values, own = target.f, target.values, target.closure
    g = _functional(f, values, kwargs, places)
    if g is not None and len(places) > 1:
        given, mask, at = (g, places, *values), (False, False, *needs), (None, None, *paths)
        inner = reverse_call(changed_first, given, kwargs, mask, False, None, at, operands)
        inner = inner.then(lambda back: Placed(back, tuple((i + 2, None) for i in range(len(needs)))))
    elif g is not None:
        inner = reverse_call(g, values, kwargs, needs, False, None, paths, operands)
    elif (rule := rule_that_writes(f, values, kwargs, needs)) is not None:
        inner = written_call(f, rule, values, kwargs, places, paths, operands)
    else:
        given, mask, at = (f, places, *values), (own, False, *needs), ((0,) if own else None, None, *paths)
        inner = reverse_call(passed, given, kwargs, mask, False, None, at, operands, unsettled=True)
        picks = ((0, None),) * own + tuple((i + 2, None) for i in range(len(needs)))
        return inner.then(lambda back: Placed(back, picks))
    return inner.then(lambda back: after(back, len(needs))) if own else inner


def _functional(f: Any, values: Values, kwargs: dict[str, Any], places: tuple[int, ...]) -> Any:
    """What a function that changes its first argument is as one that returns it after its value."""
    load_for((f,))
    return functional(f, values, kwargs) if places[:1] == (0,) else None


def still(inner: Inner) -> Inner:
    """A call in forward mode in which nothing moves, of a function that changes what it is given."""

    def finish(result: Any) -> Any:
        return result, ZERO

    def tangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](t, ZERO)

    def cotangent(t: Any, result: Any) -> Any:
        return parts_of(t, 2)[0]

    return replace(inner, finish=finish, tangent=tangent, cotangent=cotangent)
