"""Attributes of sparse arrays that say how the numbers are stored, and never move."""

from __future__ import annotations

from typing import Any

from ....core import frule, rrule
from ....tangents import NO_TANGENT, ZERO
from .entries import CLASSES


def _constant(P: Any, name: str) -> None:
    @frule(getattr, P, name, complete=True)
    def attribute_frule(tangents, x):
        """ẏ = 0"""
        return getattr(x, name), ZERO

    @rrule(getattr, P, name, complete=True)
    def attribute_rrule(x):
        """x̄ = 0"""

        def attribute_pullback(y_bar):
            return (NO_TANGENT,)

        return getattr(x, name), attribute_pullback


for _P in CLASSES:
    for _name in ("shape", "ndim", "nnz", "size", "format", "dtype"):
        _constant(_P, _name)
