"""Memory: whose memory an array is a window of, and that window of another array that lies as it does."""

from __future__ import annotations

from typing import Any

import numpy as np


def owner_of(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array that owns the memory of a."""
    base = a.base
    while base is not None:
        if isinstance(base, np.ndarray):
            a = base
        base = getattr(base, "base", None)
    return a


def shadow_of(owner: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Zeros that lie as an owner's entries do."""
    if owner.dtype.kind == "c" or owner.dtype.kind == "f":
        return np.zeros_like(owner, subok=False)
    return np.zeros_like(owner, dtype=float, subok=False)


def window(shadow: np.ndarray[Any, Any], owner: np.ndarray[Any, Any], a: np.ndarray[Any, Any]) -> Any:
    """What a is of its owner, of the owner's shadow."""
    if a is owner:
        return shadow
    start = a.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    dtype = a.dtype if a.dtype.kind in "fc" else shadow.dtype
    return np.ndarray(a.shape, dtype, shadow, start, a.strides)


def add_at(
    shadow: np.ndarray[Any, Any], owner: np.ndarray[Any, Any], a: np.ndarray[Any, Any], t: Any
) -> None:
    """Add to what a is of its owner, of the shadow, where entries of a are the same memory."""
    places = np.arange(owner.size * owner.itemsize // a.itemsize)
    flat: Any = np.ndarray(places.shape, shadow.dtype, shadow)
    start = (a.__array_interface__["data"][0] - owner.__array_interface__["data"][0]) // a.itemsize
    steps = tuple([s // a.itemsize * places.itemsize for s in a.strides])
    np.add.at(flat, np.ndarray(a.shape, places.dtype, places, start * places.itemsize, steps), t)
