"""Early: texts of second derivatives at the first call.

The ordinary program of a second derivative goes through the first one's program and through the rules, and
takes long to make. The text is quick to make, and its answer is held against ordinary gradients: value and
gradient must be theirs, and the product along a direction without zeros what extrapolated differences of them
say; where a zero or a one that is given may hide a fault, nearby as well. Where these do not agree closely,
as at a kink or where rounding is large, nothing is said of the text, and it is compared with the ordinary
program as any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ....core import debug
from ....core.caches import generation
from .agreeing import agree
from .copies import copies
from .directions import filled, moving_of, write
from .entry import Settings, Variant, lock, variant_of
from .moved import direction_of, ends_nearby, has_neutral, moved
from .ordinary import alone, with_value

_STEPS = (1e-3, 1e-4, 1e-5)
"""In units of the arguments' own size; the next is tried where one says nothing."""
_CLOSE = 1e-6
_TRIES = 3  # what is written while rules are still read does not hold
_NUMBERS = (float, np.float64, np.ndarray)


def early(f: Any, x: tuple[Any, ...], dx: tuple[Any, ...]) -> bool:
    """Whether there is a text now of f's gradient along dx, because this was the first call."""
    if type(f) is not FunctionType or not Settings.early or Settings.compared:
        return False
    x, dx = filled(f, x, dx)
    moving, _ = moving_of(x, dx)
    if moving is None or not all(type(x[i]) in _NUMBERS for i in moving):
        return False
    for _ in range(_TRIES):
        since = generation()
        variant = variant_of(f, ("gradient", moving), x)
        if variant is None or variant.count or variant.dead or debug.is_on():
            return variant is not None and variant.program is not None
        with lock:
            if not variant.count and not variant.dead:
                variant.count = 1
                _keep_if_sure(variant, f, x, moving)
        if since == generation():
            return variant.program is not None
    return False


def _keep_if_sure(variant: Variant, f: FunctionType, x: tuple[Any, ...], moving: tuple[int, ...]) -> None:
    write(variant, f, "gradient", x, moving)
    program = variant.program
    if program is None:
        return
    variant.program = None
    if program.written or variant.session is None or not ends_nearby(variant.session):
        return
    with alone(variant), np.errstate(all="ignore"):
        try:
            places = [x, moved(x)] if has_neutral(x) else [x]
            sure = all(_agrees(program, f, at, moving) for at in places)
        except Exception:  # another answer, a step out of the domain, an error that is the user's
            sure = False
    if sure:
        variant.program = program


def _agrees(program: Any, f: FunctionType, x: tuple[Any, ...], moving: tuple[int, ...]) -> bool:
    """Whether ordinary gradients say what the text does."""
    ways = [direction_of(x[i]) for i in moving]
    (value, mine), (_, products) = program.run(x, ways)
    agree((value, tuple(mine)), with_value(f, moving, copies(x)))
    if not all(np.any(t) for t in (*mine, *products)):
        return False  # the ordinary program may have to warn of it
    return any(_near(products, *found) for found in _differences(f, x, moving, ways))


def _differences(f: Any, x: Any, moving: tuple[int, ...], ways: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Central differences of the gradient, of order two and of order four."""

    def gradients(h: float) -> Any:
        at = list(copies(x))
        for i, t in zip(moving, ways, strict=True):
            at[i] = at[i] + h * t
        return with_value(f, moving, tuple(at))[1]

    for h in _STEPS:
        near, far = (
            [(a - b) / (2.0 * k) for a, b in zip(gradients(k), gradients(-k), strict=True)]
            for k in (h, 2.0 * h)
        )
        yield near, [(4.0 * a - b) / 3.0 for a, b in zip(near, far, strict=True)]


def _near(products: Any, second: Any, fourth: Any) -> bool:
    """Whether the text says what differences do, which are sure of it themselves."""
    for mine, rough, fine in zip(products, second, fourth, strict=True):
        size = np.max(np.abs(fine), initial=0.0)
        margin = _CLOSE * (np.abs(fine) + 1e-2 * size)
        if np.shape(mine) != np.shape(fine) or not np.isfinite(size):
            return False
        if not np.all(np.abs(mine - fine) <= margin) or np.any(np.abs(rough - fine) > 1e-3 * size):
            return False
    return True
