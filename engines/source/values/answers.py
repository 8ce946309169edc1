"""Answers: pullbacks whose cotangents stand in another order than the operands of a call.

A pullback answers for what it was made for, parameters or data; a call asks about its own operands.
These objects stand between. So that pullbacks can be differentiated themselves, each says how it
is one pullback (`back`) between two linear maps: `seed` before it and `arrange` after it, with
their adjoints `seed_adjoint` and `transpose`. Its own cotangent is that of `back`.
"""

from __future__ import annotations

import types
from typing import Any

from ....core.seeds import ready
from ....tangents import ZERO, Composite, Wrapper, add, is_zero
from ..syntax.arguments import Layout
from .structures import parts_of

Answer = tuple[Any, ...]


class Between(Wrapper):
    """A pullback between two linear maps; by itself, both are the identity."""

    __slots__ = ("back",)

    def __init__(self, back: Any) -> None:
        self.back = back

    def __call__(self, y_bar: Any) -> Answer:
        return self.arrange(self.back(self.seed(y_bar)))

    def seed(self, y_bar: Any) -> Any:
        """The seed of back."""
        return y_bar

    def seed_adjoint(self, t: Any) -> Any:
        return t

    def arrange(self, answers: Answer) -> Answer:
        """The answers of this pullback, from back's."""
        return answers

    def transpose(self, seeds: Answer, answers: Answer) -> Any:
        """The cotangent of back's answers, from that of the answers given."""
        return Composite[tuple](*seeds)


class Placed(Between):
    """Some of another pullback's answers, in another order.

    Each pick is `(slot, key)` for an answer, or for the entry `key` of the composite that it is;
    or a constant tangent.
    """

    __slots__ = ("picks",)

    def __init__(self, back: Any, picks: Answer) -> None:
        super().__init__(back)
        self.picks = picks

    def arrange(self, answers: Answer) -> Answer:
        return picked(answers, self.picks)

    def transpose(self, seeds: Answer, answers: Answer) -> Any:
        taken: list[Any] = [ZERO] * len(answers)
        for p, seed in zip(self.picks, seeds, strict=True):
            if type(p) is tuple and not is_zero(seed):
                slot, key = p
                if key is not None:
                    seed = ZERO if is_zero(answers[slot]) else _entry(answers[slot], key, seed)
                taken[slot] = add(taken[slot], seed)
        return Composite[tuple](*taken)


def picked(answers: Answer, picks: Answer) -> Answer:
    """The answers that picks choose."""
    return tuple(_pick(answers, p) if type(p) is tuple else p for p in picks)


def _pick(answers: Answer, pick: tuple[int, Any]) -> Any:
    slot, key = pick
    answer = answers[slot]
    return answer if key is None or is_zero(answer) else ready(answer)[key]


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


class BoundAnswers(Between):
    """The first answer, an object's, given as that of its bound method."""

    __slots__ = ()

    def arrange(self, answers: Answer) -> Answer:
        owner, *rest = answers
        return (ZERO if is_zero(owner) else Composite[types.MethodType](__self__=owner), *rest)

    def transpose(self, seeds: Answer, answers: Answer) -> Any:
        method, *rest = seeds
        return Composite[tuple](ZERO if is_zero(method) else method.__self__, *rest)


class Regrouped(Between):
    """Answers for operands as the syntax shows them, from one for each value that they passed."""

    __slots__ = ("before", "count", "keywords", "layout", "sizes")

    def __init__(
        self, back: Any, layout: Layout, count: int, keywords: tuple[str, ...], sizes: Answer, before: int
    ) -> None:
        super().__init__(back)
        self.layout = layout
        self.count = count
        self.keywords = keywords
        self.sizes = sizes
        self.before = before  # how many answers stand before those for the arguments

    def arrange(self, answers: Answer) -> Answer:
        head, rest = answers[: self.before], answers[self.before :]
        return head + self.layout.gather(rest, self.count, self.keywords, self.sizes)

    def transpose(self, seeds: Answer, answers: Answer) -> Any:
        head, rest = seeds[: self.before], seeds[self.before :]
        return Composite[tuple](*head, *self.layout.spread_tangents(rest, self.sizes))


class Transposed(Between):
    """The pullback of calling another of these objects: its linear maps, the other way round."""

    __slots__ = ("of", "result")

    def __init__(self, back: Any, of: Any, result: Any) -> None:
        super().__init__(back)
        self.of = of
        self.result = result  # what of.back returned

    def seed(self, y_bar: Any) -> Any:
        return ZERO if is_zero(y_bar) else self.of.transpose(tuple(ready(y_bar)), self.result)

    def seed_adjoint(self, t: Any) -> Any:
        return ZERO if is_zero(t) else Composite[tuple](*self.of.arrange(as_result(t, self.result)))

    def arrange(self, answers: Answer) -> Answer:
        callee, seed = answers
        return callee, self.of.seed_adjoint(seed)

    def transpose(self, seeds: Answer, answers: Answer) -> Any:
        callee, seed = seeds
        return Composite[tuple](callee, self.of.seed(seed))


def as_result(t: Any, result: Any) -> Any:
    """A tangent of what a pullback returned, in the form in which it returned it."""
    return tuple(parts_of(t, len(result))) if type(result) is tuple else t


class Through:
    """The first answer, a member's, pulled back to the object that it was read from."""

    __slots__ = ("back", "member_back")

    def __init__(self, member_back: Any, back: Any) -> None:
        self.member_back = member_back
        self.back = back

    def __call__(self, y_bar: Any) -> Answer:
        member_bar, *rest = self.back(y_bar)
        return (self.member_back(member_bar)[0], *rest)
