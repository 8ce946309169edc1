"""Nesting: derivatives of derivative programs.

A generated program is a Python program and is transformed like any other. What it calls that is
not plain Python is known here, as the Python function that the call runs: a call site runs the
author's rule or the program that it resolves to; a pullback that is an object runs the pullback it
wraps; `reverse_of`, by which the operators call the engine, runs the program of its function. So
reverse over reverse goes through the rules' own pullbacks. There are no tags: the tangents of two
differentiations are different variables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from ...core.callables import normalise
from ...core.errors import HigherOrderError
from ...core.registry import rules_of
from ...core.reverse import WrappedPullback, WrappedRule
from ...core.seeds import absorbs, as_pair
from ...tangents import ZERO, Composite
from ..calls import reverse_of
from . import forward_resolution, resolution
from .answers import Between, Placed, Transposed, after, as_result
from .programs import program, program_for
from .site import Site, site_called
from .structures import parts_of

Values = tuple[Any, ...]


@dataclass(frozen=True)
class Inner:
    """A call that returns `(value, pullback)`, as the Python function that it runs.

    `places` gives for each argument of the function the operand of the call that it is, None for
    none; with `callee` the function's captured cells are those of operand 0. `finish` turns what
    the function returns into what the call returns; both have the same tangents.
    """

    function: FunctionType
    args: Values
    kwargs: dict[str, Any]
    places: tuple[int | None, ...]
    finish: Callable[[Any], Any]
    callee: bool = False

    def mask(self, needs: tuple[bool, ...]) -> tuple[bool, ...]:
        return tuple(p is not None and needs[p] for p in self.places)

    def moved(self, place: Callable[[int], int | None]) -> Inner:
        """The same with its operands counted anew."""
        return replace(self, places=tuple(None if p is None else place(p) for p in self.places))

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
        inner = inner_call(g, x, kwargs, (*needs, *(False for _ in kwargs)), False).moved(lambda p: p + 1)
        return inner
    return None


def _site_call(site: Site, args: Values) -> Inner:
    if site.mode != "reverse" or not site.layout.direct:
        raise _unsupported("a forward derivative or a call with starred arguments")
    f, *operands = args
    if site.callee == "method":
        name, *operands = operands
        values, kwargs, mask = site.layout.spread(tuple(operands))
        method = getattr(type(f), name, None)
        if method is None or name in getattr(f, "__dict__", ()) or isinstance(f, type):
            raise _unsupported("a call of a function held in a field")
        inner = inner_call(method, (f, *values), kwargs, (True, *mask), False)
        return replace(inner.moved(lambda p: p and p + 1), callee=False)
    values, kwargs, mask = site.layout.spread(tuple(operands))
    closure = site.callee == "closure"
    inner = inner_call(f, values, kwargs, mask, closure)
    if closure and not inner.callee:
        inner = inner.then(lambda back: after(back, len(operands)))
    return inner.moved(lambda p: p + 1)


def inner_call(f: Any, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...], closure: bool) -> Inner:
    """What a call in reverse runs; its operands are the values passed."""
    if isinstance(f, Between | WrappedPullback) and len(args) == 1:
        return _pullback_call(f, args[0])
    if type(f) is FunctionType and rules_of(f) is None:
        inner = special(f, args)
        if inner is not None:
            return in_reverse(inner, needs, len(args), packed=f is reverse_of)
        return _program_call(f, args, kwargs, needs, closure)
    g, every, keywords = normalise(f, args, kwargs)
    if g is f:
        return _rule_call(resolution.resolve(f, args, kwargs, needs), args, kwargs)
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
    inner = Inner(bound, args, kwargs, tuple(range(len(needs))), _same, callee=True)
    picks = made.picks
    return inner if picks is None else inner.then(lambda back: Placed(back, picks))


def _same(result: Any) -> Any:
    return result


def _rule_call(rule: Any, args: Values, kwargs: dict[str, Any]) -> Inner:
    """A rule: the author's function where it is wrapped, else the Python function that it is."""
    values = (*args, *kwargs.values())
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


def in_reverse(inner: Inner, needs: tuple[bool, ...], count: int, packed: bool = False) -> Inner:
    """The call differentiated: what it returns is `(its value, pullback to its operands)`."""
    if packed:  # the operands of reverse_of hold f's arguments in one tuple
        needs = (needs[0], *(needs[1] for _ in inner.places))
    closure = inner.callee and needs[0]
    made = program_for(inner.function, len(inner.args), tuple(inner.kwargs), inner.mask(needs), closure)
    bound = program(inner.function, made.form).bind(inner.function)
    by_place: dict[int, Any] = {p: (i + closure, None) for i, p in enumerate(inner.places) if p is not None}
    if closure:
        by_place[0] = (0, None)
    picks = tuple(by_place.get(j, ZERO) for j in range(len(needs)))

    def finish(result: Any) -> Any:
        pair, back = result
        back = back if made.picks is None else Placed(back, made.picks)
        back = Placed(back, picks)
        return inner.finish(pair), Packed(back) if packed else back

    assert isinstance(bound, FunctionType)
    return replace(inner, function=bound, finish=finish)


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
    outer = in_reverse(inner, needs, len(args), packed=f is reverse_of)
    return outer.finish(outer.function(*outer.args, **outer.kwargs))  # type: ignore[no-any-return]  # a pair


def call_forward(f: Any, args: Values, tangents: Values) -> tuple[Any, Any] | None:
    """The same, forward."""
    inner = special(f, args)
    if inner is None:
        return None
    if f is reverse_of:
        tangents = (tangents[0], *parts_of(tangents[1], len(inner.places)))
    given = tuple(ZERO if p is None else tangents[p] for p in inner.places)
    own = tangents[0] if inner.callee else None
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
