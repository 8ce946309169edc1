"""The operators: gradients, derivatives, pullbacks and pushforwards, over the two functions of an engine.

The operators are ordinary programs and can be differentiated themselves. What they do besides
calling the engine (checking arguments, making the seed, bringing results into the user's form)
stands in boundary.py, with rules of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from ..core.engine import Engine
from ..tangents import ZERO, is_zero, zero_tangent
from ..tangents.spans import as_span
from .boundary import (
    chosen,
    finished,
    force_all,
    scalar_tangent,
    seed_for,
    unit_tangent,
    value_of,
    value_part,
)
from .calls import forward_of, reverse_of
from .following import here
from .formed import WITH_TEXTS, formed, is_formed
from .named import Names, named
from .source.reruns import at_entry
from .specialised.running.beforehand import beforehand
from .specialised.running.columns import along, is_gradient, learn_along
from .specialised.running.directions import placed
from .specialised.running.entry import specialised
from .specialised.running.of_lists import by_arrays, learnt
from .specialised.running.of_pairs import begins_with, first_of
from .specialised.running.parts import by_part
from .specialised.running.remade import by_lasting, learn_lasting
from .specialised.running.standing import standing_for, stood_for
from .warned import warn_of_zeros

P = ParamSpec("P")
R = TypeVar("R")


def grad(
    f: Callable[P, Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    argnames: Names | None = None,
    has_aux: bool = False,
    form: str | None = None,
    engine: Engine | str | None = None,
) -> Callable[P, Any]:
    """The gradient of a real-valued function, as a function of the same arguments.

    `argnums` counts the arguments from the left; `argnames` names them instead, also those that are given by
    keyword.

    Shapes:  the gradient of an argument is like it: a float for a float, an array of the same shape
             and precision for an array, a `Composite` for a container or object; a tuple of them
             where `argnums` is one. With `has_aux` f returns `(value, aux)` and the result is
             `(gradient, aux)`. A gradient that is mostly zeros comes back as a scipy.sparse array
             where the argument has a million entries or more; `form="dense"`, `"sparse"` or
             `"raw"` forces a kind. `form="plain"` gives dicts, lists and dataclasses as the
             argument's own, with None for what has no derivative.
    Raises:  ZeroDerivativeWarning where the value cannot depend on an argument;
             NonScalarOutputError unless the value is real and of shape ();
             NotDifferentiableError for an argument that has no derivative;
             NoRuleError where f calls something opaque without a rule;
             UnsupportedSyntaxError, before f runs, for Python that is not differentiated.
    Example: >>> grad(lambda x: x * x * x)(4.0)
             48.0
    """
    if argnames is not None:
        return named(grad, f, argnames, {"has_aux": has_aux, "form": form, "engine": engine})
    plain = not has_aux and form is None and engine is None
    stands = standing_for(f) if form in WITH_TEXTS and engine is None else None
    with_value = _with_value(f, stands, argnums, has_aux, form, engine)

    def gradient(*x: Any, **kwargs: Any) -> Any:
        if plain:
            known = specialised(stood_for(f, stands, x, kwargs), argnums, x, kwargs)
            if known is not None:
                return known[1]
        value, gradients = with_value(*x, **kwargs)
        if has_aux:
            return gradients, value[1]
        return gradients

    return gradient


def value_and_grad(
    f: Callable[P, R],
    argnums: int | tuple[int, ...] = 0,
    *,
    argnames: Names | None = None,
    has_aux: bool = False,
    form: str | None = None,
    engine: Engine | str | None = None,
) -> Callable[P, tuple[R, Any]]:
    """Value and gradient of a real-valued function in one run; otherwise as `grad`.

    Shapes:  `(value, gradient)`; with `has_aux`, `((value, aux), gradient)`.
    Raises:  as `grad`.
    Example: >>> value_and_grad(lambda x: x * x)(3.0)
             (9.0, 6.0)
    """
    if argnames is not None:
        return named(value_and_grad, f, argnames, {"has_aux": has_aux, "form": form, "engine": engine})
    return _with_value(f, standing_for(f), argnums, has_aux, form, engine)


def _with_value(
    f: Any, stands: Any, argnums: Any, has_aux: bool, form: Any, engine: Any
) -> Callable[..., tuple[Any, Any]]:
    """Value and gradient; `stands` keeps the functions that have texts in f's place."""
    texts, usual = form in WITH_TEXTS and engine is None, form is None and not has_aux

    def value_and_gradient(*x: Any, **kwargs: Any) -> Any:
        asked = texts and (form is None or is_formed(x, argnums, form))
        text_of = None
        if asked:
            text_of = stood_for(f, stands, x, kwargs)
            text_of = first_of(text_of, x, kwargs) if has_aux else text_of
            known = specialised(text_of, argnums, x, kwargs, not usual)
            if known is None:
                known = by_arrays(text_of, argnums, x, kwargs)
                if known is None and usual and text_of is f:
                    known = by_lasting(f, argnums, x, kwargs)
            elif usual:
                return known
            y = known if known is None else f(*x, **kwargs) if has_aux else known[0]
            if known is not None and (not has_aux or begins_with(y, known[0])):
                return y, known[1] if form is None else formed(x, known[1], argnums, form)
        needs = chosen(f, argnums, x, form)
        like = at_entry(f, x, kwargs)
        given = beforehand(text_of, argnums, x, kwargs) if asked else x
        y, pullback = reverse_of(f, x, kwargs, needs, engine)
        seed = seed_for(f, y, has_aux)
        cotangents = getattr(pullback, "once", pullback)(seed)
        if form != "raw":
            warn_of_zeros(f, like, kwargs, cotangents, argnums, engine)
        gradients = finished(like, cotangents, argnums, form)
        if asked:
            shown = gradients if form is None else finished(like, cotangents, argnums, None)
            if not usual or text_of is not f or not learn_lasting(f, argnums, given, kwargs, y, shown):
                learnt(text_of, argnums, given, kwargs, value_part(f, y, has_aux), shown)
        return y, gradients

    return value_and_gradient


