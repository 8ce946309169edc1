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
from typing import Any

import numpy as np

from ..tangents import ZERO, Composite, ShapeMismatch, fields_of, is_zero, materialize, ravel, scale
from .apply import as_tangent
from .callables import name_of
from .calls import reverse_of
from .decorators import frule, non_differentiable, rrule
from .errors import NotDifferentiableError
from .recording import by_rule, holds_recorded, is_recording
from .refining import by_differences, refined
from .shortcuts import shortcut
from .solutions import NEAR, fault_of

DENSE = 200
"""Up to this many numbers in x the Jacobian is written down."""

LinearSolver = Callable[[Callable[[Any], Any], Any], Any]
"""`solver(product, b)` gives the v with product(v) = b; vectors of one axis. Where it has an attribute
`adjoint`, that is the solver for systems with the adjoint, whose own `adjoint` it is."""


@by_rule
def root(residual: Any, solution: Any, *parameters: Any, solver: LinearSolver | None = None) -> Any:
    """The solution x of residual(x, *parameters) = 0 that somebody found, with its derivative.

    Shapes:  the residual has as many numbers as x, which may be a number, an array or a structure of them.
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


def minimum(objective: Any, solution: Any, *parameters: Any, solver: LinearSolver | None = None) -> Any:
    """The x at which objective(x, *parameters) is stationary, with its derivative by the parameters.

    Shapes:  the objective is one real number; x may be a number, an array or a structure of them.
    Raises:  NotDifferentiableError, where a derivative is asked for, if the Hessian is singular or x not
             stationary.
    Example: >>> def least(a):  # a minimum at 0.5 where a is 0.75
             ...     return minimum(lambda x, a: (x - a) ** 2 + x**4, 0.5, a)
             >>> round(cr.grad(least)(0.75), 12)
             0.4
    """
    return root(Gradient(objective), solution, *parameters, solver=solver)


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


class Gradient:
    """The residual of a stationary point: the gradient of an objective, as a vector; as a number by one."""

    def __init__(self, objective: Any) -> None:
        self.objective = objective

    def __call__(self, x: Any, *parameters: Any) -> Any:
        _, back = reverse_of(self.objective, (x, *parameters), {}, (True,) + (False,) * len(parameters), None)
        slope = materialize(back(1.0)[0], like=x)
        return slope if is_number(slope) else ravel(slope)[0]


class Excess:
    """The residual of a fixed point, a vector or a number: by how much a function exceeds its argument."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, x: Any, *parameters: Any) -> Any:
        y = self.function(x, *parameters)
        return y - x if is_number(y) and is_number(x) else ravel(y)[0] - ravel(x)[0]


def is_number(x: Any) -> bool:
    """Whether x is a float as it stands."""
    return type(x) is float or type(x) is np.float64


def is_vector(x: Any) -> bool:
    """Whether x is a vector of floats as it stands."""
    return type(x) is np.ndarray and x.ndim == 1 and x.dtype == float


def numbers_of(x: Any) -> Any:
    """x as a vector, and how to make its like from one; None where it is one as it stands."""
    return (x, None) if is_vector(x) else ravel(x)


def as_vectors(residual: Any, unravel: Any, v: Any, *parameters: Any) -> Any:
    """The residual as a vector, at the x with these numbers."""
    y = residual(v if unravel is None else unravel(v), *parameters)
    return y if is_vector(y) else ravel(y)[0]


def as_number(residual: Any, v: Any, *parameters: Any) -> Any:
    """The residual as a number, at the x that is one."""
    y = residual(v, *parameters)
    if not isinstance(y, np.ndarray | list | tuple | dict):
        return y
    numbers = ravel(y)[0]
    refuse_several(residual, numbers)
    return numbers[0]


def refuse_several(residual: Any, numbers: Any) -> None:
    """Raise unless there is one number."""
    if len(numbers) != 1:
        raise ShapeMismatch(f"{named(residual)} has {len(numbers)} numbers where its root has one")


