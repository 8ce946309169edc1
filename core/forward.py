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
from .callables import name_of
from .engine import Engine, engine_or_default
from .errors import UnsupportedArgument
from .lookup import Found, find
from .seeds import absorbs, as_mutation, as_pair, check_tangent, ready

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
        return found.method.rule
    return _wrapped(f, found, engine)


def _constant(f: Callable[..., Any]) -> ForwardCall:
    def constant(tangents: tuple[Any, ...], *args: Any, **kwargs: Any) -> tuple[Any, Any]:
        return f(*args, **kwargs), ZERO

    return constant


def _wrapped(f: Callable[..., Any], found: Found, engine: Engine | None) -> ForwardCall:
    method, binding = found.method, found.binding
    assert method is not None and method.rule is not None and binding is not None
    rule, signature, lazy = method.rule, method.signature, method.lazy_seed or bool(method.mutates)
    in_data = {slot for slot in binding.data if isinstance(slot, int)}

    def call(tangents: tuple[Any, ...], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        values = (*args, *kwargs.values())
        found.check(values)
        for supplied in binding.metadata:
            if not absorbs(tangents[supplied.slot]):
                raise UnsupportedArgument(
                    name_of(f),
                    supplied.name,
                    values[supplied.slot],
                    why="it is metadata, without a derivative",
                )
        missing = [t for t in tangents if type(t) is NotImplementedTangent]
        if missing:
            return f(*args, **kwargs), missing[0]
        if not lazy and all(absorbs(t) for slot, t in enumerate(tangents) if slot in in_data):
            return f(*args, **kwargs), ZERO
        data = binding.data_of(values)
        data_tangents = tuple(tangents[s] if isinstance(s, int) else ZERO for s in binding.data)
        data_tangents += (ZERO,) * (len(signature.types) - len(data))  # optional data left out
        if not lazy:
            data_tangents = tuple(ZERO if absorbs(t) else ready(t) for t in data_tangents)
        data, data_tangents = _with_arrays(found, data, data_tangents)
        metadata = binding.metadata_of(values)
        if signature.wants_needs:
            metadata["needs"] = tuple(not absorbs(t) for t in data_tangents)
        if signature.wants_engine:
            metadata["engine"] = engine_or_default(engine)
        result = rule(data_tangents, *data, **metadata)
        if method.mutates:
            return as_mutation(method, result)
        y, dy = as_pair(method, result, "value, tangent")
        check_tangent(method, dy, "the tangent of the value")
        return y, project_to(y)(dy)

    return call


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
