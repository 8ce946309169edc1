"""The gradients of specialised texts in other forms than the usual: those that can be had of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .boundary import LARGE
from .plain import plain

WITH_TEXTS = (None, "plain", "dense")
"""Forms that follow from the usual one; `raw` and `sparse` are of what the rules gave."""


def is_formed(x: tuple[Any, ...], argnums: Any, form: str) -> bool:
    """Whether the usual gradients tell those in this form: of small arrays, and dense of numbers and arrays.

    Example: >>> is_formed(([1.0],), 0, "plain"), is_formed(([1.0],), 0, "dense")
             (True, False)
    """
    if any(type(v) is np.ndarray and v.size >= LARGE for v in x):
        return False
    return form == "plain" or all(type(v) is float or type(v) is np.ndarray for v in _chosen(x, argnums))


def formed(x: tuple[Any, ...], gradients: Any, argnums: Any, form: str) -> Any:
    """The usual gradients of the chosen arguments in this form."""
    if form == "dense":
        return gradients
    if not isinstance(argnums, tuple | list):
        return plain(x[argnums], gradients)
    return tuple([plain(v, g) for v, g in zip(_chosen(x, argnums), gradients, strict=True)])


def _chosen(x: tuple[Any, ...], argnums: Any) -> list[Any]:
    """The arguments that are differentiated; none where a choice is refused later."""
    wanted = argnums if isinstance(argnums, tuple | list) else (argnums,)
    return [x[i] for i in wanted if type(i) is int and -len(x) <= i < len(x)]