@frule(root)
def root_frule(
    tangents: Any,
    residual: Callable,  # type: ignore[type-arg]  # rules are chosen by plain classes
    solution: object,
    *parameters: object,
    solver: Any = None,
    engine: Any,
) -> Any:
    """J ẋ = −F_θ θ̇"""
    x = root(residual, solution, *parameters, solver=solver)
    still = (ZERO,) * len(parameters)
    if is_number(x):
        return x, number_forward(tangents, residual, x, parameters, engine)
    v, unravel = numbers_of(x)
    y, push = engine.value_and_pushforward(as_vectors, residual, unravel, v, *parameters)
    moved = push(tangents[0], ZERO, ZERO, *tangents[2:])
    at = (y, v, unravel, parameters)

    def product(dv: Any) -> Any:
        return push(ZERO, ZERO, dv, *still)

    dx = solved(residual, product, -like(moved, y), at, solver, adjoint=False)
    return x, as_tangent(dx if unravel is None else unravel(dx))


@rrule(root)
def root_rrule(
    residual: Callable,  # type: ignore[type-arg]  # rules are chosen by plain classes
    solution: object,
    *parameters: object,
    solver: Any = None,
    engine: Any,
) -> Any:
    """Jᴴ λ = x̄        F̄ and θ̄ are those of F for the seed −λ; where the solver began does not matter"""
    x = root(residual, solution, *parameters, solver=solver)
    ready = ready_pullback(residual, x, parameters, solver, engine)
    if ready is not None:
        return x, ready
    if is_number(x):
        return x, number_reverse(residual, x, parameters, engine)
    v, unravel = numbers_of(x)
    y, back = engine.value_and_pullback(as_vectors, residual, unravel, v, *parameters)
    at = (y, v, unravel, parameters)

    def root_pullback(x_bar: Any) -> Any:
        seed = like(numbers_of(materialize(x_bar, like=x))[0], v)

        def product(y_bar: Any) -> Any:
            return back(y_bar)[2]

        weights = solved(residual, product, seed, at, solver, adjoint=True)
        cotangents = back(-weights)
        return cotangents[0], ZERO, *cotangents[3:]

    return x, root_pullback


@shortcut
def ready_pullback(residual: Any, x: Any, parameters: Any, solver: Any, engine: Any) -> Any:
    """The pullback of a root that an engine has ready; None where it has none or is differentiated."""
    known = None if solver is not None else getattr(engine, "root_pullback", None)
    return None if known is None else known(residual, x, parameters)


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


def like(t: Any, v: Any) -> Any:
    """A tangent as a vector like v, zeros written out."""
    return materialize(t, like=v)


def solved(residual: Any, product: Any, b: Any, at: Any, solver: Any, *, adjoint: bool) -> Any:
    """The w with product(w) = b, for the product with the Jacobian or with its adjoint."""
    n = len(b)
    if solver is None and n <= DENSE:
        roughly = roughly_solved(residual, product, b, at, adjoint)
        if roughly is not None:
            return roughly
        columns: tuple[Any, ...] = ()
        for k in range(n):
            columns = (*columns, like(product(unit(b, k)), b))
        matrix = np.stack(columns, axis=1) if columns else np.zeros((0, 0))
        y, v, unravel, parameters = at
        jacobian = matrix.conj().T if adjoint else matrix
        refuse_unsolved(residual, lambda w: as_vectors(residual, unravel, w, *parameters), jacobian, y, v)
        return np.linalg.solve(matrix, b)
    chosen = adjoint_of(solver) if adjoint else solver
    w = iterated(residual, product, b, chosen)
    return root(Linear(product), w, b, solver=chosen)


