"""Calls of a distribution's methods: shapes, loc and scale are data, by position or by keyword.

The names of the shapes belong to the distribution, so the signature of a call is computed from its first
argument. `standard` takes the parameters of a call apart; `as_found` gives a program the value of SciPy's own
method.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import rv_continuous

from ....core import non_differentiable
from ....tangents import is_zero

_NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD


def signature_with(*before: str, after: tuple[str, ...] = ()) -> Callable[[Any], inspect.Signature]:
    """How a method is called that takes these arguments before the distribution's parameters, and after."""

    def signature_of(dist: Any) -> inspect.Signature:
        return _signature(before, dist.shapes, isinstance(dist, rv_continuous), after)

    return signature_of


@functools.cache
def _signature(
    before: tuple[str, ...], shapes: str | None, continuous: bool, after: tuple[str, ...]
) -> inspect.Signature:
    first = [inspect.Parameter(name, _NAMED) for name in ("self", *before)]
    names = [] if shapes is None else shapes.replace(",", " ").split()
    given = [inspect.Parameter(name, _NAMED) for name in names]
    defaults = {"loc": 0.0} | ({"scale": 1.0} if continuous else {})
    given += [inspect.Parameter(name, _NAMED, default=value) for name, value in defaults.items()]
    given += [inspect.Parameter(name, _NAMED, default=None) for name in after]
    return inspect.Signature([*first, *given])


def standard(count: int, parameters: Any) -> Any:
    """The shapes, loc and scale among the parameters given."""
    left_out = len(parameters) - count
    shapes, placed = parameters[:count], (*parameters, *(0.0, 1.0)[left_out:])
    return shapes, placed[count], placed[count + 1]


TINY = 1e-300


def checked(dist: Any, y: Any, z: Any, shapes: Any, scale: Any) -> Any:
    """Where a point is in the support and the value finite, and where SciPy answers NaN: arrays, or truth
    values."""
    shapes = tuple(map(np.asarray, shapes))
    with np.errstate(all="ignore"):
        valid = dist._argcheck(*shapes) & (np.asarray(scale) > 0)
        inside = dist._support_mask(np.asarray(z), *shapes) & np.isfinite(z) & np.isfinite(y) & valid
        bad = np.broadcast_to(~np.asarray(valid, bool), np.shape(inside)) | np.isnan(z)
    return np.asarray(inside, bool)[()], np.asarray(bad, bool)[()]


def off_zero(z: Any, inside: Any) -> Any:
    """How far to go from 0, an end of the support, so that no two infinities of opposite sign meet."""
    at_end = np.asarray(z) == 0
    return np.where(at_end & inside, TINY, 0.0)[()] if np.any(at_end) else 0.0


def everywhere(mask: Any) -> bool:
    """Whether a mask holds at every point."""
    return bool(np.all(mask))


def anywhere(mask: Any) -> bool:
    """Whether a mask holds at some point."""
    return bool(np.any(mask))


def still_all(tangents: Any) -> bool:
    """Whether none of these moves."""
    return all(is_zero(t) for t in tangents)


for _check in (checked, everywhere, anywhere, off_zero, still_all):
    non_differentiable(_check, why="says where a point lies")


def within(program: Any, inside: Any, bad: Any, z: Any, shapes: Any) -> Any:
    """A program's values inside the support, 0 outside and NaN where SciPy answers NaN."""
    if everywhere(inside):
        return program(z, *shapes)
    shape = np.shape(inside)
    if not anywhere(inside):
        out = np.zeros(shape)
    elif shape == ():
        out = program(z, *shapes)
    else:
        out = np.zeros(shape)
        chosen = tuple([np.broadcast_to(s, shape)[inside] for s in shapes])
        out[inside] = program(np.broadcast_to(z, shape)[inside], *chosen)
    if anywhere(bad):
        lost = np.nan * z
        for s in shapes:
            lost = lost + np.nan * s
        out = np.where(bad, lost, out)
    return out
