"""Forward mode: each value carries its tangent, and nothing else is kept."""

from __future__ import annotations

from typing import Any

from ...tangents import ZERO
from .calls import Values, in_forward
from .levels import Run, opened
from .value import Value


class Forward(Run):
    """A run forward; a value's note is its tangent."""

    def step(self, f: Any, args: Values, kwargs: dict[str, Any]) -> Any:
        """A call, with its tangent."""
        given, inputs, own = self.taken(args)
        tangents = [ZERO if v is None else v.note for v in own]
        moving = tuple(tangents if inputs is None else inputs.tangent(tangents))
        y, dy = in_forward(self, f, given, moving, kwargs)
        out, leaves = opened(y)
        if not leaves:
            return y
        notes = [dy] if out is None else out.entries(dy)
        values = [Value(self, leaf, t) for leaf, t in zip(leaves, notes, strict=True)]
        return values[0] if out is None else out.filled(values)
