"""The implicit function theorem: derivatives of what a solver found.

A solver is not differentiated through. What it found satisfies an equation, F(x, θ) = 0, and that
equation says how x moves with θ:

    J ẋ = −F_θ θ̇        θ̄ = −F_θᴴ λ with Jᴴ λ = x̄        J = ∂F/∂x        [Christianson 1994]

`root(F, x, *θ)` is x, with this derivative; `minimum(f, x, *θ)` is the same for the stationarity
condition ∂f/∂x = 0, and `fixed_point(g, x, *θ)` for g(x) − x = 0. Parameters that F captured count as
well. The rule's own body refers to the root again, so second derivatives are exact, not those of a
Newton step.

J is written down where x has at most `DENSE` numbers, and used through its products elsewhere, or where
a `solver` is given. Refused by name where J is written down: a singular J, an x that is no solution (one
Newton step from it exceeds 1e-3(1 + ‖x‖)), and a root that is double as far as x is known (`doubtful`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tangents import ZERO, materialize, ravel
from .apply import as_tangent
from .callables import name_of
from .calls import reverse_of
from .decorators import frule, non_differentiable, rrule
from .errors import NotDifferentiableError
from .recording import by_rule

DENSE = 200
"""Up to this many numbers in x the Jacobian is written down."""

STRAIGHT = 0.25
"""A residual confirms its Jacobian where it departs from its tangent by no more than this share. Over two
Newton steps towards a root of order m > 1 it departs by a half at least."""

NEAR = 1e-3
"""A solution is refused where a Newton step from it is longer than this share of 1 + ‖x‖."""

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
    """The residual of a stationary point: the gradient of an objective, as a vector."""

    def __init__(self, objective: Any) -> None:
        self.objective = objective

    def __call__(self, x: Any, *parameters: Any) -> Any:
        _, back = reverse_of(self.objective, (x, *parameters), {}, (True,) + (False,) * len(parameters), None)
        return ravel(materialize(back(1.0)[0], like=x))[0]


class Excess:
    """The residual of a fixed point: by how much a function's value exceeds its argument."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, x: Any, *parameters: Any) -> Any:
        return ravel(self.function(x, *parameters))[0] - ravel(x)[0]


def as_vectors(residual: Any, unravel: Any, v: Any, *parameters: Any) -> Any:
    """The residual as a vector, at the x with these numbers."""
    return ravel(residual(unravel(v), *parameters))[0]


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
    v, unravel = ravel(x)
    y, push = engine.value_and_pushforward(as_vectors, residual, unravel, v, *parameters)
    moved = push(tangents[0], ZERO, ZERO, *tangents[2:])
    still = (ZERO,) * len(parameters)

    def product(dv: Any) -> Any:
        return push(ZERO, ZERO, dv, *still)

    at = (y, v, unravel, parameters)
    dx = solved(residual, product, -like(moved, y), at, solver, adjoint=False)
    return x, as_tangent(unravel(dx))


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
    v, unravel = ravel(x)
    y, back = engine.value_and_pullback(as_vectors, residual, unravel, v, *parameters)

    def root_pullback(x_bar: Any) -> Any:
        seed = like(ravel(materialize(x_bar, like=x))[0], v)

        def product(y_bar: Any) -> Any:
            return back(y_bar)[2]

        weights = solved(residual, product, seed, (y, v, unravel, parameters), solver, adjoint=True)
        cotangents = back(-weights)
        return cotangents[0], ZERO, *cotangents[3:]

    return x, root_pullback


def like(t: Any, v: Any) -> Any:
    """A tangent as a vector like v, zeros written out."""
    return materialize(t, like=v)


def solved(residual: Any, product: Any, b: Any, at: Any, solver: Any, *, adjoint: bool) -> Any:
    """The w with product(w) = b, for the product with the Jacobian or with its adjoint."""
    n = len(b)
    if solver is None and n <= DENSE:
        columns: tuple[Any, ...] = ()
        for k in range(n):
            columns = (*columns, like(product(unit(b, k)), b))
        matrix = np.stack(columns, axis=1) if columns else np.zeros((0, 0))
        refuse_unsolved(residual, matrix, at, adjoint)
        return np.linalg.solve(matrix, b)
    chosen = adjoint_of(solver) if adjoint else solver
    w = iterated(residual, product, b, chosen)
    return root(Linear(product), w, b, solver=chosen)


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


