"""Linear systems by iteration, with a matrix that is known by its products alone.

An iteration is not differentiated through: x with A x = b moves as that equation says. The system of its
derivative is one with A, or with Aᴴ, and is solved by the same solver with the same tolerance. So a
derivative is as exact as the solution: about `rtol` times the condition of A. SciPy's own tolerance of 1e-5
gives five digits of a well conditioned system; ask for a smaller one where second derivatives are wanted. The
products with Aᴴ are those of `rmatvec`, or come from `matvec` itself, by its pullback.

Where the iteration starts, and its preconditioner, have no influence. The adjoint system has the adjoint of
the preconditioner, where it is known: M itself where M is symmetric, as `cg` and `minres` take for granted,
else `M.rmatvec`; and none otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import linalg
from scipy.sparse.linalg import LinearOperator as Operator

from ....core import Array, UnsupportedArgument, implicit, non_differentiable
from ...written import own, written_out
from .entries import Sparse
from .solving import ITERATIVE, adjoint_preconditioner, check_converged, preconditioned


class Iteration:
    """The solver of the systems with an operator that an iteration has solved once, or with its adjoint."""

    def __init__(self, f: Any, a: Any, x: Any, M: Any, options: dict[str, Any]) -> None:
        self.f, self.a, self.complex = f, a, x.dtype.kind == "c"
        self.M, self.options, self.turned = M, options, False

    @property
    def adjoint(self) -> Any:
        """The solver of the other systems."""
        other = object.__new__(Iteration)
        other.__dict__.update(self.__dict__, turned=not self.turned)
        return other

    def __call__(self, product: Any, b: Any) -> Any:
        z = np.array(b).view(complex) if self.complex else np.array(b)  # which some solvers write into
        back = self.a.matvec if self.turned else self.a.rmatvec

        def times(v: Any) -> Any:
            v = np.array(v, z.dtype)
            return np.array(product(v.view(float))).view(complex) if self.complex else np.array(product(v))

        n = len(z)
        whole = linalg.LinearOperator((n, n), matvec=times, rmatvec=back, dtype=z.dtype)
        M = adjoint_preconditioner(self.f, self.M) if self.turned else self.M
        y, info = self.f(whole, z, **preconditioned(M), **self.options)
        check_converged(self.f, info)
        return y.view(float) if self.complex else y


non_differentiable(Iteration, why="is a solver")


def unsolved(x: Any, a: Any, b: Any) -> Any:
    """A x − b"""
    return a.matvec(x) - b


def _register(f: Any) -> None:
    @written_out(f)
    def iterated(
        A: Operator | np.ndarray, b: Array, x0: object = None, M: object = None, *, callback=None, **options
    ):
        """A x = b, by an iteration that has converged; where it starts has no influence"""
        right, a = np.ravel(b), linalg.aslinearoperator(A)
        x, info = own(f, a, right, x0=x0, callback=callback, **preconditioned(M), **options)
        check_converged(f, info)
        solver = Iteration(f, a, x, M, options)
        return implicit.root(unsolved, x, a, right, solver=solver), 0


for _name in ITERATIVE:
    _register(getattr(linalg, _name))


@written_out(linalg.qmr)
def qmr(
    A: Operator | Sparse | np.ndarray,
    b: Array,
    x0: object = None,
    *,
    M1=None,
    M2=None,
    callback=None,
    **options,
):
    """A x = b, by an iteration that has converged; where it starts has no influence"""
    check_no_preconditioner(M1, M2)
    right, a = np.ravel(b), linalg.aslinearoperator(A)
    x, info = own(linalg.qmr, a, right, x0=x0, callback=callback, **options)
    check_converged(linalg.qmr, info)
    return implicit.root(unsolved, x, a, right, solver=Iteration(linalg.qmr, a, x, None, options)), 0


def check_no_preconditioner(*given: Any) -> None:
    """Refuse the preconditioners of QMR."""
    if any(M is not None for M in given):
        raise UnsupportedArgument(linalg.qmr, "M1", given[0], supported=[None], next="use gmres with M=")


non_differentiable(check_no_preconditioner, why="checks an argument")
