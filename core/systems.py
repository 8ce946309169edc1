"""Systems: linear systems with the Jacobian of a residual, and what is refused before they are solved.

With a Jacobian that is nearly right, corrected by exact products (refining.py), or by iterations that take
its products alone (iterations.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .decorators import non_differentiable
from .errors import NotDifferentiableError
from .iterations import by_conjugate_gradients, by_conjugate_residuals
from .refining import WELL, Nearly, by_differences, refined
from .residuals import Gradient, like, named
from .solutions import NEAR, fault_of

DENSE = 200
"""Up to this many numbers in x the Jacobian is written down."""


def unit(b: Any, k: int) -> Any:
    """The k-th unit vector, in the precision of b."""
    e = np.zeros(len(b), b.dtype)
    e[k] = 1.0
    return e


def iterated(residual: Any, product: Any, b: Any, solver: Any) -> Any:
    """The w with product(w) = b by a solver, else by iterations, in the end GMRES; refused where none
    converges."""
    if solver is not None:
        return np.asarray(solver(lambda w: like(product(np.asarray(w, b.dtype)), b), b))

    def image(w: Any) -> Any:
        y = product(w)
        return y if type(y) is np.ndarray and y.shape == b.shape else like(y, b)

    scale = np.max(np.abs(b), initial=0.0)
    if np.isrealobj(b) and 0.0 < scale < np.inf:
        solve = by_conjugate_gradients if isinstance(residual, Gradient) else by_conjugate_residuals
        with np.errstate(over="ignore", invalid="ignore"):
            w = solve(image, b / scale)
        if w is not None:
            return w * scale
    from scipy.sparse.linalg import LinearOperator, gmres

    operator = LinearOperator((len(b), len(b)), matvec=lambda w: image(w.astype(b.dtype)), dtype=b.dtype)
    w, info = gmres(operator, b, rtol=1e-12, atol=0.0, restart=min(len(b), 200), maxiter=50)
    if info:
        raise NotDifferentiableError(
            f"the linear system for the derivative of a root of {named(residual)} was not solved: GMRES "
            "stopped "
            f"after {info} iterations",
            next="give implicit.root a solver=, or parameters for which the Jacobian is better conditioned",
        )
    return w


def refuse_unsolved(residual: Any, value: Any, jacobian: Any, y: Any, v: Any, inverse: Any = None) -> None:
    """Raise where the Jacobian is singular, or a Newton step is long, or J another where it ends.

    `value` gives the residual as y is, a number or a vector, at another v; `residual` is whose it is.
    """
    fault, step = fault_of(value, jacobian, y, v, inverse)
    if fault is None:
        return
    name = named(residual)
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


def nearly_solved(
    residual: Any,
    value: Any,
    product: Any,
    b: Any,
    y: Any,
    v: Any,
    jacobian: Any,
    given: Any,
    *,
    adjoint: bool,
) -> Any:
    """The w with product(w) = b, by the Jacobian that `given()` makes of `jacobian`, or by differences.

    What is given is no ground to refuse a solution: where it does not confirm, differences decide. An array
    is what a solver made of its steps. It may miss that the Jacobian is singular; so another system has to
    come out, too, whose right-hand side is nothing special.
    """
    nearly = None if jacobian is None else given()
    if nearly is not None and (len(b) > DENSE or confirms(value, nearly, y, v)):
        rounds = max(4, len(b) // 8) if isinstance(jacobian, np.ndarray) else 4
        w = refined(product, b, nearly, adjoint=adjoint, rounds=rounds)
        if w is not None and (
            not isinstance(jacobian, np.ndarray) or is_regular(product, nearly, adjoint, rounds)
        ):
            return w
    nearly = None if len(b) > DENSE else by_differences(value, y, v)
    if nearly is None:
        return None
    refuse_unsolved(residual, value, nearly.matrix, y, v, nearly.inverse)
    return refined(product, b, nearly, adjoint=adjoint)


def is_regular(product: Any, nearly: Nearly, adjoint: bool, rounds: int) -> bool:
    """Whether a system with a right-hand side that is nothing special has a solution that is not long."""
    b = np.cos(np.arange(len(nearly.matrix)) ** 2)
    w = refined(product, b, nearly, adjoint=adjoint, rounds=rounds)
    return w is not None and nearly.size * np.linalg.norm(w) * WELL <= len(b) * np.linalg.norm(b)


def confirms(value: Any, nearly: Nearly, y: Any, v: Any) -> bool:
    """Whether a residual runs along a Jacobian that was given, at a solution."""
    dense = nearly.matrix if nearly.is_dense else nearly.matrix.toarray()
    return fault_of(value, dense, y, v, nearly.inverse)[0] is None


def adjoint_of(solver: Any) -> Any:
    """The solver for systems with the adjoint."""
    return getattr(solver, "adjoint", solver)


non_differentiable(unit, why="a constant")
non_differentiable(adjoint_of, iterated, refuse_unsolved, why="chooses a solver, or checks a solution")
