"""Functions that are constant between jumps: the value runs as written and the derivative is zero.

Each argument's cotangent is `Zero()`, and the value's tangent: a look-up by `int(x)` ends activity.
At a jump, where no derivative exists, it is zero as well. A cotangent of the value that waits to be
computed is not asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import Array
from ..core.registry import register
from ..core.seeds import answer_to
from ..core.ufuncs import takes_keywords
from ..tangents import ZERO


def piecewise_constant(*functions: Callable[..., Any], arity: int = 1, signature: str | None = None) -> None:
    """Register the zero derivative of functions of so many numeric arguments, in both modes."""
    types = (Array,) * arity
    for f in functions:
        forward, reverse = _forward(f), _reverse(f, arity)
        if isinstance(f, np.ufunc) and signature is None:
            takes_keywords(f, forward, reverse, lazy_seed=True)
            continue
        register(f, forward, "forward", types=types, declared=signature)
        register(f, reverse, "reverse", types=types, declared=signature, lazy_seed=True)


def _forward(f: Callable[..., Any]) -> Callable[..., Any]:
    def step_frule(tangents: Any, *x: Any) -> Any:
        return f(*x), ZERO

    return step_frule


def _reverse(f: Callable[..., Any], arity: int) -> Callable[..., Any]:
    def step_rrule(*x: Any) -> Any:
        def step_pullback(y_bar: Any) -> Any:
            return (answer_to(y_bar),) * arity

        return f(*x), step_pullback

    return step_rrule
