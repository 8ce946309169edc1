"""Nesting: bound methods, partials and `getattr`, by the callables that they normalise to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core.callables import normalise
from ....tangents import ZERO
from ..calls.inner import Inner, Values
from ..values.answers import Placed
from .leaves import Paths


def normalised_reverse(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    paths: Paths,
    operands: Values,
    unsettled: bool,
    reverse_call: Callable[..., Inner],
) -> Inner | None:
    """Such a call in reverse; None for others."""
    g, every, words = normalise(f, args, kwargs)
    if g is f:
        return None
    keywords, before = dict(words), len(every) - len(args)
    if before < 0:  # getattr(x, "name")
        inner = reverse_call(g, every, {}, needs[:1], False, None, paths[:1], operands)
        return inner.then(lambda back: Placed(back, ((0, None), ZERO)))
    order = _order(before, args, kwargs, keywords)
    mask, at = _ordered(needs, order, False), _ordered(paths, order, None)
    inner = reverse_call(g, every, keywords, mask, False, None, at, operands, unsettled=unsettled)
    picks = tuple((order.index(i), None) if i in order else ZERO for i in range(len(needs)))
    return inner.then(lambda back: Placed(back, picks))


def normalised_forward(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    moving: Values,
    paths: Paths,
    dots: Paths,
    operands: Values,
    forward_call: Callable[..., Inner],
) -> Inner | None:
    """The same, forward."""
    g, every, words = normalise(f, args, kwargs)
    if g is f:
        return None
    keywords, before = dict(words), len(every) - len(args)
    if before < 0:
        return forward_call(g, every, {}, moving[:1], None, None, paths[:1], dots[:1], None, operands)
    order = _order(before, args, kwargs, keywords)
    moved = _ordered(moving, order, ZERO)
    at, at_dots = _ordered(paths, order, None), _ordered(dots, order, None)
    return forward_call(g, every, keywords, moved, None, None, at, at_dots, None, operands)


def _order(before: int, args: Values, kwargs: dict[str, Any], keywords: dict[str, Any]) -> list[int | None]:
    """Of what a callable is given by the one that it normalises to, the place among the call's own values."""
    own = {name: len(args) + i for i, name in enumerate(kwargs)}
    return [*(None,) * before, *range(len(args)), *(own.get(name) for name in keywords)]


def _ordered(values: Values, order: list[int | None], otherwise: Any) -> Values:
    return tuple(otherwise if i is None else values[i] for i in order)
