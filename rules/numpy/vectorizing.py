"""np.vectorize: a function of numbers, or with a signature of small arrays, over whole arrays.

Written out over the entries and differentiated by whoever calls the rule, so that what the function
captured has its cotangent too. Results have the type of the first one, as in NumPy, whole numbers ending
the derivative. Excluded arguments reach the function as they are. Refused by name: an array given by
name that is gone through.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np

from ...core import UnsupportedArgument, frule, non_differentiable, rrule
from ...tangents import Composite
from ..written import written_out


@frule(np.vectorize)  # lint: catch-all, a callable has any type
def vectorize_frule(
    tangents, pyfunc: object, *, otypes=None, doc=None, excluded=None, cache=False, signature=None
):
    """The object's one part with a tangent is its function"""
    v = np.vectorize(pyfunc, otypes, doc, excluded, cache, signature)  # type: ignore[arg-type]  # a callable
    return v, Composite[np.vectorize](pyfunc=tangents[0])


@rrule(np.vectorize)  # lint: catch-all, a callable has any type
def vectorize_rrule(pyfunc: object, *, otypes=None, doc=None, excluded=None, cache=False, signature=None):
    """The object's one part with a cotangent is its function"""

    def vectorize_pullback(v_bar):
        return v_bar.pyfunc

    v = np.vectorize(pyfunc, otypes, doc, excluded, cache, signature)  # type: ignore[arg-type]  # a callable
    return v, vectorize_pullback


@written_out(np.vectorize.__call__)
def vectorized(self: np.vectorize, *args: object, **kwargs):
    """y = f of each entry, or of each array of the signature's shape"""
    shape, cores = plan_of(self, args, kwargs)
    count = math.prod(shape)
    lines: tuple[Any, ...] = ()
    for k in range(len(args)):
        if cores[k] is None:
            lines = (*lines, args[k])
        else:
            spread = np.broadcast_to(np.asarray(args[k]), (*shape, *cores[k]))
            lines = (*lines, np.reshape(spread, (count, *cores[k])))
    f, types, made = self.pyfunc, types_said(self, count), []
    if types is None and not self.signature and not self.cache:  # NumPy calls f once more, for its types
        first: tuple[Any, ...] = ()
        for k in range(len(lines)):
            first = (*first, lines[k] if cores[k] is None else lines[k][0])
        types = types_of(f(*first, **kwargs))
    for i in range(count):
        row: tuple[Any, ...] = ()
        for k in range(len(lines)):
            if cores[k] is None:
                row = (*row, lines[k])
            elif self.signature or (self.cache and i == 0):
                row = (*row, lines[k][i])
            else:
                row = (*row, lines[k][i].item())
        made.append(f(*row, **kwargs))
    kinds = kinds_of(self, types, made, cores)
    if len(kinds) == 1:
        return gathered(made, shape, kinds[0])
    return tuple([gathered([results[k] for results in made], shape, kinds[k]) for k in range(len(kinds))])


class Kind(NamedTuple):
    """What one result of the function is: its type, and its shape for one entry."""

    dtype: Any
    shape: tuple[int, ...]


def gathered(made: list[Any], shape: tuple[int, ...], kind: Kind) -> Any:
    """The results for all entries, as one array."""
    return np.reshape(np.array(made), (*shape, *kind.shape)).astype(kind.dtype)


def cores_in(signature: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The names of the core dimensions of arguments and results.

    Example: >>> cores_in("(n),(n,m)->(),(m)")
             ([('n',), ('n', 'm')], [(), ('m',)])
    """
    sides = [re.findall(r"\(([^)]*)\)", side) for side in signature.split("->")]
    taken, given = ([tuple(filter(None, re.split(r"[,\s]+", core))) for core in side] for side in sides)
    return taken, given


def plan_of(v: Any, args: Any, kwargs: Any) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """The shape that the arguments have together, and of each its core shape, None where it is excluded."""
    for name, value in kwargs.items():
        if np.ndim(value) and name not in v.excluded:
            why = "an array given by name is gone through too"
            raise UnsupportedArgument(v.pyfunc, name, value, why=why, next="give it by position")
    gone_through = [k for k in range(len(args)) if k not in v.excluded]
    names = cores_in(v.signature)[0] if v.signature else [()] * len(gone_through)
    if len(names) != len(gone_through):
        raise TypeError(f"the signature {v.signature} has {len(names)} arguments, not {len(gone_through)}")
    sizes: dict[str, int] = {}
    outer, cores = [], [None] * len(args)
    for k, core in zip(gone_through, names, strict=True):
        whole = np.shape(args[k])
        split = len(whole) - len(core)
        if split < 0 or any(sizes.setdefault(n, s) != s for n, s in zip(core, whole[split:], strict=True)):
            raise ValueError(f"argument {k + 1} of shape {whole} does not fit the signature {v.signature}")
        outer.append(whole[:split])
        cores[k] = whole[split:]
    return np.broadcast_shapes(*outer), tuple(cores)


def types_said(v: Any, count: int) -> Any:
    """The types of the results as they were said; None where a call tells them."""
    if v.otypes is not None:
        return tuple(map(np.dtype, v.otypes))
    if not count:
        raise ValueError("cannot call vectorize of size 0 inputs unless otypes is given")
    return None


def types_of(results: Any) -> Any:
    """The types of the results of a call."""
    return tuple(np.asarray(r).dtype for r in parts_of(results))


def parts_of(results: Any) -> tuple[Any, ...]:
    """The results of one call."""
    return results if isinstance(results, tuple) else (results,)


def kinds_of(v: Any, types: Any, made: list[Any], cores: Any) -> tuple[Kind, ...]:
    """Of each result its type, and its shape: by the first of them or, without one, the signature."""
    if made:
        results = [np.asarray(r) for r in parts_of(made[0])]
        if v.signature:
            hold_results(v.signature, [np.shape(r) for r in results], cores)
        return tuple(
            Kind(t, r.shape) for t, r in zip(types or [r.dtype for r in results], results, strict=True)
        )
    given = cores_in(v.signature)[1] if v.signature else [()] * len(types)
    sizes = sizes_of(v.signature, cores) if v.signature else {}
    return tuple(Kind(t, tuple(sizes.get(n, 0) for n in core)) for t, core in zip(types, given, strict=True))


def sizes_of(signature: str, cores: Any) -> dict[str, int]:
    """The lengths of the core dimensions, from the arguments."""
    sizes: dict[str, int] = {}
    for core, shape in zip(cores_in(signature)[0], (c for c in cores if c is not None), strict=True):
        sizes |= zip(core, shape, strict=True)
    return sizes


def hold_results(signature: str, shapes: list[tuple[int, ...]], cores: Any) -> None:
    """Refuse results that the signature does not describe, as NumPy does."""
    given, sizes = cores_in(signature)[1], sizes_of(signature, cores)
    fits = len(given) == len(shapes) and all(
        len(core) == len(shape) and all(sizes.setdefault(n, s) == s for n, s in zip(core, shape, strict=True))
        for core, shape in zip(given, shapes, strict=True)
    )
    if not fits:
        raise ValueError(f"results of the shapes {shapes} do not fit the signature {signature}")


non_differentiable(plan_of, types_said, types_of, kinds_of, why="computes with shapes and types alone")
