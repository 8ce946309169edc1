"""Ordinary: what the ordinary program answers, to be held against a specialised one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ....tangents import ZERO, is_zero
from ...boundary import chosen, finished, seed_for
from ...calls import forward_of, reverse_of
from ...source.reruns import at_entry
from ..reading.arguments import by_name


def with_value(f: Callable[..., Any], argnums: Any, x: tuple[Any, ...]) -> tuple[Any, Any]:
    """Value and gradients, given all arguments in the order of the parameters."""
    x, named = by_name(f, x)
    like = at_entry(f, x, named)
    y, pullback = reverse_of(f, x, named, chosen(f, argnums, x, None), None)
    return y, finished(like, pullback(seed_for(f, y, False)), argnums, None)


def along(f: Callable[..., Any], way: str, x: tuple[Any, ...], dx: tuple[Any, ...], moving: Any) -> Any:
    """Value and tangent (`way` is "value"), or the tangents of the gradients by the arguments that move."""
    if way == "value":
        args, named = by_name(f, x)
        return forward_of(f, args, dx[: len(args)], named, None)

    def gradient(*x: Any) -> Any:
        return with_value(f, moving, x)[1]

    like = at_entry(f, *by_name(f, x))
    _, product = forward_of(gradient, x, dx, {}, None)
    return tuple(presented_at(like, moving, product))


def presented_at(like: tuple[Any, ...], moving: tuple[int, ...], product: Any) -> Iterator[Any]:
    """The tangents in the form of gradients."""
    parts = [ZERO] * len(moving) if is_zero(product) else product
    for i, t in zip(moving, parts, strict=True):
        yield finished((like[i],), (t,), 0, None)


@contextmanager
def alone(variant: Any) -> Iterator[None]:
    """A time in which a function's calls of this kind have no specialised program and learn nothing."""
    before, variant.dead, variant.program = variant.program, True, None
    try:
        yield
    finally:
        variant.dead, variant.program = False, before
