"""JAX's functions inside our programs: what `from_jax` gives.

A call is taken apart into its arrays, by plain Python that an engine can differentiate, and `run`, which has
rules, hands those to JAX. The derivatives of a function of arrays are functions of arrays again, with the
same rules: both modes, and every order. Cotangents are turned from JAX's, the conjugates of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...core.callables import name_of
from ...core.calls import forward_of, reverse_of
from ...core.decorators import frule, non_differentiable, rrule
from ...tangents import NO_TANGENT, ZERO, Composite, is_zero, materialize, unthunk
from .host import refuse_within_compiled
from .structure import Fixed, Spec, all_arrays, build, paths, pick, take_apart

Arrays = tuple[Any, ...]


class Flat:
    """A function of JAX from arrays, all of which move, to a tuple of arrays."""

    def __init__(self, name: str, f: Callable[..., Arrays]) -> None:
        self.name, self.f = name, f
        self.spec: Spec = Fixed(None)  # the structure of the value, once it was called

    def moving(self, *x: Any) -> Arrays:
        """What of the value has tangents."""
        return tuple([y for y in self.f(*x) if moves(y)])


def pull_of(function: Flat, count: int) -> Flat:
    """From cotangents of what moves in the value, and behind them `count` arrays, to those of the arrays."""

    def pulled(*given: Any) -> Arrays:
        y, back = jax.vjp(function.moving, *given[-count:])
        seeds = [jnp.conj(t).astype(part.dtype) for t, part in zip(given[:-count], y, strict=True)]
        return tuple([jnp.conj(t) for t in back(tuple(seeds))])

    return Flat(f"the pullback of {function.name}", pulled)


def push_of(function: Flat, count: int) -> Flat:
    """From tangents of `count` arrays, and these arrays, to those of what moves in the value."""

    def pushed(*given: Any) -> Arrays:
        x = given[count:]
        dx = tuple([t.astype(a.dtype) for t, a in zip(given[:count], x, strict=True)])
        dy: Arrays = jax.jvp(function.moving, x, dx)[1]
        return dy

    return Flat(f"the pushforward of {function.name}", pushed)


def moves(x: Any) -> bool:
    """Whether a value has tangents: it is floating-point."""
    return isinstance(x, float | complex) or getattr(getattr(x, "dtype", None), "kind", "") in ("f", "c")


def run(function: Flat, arrays: tuple) -> Any:  # type: ignore[type-arg]  # rules dispatch on it
    """The value of a function of arrays, computed by JAX, as NumPy's arrays."""
    refuse_within_compiled(function.name)
    return tuple([_to_numpy(y) for y in function.f(*map(jnp.asarray, arrays))])


def _to_numpy(y: Any) -> Any:
    return np.array(y)[()]  # a copy that may be written to; a number where there are no axes


@rrule(run)
def run_rrule(function: Flat, arrays: tuple):  # type: ignore[no-untyped-def, type-arg]  # rules dispatch on it
    """y = f(x)        x̄ = vjp(f)(ȳ)"""
    y = run(function, arrays)

    def run_pullback(y_bar):  # type: ignore[no-untyped-def]
        seeds = tuple([materialize(unthunk(t), like=a) for t, a in zip(y_bar, y, strict=True) if moves(a)])
        found = run(pull_of(function, len(arrays)), (*seeds, *arrays))
        return NO_TANGENT, Composite[tuple](*found)

    return y, run_pullback


@frule(run)
def run_frule(tangents, function: Flat, arrays: tuple):  # type: ignore[no-untyped-def, type-arg]
    """y = f(x)        ẏ = jvp(f)(ẋ)"""
    y = run(function, arrays)
    dx = tuple([materialize(unthunk(t), like=a) for t, a in zip(tangents[1], arrays, strict=True)])
    moved = run(push_of(function, len(arrays)), (*dx, *arrays))
    dy, k = [], 0
    for part in y:
        dy = [*dy, moved[k] if moves(part) else NO_TANGENT]
        k = k + 1 if moves(part) else k
    return y, Composite[tuple](*dy)


class Form:
    """One call taken apart: the ways to what moves in its arguments, and the function of these."""

    def __init__(self, f: Callable[..., Any], args: Arrays, kwargs: dict[str, Any]) -> None:
        spec = take_apart(args, moves, [])
        self.paths, self.function = paths(spec), Flat(name_of(f), self.in_jax)
        self.f, self.spec, self.kwargs = f, spec, kwargs

    def in_jax(self, *arrays: Any) -> Arrays:
        """The call, its value as a tuple of arrays."""
        y, leaves = self.f(*build(self.spec, arrays), **self.kwargs), []
        self.function.spec = take_apart(y, _is_array, leaves)
        all_arrays(self.f, self.function.spec)
        return tuple(map(jnp.asarray, leaves))


def _is_array(x: Any) -> bool:
    return isinstance(x, jax.Array | np.ndarray | np.generic | bool | int | float | complex)


def form_of(f: Callable[..., Any], args: Arrays, kwargs: dict[str, Any]) -> Form:
    """How a call is taken apart."""
    return Form(f, args, kwargs)


def structure_of(function: Flat) -> Spec:
    """The structure of the value that was computed last."""
    return function.spec


for makes in (pull_of, push_of):
    non_differentiable(makes, why="gives a function, whose arrays are given to it later")
non_differentiable(form_of, why="says where the arrays of a call stand")
non_differentiable(structure_of, why="says where the arrays of a value stand")


class FromJax:
    """A function of JAX with NumPy's arrays."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f
        self.__name__ = self.__qualname__ = name_of(f).rpartition(".")[2]
        self.__doc__ = f"{name_of(f)} with NumPy's arrays, and with the derivatives of JAX."

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return called(self.f, args, kwargs)


def called(f: Callable[..., Any], args: Arrays, kwargs: dict[str, Any]) -> Any:
    """f of NumPy's arrays, in terms of `run`."""
    form = form_of(f, args, kwargs)
    found = run(form.function, tuple([pick(args, path) for path in form.paths]))
    return build(structure_of(form.function), found)


@frule(FromJax.__call__)
def from_jax_frule(tangents, self: FromJax, *x: object, engine, **kwargs):  # type: ignore[no-untyped-def]
    """y = f(x)        ẏ = jvp(f)(ẋ)"""
    return forward_of(called, (self.f, x, kwargs), (ZERO, tangents[1:], ZERO), {}, engine)


@rrule(FromJax.__call__)
def from_jax_rrule(self: FromJax, *x: object, engine, **kwargs):  # type: ignore[no-untyped-def]
    """y = f(x)        x̄ = vjp(f)(ȳ)"""
    y, back = reverse_of(called, (self.f, x, kwargs), {}, (False, True, False), engine)

    def from_jax_pullback(y_bar):  # type: ignore[no-untyped-def]
        x_bars = unthunk(back(y_bar)[1])
        return NO_TANGENT, *((ZERO,) * len(x) if is_zero(x_bars) else x_bars)

    return y, from_jax_pullback


def from_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """f with NumPy's arrays; see `chainrules.from_jax`."""
    return FromJax(f)