def derivative(f: Callable[P, Any], *, engine: Engine | str | None = None) -> Callable[P, Any]:
    """The derivative of a function of one scalar, in forward mode; its value may be of any kind.

    Shapes:  the argument is a real scalar; the result is like the value.
    Raises:  NotDifferentiableError unless the argument is a real scalar; else as `grad`.
    Example: >>> derivative(lambda t: t * t * t)(2.0)
             12.0
    """
    with_value = value_and_derivative(f, engine=engine)

    def derivative_at(t: Any, *rest: Any, **kwargs: Any) -> Any:
        _, dy = with_value(t, *rest, **kwargs)
        return dy

    return derivative_at  # type: ignore[return-value]  # t is the first of what f takes


def value_and_derivative(
    f: Callable[P, R], *, engine: Engine | str | None = None
) -> Callable[P, tuple[R, Any]]:
    """Value and derivative of a function of one scalar; otherwise as `derivative`.

    Shapes:  `(value, derivative)`, alike.
    Raises:  as `derivative`.
    Example: >>> value_and_derivative(lambda t: t * t * t)(2.0)
             (8.0, 12.0)
    """

    stands = standing_for(f)

    def value_and_derivative_at(t: Any, *rest: Any, **kwargs: Any) -> Any:
        tangents = unit_tangent(f, t, rest)
        text_of = stood_for(f, stands, (t, *rest), kwargs)
        if engine is None and not kwargs:
            known = along(text_of, (t, *rest), tangents)
            if known is not None:
                return known
        y, dy = forward_of(f, (t, *rest), tangents, kwargs, engine)
        warn_of_zeros(f, (t, *rest), kwargs, (dy,), 0, engine)
        slope = scalar_tangent(y, dy)
        if engine is None and not kwargs:
            learn_along(text_of, (t, *rest), tangents, y, slope)
        return y, slope

    return value_and_derivative_at  # type: ignore[return-value]  # the same


def vjp(
    f: Callable[P, R], *x: Any, engine: Engine | str | None = None, **kwargs: Any
) -> tuple[R, Callable[[Any], tuple[Any, ...]]]:
    """Value and pullback (vector–Jacobian product) of f at x; keyword arguments of f are constants.

    The pullback may be called many times. It refers to x and to the value, so write to neither
    before the last call.

    Shapes:  the pullback takes a tangent of the value and returns a tuple, one cotangent for each
             argument of f; they are raw (`Zero`, indexed, `Composite` as they are), thunks forced.
    Raises:  as `grad`, but for the value, which may be anything.
    Example: >>> y, pullback = vjp(lambda a, b: a * b, 3.0, 4.0)
             >>> y, pullback(1.0)
             (12.0, (4.0, 3.0))
    """
    needs = (True,) * len(x)
    y, back = reverse_of(f, x, kwargs, needs, engine)

    def pullback(y_bar: Any) -> Any:
        return force_all(back(value_of(y, y_bar)))

    return y, pullback


def jvp(
    f: Callable[P, R],
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    engine: Engine | str | None = None,
    **kwargs: Any,
) -> tuple[R, Any]:
    """Value and pushforward (Jacobian–vector product) of f at the primals along the tangents.

    Shapes:  each tangent is like its primal; the tangent returned is like the value: zeros where the value
             does not depend on what moves, and `Zero()` where nothing moves.
    Raises:  ShapeMismatch where a tangent is not like its primal; else as `grad`.
    Example: >>> jvp(lambda x: x * x, (3.0,), (1.0,))
             (9.0, 6.0)
    """
    given = placed(f, primals, tangents, kwargs) if engine is None else None
    if given is not None:
        x, dx = given
        known = along(f, x, dx)
        if known is not None:
            return known[0], known[1]
    y, dy = forward_of(f, primals, tangents, kwargs, engine)
    if given is not None:
        learn_along(f, x, dx, y, dy)
    if dy is ZERO and not all(map(is_zero, tangents)):
        return y, zero_tangent(y)
    return y, as_span(y, dy)


is_gradient(grad(len))


here.part = by_part
