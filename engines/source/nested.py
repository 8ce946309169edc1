"""Nesting: derivatives of derivative programs.

A generated program is a Python program and is transformed like any other. What it calls that is
not plain Python is known here, as the Python function that the call runs: a call site runs the
author's rule or the program that it resolves to; a pullback that is an object runs the pullback it
wraps; `reverse_of`, by which the operators call the engine, runs the program of its function. So
reverse over reverse goes through the rules' own pullbacks. There are no tags: the tangents of two
differentiations are different variables.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from ...core.callables import Attribute, call_operator, normalise
from ...core.errors import HigherOrderError
from ...core.registry import rules_of
from ...core.reverse import WrappedPullback, WrappedRule
from ...core.seeds import absorbs, as_pair
from ...tangents import ZERO, Composite
from ..calls import reverse_of
from . import forward_resolution, resolution
from .answers import Between, Placed, Regrouped, Transposed, after, as_result, without_first
from .arguments import Layout, sizes_of
from .programs import program, program_for
from .site import Site, site_called
from .structures import parts_of

Values = tuple[Any, ...]


@dataclass(frozen=True)
class Inner:
    """A call that returns `(value, pullback)`, as the Python function that it runs.

    `places` gives for each argument of the function the operand of the call that it is, None for
    none. `callee` is the operand whose captured cells the function has, -1 for what is called.
    `finish` turns what the function returns into what the call returns; both have the same
    tangents. Where an operand holds several values (a starred one), places count values: `spread`
    takes what is said of the operands apart, `collect` brings a pullback's answers together.
    """

    function: FunctionType
    args: Values
    kwargs: dict[str, Any]
    places: tuple[int | None, ...]
    finish: Callable[[Any], Any]
    callee: int | None = None
    spread: Callable[[Values], Values] = tuple
    collect: Callable[[Any], Between] = Between

    def mask(self, needs: tuple[bool, ...]) -> tuple[bool, ...]:
        return tuple(p is not None and needs[p] for p in self.places)

    def moved(self, place: Callable[[int], int | None]) -> Inner:
        """The same with its operands counted anew."""
        return replace(self, places=tuple(None if p is None else place(p) for p in self.places))

    def behind(self) -> Inner:
        """The same with one more operand before the others: what is called."""
        spread, collect = self.spread, self.collect
        return replace(
            self.moved(lambda p: p + 1),
            callee=None if self.callee is None else self.callee + 1,
            spread=lambda said: (said[0], *spread(said[1:])),
            collect=lambda back: Behind(back, collect(None)),
        )

    def then(self, wrap: Callable[[Any], Any]) -> Inner:
        """The same with its pullback wrapped."""

        def finish(result: Any) -> Any:
            y, back = self.finish(result)
            return y, wrap(back)

        return replace(self, finish=finish)


def special(f: Any, args: Values) -> Inner | None:
    """The call `f(*args)` of a site or of `reverse_of`, its operands those arguments; None for others."""
    site = site_called(f)
    if site is not None:
        return _site_call(site, args)
    if f is reverse_of:
        g, x, kwargs, needs, _ = args
        inner = inner_call(g, x, kwargs, (*needs, *(False for _ in kwargs)), False).behind()
        count = len(x)
        if inner.callee not in (0, None):
            raise _unsupported("an operator that is the function of another operator")
        return replace(inner, spread=lambda said: (said[0], *_split(said[1], count)), collect=Packed)
    return None


def _split(said: Any, count: int) -> Values:
    """What is said of the parts of a tuple: the same of each, or the parts of a tangent."""
    return (said,) * count if isinstance(said, bool) else parts_of(said, count)


def _site_call(site: Site, args: Values) -> Inner:
    if site.mode != "reverse":
        raise _unsupported("a forward derivative")
    f, *operands = args
    layout, closure, before = site.layout, site.callee == "closure", 1
    if site.callee == "method":
        name, *operands = operands
        values, kwargs, mask = layout.spread(tuple(operands))
        method = getattr(type(f), name, None)
        if method is None or name in getattr(f, "__dict__", ()) or isinstance(f, type):
            raise _unsupported("a call of a function held in a field")
        inner = inner_call(method, (f, *values), kwargs, (True, *mask), False)
        inner, before = replace(inner.moved(lambda p: p and p + 1), callee=None), 2
    else:
        values, kwargs, mask = layout.spread(tuple(operands))
        inner = inner_call(f, values, kwargs, mask, closure)
        if closure and inner.callee != -1:
            inner = inner.then(lambda back: after(back, len(mask)))
        inner = inner.behind()
    if layout.direct:
        return inner
    sizes, count, words = sizes_of(tuple(operands)), len(values), tuple(kwargs)
    has_callee = site.callee != "plain"
    inner = inner.then(lambda back: Regrouped(back, layout, count, words, sizes, has_callee))
    return replace(
        inner,
        spread=lambda said: (*said[:before], *_spread(layout, tuple(said[before:]), sizes)),
        collect=lambda back: Regrouped(back, layout, count, words, sizes, before),
    )


def _spread(layout: Layout, said: Values, sizes: Values) -> Values:
    """What is said of operands, of the values that they hold."""
    if not any(isinstance(s, bool) for s in said):
        return layout.spread_tangents(said, sizes)
    n = layout.positional
    stars = (*layout.starred[:n], *(name is None for name in layout.keywords))
    counts = [
        (len(size) if isinstance(size, tuple) else size) if star else 1 for star, size in zip(stars, sizes)
    ]
    return tuple(s for s, count in zip(said, counts, strict=True) for _ in range(count))


def inner_call(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...], closure: bool) -> Inner:
    """What a call in reverse runs; its operands are the values passed."""
    if isinstance(f, Between | WrappedPullback) and len(args) == 1:
        return _pullback_call(f, args[0])
    if type(f) is FunctionType and rules_of(f) is None:
        inner = special(f, args)
        if inner is not None:
            return in_reverse(inner, needs)
        return _program_call(f, args, kwargs, needs, closure)
    g, every, keywords = normalise(f, args, kwargs)
    if g is f:
        call = call_operator(f)
        if call is None or rules_of(f) is not None or isinstance(f, Attribute):
            return _rule_call(resolution.resolve(f, args, kwargs, needs), args, kwargs)
        inner = inner_call(call, (f, *args), kwargs, (closure, *needs), False)
        inner = inner if closure else inner.then(lambda back: without_first(back, len(needs)))
        return replace(inner.moved(lambda p: p - 1 if p else -1), callee=-1 if closure else None)
    before = len(every) - len(args)
    if before < 0:  # getattr(x, "name")
        return inner_call(g, every, {}, needs[:1], False).then(lambda back: Placed(back, ((0, None), ZERO)))
    if len(keywords) != len(kwargs):
        raise _unsupported("a partial with keywords")
    inner = inner_call(g, every, dict(keywords), (False,) * before + needs, False)
    picks = tuple((i + before, None) for i in range(len(needs)))
    return inner.moved(lambda p: None if p < before else p - before).then(lambda back: Placed(back, picks))


def _program_call(
    f: FunctionType, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...], closure: bool
) -> Inner:
    made = program_for(f, len(args), tuple(kwargs), needs, closure)
    bound = program(f, made.form).bind(f)
    assert isinstance(bound, FunctionType)
    inner = Inner(bound, args, kwargs, tuple(range(len(needs))), _same, callee=-1)
    picks = made.picks
    return inner if picks is None else inner.then(lambda back: Placed(back, picks))


def _same(result: Any) -> Any:
    return result


def _rule_call(rule: Any, args: Values, kwargs: dict[str, Any]) -> Inner:
    """A rule: the author's function where it is wrapped, else the Python function that it is."""
    values = (*args, *kwargs.values())
    if isinstance(rule, functools.partial):
        places = (*(None for _ in rule.args), *range(len(args)), *(None for _ in rule.keywords))
        return Inner(rule.func, (*rule.args, *args), rule.keywords, places, _same)
    if not isinstance(rule, WrappedRule):
        if type(rule) is not FunctionType:
            raise _unsupported(f"a call by {type(rule).__name__}")
        return Inner(rule, args, kwargs, tuple(range(len(values))), _same)
    data, metadata, undo = rule.prepare(args, kwargs)
    if rule.method.mutates or any(u is not None for u in undo):
        raise _unsupported("a rule that mutates, or that takes a list for an array")

    def finish(result: Any) -> Any:
        y, back = as_pair(rule.method, result, "value, pullback")
        return y, rule.pullback(back, values, data, undo)

    places = tuple(s if isinstance(s, int) else None for s in rule.binding.data)
    assert isinstance(rule.rule, FunctionType)
    return Inner(rule.rule, data, metadata, places + (None,) * len(metadata), finish)


