"""Checkpoints: a call whose inner record is not kept but made again when its pullback runs.

The reverse sweep then holds the arguments of the call and one inner record at a time. A loop of n
steps cut into √n calls of √n steps each needs memory for 2√n steps and one more run forwards; calls
inside calls need less still. Running again must do and give the same, so what f was given and
returned is held against checksums: a function that writes into its arguments, that draws random
numbers, or whose arguments were changed in between is refused. Output that it prints comes twice.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ..core.callables import name_of
from ..core.decorators import frule, non_differentiable, rrule
from ..core.errors import AliasedMutationError, NotDifferentiableError
from ..core.recording import by_rule
from ..tangents.structure import parts
from .calls import forward_of, reverse_of

P = ParamSpec("P")
R = TypeVar("R")

Checksum = tuple[Any, ...]


def checkpoint(f: Callable[P, R]) -> Callable[P, R]:
    """f, to be run again in the reverse sweep instead of keeping what its derivative needs.

    Use it on the inner segments of a long program: a loop of n steps as √n calls of √n steps needs
    memory for about 2√n of them. What f captured is differentiated as its arguments are.

    Shapes:  takes and returns what f does; in forward mode it is f.
    Raises:  AliasedMutationError where f writes into its arguments or what it captured, or these
             were written to before the reverse sweep; NotDifferentiableError where it returns
             another value when it runs again.
    Example: >>> import chainrules as cr
             >>> segment = checkpoint(lambda x: np.sin(np.cos(x)))
             >>> bool(np.isclose(cr.grad(segment)(1.0), -np.cos(np.cos(1.0)) * np.sin(1.0)))
             True
    """

    def checkpointed(*args: Any, **kwargs: Any) -> Any:
        return recomputed(f, args, kwargs)

    named_like(checkpointed, f)
    return checkpointed


def named_like(wrapper: Callable[..., Any], f: Callable[..., Any]) -> None:
    """Give a wrapper the name and documentation of what it wraps."""
    functools.update_wrapper(wrapper, f)


@by_rule
def recomputed(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`f(*args, **kwargs)`; its rules keep no more than the arguments."""
    return f(*args, **kwargs)


def spread(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The same without rules."""
    return f(*args, **kwargs)


@frule(recomputed)
def recomputed_frule(tangents: Any, f: object, args: tuple, kwargs: dict, *, engine: Any) -> Any:  # type: ignore[type-arg]  # plum dispatches on plain classes
    """y = f(…)        ẏ = f′(…)·ẋ"""
    return forward_of(spread, (f, args, kwargs), tangents, {}, engine)


@rrule(recomputed)
def recomputed_rrule(f: Any, args: tuple, kwargs: dict, *, needs: Any, engine: Any) -> Any:  # type: ignore[type-arg]  # plum dispatches on plain classes
    """y = f(…)        x̄ = f′(…)ᵀȳ, from a second run"""
    given = checksum((f, args, kwargs))
    y = f(*args, **kwargs)
    refuse_written(f, given, checksum((f, args, kwargs)), "it writes into them")
    returned = checksum(y)

    def recomputed_pullback(y_bar: Any) -> Any:
        refuse_written(f, given, checksum((f, args, kwargs)), "they were written to after its call")
        again, back = reverse_of(spread, (f, args, kwargs), {}, needs, engine)
        refuse_other_value(f, returned, checksum(again))
        return back(y_bar)

    return y, recomputed_pullback


def checksum(x: Any) -> Checksum:
    """What changes when x, or something in it, does: types, shapes and a checksum of every array."""
    return _checksum(x, set())


def _checksum(x: Any, inside: set[int]) -> Checksum:
    if isinstance(x, np.ndarray) and x.dtype.kind != "O":
        return x.dtype.str, x.shape, zlib.crc32(np.ascontiguousarray(x).tobytes())
    if isinstance(x, int | float | complex | str | bytes | np.generic | None):
        return type(x), repr(x)
    if id(x) in inside:
        return ("again",)
    inside = inside | {id(x)}
    if isinstance(x, np.ndarray):
        return x.shape, *(_checksum(v, inside) for v in x.flat)
    if isinstance(x, MethodType):
        return id(x.__func__), _checksum(x.__self__, inside)
    if isinstance(x, FunctionType):
        captured = (_content(c) for c in x.__closure__ or ())
        return id(x), *(_checksum(c, inside) for c in captured if not isinstance(c, list | dict | set))
    found = parts(x)
    if found is None:
        return (id(x),)
    items = found.items() if isinstance(found, dict) else enumerate(found)
    return type(x), *((key, _checksum(v, inside)) for key, v in items)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return None


def refuse_written(f: Any, before: Checksum, after: Checksum, how: str) -> None:
    """Raise where the arguments of a checkpointed call, or what it captured, have changed."""
    if before != after:
        raise AliasedMutationError(
            f"the arguments of {name_of(f)}, or what it captured, changed: {how}, so it cannot run again",
            closest="a function without checkpoint may write into what it made itself",
            next="let it work on copies and return what it changed, or leave out checkpoint",
        )


def refuse_other_value(f: Any, first: Checksum, again: Checksum) -> None:
    """Raise where the second run of a checkpointed call returned something else."""
    if first != again:
        raise NotDifferentiableError(
            f"{name_of(f)} returned another value when checkpoint ran it again in the reverse sweep",
            closest="random numbers, counters and other state make a run different from the last",
            next="draw the random numbers outside and pass them in, or leave out checkpoint",
        )


non_differentiable(named_like, checksum, refuse_written, refuse_other_value, why="checks")
