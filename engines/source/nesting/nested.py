"""Nesting: derivatives of derivative programs.

A generated program is a Python program and is transformed like any other. Here are the calls in it
that are not plain Python, each as the Python function that it runs (see inner.py): a call site runs
the author's rule or the program that it resolves to, a pullback that is an object the pullback it
wraps, `reverse_of` and `forward_of` the program of the function whose derivative an operator takes.
So a derivative of a derivative goes through the rules' own bodies. There are no tags: the tangents
of two differentiations are different variables.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from types import FunctionType
from typing import Any

from ....core.apply import as_tangent
from ....core.callables import Attribute, call_operator
from ....core.forward import WrappedForward, forward_rule
from ....core.installed import is_followed
from ....core.registry import rules_of
from ....core.reverse import WrappedPullback, WrappedRule
from ....core.watched import Watched, WatchedPullback
from ....tangents import ZERO, Composite, is_zero, project_to
from ...calls import forward_of, reverse_of
from ..calls import forward_resolution, resolution
from ..calls.construction import constructor_fields, fielded_forward, makes_by_code
from ..calls.inner import Inner, Path, Values, walk
from ..calls.lending import Target
from ..calls.setters import stored_by_code
from ..calls.spreading import Spread
from ..emitting.programs import lent_program, program
from ..memory.augmented import Augmented
from ..memory.copying import as_given, as_now, settled
from ..memory.keeping import as_kept, kept_by, of_users
from ..reading.opaque import no_rule
from ..syntax.arguments import sizes_of
from ..syntax.site import Site, site_called
from ..values.answers import Between, Placed, Regrouped, after, without_first
from ..values.streams import answers_of
from ..values.structures import field_forward, is_field
from ..values.writing import IMMUTABLE, snapshot
from .changes import lent_forward, lent_reverse
from .equivalents import same_forward, same_reverse
from .held import (
    has_member,
    held_forward,
    held_reverse,
    is_held,
    member_forward,
    partial_made,
    partial_made_forward,
)
from .leaves import (
    Paths,
    forward_program,
    itself,
    lists_of,
    metadata_places,
    of_arrays,
    of_copies,
    passing_nothing_on,
    python_function,
    resolved,
    rule_call,
    unmoved,
    unsupported,
)
from .normal import normalised_forward, normalised_reverse
from .outside import outside_forward, outside_reverse
from .paths import deeper, tangent_at, value_counts, value_paths
from .protocols import method_of, protocol_forward, protocol_reverse
from .pullbacks import pullback_call, pullback_forward, pullback_in_reverse, pullback_pushed
from .stores import initialised, initialised_forward, stored, stored_forward
from .streams import differentiated_twice, over_items, running, streamed_forward, streamed_reverse
from .writes import seen, seen_forward


def special(f: Any, args: Values) -> Inner | None:
    """The call `f(*args)`, if f is a site of a program or one of the operators' calls of the engine."""
    site = site_called(f)
    if site is not None:
        return _at_site(site, args)
    if f is reverse_of:
        g, x, kwargs = as_now(*args[:3])
        needs = args[3]
        paths = (*((1, i) for i in range(len(x))), *((2, k) for k in kwargs))
        mask = (*needs, *(False for _ in kwargs))
        inner = outside_reverse(g, x, kwargs, mask, paths, args)
        inner = inner or reverse_call(g, x, kwargs, mask, False, (0,), paths, args, unsettled=True)
        positional = tuple((i, None) for i in range(len(x)))
        return inner.then(lambda back: Placed(back, positional)) if kwargs else inner
    if f is forward_of:
        g, x, kwargs = as_now(args[0], args[1], args[3])
        dx = args[2] if x is args[1] else snapshot(args[2])
        paths = (*((1, i) for i in range(len(x))), *((3, k) for k in kwargs))
        moving = tuple(t if is_zero(t) else project_to(p)(as_tangent(t)) for p, t in zip(x, dx, strict=True))
        moving += (ZERO,) * len(kwargs)
        dots = (*((2, i) for i in range(len(x))), *(None for _ in kwargs))
        changing = outside_forward(g, x, kwargs, moving, paths, dots, args)
        inner = changing or forward_call(g, x, kwargs, moving, None, (0,), paths, dots, None, args)
        return replace(inner, unsettled=True)
    return None


def _at_site(site: Site, args: Values) -> Inner:
    before = 0 if site.mode == "reverse" else 1
    first = before + (2 if site.callee == "method" else 1)
    name = args[first - 1] if site.callee == "method" else ""
    given = args[before], args[first:]
    copies = as_given(site, given[0], name, given[1])
    if before == 0:
        inner = _reverse_site(site, args, *copies)
    else:
        later = bool(site.writes or site.shared or site.unsettled)
        inner = replace(_forward_site(site, args, *copies), unsettled=later)
    return passing_nothing_on(inner, site, name, given, copies)


