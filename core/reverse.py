"""The reverse half of the contract: from a call to (value, pullback).

`reverse_rule` makes, for one form of call, a function that runs the author's rule and wraps its
pullback: seeds readied, zeros answered without the author, arity checked, each cotangent projected
onto its argument's space, metadata answered with `NoTangent()`. The wrapped pullback answers for
every value of the call, keyword values after positional ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    IndexedTangent,
    NotImplementedTangent,
    Wrapper,
    project_to,
    unthunk,
)
from . import debug
from .callables import name_of
from .engine import Engine, engine_or_default
from .errors import MismatchedPrimalError, NotDifferentiableError, ShapeMismatch
from .lookup import Found, find
from .seeds import (
    READY,
    absorbs,
    answer_to,
    as_arity,
    as_pair,
    misfit,
    none_of,
    ready,
    ready_inside,
    refuse_iterator,
)
from .watched import WatchedReverse

Pullback = Callable[..., tuple[Any, ...]]
ReverseCall = Callable[..., tuple[Any, Pullback]]


def reverse_rule(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    needs: tuple[bool, ...] | None,
    engine: Engine | None,
) -> ReverseCall | None:
    """How to call f in reverse with values of these types; None where no rule matches.

    What is returned may be kept and called with other values of the same types. `needs` has an
    entry for each value, keyword values after positional ones; None wants the cotangents of all data.
    """
    found = find("reverse", f, args, kwargs)
    if found is None:
        return None
    if found.method is None:
        return _constant(f)
    if found.binding is not None and found.binding.trivial and found.method.complete and not found.to_array:
        rule = _complete(found, needs, tuple(map(type, args)))
        return WatchedReverse(found.rules.f, found.method, rule, needs) if debug.is_on() else rule
    return WrappedRule(found, needs, engine)


def _constant(f: Callable[..., Any]) -> ReverseCall:
    """A function without derivative: its value, and `NoTangent()` for every argument."""

    def constant(*args: Any, **kwargs: Any) -> tuple[Any, Pullback]:
        answer = none_of(len(args) + len(kwargs))

        def constant_pullback(y_bar: Any) -> tuple[Any, ...]:
            return answer

        return f(*args, **kwargs), constant_pullback

    return constant


def _complete(found: Found, needs: tuple[bool, ...] | None, types: tuple[type, ...]) -> ReverseCall:
    """A rule that keeps the whole contract itself is called as it is, or as it is made for this call."""
    method = found.method
    assert method is not None and method.rule is not None
    for_call = getattr(method.rule, "for_call", None)
    rule: ReverseCall = method.rule if for_call is None or needs is None else for_call(needs, types)
    return rule


class WrappedRule:
    """An author's rule inside the contract, for one form of call.

    An engine that differentiates rules themselves finds the author's function in `rule`, what it
    is called with in `prepare`, and makes the same pullback of what it returned with `pullback`.
    """

    def __init__(self, found: Found, needs: tuple[bool, ...] | None, engine: Engine | None) -> None:
        assert found.method is not None and found.method.rule is not None and found.binding is not None
        self.found, self.needs, self.engine = found, needs, engine
        self.method, self.binding = found.method, found.binding
        binding, signature = found.binding, found.method.signature
        self.slots = tuple(s if isinstance(s, int) else None for s in binding.data)
        self.wanted = tuple(s is not None and (needs is None or needs[s]) for s in self.slots)
        self.rule = found.method.rule
        self.users = not (getattr(self.rule, "__module__", None) or "").startswith("chainrules.")
        if debug.is_on():
            self.rule = WatchedReverse(found.rules.f, found.method, found.method.rule, self.wanted)
        self.blank = (NO_TANGENT,) * binding.slots
        self.asks = signature.wants_needs or signature.wants_engine
        self.checks = bool(binding.unknown) or any(
            m.name not in signature.metadata
            and (not signature.any_metadata or m.name in signature.from_caller)
            for m in binding.metadata
        )
        still = found.method.still
        self.varying = [
            m for m in binding.metadata if needs is not None and needs[m.slot] and m.name not in still
        ]
        self.trivial = binding.trivial and not found.to_array

    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, Pullback]:
        data, metadata, undo = self.prepare(args, kwargs)
        result = self.rule(*data, **metadata)
        if type(result) is not tuple or len(result) != 2:
            as_pair(self.method, result, "value, pullback")
        y, back = result
        if self.users:
            refuse_iterator(self.method, y)
        return y, self.pullback(back, (*args, *kwargs.values()), data, undo)

    def prepare(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], list[Any] | None]:
        """What the author's rule is called with: data, keywords, and how lists became arrays."""
        if self.trivial:
            data, metadata, undo = args, {}, None
        else:
            values = (*args, *kwargs.values())
            if self.checks:
                self.found.check(values)
            data, undo = self.binding.data_of(values), None
            if self.found.to_array:
                data, undo = _with_arrays(self.found, data)
            metadata = self.binding.metadata_of(values)
        if self.asks:
            if self.method.signature.wants_needs:
                metadata["needs"] = self.wanted
            if self.method.signature.wants_engine:
                metadata["engine"] = engine_or_default(self.engine)
        return data, metadata, undo

    def pullback(
        self, back: Any, values: tuple[Any, ...], data: tuple[Any, ...], undo: list[Any] | None
    ) -> WrappedPullback:
        """The author's pullback inside the contract."""
        changed = self.method.mutates  # their cotangents are made of those of the states after
        projectors = [
            project_to(x) if want and i not in changed else None
            for i, (x, want) in enumerate(zip(data, self.wanted, strict=True))
        ]
        answers = _metadata_answers(self, values) if self.varying else self.blank
        return WrappedPullback(self, back, projectors, undo, answers)


