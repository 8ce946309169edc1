"""The implicit function theorem: derivatives of what a solver found.

A solver is not differentiated through. What it found satisfies an equation, F(x, θ) = 0, and that
equation says how x moves with θ:

    J ẋ = −F_θ θ̇        θ̄ = −F_θᴴ λ with Jᴴ λ = x̄        J = ∂F/∂x        [Christianson 1994]

`root(F, x, *θ)` is x, with this derivative; `minimum(f, x, *θ)` is the same for the stationarity
condition ∂f/∂x = 0, and `fixed_point(g, x, *θ)` for g(x) − x = 0. Parameters that F captured count as
well. The rule's own body refers to the root again, so second derivatives are exact, not those of a
Newton step.

J is written down where x has at most `DENSE` numbers (roughly, by differences, where corrections by its
products converge), and used through its products elsewhere, or where
a `solver` is given. Refused by name where J is written down: a singular J, an x that is no solution (one
Newton step from it exceeds 1e-3(1 + ‖x‖)), and a root that is double as far as x is known (solutions.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from ..tangents import ZERO, Composite, fields_of, is_zero, materialize, scale
from .apply import as_tangent
from .decorators import frule, non_differentiable, rrule
from .errors import NotDifferentiableError
from .recording import by_rule, holds_recorded, is_recording
from .refining import as_given
from .residuals import (
    Excess,
    Gradient,
    Linear,
    as_number,
    as_vectors,
    is_number,
    like,
    named,
    numbers_of,
)
from .shortcuts import shortcut
from .systems import DENSE, adjoint_of, iterated, nearly_solved, refuse_unsolved, unit

Function: TypeAlias = Callable  # type: ignore[type-arg]  # rules are chosen by plain classes

LinearSolver = Callable[[Callable[[Any], Any], Any], Any]
"""`solver(product, b)` gives the v with product(v) = b; vectors of one axis. Where it has an attribute
`adjoint`, that is the solver for systems with the adjoint, whose own `adjoint` it is."""


@by_rule
def root(
    residual: Any,
    solution: Any,
    *parameters: Any,
    solver: LinearSolver | None = None,
    jacobian: Any = None,
) -> Any:
    """The solution x of residual(x, *parameters) = 0 that somebody found, with its derivative.

    Shapes:  the residual has as many numbers as x, which may be a number, an array or a structure of them.
             `jacobian(x, *parameters)`, if it is given, is ∂F/∂x for a vector x, or nearly so, an array or
             one of scipy.sparse: systems are solved by its factors and corrected by the residual's own
             derivative until they hold, so that it saves time and is never trusted. It may be the array
             itself, as a solver that updates one has it in the end.
    Raises:  NotDifferentiableError, where a derivative is asked for, if the Jacobian is singular or x no
             solution.
    Example: >>> def cube_root(a):
             ...     x = float(np.cbrt(cr.stop_gradient(a)))  # however it is found
             ...     return root(lambda x, a: x**3 - a, x, a)
             >>> cr.grad(cube_root)(8.0)
             0.08333333333333333
    """
    if is_recording() and holds_recorded(residual):
        raise NotDifferentiableError(
            f"{named(residual)} captured values that are recorded: their derivative would be lost",
            next="give them to implicit.root as parameters, or use the source engine",
        )
    return solution


def minimum(
    objective: Any,
    solution: Any,
    *parameters: Any,
    solver: LinearSolver | None = None,
    hessian: Callable[..., Any] | None = None,
) -> Any:
    """The x at which objective(x, *parameters) is stationary, with its derivative by the parameters.

    Shapes:  the objective is one real number; x may be a number, an array or a structure of them.
             `hessian(x, *parameters)` is as `jacobian` of `root`.
    Raises:  NotDifferentiableError, where a derivative is asked for, if the Hessian is singular or x not
             stationary.
    Example: >>> def least(a):  # a minimum at 0.5 where a is 0.75
             ...     return minimum(lambda x, a: (x - a) ** 2 + x**4, 0.5, a)
             >>> round(cr.grad(least)(0.75), 12)
             0.4
    """
    return root(Gradient(objective), solution, *parameters, solver=solver, jacobian=hessian)


def fixed_point(function: Any, solution: Any, *parameters: Any, solver: LinearSolver | None = None) -> Any:
    """The x with function(x, *parameters) = x, with its derivative by the parameters.

    Shapes:  the function's value is like x.
    Raises:  as `root`.
    Example: >>> def golden(a):
             ...     return fixed_point(lambda x, a: 1 + a / x, (1 + 5**0.5) / 2, a)
             >>> round(cr.grad(golden)(1.0), 9)
             0.447213595
    """
    return root(Excess(function), solution, *parameters, solver=solver)


@frule(root, still=("solver", "jacobian"))
def root_frule(
    tangents: Any,
    residual: Function,
    solution: object,
    *parameters: object,
    solver: Any = None,
    jacobian: Any = None,
    engine: Any,
) -> Any:
    """J ẋ = −F_θ θ̇"""
    x = root(residual, solution, *parameters, solver=solver)
    ready = ready_pushforward(residual, x, parameters, solver, jacobian, engine)
    dx = None if ready is None else ready(tangents[0], tangents[2:])
    if dx is not None:
        return x, dx
    still = (ZERO,) * len(parameters)
    if is_number(x):
        return x, number_forward(tangents, residual, x, parameters, engine)
    v, unravel = numbers_of(x)
    y, push = engine.value_and_pushforward(as_vectors, residual, unravel, v, *parameters)
    moved = push(tangents[0], ZERO, ZERO, *tangents[2:])
    at = (y, v, unravel, parameters, x, jacobian)

    def product(dv: Any) -> Any:
        return push(ZERO, ZERO, dv, *still)

    dx = solved(residual, product, -like(moved, y), at, solver, adjoint=False)
    return x, as_tangent(dx if unravel is None else unravel(dx))


@rrule(root, still=("solver", "jacobian"))
def root_rrule(
    residual: Function,
    solution: object,
    *parameters: object,
    solver: Any = None,
    jacobian: Any = None,
    engine: Any,
) -> Any:
    """Jᴴ λ = x̄        F̄ and θ̄ are those of F for the seed −λ; where the solver began does not matter"""
    x = root(residual, solution, *parameters, solver=solver)
    ready = ready_pullback(residual, x, parameters, solver, jacobian, engine)
    if ready is not None:
        return x, ready
    if is_number(x):
        return x, number_reverse(residual, x, parameters, engine)
    v, unravel = numbers_of(x)
    y, back = engine.value_and_pullback(as_vectors, residual, unravel, v, *parameters)
    at = (y, v, unravel, parameters, x, jacobian)

    def root_pullback(x_bar: Any) -> Any:
        seed = like(numbers_of(materialize(x_bar, like=x))[0], v)

        def product(y_bar: Any) -> Any:
            return back(y_bar)[2]

        weights = solved(residual, product, seed, at, solver, adjoint=True)
        cotangents = back(-weights)
        return cotangents[0], ZERO, *cotangents[3:]

    return x, root_pullback


def of_residual(kind: Any, name: str, tangents: Any) -> Any:
    """The tangents with that of a residual in the place of that of the function it is made of."""
    moved = tangents[0]
    return tangents if is_zero(moved) else (Composite[kind](**{name: moved}), *tangents[1:])


def of_function(name: str, back: Any) -> Any:
    """A pullback with the cotangent of a function in the place of that of the residual it is made into."""

    def of_function_pullback(x_bar: Any) -> Any:
        moved, *others = back(x_bar)
        return fields_of(moved)[name] if isinstance(moved, Composite) else moved, *others

    return of_function_pullback


@frule(minimum, still=("solver", "hessian"))
def minimum_frule(
    tangents: Any,
    objective: Function,
    solution: object,
    *parameters: object,
    solver: Any = None,
    hessian: Any = None,
    engine: Any,
) -> Any:
    """As the root of its residual"""
    moved = of_residual(Gradient, "objective", tangents)
    return root_frule(
        moved, Gradient(objective), solution, *parameters, solver=solver, jacobian=hessian, engine=engine
    )


@rrule(minimum, still=("solver", "hessian"))
def minimum_rrule(
    objective: Function,
    solution: object,
    *parameters: object,
    solver: Any = None,
    hessian: Any = None,
    engine: Any,
) -> Any:
    """As the root of its residual"""
    x, back = root_rrule(
        Gradient(objective), solution, *parameters, solver=solver, jacobian=hessian, engine=engine
    )
    return x, of_function("objective", back)


@frule(fixed_point, still=("solver",))
def fixed_point_frule(
    tangents: Any,
    function: Function,
    solution: object,
    *parameters: object,
    solver: Any = None,
    engine: Any,
) -> Any:
    """As the root of its residual"""
    moved = of_residual(Excess, "function", tangents)
    return root_frule(moved, Excess(function), solution, *parameters, solver=solver, engine=engine)


@rrule(fixed_point, still=("solver",))
def fixed_point_rrule(
    function: Function,
    solution: object,
    *parameters: object,
    solver: Any = None,
    engine: Any,
) -> Any:
    """As the root of its residual"""
    x, back = root_rrule(Excess(function), solution, *parameters, solver=solver, engine=engine)
    return x, of_function("function", back)


@shortcut
def ready_pullback(residual: Any, x: Any, parameters: Any, solver: Any, jacobian: Any, engine: Any) -> Any:
    """The pullback of a root that an engine has ready; None where it has none or is differentiated."""
    known = None if solver is not None else getattr(engine, "root_pullback", None)
    return None if known is None else known(residual, x, parameters, jacobian)


@shortcut
def ready_pushforward(residual: Any, x: Any, parameters: Any, solver: Any, jacobian: Any, engine: Any) -> Any:
    """The same for the pushforward, of the tangents of the residual and of the parameters."""
    known = None if solver is not None else getattr(engine, "root_pushforward", None)
    return None if known is None else known(residual, x, parameters, jacobian)


def number_forward(tangents: Any, residual: Any, x: Any, parameters: Any, engine: Any) -> Any:
    """ẋ = −f_θ θ̇ / f_x, of one number"""
    y, push = engine.value_and_pushforward(as_number, residual, x, *parameters)
    slope = like(push(ZERO, 1.0, *(ZERO,) * len(parameters)), x)
    refuse_unsolved(residual, lambda w: as_number(residual, w, *parameters), slope, y, x)
    return -like(push(tangents[0], ZERO, *tangents[2:]), x) / slope


def number_reverse(residual: Any, x: Any, parameters: Any, engine: Any) -> Any:
    """θ̄ = −f_θ x̄ / f_x, of one number: both are in the pullback of 1, which is run once where it can be"""
    y, back = engine.value_and_pullback(as_number, residual, x, *parameters)

    def number_pullback(x_bar: Any) -> Any:
        slopes = back(1.0)
        slope = like(slopes[1], x)
        refuse_unsolved(residual, lambda w: as_number(residual, w, *parameters), slope, y, x)
        weight = -like(x_bar, x) / slope
        cotangents = multiples(weight, slopes) if are_plain(slopes) else back(weight)
        return cotangents[0], ZERO, *cotangents[2:]

    return number_pullback


def are_plain(tangents: Any) -> bool:
    """Whether tangents are floats, arrays of floats and zeros, or made of such."""
    return all(is_plain(t) for t in tangents)


def is_plain(t: Any) -> bool:
    """The same of one tangent."""
    if isinstance(t, Composite):
        parts = fields_of(t)
        return are_plain(parts.values() if isinstance(parts, dict) else parts)
    return is_number(t) or is_zero(t) or (type(t) is np.ndarray and t.dtype == float)


def multiples(s: Any, tangents: Any) -> Any:
    """A number times each tangent."""
    made: tuple[Any, ...] = ()
    for t in tangents:
        made = (*made, scale(s, t))
    return made


def solved(residual: Any, product: Any, b: Any, at: Any, solver: Any, *, adjoint: bool) -> Any:
    """The w with product(w) = b, for the product with the Jacobian or with its adjoint."""
    n = len(b)
    y, v, unravel, parameters, _, jacobian = at
    if solver is None and (n <= DENSE or jacobian is not None):
        roughly = roughly_solved(residual, product, b, at, adjoint)
        if roughly is not None:
            return roughly
    if solver is None and n <= DENSE:
        columns: tuple[Any, ...] = ()
        for k in range(n):
            columns = (*columns, like(product(unit(b, k)), b))
        matrix = np.stack(columns, axis=1) if columns else np.zeros((0, 0))
        exact = matrix.conj().T if adjoint else matrix
        refuse_unsolved(residual, lambda w: as_vectors(residual, unravel, w, *parameters), exact, y, v)
        return np.linalg.solve(matrix, b)
    chosen = adjoint_of(solver) if adjoint else solver
    w = iterated(residual, product, b, chosen)
    return root(Linear(product), w, b, solver=chosen)


@shortcut
def roughly_solved(residual: Any, product: Any, b: Any, at: Any, adjoint: Any) -> Any:
    """The same by a Jacobian that is nearly right, and corrections; None where they do not serve."""
    y, v, unravel, parameters, x, jacobian = at

    def value(w: Any) -> Any:
        return as_vectors(residual, unravel, w, *parameters)

    def made() -> Any:
        return as_given(jacobian, x, parameters, v)

    def along(w: Any) -> Any:
        return like(product(w), b)

    return nearly_solved(residual, value, along, b, y, v, jacobian, made, adjoint=adjoint)


non_differentiable(is_recording, holds_recorded, are_plain, why="asks what a value is")
