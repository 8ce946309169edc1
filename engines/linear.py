"""Linear maps: a function's pushforward made once (`linearize`), and the transposed of a map that is linear.

A pullback is a linear map of its seed, and the pushforward is its transposed. So one run of f in
reverse is enough: its pullback, which is a program too, is run in reverse once, and what comes of
that takes tangents of x. Neither runs f again. An engine without reverse mode of its own gives
its `value_and_pushforward`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ..core.callables import describe, name_of
from ..core.decorators import non_differentiable
from ..core.engine import Engine, engine_or_default
from ..core.errors import NotDifferentiableError, ShapeMismatch
from ..core.recording import by_rule
from ..tangents import (
    NO_TANGENT,
    Composite,
    is_zero,
    materialize,
    ravel,
    unthunk,
    zero_tangent,
)
from .boundary import force_all, value_of
from .calls import reverse_of
from .source.reruns import at_entry, copied

P = ParamSpec("P")
R = TypeVar("R")


def linearize(
    f: Callable[P, R], *x: Any, engine: Engine | str | None = None, **kwargs: Any
) -> tuple[R, Callable[..., Any]]:
    """Value and pushforward of f at x; f runs once, and not again when the pushforward is called.

    The first call of the pushforward costs a run backwards, each call about one gradient. It keeps
    what a pullback keeps and refers to x and to the value as that does, so write to neither before the
    last call; `jvp` takes one direction in constant memory.

    Shapes:  the pushforward takes one tangent for each argument, and returns one like the value.
    Raises:  as `vjp`; HigherOrderError where a pullback on the way cannot be differentiated.
    Example: >>> y, pushforward = linearize(lambda x: x * x, 3.0)
             >>> y, pushforward(1.0), pushforward(2.0)
             (9.0, 6.0, 12.0)
    """
    chosen = engine_or_default(engine)
    if not hasattr(chosen, "reverse"):
        return chosen.value_and_pushforward(f, *x, **kwargs)
    like = at_entry(f, x, kwargs)
    y, back = reverse_of(f, x, kwargs, (True,) * len(x), engine)
    return y, transposed(back, y, like, engine)


def transposed(
    back: Callable[[Any], tuple[Any, ...]], y: Any, x: tuple[Any, ...], engine: Engine | str | None
) -> Callable[..., Any]:
    """The pushforward of which `back`, at y for x, is the pullback."""

    def pulled(y_bar: Any) -> Any:
        return back(y_bar)

    _, forth = reverse_of(pulled, (_some(y),), {}, (True,), engine)

    def pushforward(*dx: Any) -> Any:
        (dy,) = forth(_given(x, dx))
        return unthunk(value_of(y, dy))

    return pushforward


@by_rule
def _given(x: tuple[Any, ...], dx: tuple[Any, ...]) -> Any:
    """The tangents of all arguments as one, in the arguments' spaces."""
    if len(x) != len(dx):
        raise ShapeMismatch(
            f"{len(x)} primals and {len(dx)} tangents", next="give one tangent for each primal"
        )
    given: tuple[Any, ...] = ()
    for p, t in zip(x, dx, strict=True):
        given = (*given, value_of(p, t))
    return Composite[tuple](*given)


@by_rule
def _some(y: Any) -> Any:
    """A seed of y, of which no entry is zero."""
    zero = zero_tangent(y)
    if zero is NO_TANGENT:
        raise NotDifferentiableError(
            f"{describe(y)}, the value of a function to linearize, has no derivative",
            next="return a number, an array, or a structure of them",
        )
    vector, unravel = ravel(zero)
    return unravel(np.ones_like(vector))


def linear_transpose(
    f: Callable[..., Any], *x_like: Any, engine: Engine | str | None = None, **kwargs: Any
) -> Callable[[Any], Any]:
    """Transpose of a linear function, as a function of a cotangent of its value; raises if f is not linear.

    It is held to be linear in all its arguments together: f runs twice, at points made up with the
    structure of `x_like`, whose numbers do not matter.

    Shapes:  takes a cotangent like `f(*x_like)`; returns a tuple, one cotangent for each argument.
    Raises:  NotDifferentiableError where f is not linear; else as `vjp`.
    Example: >>> A = np.array([[1.0, 2.0], [3.0, 4.0]])
             >>> linear_transpose(lambda x: A @ x, np.zeros(2))(np.array([1.0, 0.0]))
             (array([1., 2.]),)
    """
    x, other = made_up(x_like, 0.3), made_up(x_like, 1.7)
    (_, at, _), (g, at_other, words) = copied(f, x, kwargs), copied(f, other, kwargs)
    y, back = reverse_of(f, x, kwargs, (True,) * len(x), engine)
    refuse_nonlinear(f, back, y, g(*at_other, **words), at, other)

    def transposed_at(y_bar: Any) -> Any:
        return force_all(back(value_of(y, y_bar)))

    return transposed_at


def made_up(x_like: tuple[Any, ...], phase: float) -> tuple[Any, ...]:
    """Values of the structure of x_like, their numbers neither zero nor alike, of both signs."""
    made = []
    for x in x_like:
        vector, unravel = ravel(x)
        made.append(unravel(np.cos(np.arange(1, vector.size + 1) * 2.3 + phase)))
    return tuple(made)


def refuse_nonlinear(
    f: Any, back: Any, y: Any, y_other: Any, x: tuple[Any, ...], other: tuple[Any, ...]
) -> None:
    """Raise unless ⟨ȳ, f(z)⟩ = ⟨f'ᵀ ȳ, z⟩ at x, where the derivative was taken, and elsewhere."""
    (y_bar,) = made_up((zero_tangent(y),), 0.9)
    x_bar = back(y_bar)
    for value, at in ((y, x), (y_other, other)):
        straight = _inner(y_bar, value)
        mapped = sum(_inner(t, z) for t, z in zip(x_bar, at, strict=True))
        size = max(abs(straight), abs(mapped), 1.0)
        if not abs(straight - mapped) <= 1e-4 * size:
            raise NotDifferentiableError(
                f"{name_of(f)} is not linear, so it has no transpose",
                closest="vjp gives its pullback at a point, linearize the linear map that approximates it",
                next="leave out constants added to the value, and whatever is not linear",
            )


def _inner(t: Any, z: Any) -> float:
    """⟨t, z⟩ of a cotangent and a value."""
    t = unthunk(t)
    return 0.0 if is_zero(t) else float(ravel(materialize(t, like=z))[0] @ ravel(z)[0])


non_differentiable(_some, made_up, refuse_nonlinear, why="made of shapes alone, or checks")