def refuse_unsolved(residual: Any, matrix: Any, at: tuple[Any, ...], adjoint: bool) -> None:
    """Raise where the Jacobian, or its adjoint, is singular, or a Newton step is long, or J another
    where it ends."""
    y, v, unravel, parameters = at
    name, finite = named(residual), np.all(np.isfinite(matrix)) and np.all(np.isfinite(y))
    if not finite:
        raise NotDifferentiableError(
            f"{name} or its Jacobian is not finite at the solution",
            next="check it there, and that the solver converged",
        )
    if not len(v):
        return
    if reciprocal_condition(matrix) < np.finfo(matrix.dtype).eps:
        raise NotDifferentiableError(
            f"the Jacobian of {name} is singular at the solution, which then need not be the only one",
            next="state the problem so that its solution is isolated, or keep it out of the derivative",
        )
    jacobian = matrix.conj().T if adjoint else matrix
    newton = np.linalg.solve(jacobian, -y)
    step = np.linalg.norm(newton)
    if step > NEAR * (1 + np.linalg.norm(v)):
        raise NotDifferentiableError(
            f"what was given as a solution of {name} = 0 is none: a Newton step from it has length "
            f"{step:.3g}",
            closest=f"a step of at most {NEAR} (1 + ‖x‖) counts as a solution",
            next="let the solver converge: check its message, give it more iterations or a tighter tolerance",
        )
    if doubtful(lambda w: as_vectors(residual, unravel, w, *parameters), jacobian, y, v, newton):
        raise NotDifferentiableError(
            f"the Jacobian of {name} is singular at the solution, as far as that is known: it changes over "
            f"the {step:.3g} that a Newton step still takes, or over what rounding leaves open",
            next="state the problem so that its solution is a simple root, or let the solver converge "
            "further",
        )


def doubtful(f: Any, jacobian: Any, y: Any, v: Any, newton: Any) -> bool:
    """Whether f nowhere confirms J: over no distance as long as two Newton steps, from the last place of v to
    the middle of its digits, does f run along its tangent, forward and back.

    Near a multiple root there is none: short steps drown in the rounding of f, on longer ones J changes. The
    steps go where Newton's goes, or where the rounding of J's terms would move v the most, if that is
    farther; how far it would move each number is the measure of each [Skeel 1979].
    """
    inverse, eps = np.linalg.inv(jacobian), np.finfo(v.dtype).eps
    terms = np.abs(jacobian) @ np.abs(v)
    measure = np.abs(inverse) @ terms
    if not np.any(measure) and not np.any(newton):
        return False
    weakest = np.argmax(measure / np.where(v == 0, np.max(np.abs(v)) or 1.0, np.abs(v)))
    apart = eps * (inverse @ np.where(inverse[weakest] < 0, -terms, terms))
    step = 2.0 * newton if np.linalg.norm(2.0 * newton) > np.linalg.norm(apart) else apart
    for grown in 8.0 ** np.arange(10):
        far = grown * np.maximum(np.abs(step), eps * measure)
        if np.any(step) and np.all(far >= 2.0 * np.abs(newton)):
            ends = (v + grown * step, v - grown * step)
            if all(is_straight(f, inverse, jacobian, y, v, end, far) for end in ends):
                return False
    return True


def is_straight(f: Any, inverse: Any, jacobian: Any, y: Any, v: Any, at: Any, far: Any) -> bool:
    """Whether f runs along its tangent from v to a place so far away."""
    try:
        with np.errstate(all="ignore"):
            departure = inverse @ (f(at) - y - jacobian @ (at - v))
    except (ArithmeticError, ValueError):
        return False
    return bool(np.all(np.abs(departure) <= STRAIGHT * far))


def named(residual: Any) -> str:
    """What messages call a residual."""
    if isinstance(residual, Gradient):
        return f"the gradient of {name_of(residual.objective)}"
    if isinstance(residual, Excess):
        return f"the excess of {name_of(residual.function)}"
    return "a linear residual" if isinstance(residual, Linear) else name_of(residual)


def reciprocal_condition(matrix: Any) -> float:
    """An estimate of 1/(‖A‖ ‖A⁻¹‖) in the 1-norm; 0 for a singular matrix [LAPACK's gecon]."""
    from scipy.linalg import get_lapack_funcs

    getrf, gecon = get_lapack_funcs(("getrf", "gecon"), (matrix,))
    factors, _, info = getrf(matrix)
    return 0.0 if info else float(gecon(factors, np.linalg.norm(matrix, 1))[0])


non_differentiable(unit, why="a constant")
non_differentiable(adjoint_of, iterated, refuse_unsolved, why="a start for `root`; checks a solution")
