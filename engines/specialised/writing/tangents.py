"""Tangents: what pushforward texts call as they run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ....core.calls import forward_of
from ....core.forward import forward_rule
from ....tangents import ZERO, fields_of, is_zero, unthunk
from .rundown import Beside, along, dense


def still(v: Any) -> Any:
    """The zero tangent of a value, None of what has none."""
    t = type(v)
    if t is ndarray:
        return np.zeros(v.shape)
    if t is float or t is np.float64:
        return 0.0
    if t is tuple or t is list or t is Beside:
        return t(map(still, v))
    if t is dict:
        return {k: still(x) for k, x in v.items()}
    return 0.0 if t is int or isinstance(v, np.integer) else None


def fill(t: Any, v: Any) -> Any:
    """A tangent in the shape of its value."""
    if type(v) is not ndarray or (type(t) is ndarray and t.shape == v.shape):
        return t
    made = np.empty(v.shape)
    made[...] = t
    return made


def owning(t: Any, v: Any) -> Any:
    """A tangent in the shape of its value that may be written into."""
    if type(v) is not ndarray:
        return t
    made = np.empty(v.shape)
    made[...] = t
    return made


class Linear:
    """The rule of a function that is linear in one argument, which moves alone: its pullback stays."""

    def __init__(self, rule: Any, f: Any, place: int) -> None:
        self.rule, self.f, self.place = rule, f, place
        self.__name__ = getattr(f, "__name__", "linear")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.rule(*args, **kwargs)


def called(f: Any, moving: tuple[Any, ...], *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """Value and tangent of a call, by its rule where it has one; `moving` has None for what carries none."""
    if type(f) is Linear and [i for i, t in enumerate(moving) if t is not None] == [f.place]:
        return f(*args, **kwargs), (called(f.f, moving, *args, **kwargs)[1], None)
    tangents = tuple(ZERO if t is None else t for t in moving)
    call = forward_rule(f, args, kwargs, None)
    if call is not None:
        y, t = call(tangents, *args, **kwargs)
    elif all(t is ZERO for t in tangents[len(args) :]):
        y, t = forward_of(f, args, tangents[: len(args)], kwargs, None)
    else:
        raise ValueError("a keyword argument that moves")
    if type(t) is ndarray and any(t is m for m in moving) and all(y is not x for x in args):
        t = t.copy()  # of another value, which may stay when the argument changes
    return y, _answer(t, y)


def _answer(t: Any, y: Any) -> Any:
    """A rule's tangent of y as texts have it: of a tuple a tuple."""
    if not isinstance(y, tuple):
        return dense(t)
    t = unthunk(t)
    fields = [ZERO] * len(y) if is_zero(t) else fields_of(t)
    return tuple(map(_answer, fields.values() if isinstance(fields, dict) else fields, y))


def extremum(t: Any, x: Any, y: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The tangent of the extrema y of x: the mean of those of the entries that are extrema."""
    if axis is not None:
        kept = y if keepdims else np.expand_dims(y, axis)
        return np.sum(along(x, kept, 1.0) * t, axis=axis, keepdims=keepdims)
    places = np.flatnonzero(x == y)
    mean = np.add.reduce(t.reshape(-1)[places]) / len(places)
    return np.full((1,) * x.ndim, mean) if keepdims else mean


def final(t: Any, v: Any) -> Any:
    """A tangent as the user gets it: of its value's type, an array of its own."""
    if type(v) is ndarray:
        return t if t.base is None and t.shape == v.shape else owning(t, v)
    if type(v) is tuple:
        return tuple(map(final, t, v))
    return float(t) if type(v) is float else np.float64(t)
