"""Changing callables, as the program runs: whether a value is, or holds, one that its calls change.

That is a function that changes what it captured, a method that changes its object, an object with such a
`__call__`. What the syntax tells of them is in changers.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _unknown(f: Any) -> bool:
    raise NotImplementedError  # writers.py says


is_changer: Callable[[Any], bool] = _unknown
"""Whether a callable changes itself by being called."""
changes_anything: Callable[[Any], bool] = _unknown
"""Whether it changes that, or what it is given."""
