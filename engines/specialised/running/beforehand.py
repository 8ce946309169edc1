"""Beforehand: what a call was given of which a text is going to be written, where the call changes it.

The text is that of the branches that a recorded run takes. A function that writes into its arguments takes
others once they are changed.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ...source.reruns import changed_places
from .aside import stands_aside
from .copies import copies
from .entry import Settings, variant_now


def beforehand(f: Any, argnums: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments; copies where this call changes arrays among them and a text is written after it."""
    if type(f) is not FunctionType or kwargs or not any(type(v) is np.ndarray for v in x):
        return x
    variant = variant_now(f, argnums, x, argnums)
    count = 0 if variant is None else variant.count
    if not Settings.on or count + 1 < Settings.runs or (variant is not None and variant.dead):
        return x
    return copies(x) if changed_places(f, x) else x


stands_aside(beforehand)