@shortcut
def roughly_solved(residual: Any, product: Any, b: Any, at: Any, adjoint: Any) -> Any:
    """The same by differences and corrections; None where they do not serve."""
    y, v, unravel, parameters = at

    def value(w: Any) -> Any:
        return as_vectors(residual, unravel, w, *parameters)

    jacobian = by_differences(value, y, v)
    if jacobian is None:
        return None
    refuse_unsolved(residual, value, jacobian, y, v)
    return refined(lambda w: like(product(w), b), b, jacobian.T if adjoint else jacobian)


def adjoint_of(solver: Any) -> Any:
    """The solver for systems with the adjoint."""
    return getattr(solver, "adjoint", solver)


class Linear:
    """The residual of a linear system: a product less its right-hand side."""

    def __init__(self, product: Any) -> None:
        self.product = product

    def __call__(self, w: Any, b: Any) -> Any:
        return like(self.product(w), b) - b


def unit(b: Any, k: int) -> Any:
    """The k-th unit vector, in the precision of b."""
    e = np.zeros(len(b), b.dtype)
    e[k] = 1.0
    return e


def iterated(residual: Any, product: Any, b: Any, solver: Any) -> Any:
    """The w with product(w) = b by a solver, GMRES unless another is given; refused where it does not
    converge."""
    if solver is not None:
        return np.asarray(solver(lambda w: like(product(np.asarray(w, b.dtype)), b), b))
    from scipy.sparse.linalg import LinearOperator, gmres

    operator = LinearOperator(
        (len(b), len(b)), matvec=lambda w: like(product(w.astype(b.dtype)), b), dtype=b.dtype
    )
    w, info = gmres(operator, b, rtol=1e-12, atol=0.0, restart=min(len(b), 200), maxiter=50)
    if info:
        raise NotDifferentiableError(
            f"the linear system for the derivative of a root of {named(residual)} was not solved: GMRES "
            "stopped "
            f"after {info} iterations",
            next="give implicit.root a solver=, or parameters for which the Jacobian is better conditioned",
        )
    return w


def refuse_unsolved(residual: Any, value: Any, jacobian: Any, y: Any, v: Any) -> None:
    """Raise where the Jacobian is singular, or a Newton step is long, or J another where it ends.

    `value` gives the residual as y is, a number or a vector, at another v; `residual` is whose it is.
    """
    fault, step = fault_of(value, jacobian, y, v)
    name = "" if fault is None else named(residual)
    if fault == "infinite":
        raise NotDifferentiableError(
            f"{name} or its Jacobian is not finite at the solution",
            next="check it there, and that the solver converged",
        )
    if fault == "singular":
        raise NotDifferentiableError(
            f"the Jacobian of {name} is singular at the solution, which then need not be the only one",
            next="state the problem so that its solution is isolated, or keep it out of the derivative",
        )
    if fault == "far":
        raise NotDifferentiableError(
            f"the given solution of {name} = 0 is not one: a Newton step from it has length {step:.3g}",
            closest=f"a step of at most {NEAR} (1 + ‖x‖) counts as a solution",
            next="let the solver converge: check its message, give it more iterations or a tighter tolerance",
        )
    if fault == "doubtful":
        raise NotDifferentiableError(
            f"the Jacobian of {name} is singular at the solution, as far as that is known: it changes over "
            f"the {step:.3g} that a Newton step still takes, or over what rounding leaves open",
            next="state the problem so that its solution is a simple root, or let the solver converge "
            "further",
        )


def named(residual: Any) -> str:
    """What messages call a residual."""
    if isinstance(residual, Gradient):
        return f"the gradient of {name_of(residual.objective)}"
    if isinstance(residual, Excess):
        return f"the excess of {name_of(residual.function)}"
    return "a linear residual" if isinstance(residual, Linear) else name_of(residual)


non_differentiable(unit, why="a constant")
non_differentiable(
    is_recording,
    holds_recorded,
    is_number,
    is_vector,
    refuse_several,
    are_plain,
    adjoint_of,
    iterated,
    refuse_unsolved,
    why="a start for `root`; checks a solution",
)