def _reverse_site(site: Site, args: Values, f: Any, operands: Values) -> Inner:
    first = 2 if site.callee == "method" else 1
    name = args[1] if first == 2 else ""
    values, kwargs, mask = site.layout.spread(operands)
    paths = value_paths(site.layout, operands, first)
    owned = site.callee != "plain"
    inner = None
    later = bool(site.writes or site.shared or site.unsettled)
    if later:
        spread = Spread(site, f, operands, kwargs, mask) if site.spreads else None
        called = site if spread is None else spread.direct
        target = Target(called, f, name, values, kwargs.values())
        inner = lent_reverse(target, called, kwargs, mask, paths, args, reverse_call)
        if inner is not None and spread is not None:
            inner = seen(inner, spread)
    if inner is None and site.callee == "method":
        method = method_of(f, name)
        at, wanted = ((0,), *paths), (True, *mask)
        inner = reverse_call(method, (f, *values), kwargs, wanted, False, None, at, args, unsettled=later)
    elif inner is None:
        inner = reverse_call(f, values, kwargs, mask, owned, (0,), paths, args, unsettled=later)
    if site.layout.direct:
        return inner
    layout, count, words, sizes = site.layout, len(values), tuple(kwargs), sizes_of(operands)
    return inner.then(lambda back: Regrouped(back, layout, count, words, sizes, int(owned)))


def _forward_site(site: Site, args: Values, f: Any, operands: Values) -> Inner:
    dots, first = args[0], 3 if site.callee == "method" else 2
    name = args[2] if first == 3 else ""
    values, kwargs, _ = site.layout.spread(operands)
    paths = value_paths(site.layout, operands, first)
    before = 0 if site.callee == "plain" else 1
    order = iter(range(before, len(dots)))
    by_operand = [(0, next(order)) if varies else None for varies in site.mask]
    passed = zip(by_operand, value_counts(site.layout, operands), strict=True)
    tpaths: Paths = tuple(deeper(at, key) for at, keys in passed for key in keys)
    moving = tuple(tangent_at(dots, p) for p in tpaths)
    if site.writes or site.shared or site.unsettled:
        needs = tuple(not is_zero(t) for t in moving)
        spread = Spread(site, f, operands, kwargs, needs) if site.spreads else None
        called = site if spread is None else spread.direct
        target = Target(called, f, name, values, kwargs.values())
        of = dots[0] if before else ZERO
        lent = lent_forward(target, called, kwargs, moving, of, paths, tpaths, args, forward_call)
        if lent is not None:
            return lent if spread is None else seen_forward(lent, spread)
    if site.callee == "method":
        every = ((1,), *paths), ((0, 0), *tpaths)
        return forward_call(
            method_of(f, name), (f, *values), kwargs, (dots[0], *moving), None, None, *every, None, args
        )
    own = dots[0] if site.callee == "closure" else None
    own_path = (0, 0) if site.callee == "closure" else None
    return forward_call(f, values, kwargs, moving, own, (1,), paths, tpaths, own_path, args)