class WrappedPullback(Wrapper):
    """An author's pullback inside the contract; its own cotangent is that of `back`."""

    __slots__ = ("answers", "back", "projectors", "rule", "undo")

    def __init__(
        self,
        rule: WrappedRule,
        back: Any,
        projectors: list[Any],
        undo: list[Any] | None,
        answers: tuple[Any, ...],
    ) -> None:
        self.rule = rule
        self.back = back
        self.projectors = projectors
        self.undo = undo
        self.answers = answers

    def __call__(self, y_bar: Any, states: Mapping[int, Any] | None = None) -> tuple[Any, ...]:
        method = self.rule.method
        if type(y_bar) in READY and states is None and not method.mutates:
            return self.arrange(self.back(y_bar))
        if absorbs(y_bar) and not _any_state(states) and not method.lazy_seed:
            return self.absorbed(y_bar)
        if method.mutates:
            given = states or {}
            after = {i: self.seed(given.get(i, ZERO)) for i in method.mutates}
            return self.arrange(self.back(self.seed(y_bar), after))
        if method.light_seed and isinstance(t := unthunk(y_bar), IndexedTangent):
            return self.arrange(self.back(t))
        return self.arrange(self.back(self.seed(y_bar)))

    def seed(self, y_bar: Any) -> Any:
        """The seed as the author sees it."""
        if self.rule.method.lazy_seed:
            return y_bar
        return ready_inside(y_bar) if self.rule.users else ready(y_bar)

    def transpose(self, seeds: tuple[Any, ...], result: Any) -> Any:
        """The cotangent of what the author's pullback returned, from that of the answers."""
        parts = [ZERO if slot is None else seeds[slot] for slot in self.rule.slots]
        if type(result) is not tuple:
            return parts[0]
        return Composite[tuple](*parts, *(ZERO for _ in range(len(result) - len(parts))))

    def absorbed(self, y_bar: Any) -> tuple[Any, ...]:
        """The answer to a seed that needs no author: zero for the data."""
        answer = list(self.answers)
        for slot in self.rule.slots:
            if slot is not None:
                answer[slot] = answer_to(y_bar)
        return tuple(answer)

    def arrange(self, result: Any) -> tuple[Any, ...]:
        """What the author's pullback returned, checked, projected, and set in the call's order."""
        cotangents = as_arity(self.rule.method, result, len(self.projectors))
        try:
            return self.projected(cotangents)
        except (ShapeMismatch, MismatchedPrimalError) as error:
            raise misfit(self.rule.method, error) from error

    def projected(self, cotangents: tuple[Any, ...]) -> tuple[Any, ...]:
        """The cotangents in the spaces of their arguments, in the call's order."""
        rule, projectors = self.rule, self.projectors
        if rule.trivial:
            pairs = zip(cotangents, projectors, strict=True)
            return tuple([x if project is None else project(x) for x, project in pairs])
        answer = list(self.answers)
        for i, slot in enumerate(rule.slots):
            project = projectors[i]
            if slot is not None:
                x_bar = cotangents[i] if project is None else project(cotangents[i])
                answer[slot] = x_bar if self.undo is None or self.undo[i] is None else self.undo[i](x_bar)
        return tuple(answer)


def _with_arrays(found: Found, data: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[Any]]:
    """The data with lists and tuples made arrays, and for each what takes its cotangent back."""
    undo: list[Any] = [None] * len(data)
    if not found.to_array:
        return data, undo
    converted = list(data)
    for i in found.to_array:
        rule = reverse_rule(np.asarray, (data[i],), {}, (True,), None)
        if rule is None:
            raise NotDifferentiableError(
                f"a {type(data[i]).__name__} stands where {found.rules.f} takes an array, "
                "and numpy.asarray has no rule for it",
                next="make it an array first",
            )
        converted[i], back = rule(data[i])
        undo[i] = _first_of(back)
    return tuple(converted), undo


def _first_of(back: Pullback) -> Callable[[Any], Any]:
    def asarray_pullback(x_bar: Any) -> Any:
        return back(x_bar)[0]

    return asarray_pullback


def _metadata_answers(rule: WrappedRule, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """`NoTangent()` for metadata; where a cotangent of metadata is wanted, a promise of an error."""
    answers: list[Any] = list(rule.blank)
    rules = rule.found.rules
    for supplied in rule.varying:
        if may_vary(values[supplied.slot]):
            answers[supplied.slot] = NotImplementedTangent(
                f"the rules of {name_of(rules.f)} take {supplied.name} as metadata, without a derivative; "
                f"they differentiate by {', '.join(rules.split.data) if rules.split else 'other arguments'}"
            )
    return tuple(answers)


def may_vary(value: Any) -> bool:
    """Whether metadata could carry a derivative: a number that is no count, a time, or what may hold one."""
    if isinstance(value, np.timedelta64):  # to NumPy an integer
        return True
    if value is None or isinstance(
        value, int | np.integer | np.bool_ | str | bytes | type | slice | np.dtype
    ):
        return False
    if isinstance(value, tuple | list):
        return any(may_vary(v) for v in value)
    dtype = getattr(value, "dtype", None)
    return dtype is None or dtype.kind in "fcmMO"


def _any_state(states: Mapping[int, Any] | None) -> bool:
    return states is not None and not all(absorbs(t) for t in states.values())
