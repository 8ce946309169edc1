"""Linearity: what a reverse rule says of itself, so that its pullback need not be differentiated.

Where one argument moves alone in which a function is linear, the pullback does not depend on it: its
tangent is the pullback of the seed's tangent. A function of two factors is linear in either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def linear_in(*places: int) -> Callable[[Any], Any]:
    """Declare the places, among its data, of the arguments in each of which a rule's function is linear.

    Example: >>> @linear_in(0, 1)
             ... def product_rrule(a: float, b: float):
             ...     return a * b, lambda y_bar: (y_bar * b, y_bar * a)
             >>> product_rrule.linear
             (0, 1)
    """

    def declare(rule: Any) -> Any:
        rule.linear = places
        return rule

    return declare