def reverse_call(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    closure: bool,
    callee: Path | None,
    paths: Paths,
    operands: Values,
    *,
    unsettled: bool = False,
) -> Inner:
    """What the call in reverse of f with these values runs; `paths` are where the values stand.

    `unsettled`: what a Python function is given, and has captured, may change later.
    """
    f = over_items(resolution.instead(f), args)
    streamed = streamed_reverse(f, args, kwargs, needs, paths, operands, reverse_call)
    if streamed is not None:
        return _with_callee(streamed, closure, needs)
    if isinstance(f, Between | WrappedPullback | WatchedPullback) and len(args) == 1:
        called = pullback_call(f, args[0], callee, paths, operands, reverse_call)
        return called if closure else called.then(lambda back: without_first(back, 1))
    if type(f) is FunctionType and rules_of(f) is None and is_followed(f):
        inner = special(f, args)
        if inner is not None:
            return differentiated_twice(inner).in_reverse(needs, unsettled).among(operands, paths)
        later = frozenset(range(-1, len(args) + len(kwargs))) if unsettled else frozenset[int]()
        made = lent_program(f, len(args), tuple(kwargs), needs, (), closure, later)
        bound = program(f, made.form).bind(f)
        assert isinstance(bound, FunctionType)
        ran = running(Inner(operands, bound, args, kwargs, paths, itself, callee), answers_of(made.form))
        return ran if made.picks is None else ran.then(functools.partial(Placed, picks=made.picks))
    same = same_reverse(f, args, kwargs, needs, paths, operands, reverse_call)
    if same is not None:
        return _with_callee(same, closure, needs)
    if isinstance(f, type) and rules_of(f) is None and makes_by_code(f):
        new = initialised(f, args, kwargs, needs, paths, operands, unsettled)
        return _with_callee(new, closure, needs)
    if stored_by_code(f, args):
        return _with_callee(stored(f, args, needs, paths, operands), closure, needs)
    if f is functools.partial:
        return _with_callee(partial_made(args, kwargs, paths, operands), closure, needs)
    f = settled(f, args, kwargs) if closure or callee is not None else f
    if (closure or callee is not None) and is_held(f):
        return held_reverse(f, args, kwargs, needs, closure, callee, paths, operands, unsettled, reverse_call)
    normal = normalised_reverse(f, args, kwargs, needs, paths, operands, unsettled, reverse_call)
    if normal is not None:
        return _with_callee(normal, closure, needs)
    if type(f) is Augmented and isinstance(args[0], IMMUTABLE):
        f = f.op
    by_method = None if kwargs else protocol_reverse(f, args, needs, paths, operands, reverse_call)
    if by_method is not None:
        return _with_callee(by_method, closure, needs)
    call = call_operator(f)
    if call is not None and rules_of(f) is None and not isinstance(f, Attribute):
        values, mask, every = (f, *args), (closure, *needs), (callee, *paths)
        inner = reverse_call(call, values, kwargs, mask, False, None, every, operands, unsettled=unsettled)
        return inner if closure else inner.then(lambda back: without_first(back, len(needs)))
    rule = resolved(f, args, kwargs, needs)
    kind = kept_by(f, rule, args, kwargs, unsettled)
    args, kwargs = as_kept(kind, args, kwargs)
    if isinstance(rule, WrappedRule) and (lists := lists_of(rule)):
        given, needed = (f, lists, *args), (False, False, *needs)
        at_paths = (None, None, *paths)
        inner = reverse_call(of_arrays, given, kwargs, needed, False, None, at_paths, operands)
        picks = tuple((i + 2, None) for i in range(len(needs)))
        inner = inner.then(lambda back: Placed(back, picks))
    else:
        inner = rule_call(rule, args, kwargs, paths, operands)
    if of_users(rule):
        inner = of_copies(inner, () if kind is None else (*args, *kwargs.values()))
    return _with_callee(inner, closure, needs)


def _with_callee(inner: Inner, closure: bool, needs: tuple[bool, ...]) -> Inner:
    """The call of what does not vary, with an answer for it where one is wanted."""
    return inner.then(lambda back: after(back, len(needs))) if closure else inner


