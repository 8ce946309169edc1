"""What a value looks like before there are numbers: f run once on made-up arrays of the right shapes.

Graphs need to know shapes and dtypes ahead. The made-up numbers rise from 0 to 1, with a heavy diagonal in
what is square, so that logarithms, solves and factorisations have what they ask for; then ones, then zeros.
What f gives there is no proof: it is run on other numbers, too, and where shape, dtype, structure or a
constant of the value is another it depends on values, and is refused. So is an array without entries, which
graphs drop together with the call that would tell whether it has some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...core.callables import name_of
from ...core.errors import AliasedMutationError, ShapeMismatch, UnsupportedArgument
from ..leaves import Layout
from ..source.reruns import changes
from .array_functions import ArrayFunction

Spec = tuple[tuple[int, ...], np.dtype[Any]]
"""Shape and dtype of an array."""


def value_like(function: ArrayFunction, specs: Sequence[Spec]) -> tuple[Layout, list[Spec]]:
    """The layout of the value at arrays of these shapes and dtypes, and what its own arrays are like."""
    errors = []
    for x in stand_ins(specs):
        try:
            out, found = looks(function, x)
        except Exception as error:  # whatever a function does with numbers that it was not made for
            errors.append(error)
        else:
            refuse_by_values(function, out, found, specs, lambda made: looks(function, made))
            return out, found
    shapes = ", ".join(f"{dtype}{list(shape)}" for shape, dtype in specs)
    raise UnsupportedArgument(
        function.f,
        "x",
        shapes,
        why=f"what its value looks like cannot be told: on made-up numbers it raises {errors[0]!r}",
        next=f"call {name_of(function.f)} outside of the compiled program",
    ) from errors[0]


def refuse_by_values(
    function: ArrayFunction,
    out: Layout,
    found: Sequence[Spec],
    specs: Sequence[Spec],
    value: Callable[[list[Any]], tuple[Layout, list[Spec]]],
) -> None:
    """Refuse a value that looks different at other numbers, or has an array without entries."""
    if not specs or not any(0 not in shape for shape, _ in specs):
        return
    if any(0 in shape for shape, _ in found):
        raise _by_values(function.f, "it has an array without entries, as made-up numbers give it")
    try:
        other, at_others = value(further(specs))
    except Exception:  # it was not made for these
        return
    if not other.is_like(out) or at_others != list(found):
        raise _by_values(function.f, "two made-up arguments of the same shapes gave different ones")


def looks(function: ArrayFunction, x: list[Any]) -> tuple[Layout, list[Spec]]:
    """What the value of a function at arrays looks like."""
    out, ys = function.value(x)
    return out, [(np.shape(y), np.asarray(y).dtype) for y in ys]


def _by_values(f: Callable[..., Any], why: str) -> ShapeMismatch:
    return ShapeMismatch(
        f"shape, dtype or structure of the value of {name_of(f)} may depend on values: {why}",
        closest="outside of compiled programs they may",
        next="say what the value is like, as with to_jax(f, value=jax.ShapeDtypeStruct(shape, dtype)), "
        f"or call {name_of(f)} outside of the compiled program",
    )


def further(specs: Sequence[Spec]) -> list[Any]:
    """Made-up arrays like the first of `stand_ins`, their numbers spread from 0 to 3."""
    first = next(stand_ins(specs))
    pairs = zip(first, specs, strict=True)
    return [np.asarray(a * 3).astype(dtype)[()] if dtype.kind != "b" else ~a for a, (_, dtype) in pairs]


def stand_ins(specs: Sequence[Spec]) -> Iterator[list[Any]]:
    """Made-up arrays of these shapes and dtypes, one list after another; a number where there are no axes."""
    for make in (_rising, np.ones, np.zeros):
        made = [make(shape) * (1 + 0.5j if dtype.kind == "c" else 1) for shape, dtype in specs]
        arrays = [np.asarray(a).astype(dtype) for a, (_, dtype) in zip(made, specs, strict=True)]
        yield [a if a.ndim else a[()] for a in arrays]


def _rising(shape: tuple[int, ...]) -> Any:
    count = int(np.prod(shape))
    x = np.reshape((np.arange(count) + 1.0) / (count + 1.0), shape)
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        x = (x + np.swapaxes(x, -1, -2)) / 2 + shape[-1] * np.eye(shape[-1])
    return x


def refuse_effects(engine: str, f: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuse a function that changes what it is given or captured for an engine that compiles it.

    Its programs run f as often as they need: to see what the value is like, and again for a derivative.
    """
    if changes(f, x, kwargs, unknown=False):
        raise AliasedMutationError(
            f"{name_of(f)} changes its arguments or what it captured, and {engine} keeps no such effects: "
            "its programs run a function as often as they need",
            closest="our own operators, to_torch and to_autograd, which have the effects of a function once",
            next="return what changes as a part of the value, and work on a copy, as in `x = x.copy()`",
        )
