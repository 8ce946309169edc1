"""Lending: calls that may change what they are given.

The caller hands over its adjoint of each operand that may change: the pullback of such a call takes
the seed of the value and a state for each operand, the cotangent of what the operand holds after the
call, and answers with the cotangents before it. A Python function is transformed with the
parameters lent; a rule with `mutates=` answers for what it changes; every other call changes
nothing, and the states pass.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ...core.callables import Attribute, unbind
from ...core.registry import rules_of
from ...core.reverse import reverse_rule
from ...tangents import ZERO, Composite, add, is_zero
from . import protocols, resolution
from .answers import picked
from .programs import lent_program
from .resolver import HARMLESS, VIEWS
from .site import Site
from .writers import writes
from .writing import snapshot

Values = tuple[Any, ...]


def copies(f: Any) -> bool:
    """Whether a call of f gets copies of what may change later: it has a rule, and returns something new."""
    if isinstance(f, types.MethodType):
        return False
    if isinstance(f, types.BuiltinMethodType) and not isinstance(f.__self__, types.ModuleType):
        return isinstance(f.__self__, np.ndarray) and f.__name__ in HARMLESS
    if isinstance(f, type | Attribute) or getattr(f, "__name__", "") in VIEWS:
        return False
    return not isinstance(f, FunctionType) or rules_of(f) is not None


def copied(site: Site, f: Any, operands: Values) -> tuple[Any, Values]:
    """The callee and operands of a site, with copies of those that may change later but not by this call."""
    shared = [copy and i not in site.writes for i, copy in enumerate(site.shared)]
    if site.callee != "plain":
        f = snapshot(f) if shared[0] else f
        shared = shared[1:]
    return f, tuple(snapshot(x) if copy else x for x, copy in zip(operands, shared, strict=True))


class Target:
    """What a call runs: a function, its positional values, and where the call's operands are in them.

    `shift` is the place of the first operand among the values: −1 for a callee that is none of them.
    """

    __slots__ = ("bound", "closure", "f", "shift", "values")

    def __init__(self, site: Site, f: Any, name: str, args: Values) -> None:
        self.f, self.values, self.shift = f, args, 0 if site.callee == "plain" else -1
        self.closure = self.bound = False
        if site.callee == "method":
            kind = protocols.kind_of_member(type(f), name)
            if kind == "method" and name not in getattr(f, "__dict__", ()):
                self.f, self.values, self.shift = getattr(type(f), name), (f, *args), 0
            else:
                self.f = getattr(f, name)
        elif found := unbind(f):
            self.f, self.values = found[0], (found[1], *args)
            self.shift += 1
            self.bound = site.callee == "closure"
        else:
            self.closure = site.callee == "closure"

    def answers(self, answers: Values) -> Values:
        """One answer for each operand, from those for the values."""
        if self.bound:
            owner, *rest = answers
            return (ZERO if is_zero(owner) else Composite[types.MethodType](__self__=owner), *rest)
        if self.shift == 1:
            return answers[1:]
        return (ZERO, *answers) if self.shift == -1 and not self.closure else answers


def call_in_reverse(
    site: Site, f: Any, name: str, args: Values, kwargs: dict[str, Any], needs: tuple[bool, ...]
) -> tuple[Any, Any]:
    """A call whose operands may change; its pullback takes `(seed, states)`."""
    target = Target(site, f, name, args)
    extra = len(target.values) - len(args)
    wanted = (site.callee != "plain",) * extra + needs
    lent = frozenset(i + target.shift for i in site.writes)
    later = frozenset(i + target.shift for i, shared in enumerate(site.shared) if shared)
    if later and not site.layout.direct:
        later = frozenset(range(len(wanted)))
    later |= {-1} if site.unsettled else set()
    answer = written_in_reverse(target.f, target.values, kwargs, wanted, lent, target.closure, later)
    if answer is not None:
        return answer[0], _Lent(answer[1], target, len(wanted))
    y, back = {
        "plain": resolution.plain_in_reverse,
        "closure": resolution.closure_in_reverse,
        "method": resolution.method_in_reverse,
    }[site.callee](f, name, args, kwargs, needs)
    return y, _Passing(back) if site.writes else back


def written_in_reverse(
    f: Any,
    values: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    lent: frozenset[int],
    closure: bool = False,
    later: frozenset[int] = frozenset(),
) -> tuple[Any, Callable[[Any, Values], Values]] | None:
    """A call of f that may change its values at the places `lent`; None where f changes nothing.

    What is at the places `later` may change after the call; −1 stands for what f captured.
    """
    if type(f) is FunctionType and rules_of(f) is None:
        if later or writes(f):
            return lent_in_reverse(f, values, kwargs, needs, lent, closure, later)
        return None
    if isinstance(f, type | Attribute):
        return None
    rule = reverse_rule(f, values, kwargs, needs, resolution.engine())
    mutates = getattr(getattr(rule, "method", None), "mutates", ())
    if rule is None or not mutates:
        return None
    places: Any = rule.slots  # type: ignore[attr-defined]  # a rule that mutates is wrapped
    changed = [places[i] for i in mutates]
    resolution.refuse_mutation(f, rule, frozenset(i for i in mutates if places[i] in lent))
    y, back = rule(*values, **kwargs)

    def mutating_pullback(y_bar: Any, states: Values) -> Values:
        answers = back(y_bar, {i: states[places[i]] for i in mutates})  # type: ignore[call-arg]  # it takes states
        return tuple(a if i in changed else add(a, states[i]) for i, a in enumerate(answers))

    return y, mutating_pullback


def lent_in_reverse(
    f: FunctionType,
    values: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    lent: frozenset[int],
    closure: bool = False,
    later: frozenset[int] = frozenset(),
) -> tuple[Any, Callable[[Any, Values], Values]]:
    """A call of a Python function that may change its values at the places `lent`."""
    made, slots = lent_program(f, len(values), tuple(kwargs), needs, lent, closure, later)
    y, back = made.start(f, values, kwargs)
    picks = made.picks

    def lent_pullback(y_bar: Any, states: Values) -> Values:
        answers = back(y_bar, tuple(states[i] for i in slots)) if slots else back(y_bar)
        return answers if picks is None else picked(answers, picks)

    return y, lent_pullback


class _Lent:
    """The pullback of a call, with states for its operands, from that of what it runs."""

    __slots__ = ("back", "count", "target")

    def __init__(self, back: Any, target: Target, count: int) -> None:
        self.back, self.target, self.count = back, target, count

    def __call__(self, y_bar: Any, states: Values = ()) -> Values:
        shift = self.target.shift
        given = [states[i - shift] if 0 <= i - shift < len(states) else ZERO for i in range(self.count)]
        return self.target.answers(self.back(y_bar, tuple(given)))


class _Passing:
    """The pullback of a call that changes nothing: the states pass to the operands as they are."""

    __slots__ = ("back",)

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any, states: Values) -> Values:
        return tuple(add(a, s) for a, s in zip(self.back(y_bar), states, strict=True))