def forward_call(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    moving: Values,
    own: Any,
    callee: Path | None,
    paths: Paths,
    dots: Paths,
    own_path: Path | None,
    operands: Values,
) -> Inner:
    """What the forward call of f with these values and tangents runs; it returns `(value, tangent)`."""
    f = over_items(resolution.instead(f), args)
    if (own is None or is_zero(own)) and all(is_zero(t) for t in moving):
        return Inner(operands, python_function(unmoved), (f, *args), kwargs, (callee, *paths), itself)
    streamed = streamed_forward(f, args, kwargs, moving, paths, dots, operands, forward_call)
    if streamed is not None:
        return streamed
    if isinstance(f, Between | WrappedPullback | WatchedPullback) and len(args) == 1:
        more = (own, callee, paths, dots, own_path, operands, forward_call)
        return pullback_pushed(f, args[0], moving[0], *more)
    if type(f) is FunctionType and rules_of(f) is None:
        inner = special(f, args)
        if inner is not None:
            return _moved(inner, moving, inner.among(operands, paths), inner.among(operands, dots))
        return running(forward_program(f, args, kwargs, moving, own, callee, paths, dots, own_path, operands))
    same = same_forward(f, args, kwargs, moving, paths, dots, operands, forward_call)
    if same is not None:
        return same
    if isinstance(f, type) and rules_of(f) is None and makes_by_code(f):
        return initialised_forward(f, args, kwargs, moving, paths, dots, operands)
    if stored_by_code(f, args):
        return stored_forward(f, args, moving, paths, dots, operands)
    if type(f) is Augmented and isinstance(args[0], IMMUTABLE):
        f = f.op
    varies = own is not None and not is_zero(own)
    f = settled(f, args, kwargs) if varies or callee is not None else f
    if f is functools.partial:
        return partial_made_forward(args, kwargs, moving, paths, dots, operands)
    if (varies or callee is not None) and is_held(f):
        more = (own if varies else ZERO, callee, paths, dots, own_path, operands, forward_call)
        return held_forward(f, args, kwargs, moving, *more)
    normal = normalised_forward(f, args, kwargs, moving, paths, dots, operands, forward_call)
    if normal is not None:
        return normal
    by_method = None if kwargs else protocol_forward(f, args, moving, paths, dots, operands, forward_call)
    if by_method is not None:
        return by_method
    rule = forward_rule(f, args, kwargs, resolution.engine())
    if isinstance(rule, WrappedForward) and (lists := lists_of(rule)):
        given, moved = (f, lists, *args), (ZERO, ZERO, *moving)
        at_paths, at_dots = (None, None, *paths), (None, None, *dots)
        return forward_call(of_arrays, given, kwargs, moved, None, None, at_paths, at_dots, None, operands)
    if isinstance(rule, WrappedForward) and not rule.method.mutates and not rule.found.to_array:
        args, kwargs = as_kept(kind := kept_by(f, rule, args, kwargs, True), args, kwargs)
        tangents, data, metadata = rule.prepare(moving, args, kwargs)
        at: list[Path | None] = [None if s is None else dots[s] for s in rule.slots]
        at += [None] * (len(tangents) - len(at))
        places: Values = (
            at,
            *(None if s is None else paths[s] for s in rule.slots),
            *metadata_places(rule, metadata, paths),
        )
        inner = Inner(operands, python_function(rule.rule), (tangents, *data), metadata, places, rule.finish)
        if not of_users(rule):
            return inner
        return of_copies(inner, () if kind is None else (*args, *kwargs.values()))
    if isinstance(rule, FunctionType | Watched):
        return Inner(operands, python_function(rule), (moving, *args), kwargs, (list(dots), *paths), itself)
    if isinstance(f, Attribute) and is_field(args[0], f.__name__):
        given, places = (moving, *args, f.__name__), (list(dots), *paths, None)
        return Inner(operands, python_function(field_forward), given, {}, places, itself)
    if has_member(f, args):
        return member_forward(f, args[0], moving, paths, dots, operands)
    if isinstance(f, type) and (names := constructor_fields(f, args, kwargs)) is not None:
        given, places = (moving, f, names, *args), (list(dots), None, None, *paths)
        return Inner(operands, python_function(fielded_forward), given, kwargs, places, itself)
    call = call_operator(f)
    if call is not None and rules_of(f) is None and not isinstance(f, Attribute):
        given, moved = (f, *args), (ZERO if own is None else own, *moving)
        at_paths, at_dots = (callee, *paths), (own_path, *dots)
        return forward_call(call, given, kwargs, moved, None, None, at_paths, at_dots, None, operands)
    if rule is None:
        raise no_rule("forward", f, args, kwargs)
    raise unsupported(f"a forward call of a {type(f).__name__} without a rule")


def _moved(inner: Inner, moving: Values, values: Inner, dots: Inner) -> Inner:
    """What a call runs, differentiated forward; `values` and `dots` say where values and tangents stand."""
    own = None if differentiated_twice(inner).callee is None else walk(moving, inner.callee)
    ran = forward_program(
        inner.function,
        inner.args,
        inner.kwargs,
        inner.tangents(moving),
        own,
        values.callee,
        values.places,
        dots.places,
        dots.callee,
        values.operands,
        inner.lent_slots(),
    )

    def finish(result: Any) -> Any:
        return inner.finish(result[0]), inner.tangent(result[1], result[0])

    def tangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](*(inner.tangent(part, result[0]) for part in t))

    def cotangent(t: Any, result: Any) -> Any:
        return t if is_zero(t) else Composite[tuple](*(inner.cotangent(part, result[0]) for part in t))

    return replace(ran, finish=finish, tangent=tangent, cotangent=cotangent, unsettled=inner.unsettled)


def call_in_reverse(f: Any, args: Values, needs: tuple[bool, ...], unsettled: bool) -> tuple[Any, Any] | None:
    """A call in a program that is being differentiated, if it is one of those known here."""
    inner = special(f, args)
    if inner is None:
        return None
    outer = inner.in_reverse(needs, unsettled)
    return outer.finish(outer.function(*outer.args, **outer.kwargs))  # type: ignore[no-any-return]  # a pair


def call_forward(f: Any, args: Values, tangents: Values) -> tuple[Any, Any] | None:
    """The same, forward."""
    inner = special(f, args)
    if inner is None:
        return None
    own = None if inner.callee is None else walk(tangents, inner.callee)
    moving = inner.tangents(tangents)
    given = (inner.function, inner.args, inner.kwargs, moving, own, inner.lent_slots())
    result, moved = forward_resolution.python_forward(*given)
    return inner.finish(result), inner.tangent(moved, result)


resolution.nested = call_in_reverse
resolution.nested_pullback = (Between, WrappedPullback, WatchedPullback), pullback_in_reverse
forward_resolution.nested = call_forward
forward_resolution.nested_pullback = (Between, WrappedPullback, WatchedPullback), pullback_forward
