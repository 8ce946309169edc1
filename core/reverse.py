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

from ..tangents import NO_TANGENT, ZERO, NotImplementedTangent, project_to
from .engine import Engine, engine_or_default
from .errors import NotDifferentiableError
from .lookup import Found, find
from .seeds import absorbs, answer_to, as_arity, as_pair, none_of, ready

Pullback = Callable[..., tuple[Any, ...]]
ReverseCall = Callable[..., tuple[Any, Pullback]]


def reverse_rule(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    needs: tuple[bool, ...],
    engine: Engine | None,
) -> ReverseCall | None:
    """How to call f in reverse with values of these types; None where no rule matches.

    What is returned may be kept and called with other values of the same types. `needs` has an
    entry for each value, keyword values after positional ones.
    """
    found = find("reverse", f, args, kwargs)
    if found is None:
        return None
    if found.method is None:
        return _constant(f)
    if found.binding is not None and found.binding.trivial and found.method.complete and not found.to_array:
        return _complete(found, needs)
    return _wrapped(found, needs, engine)


def _constant(f: Callable[..., Any]) -> ReverseCall:
    """A function without derivative: its value, and `NoTangent()` for every argument."""

    def constant(*args: Any, **kwargs: Any) -> tuple[Any, Pullback]:
        answer = none_of(len(args) + len(kwargs))

        def constant_pullback(y_bar: Any) -> tuple[Any, ...]:
            return answer

        return f(*args, **kwargs), constant_pullback

    return constant


def _complete(found: Found, needs: tuple[bool, ...]) -> ReverseCall:
    """A rule that keeps the whole contract itself is called as it is, or as it is made for `needs`."""
    method = found.method
    assert method is not None and method.rule is not None
    for_needs = getattr(method.rule, "for_needs", None)
    rule: ReverseCall = method.rule if for_needs is None else for_needs(needs)
    return rule


def _wrapped(found: Found, needs: tuple[bool, ...], engine: Engine | None) -> ReverseCall:
    """The author's rule inside the contract."""
    method, binding = found.method, found.binding
    assert method is not None and method.rule is not None and binding is not None
    rule, signature, lazy, mutates = method.rule, method.signature, method.lazy_seed, method.mutates
    wanted = tuple(isinstance(s, int) and needs[s] for s in binding.data)
    from_caller: dict[str, Any] = {"needs": wanted} if signature.wants_needs else {}

    def call(*args: Any, **kwargs: Any) -> tuple[Any, Pullback]:
        values = (*args, *kwargs.values())
        found.check(values)
        data, undo = _with_arrays(found, binding.data_of(values))
        metadata = binding.metadata_of(values)
        if signature.wants_engine:
            from_caller["engine"] = engine_or_default(engine)
        projectors = tuple(project_to(x) if want else None for x, want in zip(data, wanted, strict=True))
        y, back = as_pair(method, rule(*data, **metadata, **from_caller), "value, pullback")
        refused = _metadata_answers(found, values, needs)

        def pullback(y_bar: Any, states: Mapping[int, Any] | None = None) -> tuple[Any, ...]:
            answer = list(refused)
            if absorbs(y_bar) and not _any_state(states) and not lazy:
                for slot in binding.data:
                    if isinstance(slot, int):
                        answer[slot] = answer_to(y_bar)
                return tuple(answer)
            seed = y_bar if lazy else ready(y_bar)
            result = back(seed, _ready_states(states, mutates)) if mutates else back(seed)
            cotangents = as_arity(method, result, len(data), "data parameters")
            for slot, project, undo_array, x_bar in zip(
                binding.data, projectors, undo, cotangents, strict=True
            ):
                if isinstance(slot, int):
                    x_bar = x_bar if project is None else project(x_bar)
                    answer[slot] = x_bar if undo_array is None else undo_array(x_bar)
            return tuple(answer)

        return y, pullback

    return call


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


def _metadata_answers(found: Found, values: tuple[Any, ...], needs: tuple[bool, ...]) -> tuple[Any, ...]:
    """`NoTangent()` for metadata; where a cotangent of metadata is wanted, a promise of an error."""
    answers: list[Any] = [NO_TANGENT] * len(values)
    assert found.binding is not None
    for supplied in found.binding.metadata:
        if needs[supplied.slot] and may_vary(values[supplied.slot]):
            answers[supplied.slot] = NotImplementedTangent(
                f"the rules of {found.rules.f!r} take {supplied.name} as metadata, without a derivative"
            )
    return tuple(answers)


def may_vary(value: Any) -> bool:
    """Whether metadata could carry a derivative: a number that is no flag, count or axis, or what may hold one."""
    if value is None or isinstance(value, int | np.integer | np.bool_ | str | bytes | type | slice | np.dtype):
        return False
    if isinstance(value, tuple | list):
        return any(may_vary(v) for v in value)
    dtype = getattr(value, "dtype", None)
    return dtype is None or dtype.kind in "fc"


def _any_state(states: Mapping[int, Any] | None) -> bool:
    return states is not None and not all(absorbs(t) for t in states.values())


def _ready_states(states: Mapping[int, Any] | None, mutates: tuple[int, ...]) -> dict[int, Any]:
    given = states or {}
    return {i: ready(given.get(i, ZERO)) for i in mutates}
