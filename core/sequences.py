"""`items`: what iterating a container yields, so that an engine can differentiate a loop over it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def items(x: Iterable[Any]) -> tuple[Any, ...]:
    """The items that iterating x yields, all at once.

    Example: >>> items({"w": 1.0, "b": 2.0}), items(np.eye(2))
             (('w', 'b'), (array([1., 0.]), array([0., 1.])))
    """
    return tuple(x)
