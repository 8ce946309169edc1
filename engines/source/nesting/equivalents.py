"""Nesting: calls that stand for a line of Python, differentiated again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....tangents import ZERO
from ..calls.equivalents import equivalent
from ..calls.inner import Inner, Values
from ..values.answers import Placed
from .leaves import Paths


def same_reverse(
    f: Any,
    args: Values,
    kwargs: dict[str, Any],
    needs: tuple[bool, ...],
    paths: Paths,
    operands: Values,
    reverse_call: Callable[..., Inner],
) -> Inner | None:
    """Such a call, by the function that does the same; None for others."""
    found = equivalent(f, args, kwargs)
    if found is None:
        return None
    g, more = found
    count, extra = len(args), len(more)
    mask = (*needs[:count], *(False,) * extra, *needs[count:])
    at = (*paths[:count], *(None,) * extra, *paths[count:])
    inner = reverse_call(g, (*args, *more), kwargs, mask, False, None, at, operands, unsettled=True)
    picks = tuple((i if i < count else i + extra, None) for i in range(len(needs)))
    return inner.then(lambda back: Placed(back, picks))


def same_forward(
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
    found = equivalent(f, args, kwargs)
    if found is None:
        return None
    g, more = found
    count, none = len(args), (None,) * len(more)
    moved = (*moving[:count], *(ZERO,) * len(more), *moving[count:])
    at, at_dots = (*paths[:count], *none, *paths[count:]), (*dots[:count], *none, *dots[count:])
    return forward_call(g, (*args, *more), kwargs, moved, None, None, at, at_dots, None, operands)
