"""Answers: pullbacks whose cotangents stand in another order than the operands of a call.

A pullback answers for what it was made for, parameters or data; a call asks about its own operands.
These objects stand between. The cotangent of such an object is that of the pullback `back` that
it wraps, and `transpose` turns a cotangent of its answers into one of back's, so that pullbacks
can be differentiated themselves.
"""

from __future__ import annotations

import types
from typing import Any

from ...tangents import ZERO, Composite, add, is_zero
from .arguments import Layout

Answer = tuple[Any, ...]


class Placed:
    """Some of another pullback's answers, in another order.

    Each pick is `(slot, key)` for an answer, or for the entry `key` of the composite that it is;
    or a constant tangent.
    """

    __slots__ = ("back", "picks")

    def __init__(self, back: Any, picks: tuple[Any, ...]) -> None:
        self.back = back
        self.picks = picks

    def __call__(self, y_bar: Any) -> Answer:
        return self.arrange(self.back(y_bar))

    def arrange(self, answers: Answer) -> Answer:
        return tuple(_pick(answers, p) if type(p) is tuple else p for p in self.picks)

    def transpose(self, seeds: Answer, answers: Answer) -> Answer:
        """The cotangent of back's answers, from that of the answers given."""
        taken: list[Any] = [ZERO] * len(answers)
        for p, seed in zip(self.picks, seeds, strict=True):
            if type(p) is tuple and not is_zero(seed):
                slot, key = p
                taken[slot] = add(taken[slot], seed if key is None else _entry(answers[slot], key, seed))
        return tuple(taken)


def _pick(answers: Answer, pick: tuple[int, Any]) -> Any:
    slot, key = pick
    answer = answers[slot]
    return answer if key is None or is_zero(answer) else answer[key]


def _entry(like: Any, key: Any, seed: Any) -> Any:
    if isinstance(key, int):
        return Composite[tuple](*(seed if i == key else ZERO for i in range(len(like))))
    return Composite[dict]({key: seed})


def after(back: Any, count: int) -> Placed:
    """A zero for a callee, then back's answers."""
    return Placed(back, (ZERO, *((i, None) for i in range(count))))


def without_first(back: Any, count: int) -> Placed:
    """Back's answers but the first, of which there are `count` more."""
    return Placed(back, tuple((i + 1, None) for i in range(count)))


class BoundAnswers:
    """The first answer, an object's, given as that of its bound method."""

    __slots__ = ("back",)

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any) -> Answer:
        return self.arrange(self.back(y_bar))

    def arrange(self, answers: Answer) -> Answer:
        owner, *rest = answers
        return (ZERO if is_zero(owner) else Composite[types.MethodType](__self__=owner), *rest)

    def transpose(self, seeds: Answer, answers: Answer) -> Answer:
        method, *rest = seeds
        return (ZERO if is_zero(method) else method.__self__, *rest)


class Regrouped:
    """Answers for operands as the syntax shows them, from one for each value that they passed."""

    __slots__ = ("back", "callee", "count", "keywords", "layout", "sizes")

    def __init__(
        self, back: Any, layout: Layout, count: int, keywords: tuple[str, ...], sizes: Answer, callee: bool
    ) -> None:
        self.back = back
        self.layout = layout
        self.count = count
        self.keywords = keywords
        self.sizes = sizes
        self.callee = callee

    def __call__(self, y_bar: Any) -> Answer:
        return self.arrange(self.back(y_bar))

    def arrange(self, answers: Answer) -> Answer:
        head, rest = (answers[:1], answers[1:]) if self.callee else ((), answers)
        return head + self.layout.gather(rest, self.count, self.keywords, self.sizes)

    def transpose(self, seeds: Answer, answers: Answer) -> Answer:
        head, rest = (seeds[:1], seeds[1:]) if self.callee else ((), seeds)
        return head + self.layout.spread_tangents(rest, self.sizes)


class Through:
    """The first answer, a member's, pulled back to the object that it was read from."""

    __slots__ = ("back", "member_back")

    def __init__(self, member_back: Any, back: Any) -> None:
        self.member_back = member_back
        self.back = back

    def __call__(self, y_bar: Any) -> Answer:
        member_bar, *rest = self.back(y_bar)
        return (self.member_back(member_bar)[0], *rest)
