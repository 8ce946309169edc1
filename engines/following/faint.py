"""Faint: large arrays that a run knows without keeping them, so that their memory serves again.

What nobody has any longer is asked for nothing but its cotangent, and that goes by the place in memory where
the array was. Another one may be made there, later: a sweep is through with that before it meets the first.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

LARGE = 512
"""From how many entries on an array is known so; what this costs is as long as computing some fifty."""


class Faint(weakref.ref[Any]):
    """An array of a run's, which forgets it when it goes."""

    __slots__ = ("key", "run")

    key: int
    run: weakref.ref[Any]


def faint(y: np.ndarray[Any, Any], run: Any) -> Faint:
    """An array that a run has made, as it is to know it."""
    made = Faint(y, _gone)
    made.key, made.run = id(y), run.itself
    return made


def _gone(made: Faint) -> None:
    run = made.run()
    if run is not None and run.live.get(made.key) is made:
        del run.live[made.key]


def there(x: Any) -> Any:
    """What a run knows, None where it is gone."""
    return x() if type(x) is Faint else x
