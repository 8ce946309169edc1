"""Functions of other libraries inside our programs: what `from_jax` and `from_torch` give.

A call is taken apart into its arrays, by plain Python that an engine can differentiate, and `run`, which
has rules, hands those to the library. What is special to a library are a `Flat` of its own, a function of
its arrays, and how that is pulled back and pushed forward by the library: as a function of arrays again.
So both modes work, and every order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.callables import describe, name_of
from ...core.calls import forward_of, reverse_of
from ...core.decorators import frule, non_differentiable, rrule
from ...core.errors import NotDifferentiableError
from ...core.recording import by_rule
from ...tangents import NO_TANGENT, ZERO, Composite, NotImplementedTangent, is_zero, materialize, unthunk
from ..leaves import Layout
from .structure import Fixed, Spec, all_arrays, build, paths, pick, take_apart

Arrays = tuple[Any, ...]


class Flat:
    """A function of a library from arrays, all of which move, to a tuple of arrays."""

    def __init__(self, name: str, f: Callable[..., Arrays]) -> None:
        self.name, self.f = name, f
        self.spec: Spec = Fixed(None)  # the structure of the value, once it was called

    def on_host(self, arrays: Arrays) -> Arrays:
        """The value at NumPy's arrays, as NumPy's arrays that may be written to."""
        raise NotImplementedError

    def pull(self, count: int) -> Flat:
        """From cotangents of what moves in the value, and behind them `count` arrays, to those of the arrays.

        The convention of complex numbers is ours.
        """
        raise NotImplementedError

    def push(self, count: int) -> Flat:
        """From tangents of `count` arrays, and these arrays, to those of what moves in the value."""
        raise NotImplementedError


def moves(x: Any) -> bool:
    """Whether a value has tangents: it is floating-point."""
    return isinstance(x, float | complex) or getattr(getattr(x, "dtype", None), "kind", "") in ("f", "c")


@by_rule
def run(function: Flat, arrays: tuple) -> Any:  # type: ignore[type-arg]  # rules dispatch on it
    """The value of a function of arrays, computed by its library."""
    return function.on_host(arrays)


def pull_of(function: Flat, count: int) -> Flat:
    """The pullback of a function, as one of arrays."""
    return function.pull(count)


def push_of(function: Flat, count: int) -> Flat:
    """The pushforward of a function, as one of arrays."""
    return function.push(count)


@rrule(run)
def run_rrule(function: Flat, arrays: tuple):  # type: ignore[no-untyped-def, type-arg]  # rules dispatch on it
    """y = f(x)        x̄ = vjp(f)(ȳ)"""
    y = run(function, arrays)

    def run_pullback(y_bar):  # type: ignore[no-untyped-def]
        if not arrays:
            return NO_TANGENT, ZERO
        seeds = tuple([materialize(unthunk(t), like=a) for t, a in zip(y_bar, y, strict=True) if moves(a)])
        found = run(pull_of(function, len(arrays)), (*seeds, *arrays))
        return NO_TANGENT, Composite[tuple](*found)

    return y, run_pullback


@frule(run)
def run_frule(tangents, function: Flat, arrays: tuple):  # type: ignore[no-untyped-def, type-arg]
    """y = f(x)        ẏ = jvp(f)(ẋ)"""
    y = run(function, arrays)
    if not arrays:
        return y, ZERO
    dx = tuple([materialize(unthunk(t), like=a) for t, a in zip(tangents[1], arrays, strict=True)])
    moved = run(push_of(function, len(arrays)), (*dx, *arrays))
    dy: list[Any] = []
    k = 0
    for part in y:
        dy = [*dy, moved[k] if moves(part) else NO_TANGENT]
        k = k + 1 if moves(part) else k
    return y, Composite[tuple](*dy)


class Foreign:
    """A function of a library with NumPy's arrays; a library's own class says how its calls are."""

    library: str

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        self.__name__ = self.__qualname__ = name_of(f).rpartition(".")[2]
        self.__doc__ = f"{name_of(f)} with NumPy's arrays, and with the derivatives of {self.library}."

    def flat(self, spec: Spec, kwargs: dict[str, Any]) -> Flat:
        """The call with arguments of this structure, as a function of the arrays that move in them."""
        raise NotImplementedError

    @by_rule
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return called(self, args, kwargs)


class Form:
    """One call taken apart: the ways to what moves in its arguments, and the function of these."""

    def __init__(self, foreign: Foreign, args: Arrays, kwargs: dict[str, Any]) -> None:
        spec = take_apart(args, moves, [])
        self.paths, self.function = paths(spec), foreign.flat(spec, kwargs)


def form_of(foreign: Foreign, args: Arrays, kwargs: dict[str, Any]) -> Form:
    """How a call is taken apart."""
    return Form(foreign, args, kwargs)


def reasons(foreign: Foreign, args: Arrays) -> list[str]:
    """For each argument why it is a constant, though it holds numbers that could move; else nothing."""
    found = []
    for a in args:
        leaves: list[Any] = []
        take_apart(a, moves, leaves)
        why = ""
        if not leaves and is_whole(a):
            why = "whole numbers have no derivative there; give floating-point ones"
        elif len(Layout.of(a, moves, into_functions=True)[1]) > len(leaves):
            why = "what moves is looked for in tuples, lists, dicts and dataclasses; give it in one of these"
        found.append(f"{describe(a)} is a constant to {foreign.library}: {why}" if why else "")
    return found


def is_whole(x: Any) -> bool:
    """Whether a value is a whole number or an array of them."""
    return (isinstance(x, int) and not isinstance(x, bool)) or getattr(
        getattr(x, "dtype", None), "kind", ""
    ) in ("i", "u")


def refuse_constants(foreign: Foreign, args: Arrays, tangents: Arrays) -> None:
    """Refuse a tangent of what is a constant to the library."""
    for why, t in zip(reasons(foreign, args), tangents, strict=True):
        if why and not is_zero(unthunk(t)):
            raise NotDifferentiableError(why, next="give what moves by itself, or as a part of a container")


def structure_of(function: Flat) -> Spec:
    """The structure of the value that was computed last."""
    return function.spec


def arrays_of(f: Any, y: Any, is_array: Callable[[Any], bool]) -> tuple[Spec, list[Any]]:
    """A value taken apart: its structure, and its arrays; refused where it holds what is no array."""
    leaves: list[Any] = []
    spec = take_apart(y, is_array, leaves)
    all_arrays(f, spec)
    return spec, leaves


for makes in (pull_of, push_of):
    non_differentiable(makes, why="gives a function, whose arrays are given to it later")
non_differentiable(reasons, refuse_constants, why="looks at structures alone")
non_differentiable(form_of, why="says where the arrays of a call stand")
non_differentiable(structure_of, why="says where the arrays of a value stand")


def called(foreign: Foreign, args: Arrays, kwargs: dict[str, Any]) -> Any:
    """A function of a library at NumPy's arrays, in terms of `run`."""
    form = form_of(foreign, args, kwargs)
    found = run(form.function, tuple([pick(args, path) for path in form.paths]))
    return build(structure_of(form.function), found)


@frule(Foreign.__call__)
def foreign_frule(tangents, self: Foreign, *x: object, engine, **kwargs):  # type: ignore[no-untyped-def]
    """y = f(x)        ẏ = jvp(f)(ẋ)"""
    refuse_constants(self, x, tangents[1:])
    return forward_of(called, (self, x, kwargs), (ZERO, tangents[1:], ZERO), {}, engine)


@rrule(Foreign.__call__)
def foreign_rrule(self: Foreign, *x: object, engine, **kwargs):  # type: ignore[no-untyped-def]
    """y = f(x)        x̄ = vjp(f)(ȳ)"""
    y, back = reverse_of(called, (self, x, kwargs), {}, (False, True, False), engine)
    constants = reasons(self, x)

    def foreign_pullback(y_bar):  # type: ignore[no-untyped-def]
        x_bars = unthunk(back(y_bar)[1])
        given = (ZERO,) * len(x) if is_zero(x_bars) else x_bars
        found: tuple[Any, ...] = ()
        for t, why in zip(given, constants, strict=True):
            found = (*found, NotImplementedTangent(why) if why else t)
        return NO_TANGENT, *found

    return y, foreign_pullback
