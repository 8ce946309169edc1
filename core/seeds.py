"""Seeds and results: what stands between an engine and an author's pullback or pushforward.

A seed may be any tangent of the output. Unless a rule asks for lazy seeds, what the author sees is
never entirely zero, a thunk, or one of our light indexing tangents. What the author returns is held
to the contract here: a tangent for each data parameter, never `None`, never a bare `0`.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType
from typing import Any

import numpy as np

from ..tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    IndexedTangent,
    ItemTangent,
    NoTangent,
    NotImplementedTangent,
    Zero,
    unthunk,
)
from ..tangents.composite import map_fields
from .callables import name_of
from .errors import ChainRulesError, RuleContractError
from .registry import Method

READY = frozenset({np.ndarray, float, complex, np.float64, np.float32, np.complex128, np.complex64})
"""Types of tangents that are handed to an author as they are."""

_NEVER = frozenset({NoneType, bool, int, str, tuple, list, dict, set})
_ABSORBING = frozenset({Zero, NoTangent, NotImplementedTangent})


def absorbs(t: Any) -> bool:
    """Whether the answer to this seed is known without running a rule."""
    return type(t) in _ABSORBING


def answer_to(t: Any) -> Any:
    """The cotangent that a zero or missing seed gives to an argument: no author's code runs."""
    return t if type(t) is NotImplementedTangent else ZERO


def ready(t: Any) -> Any:
    """A seed as an author sees it: thunks forced, indexing tangents dense."""
    if type(t) in READY:
        return t
    t = unthunk(t)
    return t.dense() if isinstance(t, IndexedTangent | ItemTangent) else t


def ready_inside(t: Any) -> Any:
    """The same, of all that a composite holds too."""
    t = ready(t)
    return map_fields(ready_inside, t) if isinstance(t, Composite) else t


def light(t: Any) -> Any:
    """A seed for what keeps indexed tangents indexed: only thunks are forced."""
    return t if type(t) in READY else unthunk(t)


def as_arity(method: Method, result: Any, count: int) -> tuple[Any, ...]:
    """The tuple of cotangents that a pullback returned, held to the contract.

    Of a rule with optional data parameters those that the call does not supply are dropped.
    """
    cotangents = result if type(result) is tuple else (result,)
    if len(cotangents) != count:
        if not count < len(cotangents) == len(method.signature.types):
            raise broken(
                method,
                f"its pullback returned {len(cotangents)} cotangents for {count} data parameters",
                "return one entry for each data parameter, NoTangent() where there is no derivative",
            )
        cotangents = cotangents[:count]
    for index, t in enumerate(cotangents):
        if type(t) not in READY:
            check_tangent(method, t, f"the cotangent of argument {index}")
    return cotangents


def check_tangent(method: Method, t: Any, where: str) -> None:
    """Refuse what is no tangent at all."""
    kind = type(t)
    if kind in READY:
        return
    if kind in _NEVER:
        shown = repr(t) if kind in (NoneType, bool, int) else f"a {kind.__name__}"
        raise broken(
            method,
            f"{where} is {shown}",
            "return Zero() for a zero, NoTangent() where no derivative can exist, "
            "a Composite for a container, a float for a number",
        )


def as_pair(method: Method, result: Any, what: str) -> tuple[Any, Any]:
    """The pair that a rule must return."""
    if type(result) is not tuple or len(result) != 2:
        raise broken(method, f"it returned {type(result).__name__}, not ({what})", f"return {what}")
    return result


def refuse_iterator(method: Method, y: Any) -> None:
    """Refuse a value of a user's rule that gives its items later: none of them would have a derivative."""
    if type(y) in READY or not isinstance(y, Iterator):
        return
    if not (getattr(method.rule, "__module__", None) or "").startswith("chainrules."):
        raise broken(method, f"its value is a {type(y).__name__}", "return a list or tuple of the items")


def as_mutation(method: Method, result: Any) -> tuple[Any, Any, dict[int, Any]]:
    """The triple that an frule of a mutating callable must return."""
    y, dy, states = result if type(result) is tuple and len(result) == 3 else (None, None, None)
    if not isinstance(states, dict) or set(states) != set(method.mutates):
        raise broken(
            method,
            f"it mutates {method.mutates} and did not return (value, tangent, states)",
            f"return (value, tangent, {{{', '.join(f'{i}: …' for i in method.mutates)}}})",
        )
    check_tangent(method, dy, "the tangent of the value")
    for i, t in states.items():
        check_tangent(method, t, f"the tangent of argument {i} after the call")
    return y, dy, states


def misfit(method: Method, error: ChainRulesError) -> RuleContractError:
    """The error for a tangent that is not of the space of its primal."""
    return broken(method, str(error.what), error.next)


def broken(method: Method, what: str, remedy: str) -> RuleContractError:
    """The error for a rule that does what no rule may do."""
    return RuleContractError(
        f"{method.name} breaks the rule contract: {what}", where=f"at {method.location}", next=remedy
    )


def none_of(count: int) -> tuple[Any, ...]:
    """The answer of a callable that is not differentiable."""
    return (NO_TANGENT,) * count


def signature_of_call(f: Any, args: tuple[Any, ...]) -> str:
    """`numpy.sort(ndarray[3, 4] of object)`, for messages."""
    from .callables import describe

    return f"{name_of(f)}({', '.join(map(describe, args))})"
