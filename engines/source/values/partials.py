"""A `functools.partial` that varies: its cotangent is that of the function and arguments it holds.

`functools.partial(f, a, key=b)` called with x is `f(a, x, key=b)`. The answers of that call for f, a and b
are gathered into a `Composite[partial]` with the fields `func`, `args` and `keywords`, in the order of
`fields`. A keyword that the call gives again is not used, hence zero. One that has rules of its own is
called by them, and one that does not vary is looked through in `normalise`. Made of another partial, it holds
what that one held.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from ....core.seeds import ready
from ....tangents import ZERO, Composite, fields_of, from_fields, is_zero
from ..reading.opaque import may_carry
from .answers import Answer, Between
from .structures import field_parts, object_tangent, parts_of, tuple_tangent

Values = tuple[Any, ...]
FIELDS = ("func", "args", "keywords")
_MAKE: Any = functools.partial


def made_in_reverse(args: Values, kwargs: Mapping[str, Any]) -> Any:
    """`functools.partial(*args, **kwargs)` in reverse."""
    made, names = _MAKE(*args, **kwargs), tuple(kwargs)
    inner, count = args[0], len(made.args) - len(args) + 1  # of a partial that it is made of
    kept = tuple(name for name in made.keywords if name not in names)

    def partial_pullback(y_bar: Any) -> Values:
        func_bar, args_bar, words_bar = field_parts(y_bar, functools.partial, FIELDS)
        held = parts_of(args_bar, len(made.args))
        if made.func is not inner:
            words = from_fields(dict, {name: words_bar[name] for name in kept})
            func_bar = object_tangent(
                functools.partial, FIELDS, func_bar, tuple_tangent(*held[:count]), words
            )
        return (func_bar, *held[count:], *(words_bar[name] for name in names))

    return made, partial_pullback


def made_forward(args: Values, kwargs: Mapping[str, Any], tangents: Values) -> tuple[Any, Any]:
    """`functools.partial(*args, **kwargs)` with its tangent."""
    made, func = _MAKE(*args, **kwargs), tangents[0]
    held: Values = ()
    words: dict[str, Any] = {}
    if made.func is not args[0]:
        func, held, words = parts_of_partial(func, len(made.args) - len(args) + 1)
    words |= dict(zip(kwargs, tangents[len(args) :], strict=True))
    moved = tuple_tangent(*held, *tangents[1 : len(args)])
    return made, object_tangent(functools.partial, FIELDS, func, moved, Composite[dict](words))


def partial_in_reverse(
    call: Callable[..., Any], f: Any, args: Values, kwargs: Mapping[str, Any], needs: tuple[bool, ...]
) -> Any:
    """The call of a varying partial, where `call` is how its function, which may vary too, is called."""
    words = {**f.keywords, **kwargs}
    given = dict(zip(kwargs, needs[len(args) :], strict=True))
    mask = (
        *(may_carry((held,)) for held in f.args),
        *needs[: len(args)],
        *(given.get(name, may_carry((value,))) for name, value in words.items()),
    )
    y, back = call(f.func, "", (*f.args, *args), words, mask)
    return y, PartialAnswers(back, f, len(args), tuple(words), tuple(kwargs))


class PartialAnswers(Between):
    """Answers for a partial and for what it is called with, from those for all that its function got."""

    __slots__ = ("count", "given", "held", "kind", "words")

    def __init__(self, back: Any, f: Any, count: int, words: tuple[str, ...], given: tuple[str, ...]) -> None:
        super().__init__(back)
        self.kind = type(f)
        self.held, self.count = len(f.args), count  # positional arguments of the partial, and of the call
        self.words, self.given = words, given  # keywords of both, and of the call

    def arrange(self, answers: Answer) -> Answer:
        func, *rest = answers
        positional, named = rest[: self.held + self.count], rest[self.held + self.count :]
        by_name = dict(zip(self.words, named, strict=True))
        called = [by_name.pop(name) for name in self.given]
        held = positional[: self.held]
        own: Any = ZERO
        if not all(map(is_zero, (func, *held, *by_name.values()))):
            keywords = Composite[dict](by_name)
            own = Composite[self.kind](func=func, args=Composite[tuple](*held), keywords=keywords)
        return (own, *positional[self.held :], *called)

    def transpose(self, seeds: Answer, answers: Answer) -> Any:
        own, *rest = seeds
        func, held, keywords = parts_of_partial(own, self.held)
        by_name = keywords | dict(zip(self.given, rest[self.count :], strict=True))
        named = (by_name.get(name, ZERO) for name in self.words)
        return Composite[tuple](func, *held, *rest[: self.count], *named)


def parts_of_partial(t: Any, held: int) -> tuple[Any, Values, dict[str, Any]]:
    """The tangents of the function, of the arguments and of the keywords, from that of a partial."""
    if is_zero(t):
        return ZERO, (ZERO,) * held, {}
    t = ready(t)
    args, keywords = t.args, t.keywords
    positional = (ZERO,) * held if is_zero(args) else tuple(ready(args))
    return t.func, positional, {} if is_zero(keywords) else dict(fields_of(ready(keywords)))


def partial_forward(
    call: Callable[..., Any], f: Any, own: Any, args: Values, kwargs: Mapping[str, Any], tangents: Values
) -> Any:
    """The call of a partial with its tangent, where `call` is how its function is called with its own."""
    func, held, keywords = parts_of_partial(own, len(f.args))
    moving = keywords | dict(zip(kwargs, tangents[len(args) :], strict=True))
    words = {**f.keywords, **kwargs}
    named = (moving.get(name, ZERO) for name in words)
    return call(f.func, "", func, (*f.args, *args), words, (*held, *tangents[: len(args)], *named))
