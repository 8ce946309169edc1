"""Variations of a call: the same function with numbers of other types and arrays of other shapes.

From one declared call the checker makes up to eight others: single precision, complex numbers of both
precisions, no axes, an empty and a length-one axis, a stack, a stretched argument. What a variation
means is for the function to say: one that it refuses, or that has no finite value there, is counted and
left. So is one that the rule refuses by name or that no rule is for, and a point where differences do
not settle; they are counted apart, so that nobody takes them for checked. Arguments with a tangent of
their own stay as they are, and a call with a constrained one is not varied.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..core.errors import NoRuleError
from ..tangents import ravel
from .case import CheckError
from .primals import is_natural, mismatch
from .random import WithTangent
from .refusals import refusal

PASSED = "passed"
BY_FUNCTION = "refused by the function"
NOT_FINITE = "no finite value"
NOT_SAME = "another value each time"
WRITES = "writes into an argument"
BY_RULE = "refused by the rule"
NO_RULE = "no rule for these types"
NOT_SETTLED = "differences do not settle"
NOTHING_MOVES = "nothing moves"

Args = tuple[Any, ...]


class Variation(NamedTuple):
    """A call made of another: of what kind, and its arguments."""

    kind: str
    args: Args


def variations(args: Args) -> Iterator[Variation]:
    """The calls made of this one that differ from it.

    Example: >>> ", ".join(v.kind for v in variations((np.ones(3),)))
             'float32, complex64, complex128, no axes, empty, length one, stack'
    """
    if any(isinstance(x, WithTangent) and x.within is not None for x in args):
        return
    for kind, change in KINDS.items():
        changed = change(args)
        if changed is not None:
            yield Variation(kind, changed)


def outcome(
    check: Callable[..., None], f: Callable[..., Any], v: Variation, kwargs: Mapping[str, Any]
) -> str:
    """What checking a variation gave, where nothing is wrong.

    Raises:  CheckError, as `check` does, naming the variation.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            y, again = _value(f, v, kwargs), _value(f, v, kwargs)
    except RuntimeWarning:
        return NOT_FINITE
    except Exception:  # whatever a function says to arguments that it does not take
        return BY_FUNCTION
    if not _is_finite(y):
        return NOT_FINITE
    if mismatch(y, again):
        return NOT_SAME
    try:
        check(*v.args)
    except CheckError as error:
        if (why := _excuse(error)) is not None:
            return why
        if _is_left_over(f, v, kwargs, y):
            return NOT_SAME
        if _jumps(f, v, kwargs, y):
            return NOT_SETTLED
        error.args = (f"{error}\n  variation: {v.kind}",)
        raise
    return PASSED


def _value(f: Callable[..., Any], v: Variation, kwargs: Mapping[str, Any]) -> Any:
    return f(*copy.deepcopy(tuple(x.primal if isinstance(x, WithTangent) else x for x in v.args)), **kwargs)


def _is_finite(y: Any) -> bool:
    try:
        return bool(np.all(np.isfinite(ravel(y)[0])))
    except Exception:  # what has no vector has no entries to look at
        return True


def _excuse(error: CheckError) -> str | None:
    """Why a failed check of a variation is no failure; None where it is one."""
    cause = error.__cause__
    if refusal(error) is not None or isinstance(cause, NoRuleError):
        return BY_RULE
    if error.check in ("reverse rule", "forward rule") and cause is None:
        return NO_RULE
    return _EXCUSES.get(error.check)


def _is_left_over(f: Callable[..., Any], v: Variation, kwargs: Mapping[str, Any], y: Any) -> bool:
    """Whether the value is what stood in memory before, which NumPy gives for some empty arrays."""
    for number in (1.0, 2.0):
        memory = [np.full(size, number) for size in range(1, 129) for _ in range(8)]
        del memory  # which NumPy keeps for arrays of these sizes
        if mismatch(_value(f, v, kwargs), y):
            return True
    return False


def _jumps(f: Callable[..., Any], v: Variation, kwargs: Mapping[str, Any], y: Any) -> bool:
    """Whether the value next to the point is another altogether, as of a function that sorts by hashes."""
    near = v._replace(args=tuple(_each(_nudged, x) for x in v.args))
    try:
        return bool(mismatch(_value(f, near, kwargs), y, rtol=1e-2))
    except Exception:  # the edge of a domain
        return True


def _nudged(x: Any) -> Any:
    if _kind(x) not in "fc":
        return x
    return type(x)(x * (1 + 1e-6)) if not isinstance(x, np.ndarray) else (x * (1 + 1e-6)).astype(x.dtype)