def _pullback_call(p: Any, seed: Any) -> Inner:
    """A call of a pullback that is an object: of the pullback it wraps, between its linear maps."""
    if isinstance(p, WrappedPullback) and absorbs(seed):
        answers = p.absorbed(seed)
        return Inner(_known, (answers, seed), {}, (None, 0), _same)
    base = inner_call(p.back, (p.seed(seed),), {}, (True,), True)

    def finish(result: Any) -> Any:
        answers, back = base.finish(result)
        return p.arrange(answers), Transposed(back, p, answers)

    return replace(base, finish=finish)


def _known(answers: Any, seed: Any) -> Any:
    """The answers to a seed that is zero, which depend on nothing."""

    def known_pullback(t: Any) -> Any:
        return ZERO, ZERO

    return answers, known_pullback


def in_reverse(inner: Inner, needs: tuple[bool, ...]) -> Inner:
    """The call differentiated: what it returns is `(its value, pullback to its operands)`."""
    wanted = inner.spread(needs)
    closure = inner.callee is not None and wanted[inner.callee]
    made = program_for(inner.function, len(inner.args), tuple(inner.kwargs), inner.mask(wanted), closure)
    bound = program(inner.function, made.form).bind(inner.function)
    by_place: dict[int, Any] = {p: (i + closure, None) for i, p in enumerate(inner.places) if p is not None}
    if closure:
        by_place[inner.callee or 0] = (0, None)
    picks = tuple(by_place.get(j, ZERO) for j in range(len(wanted)))

    def finish(result: Any) -> Any:
        pair, back = result
        back = back if made.picks is None else Placed(back, made.picks)
        return inner.finish(pair), inner.collect(Placed(back, picks))

    assert isinstance(bound, FunctionType)
    return replace(inner, function=bound, finish=finish)


