"""Functions that the tests of the adapters share, and how results are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import chainrules as cr


def same(u: Any, v: Any) -> None:
    """Equal, but for rounding."""
    np.testing.assert_allclose(u, v, rtol=1e-9, atol=1e-11)


def counted() -> tuple[Callable[..., Any], list[tuple[bool, ...]]]:
    """A product of two arrays, and the `needs` of each time that its pullback ran."""
    asked: list[tuple[bool, ...]] = []

    def scaled(a: Any, b: Any) -> Any:
        return a * b

    @cr.rrule(scaled)
    def scaled_rrule(a: np.ndarray, b: np.ndarray, *, needs: tuple[bool, ...]) -> Any:
        def scaled_pullback(z_bar: Any) -> Any:
            asked.append(needs)
            return z_bar * b if needs[0] else cr.Zero(), z_bar * a if needs[1] else cr.Zero()

        return a * b, scaled_pullback

    return scaled, asked


def squared_in_place(x: Any) -> Any:
    """The squares of an array, written into it."""
    x *= x
    return x


_namespace: dict[str, Any] = {}
exec("def squared_unseen(x):\n    x *= x\n    return x\n", _namespace)
squared_unseen: Callable[..., Any] = _namespace["squared_unseen"]
"""The same without source, so that nobody can tell that it writes."""
