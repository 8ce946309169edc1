"""What the rules for solvers share: the solver's own run, the user's function, and refusing what did not
converge."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core import NotDifferentiableError, non_differentiable
from ....core.callables import name_of
from ...written import own as own
from ..given import as_tuple as as_tuple
from ..given import with_given as with_given


def refuse_unconverged(solver: Any, success: Any, message: Any) -> None:
    """Raise where a solver says that it did not find a solution."""
    if success is not True and not np.all(success):
        raise NotDifferentiableError(
            f"{name_of(solver)} did not converge, so there is no solution to differentiate: {message}",
            next="give it more iterations, a better start or another method, or catch this where it may "
            "happen",
        )


def first_of(function: Any) -> Any:
    """The function of a pair (value, derivative), as `jac=True` has it."""

    def first(*x: Any) -> Any:
        return function(*x)[0]

    return first


def nearby(q: Any, r: Any) -> Any:
    """The Jacobian QR as MINPACK has updated it; an empty one, which is none, of few unknowns.

    Shapes:  q has the columns of Q as rows, r the upper triangle of R row by row.
    """
    n = len(q)
    if n < MANY:
        return np.zeros((0, 0))
    triangle = np.zeros((n, n))
    triangle[np.triu_indices(n)] = r
    return q.T @ triangle


MANY = 12
"""From so many unknowns on a Jacobian by differences costs more than to correct one that was updated."""

non_differentiable(nearby, why="looks for a Jacobian")
non_differentiable(refuse_unconverged, why="checks a result")
