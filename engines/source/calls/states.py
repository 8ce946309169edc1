"""States: a rule that mutates, as the rule of a function that returns what it changed after its value.

The author's pullback takes the cotangents of the states beside that of the value, and the forward rule
returns their tangents by argument (`mutates=`). To a program they are entries of one value, as those
of any call that changes what it is given (see lending.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.forward import forward_rule
from ....core.reverse import WrappedPullback, WrappedRule, reverse_rule
from ....core.seeds import absorbs
from ....tangents import ZERO, add
from ..locking.noting import told
from ..locking.overlapping import folded, is_folded
from ..memory.keeping import is_authors, refuse_overlap
from ..reading.opaque import refuse_mutation
from ..values.answers import Answer, Between
from ..values.structures import parts_of, tuple_tangent
from ..values.writing import snapshot
from . import resolution

Values = tuple[Any, ...]


def rule_that_writes(f: Any, values: Values, kwargs: Mapping[str, Any], needs: Any) -> WrappedRule | None:
    """The reverse rule of a call, if it mutates; such a rule is wrapped."""
    rule = reverse_rule(f, values, kwargs, needs, resolution.engine())
    return rule if isinstance(rule, WrappedRule) and rule.method.mutates else None


def forward_that_writes(f: Any, values: Values, kwargs: Mapping[str, Any]) -> Any:
    """The forward rule of a call, if it mutates."""
    rule = forward_rule(f, values, kwargs, resolution.engine())
    return rule if getattr(getattr(rule, "method", None), "mutates", ()) else None


def written_slots(f: Any, rule: Any, places: tuple[int, ...], every: Values) -> dict[int, int]:
    """Where the values stand that a rule mutates, by its own count; refused if one was not handed over."""
    slots: dict[int, int] = {i: rule.slots[i] for i in rule.method.mutates}
    if any(isinstance(every[i], np.ndarray) and is_folded(every[i]) for i in slots.values()):
        raise folded()
    for slot in slots.values():
        told(every[slot])
    refuse_mutation(f, rule, frozenset(i for i, slot in slots.items() if slot in places))
    return slots


def mutated(
    f: Any, rule: WrappedRule, values: Values, kwargs: dict[str, Any], places: tuple[int, ...]
) -> tuple[Any, Any]:
    """A call by a rule that mutates, with the values at these places after its own.

    What it might have changed by its name, and does not, may change later: the rule gets a copy.
    """
    every = (*values, *kwargs.values())
    slots = written_slots(f, rule, places, every)
    passed = frozenset(places).difference(slots.values())
    given = tuple(snapshot(x) if i in passed else x for i, x in enumerate(every))
    y, back = rule(*given[: len(values)], **dict(zip(kwargs, given[len(values) :], strict=True)))
    if passed and is_authors(f):
        refuse_overlap(y, [given[i] for i in passed])
    return (y, *(every[i] for i in places)), Stated(back, slots, places)  # type: ignore[arg-type]  # of a wrapped rule


def pushed(
    f: Any, rule: Any, values: Values, kwargs: Mapping[str, Any], tangents: Values, places: tuple[int, ...]
) -> tuple[Any, Any]:
    """The same, forward."""
    every = (*values, *kwargs.values())
    slots = written_slots(f, rule, places, every)
    y, dy, states = rule(tangents, *values, **kwargs)
    after = {slots[i]: state for i, state in states.items()}
    return (y, *(every[i] for i in places)), tuple_tangent(dy, *(after.get(i, tangents[i]) for i in places))


class Stated(Between):
    """The pullback of such a call: its seed is that of the value and of the states at `places`.

    A state that the rule does not mutate passes to its value.
    """

    __slots__ = ("places", "slots")

    def __init__(self, back: WrappedPullback, slots: dict[int, int], places: tuple[int, ...]) -> None:
        super().__init__(back)
        self.slots, self.places = slots, places

    def __call__(self, seeds: Any) -> Answer:
        y_bar, *given = parts_of(seeds, 1 + len(self.places))
        states = dict(zip(self.places, given, strict=True))
        answers = list(self.back(y_bar, {i: states.pop(slot) for i, slot in self.slots.items()}))
        for i, state in states.items():
            answers[i] = add(answers[i], state)
        return tuple(answers)

    def seed(self, y_bar: Any) -> Any:
        """The seeds as the author sees them."""
        if self.back.rule.method.lazy_seed:
            return y_bar
        return tuple_tangent(*map(self.back.seed, parts_of(y_bar, 1 + len(self.places))))

    def given(self, seeded: Any) -> Values:
        """What `with_states` is called with, seeds last."""
        order = tuple(1 + self.places.index(slot) for slot in self.slots.values())
        return self.back.back, tuple(self.slots), order, seeded

    def known(self, seeded: Any) -> Answer | None:
        """The answers where the author is not asked."""
        parts = parts_of(seeded, 1 + len(self.places))
        asked = self.back.rule.method.lazy_seed or not all(map(absorbs, parts))
        return None if asked else self.back.absorbed(parts[0])

    def arrange(self, answers: Any) -> Answer:
        return self.back.arrange(answers)  # type: ignore[no-any-return]  # a tuple

    def transpose(self, seeds: Answer, answers: Any) -> Any:
        return self.back.transpose(seeds, answers)


def with_states(back: Any, mutates: tuple[int, ...], order: tuple[int, ...], seeds: Any) -> Any:
    """An author's pullback called with the seeds of the value and of the states."""
    parts = parts_of(seeds, 1 + len(order))
    states: dict[int, Any] = {}
    for k in range(len(mutates)):
        states = {**states, mutates[k]: parts[order[k]]}
    return back(parts[0], states)


class Listed(Between):
    """Answers for lists, from those for the arrays that a rule took them for."""

    __slots__ = ("lists",)

    def __init__(self, back: Any, lists: dict[int, ToArray]) -> None:
        super().__init__(back)
        self.lists = lists  # by their places

    def arrange(self, answers: Answer) -> Answer:
        lists = self.lists
        return tuple(lists[i].seed_adjoint(t) if i in lists else t for i, t in enumerate(answers))

    def transpose(self, seeds: Answer, answers: Answer) -> Any:
        lists = self.lists
        return tuple_tangent(*(lists[i].seed(t) if i in lists else t for i, t in enumerate(seeds)))


class ToArray:
    """The linear map from the tangents of a list to those of the array that is made of it."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x

    def seed(self, t: Any) -> Any:
        rule = forward_rule(np.asarray, (self.x,), {}, None)
        assert rule is not None
        return ZERO if absorbs(t) else rule((t,), self.x)[1]

    def seed_adjoint(self, t: Any) -> Any:
        rule = reverse_rule(np.asarray, (self.x,), {}, (True,), None)
        assert rule is not None
        return ZERO if absorbs(t) else rule(self.x)[1](t)[0]
