"""The forward half of the contract: from a call and its tangents to (value, tangent).

Tangents stand beside the values of the call, keyword values after positional ones. Where all of
them are zero the callable runs as written and the author's rule does not. A rule that mutates
arguments always runs; it returns a triple, the third entry the tangents of the states after the
call, by argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..tangents import ZERO, NotImplementedTangent, project_to
from . import debug
from .callables import name_of
from .engine import Engine, engine_or_default
from .errors import MismatchedPrimalError, ShapeMismatch, UnsupportedArgument
from .lookup import Found, find
from .seeds import absorbs, as_mutation, as_pair, check_tangent, misfit, ready, refuse_iterator
from .watched import WatchedForward

ForwardCall = Callable[..., tuple[Any, ...]]


def forward_rule(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    engine: Engine | None,
) -> ForwardCall | None:
    """How to call f forward, as `call(tangents, *args, **kwargs)`; None where no rule matches."""
    found = find("forward", f, args, kwargs)
    if found is None:
        return None
    if found.method is None:
        return _constant(f)
    if found.binding is not None and found.binding.trivial and found.method.complete and not found.to_array:
        assert found.method.rule is not None
        rule = found.method.rule
        return WatchedForward(found.rules.f, found.method, rule, None) if debug.is_on() else rule
    return WrappedForward(f, found, engine)


def _constant(f: Callable[..., Any]) -> ForwardCall:
    def constant(tangents: tuple[Any, ...], *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        return f(*args, **kwargs), ZERO

    return constant


class WrappedForward:
    """An author's forward rule inside the contract, for one form of call.

    An engine that differentiates rules themselves finds the author's function in `rule` and what
    it is called with in `prepare`.
    """

    def __init__(self, f: Callable[..., Any], found: Found, engine: Engine | None) -> None:
        assert found.method is not None and found.method.rule is not None and found.binding is not None
        self.f, self.found, self.engine = f, found, engine
        self.method, self.binding, self.rule = found.method, found.binding, found.method.rule
        if debug.is_on():
            self.rule = WatchedForward(found.rules.f, found.method, found.method.rule, None)
        self.lazy = found.method.lazy_seed
        self.always = self.lazy or bool(found.method.mutates)  # runs where all tangents are zero, too
        self.slots = tuple(s if isinstance(s, int) else None for s in found.binding.data)

    def __call__(self, tangents: tuple[Any, ...], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        missing = [t for t in tangents if type(t) is NotImplementedTangent]
        if missing:
            y = self.f(*args, **kwargs)
            states = dict.fromkeys(self.method.mutates, missing[0])
            return (y, missing[0], states) if states else (y, missing[0])
        if not self.always and all(s is None or absorbs(tangents[s]) for s in self.slots):
            self.check(tangents, (*args, *kwargs.values()))
            return self.f(*args, **kwargs), ZERO
        data_tangents, data, metadata = self.prepare(tangents, args, kwargs)
        result = self.rule(data_tangents, *data, **metadata)
        if self.method.mutates:
            return as_mutation(self.method, result)
        return self.finish(result)

    def check(self, tangents: tuple[Any, ...], values: tuple[Any, ...]) -> None:
        """Refuse what the rule does not take, and a tangent of metadata."""
        self.found.check(values)
        for supplied in self.binding.metadata:
            if supplied.name not in self.method.still and not absorbs(tangents[supplied.slot]):
                why = "it is metadata, without a derivative"
                raise UnsupportedArgument(name_of(self.f), supplied.name, values[supplied.slot], why=why)

    def prepare(
        self, tangents: tuple[Any, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...], dict[str, Any]]:
        """What the author's rule is called with: tangents, data, keywords."""
        values, signature = (*args, *kwargs.values()), self.method.signature
        self.check(tangents, values)
        data = self.binding.data_of(values)
        moving = tuple(ZERO if s is None else tangents[s] for s in self.slots)
        moving += (ZERO,) * (len(signature.types) - len(data))  # optional data left out
        if not self.lazy:
            moving = tuple(ZERO if absorbs(t) else ready(t) for t in moving)
        data, moving = _with_arrays(self.found, data, moving)
        metadata = self.binding.metadata_of(values)
        if signature.wants_needs:
            metadata["needs"] = tuple(not absorbs(t) for t in moving)
        if signature.wants_engine:
            metadata["engine"] = engine_or_default(self.engine)
        return moving, data, metadata

    def finish(self, result: Any) -> tuple[Any, Any]:
        """Value and tangent that the author returned, checked and projected."""
        y, dy = as_pair(self.method, result, "value, tangent")
        refuse_iterator(self.method, y)
        check_tangent(self.method, dy, "the tangent of the value")
        try:
            return y, project_to(y)(dy)
        except (ShapeMismatch, MismatchedPrimalError) as error:
            raise misfit(self.method, error) from error


def _with_arrays(
    found: Found, data: tuple[Any, ...], tangents: tuple[Any, ...]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Data and tangents with lists and tuples made arrays."""
    if not found.to_array:
        return data, tangents
    values, moved = list(data), list(tangents)
    for i in found.to_array:
        rule = forward_rule(np.asarray, (data[i],), {}, None)
        if rule is None or absorbs(tangents[i]):
            values[i] = np.asarray(data[i])
            continue
        values[i], moved[i] = rule((tangents[i],), data[i])
    return tuple(values), tuple(moved)
