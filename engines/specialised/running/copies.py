"""Copies: arguments for another run, with arrays of their own."""

from __future__ import annotations

from typing import Any

import numpy as np


def copies(x: Any) -> Any:
    """The arguments, with copies of their arrays."""
    if type(x) is tuple:
        return tuple(map(copies, x))
    if type(x) is dict:
        return {k: copies(v) for k, v in x.items()}
    return x.copy("K") if type(x) is np.ndarray else x


def same_bytes(a: Any, b: Any) -> bool:
    """Whether the arrays of two tuples of arguments hold the same."""
    if type(a) is tuple:
        return all(map(same_bytes, a, b))
    if type(a) is dict:
        return all(same_bytes(a[k], b[k]) for k in a)
    return not isinstance(a, np.ndarray) or a.tobytes() == b.tobytes()
