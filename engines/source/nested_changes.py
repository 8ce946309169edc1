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

from ...core.changes import functional
from ...core.loading import load_for
from ...core.registry import rules_of
from ...tangents import ZERO, Composite, is_zero
from .answers import BoundAnswers, Placed
from .construction import lending_initialiser
from .forms import lent_slots
from .inner import Field, Inner, Path, Values
from .joined import form_for
from .lending import Target, changes_nothing
from .nested_leaves import Paths, forward_program, itself
from .nested_stores import initialised, initialised_forward
from .nested_streams import running, takes_items
from .nested_writes import passed, written_call, written_pushed
from .programs import lent_program, program
from .site import Site, is_of_programs
from .spreading import OfSpread, Spread
from .states import forward_that_writes, rule_that_writes
from .streams import answers_of


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
    if is_of_programs(f) or takes_items(f, values, places):
        return None
    if site.callee == "method" and target.shift < 0 and not site.writes:
        return None  # what a field holds varies with the object
    if type(f) is FunctionType and rules_of(f) is None and not changes_nothing(f, values, places):
        made = lent_program(f, len(values), tuple(kwargs), needs, places, target.closure, target.later(site))
        bound = program(f, form_for(made.form, f, values, kwargs)).bind(f)
        assert isinstance(bound, FunctionType)
        callee = None if site.callee == "method" or target.bound else (0,)
        ran = running(Inner(args, bound, values, kwargs, every, itself, callee), answers_of(made.form), reads)
        inner = ran if made.picks is None else ran.then(functools.partial(Placed, picks=made.picks))
    elif not site.writes:
        return None
    elif lending_initialiser(f, values, kwargs):
        inner = initialised(f, values, kwargs, needs, every, args, bool(target.later(site)), places)
    else:
        inner = _changing(f, values, kwargs, places, needs, every, args, reverse_call)
    if target.bound:
        inner = inner.then(BoundAnswers)
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
    before, before_dots = _own_paths(target, site, (1,)), _own_paths(target, site, (0, 0))
    own = own.__self__ if target.bound and not is_zero(own) else own
    every, every_dots = (*before, *paths), (*before_dots, *dots)
    moved = (*(own if p else ZERO for p in before), *moving)
    f, values, places = target.f, target.values, target.places(site, kwargs)
    if is_of_programs(f) or takes_items(f, values, places):
        return None
    if site.callee == "method" and target.shift < 0 and not site.writes:
        return None  # what a field holds varies with the object
    if type(f) is FunctionType and rules_of(f) is None and not changes_nothing(f, values, places):
        lent = lent_slots(f, len(values), tuple(kwargs), places)
        closure = (own, (0, 0)) if target.closure else (None, None)
        callee = None if site.callee == "method" or target.bound else (1,)
        ran = forward_program(
            f, values, kwargs, moved, closure[0], callee, every, every_dots, closure[1], args, lent
        )
        return running(ran, reads=reads)
    if not site.writes:
        return None
    if lending_initialiser(f, values, kwargs):
        return initialised_forward(f, values, kwargs, moved, every, every_dots, args, places)
    g = _functional(f, values, kwargs, places)
    if g is not None:
        return forward_call(g, values, kwargs, moved, None, None, every, every_dots, None, args)
    rule = forward_that_writes(f, values, kwargs)
    if rule is not None:
        return written_pushed(f, rule, values, kwargs, moved, places, every, every_dots, args)
    given, moved = (f, places, *values), (ZERO, ZERO, *moved)
    every, every_dots = (None, None, *every), (None, None, *every_dots)
    return forward_call(passed, given, kwargs, moved, None, None, every, every_dots, None, args)


def _own_paths(target: Target, site: Site, owner: Path) -> Paths:
    """Where the object stands that a method is called on, if that is a value of the call."""
    if target.bound:
        return ((*owner, Field("__self__")),)
    count = target.shift + (site.callee != "plain")
    return (owner if site.callee == "method" else None,) * count


def _changing(
    f: Any,
    values: Values,
    kwargs: dict[str, Any],
    places: tuple[int, ...],
    needs: tuple[bool, ...],
    paths: Paths,
    operands: Values,
    reverse_call: Callable[..., Inner],
) -> Inner:
    """A call in reverse of what is not written in Python, with the values at these places after its own."""
    g = _functional(f, values, kwargs, places)
    if g is not None:
        return reverse_call(g, values, kwargs, needs, False, None, paths, operands)
    rule = rule_that_writes(f, values, kwargs, needs)
    if rule is not None:
        return written_call(f, rule, values, kwargs, places, paths, operands)
    given, mask, at = (f, places, *values), (False, False, *needs), (None, None, *paths)
    inner = reverse_call(passed, given, kwargs, mask, False, None, at, operands, unsettled=True)
    return inner.then(lambda back: Placed(back, tuple((i + 2, None) for i in range(len(needs)))))


def _functional(f: Any, values: Values, kwargs: dict[str, Any], places: tuple[int, ...]) -> Any:
    """What a function that changes its first argument is as one that returns it after its value."""
    load_for((f,))
    return functional(f, values, kwargs) if places == (0,) else None


def grouped(inner: Inner, spread: Spread) -> Inner:
    """A call that changes what its `*` and `**` operands hold, seen as one that changes the operands."""

    def finish(result: Any) -> Any:
        y, back = inner.finish(result)
        return spread.grouped(y), OfSpread(back, spread)

    def tangent(t: Any, result: Any) -> Any:
        t = inner.tangent(t, result)
        return t if is_zero(t) else Composite[tuple](spread.together(t[0]), t[1])

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else inner.cotangent(Composite[tuple](spread.apart(t[0]), t[1]), result)

    return replace(inner, finish=finish, tangent=tangent, cotangent=cotangent)


def grouped_forward(inner: Inner, spread: Spread) -> Inner:
    """The same, forward."""

    def finish(result: Any) -> Any:
        y, dy = inner.finish(result)
        return spread.grouped(y), spread.together(dy)

    def tangent(t: Any, result: Any) -> Any:
        t = inner.tangent(t, result)
        return t if is_zero(t) else Composite[tuple](*map(spread.together, t))

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else inner.cotangent(Composite[tuple](*map(spread.apart, t)), result)

    return replace(inner, finish=finish, tangent=tangent, cotangent=cotangent)
