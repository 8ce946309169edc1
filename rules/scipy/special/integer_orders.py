"""Ufuncs whose first argument is an integer, which cannot be moved: its cotangent is `NoTangent()`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import Array, unbroadcast
from ....core.ufuncs import takes_keywords
from ....tangents import NO_TANGENT, ZERO, is_zero


def _written_here(made: Any) -> None:
    """Let a rule say that it stands here."""
    made.__module__ = __name__


def integer_order_rule(f: np.ufunc, partial: Callable[..., Any]) -> None:
    """Register both rules of a ufunc of an integer and a number, from `partial(y, n, x)`, ∂y/∂x."""

    def integer_order_frule(tangents, n: Array, x: Array):
        """ẏ = ∂y/∂x ẋ; the order is an integer and has no derivative"""
        y = f(n, x)
        return y, ZERO if is_zero(tangents[1]) else partial(y, n, x) * tangents[1]

    def integer_order_rrule(n: Array, x: Array):
        """x̄ = ∂y/∂x ȳ; the order is an integer and has no derivative"""
        y = f(n, x)

        def integer_order_pullback(y_bar):
            return NO_TANGENT, unbroadcast(partial(y, n, x) * y_bar, np.shape(x))

        return y, integer_order_pullback

    takes_keywords(f, integer_order_frule, integer_order_rrule, _written_here)
