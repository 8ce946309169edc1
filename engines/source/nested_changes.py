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
from .answers import Placed
from .construction import initialiser
from .forms import lent_slots
from .inner import Inner, Path, Values
from .joined import form_for
from .lending import Made, Target
from .nested_leaves import Paths, forward_program, itself, unsupported, without_streams
from .nested_writes import passed, written_call, written_pushed
from .programs import lent_program, program
from .site import Site, is_of_programs
from .states import forward_that_writes, rule_that_writes
from .structures import parts_of, tuple_tangent


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
    without_streams(target.f, target.values)
    own = _own_paths(target, site, (0,))
    needs, every = (site.callee != "plain",) * len(own) + mask, (*own, *paths)
    f, values, places = target.f, target.values, target.places(site, kwargs)
    if is_of_programs(f) or (site.callee == "method" and target.shift < 0 and not site.writes):
        return None  # what a field holds varies with the object
    if type(f) is FunctionType and rules_of(f) is None:
        made = lent_program(f, len(values), tuple(kwargs), needs, places, target.closure, target.later(site))
        bound = program(f, form_for(made.form, f, values, kwargs)).bind(f)
        assert isinstance(bound, FunctionType)
        callee = None if site.callee == "method" else (0,)
        ran = Inner(args, bound, values, kwargs, every, itself, callee)
        inner = ran if made.picks is None else ran.then(functools.partial(Placed, picks=made.picks))
    elif not site.writes:
        return None
    else:
        inner = _changing(f, values, kwargs, places, needs, every, args, reverse_call)
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
    without_streams(target.f, target.values)
    before = _own_paths(target, site, (1,))
    every, every_dots = (*before, *paths), (*((0, 0) if p else None for p in before), *dots)
    moved = (*(own if p else ZERO for p in before), *moving)
    f, values, places = target.f, target.values, target.places(site, kwargs)
    if is_of_programs(f) or (site.callee == "method" and target.shift < 0 and not site.writes):
        return None  # what a field holds varies with the object
    if type(f) is FunctionType and rules_of(f) is None:
        lent = lent_slots(f, len(values), tuple(kwargs), places)
        closure = (own, (0, 0)) if target.closure else (None, None)
        callee = None if site.callee == "method" else (1,)
        return forward_program(
            f, values, kwargs, moved, closure[0], callee, every, every_dots, closure[1], args, lent
        )
    if not site.writes:
        return None
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
        raise unsupported("a call that changes its arguments in place")
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


def _initialiser(P: Any) -> FunctionType:
    init = initialiser(P)
    if init is None:
        raise unsupported(f"making a {P.__name__} by `__post_init__`")
    return init


def initialised(
    P: Any,
    args: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    paths: Paths,
    operands: Values,
    unsettled: bool,
) -> Inner:
    """An object made by an `__init__` written in Python: what that was given, after the call."""
    init, values = _initialiser(P), (P.__new__(P), *args)
    later = frozenset(range(1, len(values) + len(kwargs))) if unsettled else frozenset[int]()
    made = lent_program(init, len(values), tuple(kwargs), (False, *needs), (0,), False, later)
    bound = program(init, form_for(made.form, init, values, kwargs)).bind(init)
    assert isinstance(bound, FunctionType)
    picks = made.picks

    def finish(result: Any) -> Any:
        (_, x), back = result
        return x, Made(back if picks is None else Placed(back, picks), 1)

    def tangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](parts_of(t[0], 2)[1], t[1])

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](tuple_tangent(ZERO, t[0]), t[1])

    ran = Inner(operands, bound, values, kwargs, (None, *paths), finish)
    return replace(ran, tangent=tangent, cotangent=cotangent)


def initialised_forward(
    P: Any,
    args: Values,
    kwargs: dict[str, Any],
    moving: Values,
    paths: Paths,
    dots: Paths,
    operands: Values,
) -> Inner:
    """The same, forward."""
    values, moved = (P.__new__(P), *args), (ZERO, *moving)
    ran = forward_program(
        _initialiser(P),
        values,
        kwargs,
        moved,
        None,
        None,
        (None, *paths),
        (None, *dots),
        None,
        operands,
        (0,),
    )

    def finish(result: Any) -> Any:
        (_, x), dx = result
        return x, parts_of(dx, 2)[1]

    def tangent(t: Any, result: Any) -> Any:
        if is_zero(t):
            return t
        return Composite[tuple](parts_of(t[0], 2)[1], parts_of(t[1], 2)[1])

    def cotangent(t: Any, result: Any) -> Any:
        if is_zero(t):
            return t
        return Composite[tuple](tuple_tangent(ZERO, t[0]), tuple_tangent(ZERO, t[1]))

    return replace(ran, finish=finish, tangent=tangent, cotangent=cotangent)