class Behind(Between):
    """Answers brought together by another of these objects, behind one more."""

    __slots__ = ("of",)

    def __init__(self, back: Any, of: Between) -> None:
        super().__init__(back)
        self.of = of

    def arrange(self, answers: Values) -> Values:
        return answers[0], *self.of.arrange(answers[1:])

    def transpose(self, seeds: Values, answers: Values) -> Any:
        return Composite[tuple](seeds[0], *self.of.transpose(seeds[1:], answers[1:]))


class Packed(Between):
    """Answers for `reverse_of(f, x, …)`: f's own, then those for f's arguments in one tuple."""

    __slots__ = ()

    def arrange(self, answers: Values) -> Values:
        return answers[0], Composite[tuple](*answers[1:]), ZERO, ZERO, ZERO

    def transpose(self, seeds: Values, answers: Values) -> Any:
        return Composite[tuple](seeds[0], *parts_of(seeds[1], len(answers) - 1))


def call_in_reverse(f: Any, args: Values, needs: tuple[bool, ...]) -> tuple[Any, Any] | None:
    """A call in a program that is being differentiated, if it is one of those known here."""
    inner = special(f, args)
    if inner is None:
        return None
    outer = in_reverse(inner, needs)
    return outer.finish(outer.function(*outer.args, **outer.kwargs))  # type: ignore[no-any-return]  # a pair


def call_forward(f: Any, args: Values, tangents: Values) -> tuple[Any, Any] | None:
    """The same, forward."""
    inner = special(f, args)
    if inner is None:
        return None
    moving = inner.spread(tangents)
    given = tuple(ZERO if p is None else moving[p] for p in inner.places)
    own = None if inner.callee is None else moving[inner.callee]
    result, moved = forward_resolution.python_forward(inner.function, inner.args, inner.kwargs, given, own)
    return inner.finish(result), moved


def pullback_in_reverse(p: Any, args: Values) -> tuple[Any, Any]:
    """A pullback that is an object, called with a seed that varies, as it does itself."""
    (seed,) = args
    if isinstance(p, WrappedPullback) and absorbs(seed):
        return _known(p.absorbed(seed), seed)  # type: ignore[no-any-return]  # a pair
    answers, back = resolution.closure_in_reverse(p.back, "", (p.seed(seed),), {}, (True,))
    return p.arrange(answers), Transposed(back, p, answers)


def pullback_forward(p: Any, own: Any, args: Values, tangents: Values) -> tuple[Any, Any]:
    """The same, forward: linear in the seed, and the pullback moves with what it captured."""
    (seed,), (dseed,) = args, tangents
    if isinstance(p, WrappedPullback) and absorbs(seed) and absorbs(dseed):
        return p.absorbed(seed), ZERO
    dseed = ZERO if absorbs(dseed) else p.seed(dseed)
    answers, moved = forward_resolution.closure_forward(p.back, "", own, (p.seed(seed),), {}, (dseed,))
    if absorbs(moved):
        return p.arrange(answers), ZERO
    return p.arrange(answers), Composite[tuple](*p.arrange(as_result(moved, answers)))


def _unsupported(what: str) -> HigherOrderError:
    return HigherOrderError(
        f"{what}, inside a derivative that is differentiated again, is not supported",
        next="write it with positional arguments of plain functions, or differentiate once",
    )


resolution.nested = call_in_reverse
resolution.nested_pullback = (Between, WrappedPullback), pullback_in_reverse
forward_resolution.nested = call_forward
forward_resolution.nested_pullback = (Between, WrappedPullback), pullback_forward