_EXCUSES = {
    "differences": NOT_SETTLED,
    "nothing to check": NOTHING_MOVES,
    "function without effects": WRITES,
}


def _numbers(args: Any) -> Iterator[Any]:
    """The numbers and arrays of a call, in lists and tuples too, that have no tangent of their own."""
    for x in args:
        if type(x) in (list, tuple):
            yield from _numbers(x)
        elif is_natural(x) and not isinstance(x, bool | np.bool_):
            yield x


def _each(change: Callable[[Any], Any], x: Any) -> Any:
    """The same with `change` made to each."""
    if type(x) in (list, tuple):
        return type(x)(_each(change, part) for part in x)
    return change(x) if is_natural(x) and not isinstance(x, bool | np.bool_) else x


def _kind(x: Any) -> str:
    return np.asarray(x).dtype.kind


def _cast(dtype: Any) -> Callable[[Args], Args | None]:
    """A change of the type of numbers; real ones are turned a little where they become complex."""
    wanted = np.dtype(dtype)

    def change(args: Args) -> Args | None:
        moved = [x for x in _numbers(args) if _kind(x) in "fc"]
        arrays = [x for x in moved if isinstance(x, np.ndarray | np.generic)] or moved
        kinds = {_kind(x) for x in arrays}
        if (
            not arrays
            or {np.asarray(x).dtype for x in arrays} == {wanted}
            or (wanted.kind == "f" and "c" in kinds)
        ):
            return None
        turn: complex = 1 + 0.3j if wanted.kind == "c" and "c" not in kinds else 1

        def cast(x: Any) -> Any:
            if isinstance(x, np.ndarray | np.generic):
                return np.multiply(x, turn).astype(wanted) if x.dtype.kind in "fc" else x
            return x if isinstance(x, int) or arrays is not moved else wanted.type(x * turn)

        return tuple(_each(cast, x) for x in args)

    return change


def _without_axes(args: Args) -> Args | None:
    """The first entry of each array as an array without axes; of a call with numbers alone, those."""
    some = [x for x in _numbers(args) if isinstance(x, np.ndarray) and x.ndim and x.size]

    def first(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return x.reshape(-1)[0:1].reshape(()) if x.size and x.dtype.kind in "fc" else x
        return np.asarray(x) if not some and isinstance(x, float | complex) else x

    return _changed(args, first)


def _cut(length: int) -> Callable[[Args], Args | None]:
    """Every axis as long as the longest cut to a length, and whole numbers that may be places kept within.

    Compiled code may look at the place without asking how long the axis is.
    """

    def change(args: Args) -> Args | None:
        arrays = [x for x in _numbers(args) if isinstance(x, np.ndarray)]
        longest = max((n for x in arrays for n in x.shape), default=0)
        if longest <= length:
            return None

        def cut(x: Any) -> Any:
            if not isinstance(x, np.ndarray) or longest not in x.shape:
                return x
            part = x[tuple(slice(length if n == longest else None) for n in x.shape)].copy()
            places = x.dtype.kind in "iu" and np.all(x < longest)
            return np.minimum(part, max(length - 1, 0)).astype(x.dtype) if places else part

        return _changed(args, cut)

    return change


def _stack(args: Args) -> Args | None:
    """A leading axis more, of two different entries, in every array."""
    return _changed(args, lambda x: _two_of(x) if isinstance(x, np.ndarray) else x)


def _stretched(args: Args) -> Args | None:
    """A leading axis more in the first of several arguments, along which the others are stretched."""
    places = [i for i, x in enumerate(args) if is_natural(x) and _kind(x) in "fc"]
    if len(places) < 2:
        return None
    return tuple(_two_of(x) if i == places[0] else x for i, x in enumerate(args))


def _two_of(x: Any) -> Any:
    return np.stack((x, 0.9 * x)).astype(np.asarray(x).dtype) if _kind(x) in "fc" else x


def _changed(args: Args, change: Callable[[Any], Any]) -> Args | None:
    """Every number changed; None where none is another than before."""
    new = tuple(_each(change, x) for x in args)
    pairs = zip(_numbers(args), _numbers(new), strict=True)
    return (
        new
        if any(a is not b and (np.shape(a), type(a)) != (np.shape(b), type(b)) for a, b in pairs)
        else None
    )


KINDS: dict[str, Callable[[Args], Args | None]] = {
    "float32": _cast(np.float32),
    "float64": _cast(np.float64),
    "complex64": _cast(np.complex64),
    "complex128": _cast(np.complex128),
    "no axes": _without_axes,
    "empty": _cut(0),
    "length one": _cut(1),
    "stack": _stack,
    "stretched": _stretched,
}
"""The kinds of variations, in the order in which they are tried."""
