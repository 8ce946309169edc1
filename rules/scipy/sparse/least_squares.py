"""Least squares by `lsqr` and `lsmr`, with a sparse matrix, a dense one, or an operator.

The solution x satisfies AᴴA x + d² x = Aᴴ b, with the damping d, and moves as that equation says. Its systems
are solved by the same solver and with the same tolerances: one with Aᴴ, then one with A, so that the
condition of A is not squared. Without damping the columns of A must not depend on one another; that is found
out by a vector which the solver has to find again. What the solver estimates on its way has no derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import linalg
from scipy.sparse.linalg import LinearOperator as Operator

from ....core import Array, NotDifferentiableError, frule, implicit, non_differentiable, rrule
from ....tangents import NotImplementedTangent
from ...written import own, written_out
from .entries import Sparse

SOUND = 1e-3
"""By how much, as a share, what the solver finds again may differ from what it should."""

ESTIMATE = NotImplementedTangent(
    "a norm that the iteration estimates on its way; compute it of x, which moves"
)


class LeastSquares:
    """The solver of AᴴA w + d² w = c, by two systems with A alone, whose condition is not squared."""

    def __init__(self, f: Any, a: Any, x: Any, damp: Any, options: dict[str, Any]) -> None:
        self.f, self.complex, self.options = f, x.dtype.kind == "c", options
        m, n = a.shape
        d = float(abs(damp))

        def times(v: Any) -> Any:
            return np.concatenate((a.matvec(v), d * v)) if d else a.matvec(v)

        def back(r: Any) -> Any:
            return a.rmatvec(r[:m]) + d * r[m:] if d else a.rmatvec(r)

        rows = m + n if d else m
        self.a = linalg.LinearOperator((rows, n), matvec=times, rmatvec=back, dtype=x.dtype)
        probe = np.random.default_rng(0).standard_normal(n).astype(x.dtype)
        found = f(self.a, self.a.matvec(probe), **options)[0]
        if np.linalg.norm(found - probe) > SOUND * np.linalg.norm(probe):
            raise NotDifferentiableError(
                f"{f.__name__} does not find again what it should: the columns of A depend on one another, "
                "or it has not converged",
                closest="least squares with a matrix of full column rank, solved to its tolerance",
                next="give damp=, smaller atol= and btol=, or leave columns out",
            )

    def __call__(self, product: Any, c: Any) -> Any:
        z = np.ascontiguousarray(c).view(complex) if self.complex else c
        r = self.f(self.a.H, z, **self.options)[0]
        w = self.f(self.a, r, **self.options)[0]
        return w.view(float) if self.complex else w


non_differentiable(LeastSquares, why="is a solver")


def slope(x: Any, a: Any, b: Any, damp: Any) -> Any:
    """Aᴴ(A x − b) + d² x, half the slope of what least squares make least"""
    return a.rmatvec(a.matvec(x) - b) + np.abs(damp) ** 2 * x


def estimated(value: Any, *given: Any) -> Any:
    """What a solver estimates on its way, of what it was given."""
    return value


@frule(estimated)
def estimated_frule(tangents, value: object, *given: object):
    """An estimate has no derivative"""
    return value, ESTIMATE


@rrule(estimated)
def estimated_rrule(value: object, *given: object):
    """An estimate has no derivative"""
    count = 1 + len(given)

    def estimated_pullback(y_bar):
        return (ESTIMATE,) * count

    return value, estimated_pullback


def _register_least_squares(f: Any, name: str) -> None:
    @written_out(f)
    def least_squares(
        A: Operator | Sparse | np.ndarray,
        b: Array,
        damp: Array = 0.0,
        *,
        atol=1e-6,
        btol=1e-6,
        conlim=1e8,
        x0=None,
        **others,
    ):
        """AᴴA x + d² x = Aᴴ b, of a matrix of full column rank or d ≠ 0"""
        a, right = linalg.aslinearoperator(A), np.ravel(b)
        options = options_of(name, {"atol": atol, "btol": btol, "conlim": conlim}, others)
        x, istop, itn, *estimates = own(f, a, right, damp, x0=x0, **options, **left(name, others))
        check_istop(f, istop)
        solver = LeastSquares(f, a, x, damp, options)
        found = implicit.root(slope, x, a, right, damp, solver=solver)
        return found, istop, itn, *[estimated(e, a, right, damp) for e in estimates]


def options_of(name: str, tolerances: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    """The tolerances and the limit of iterations, if one was given."""
    return {**tolerances, **({name: others[name]} if name in others else {})}


def left(name: str, others: dict[str, Any]) -> dict[str, Any]:
    """What else was given."""
    return {key: value for key, value in others.items() if key != name}


def check_istop(f: Any, istop: Any) -> None:
    """Refuse what a least-squares solver gave that has not converged."""
    if istop not in (0, 1, 2, 4, 5):
        raise NotDifferentiableError(
            f"{f.__name__} has not converged: istop is {istop}",
            closest="a solution within the tolerances, whose derivative the normal equations give",
            next="allow more iterations, or raise conlim= or damp=",
        )


non_differentiable(options_of, left, check_istop, why="has to do with how a solution is found")
_register_least_squares(linalg.lsqr, "iter_lim")
_register_least_squares(linalg.lsmr, "maxiter")
