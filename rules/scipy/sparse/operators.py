"""`LinearOperator`: a matrix that is known by its products, whose functions may have captured what moves.

What moves with an operator are the functions and the parts that it was made of; its tangent has them as
fields. A product is linear in the vector: its derivative by it is `matvec` of the tangent, and backward
`rmatvec` of the cotangent where that was given, else the pullback of `matvec`, which is the adjoint. By what
`matvec` captured it is the derivative of `matvec` itself. Operators of a class of the user's multiply by its
`_matvec`; an object of such a class has to be made outside of what is differentiated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import linalg
from scipy.sparse.linalg import LinearOperator as Operator
from scipy.sparse.linalg import _interface as own_classes

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ....core.engine import call
from ....tangents import NO_TANGENT, ZERO, Composite
from ...written import written_out
from .entries import Sparse

Custom: Any = own_classes._CustomLinearOperator
Matrix: Any = own_classes.MatrixLinearOperator
Sum: Any = own_classes._SumLinearOperator
Product: Any = own_classes._ProductLinearOperator
Scaled: Any = own_classes._ScaledLinearOperator
Power: Any = own_classes._PowerLinearOperator
Adjoint: Any = own_classes._AdjointLinearOperator
Transposed: Any = own_classes._TransposedLinearOperator
OF_ONE = (Matrix, Adjoint, Transposed)
"""The classes that keep what they are made of as `A`; the others keep it in `args`."""

FUNCTIONS = ("matvec", "rmatvec", "matmat", "rmatmat")
FIELDS = {name: f"_CustomLinearOperator__{name}_impl" for name in FUNCTIONS}
SIGNATURE = "shape, matvec, rmatvec=None, matmat=None, dtype=None, rmatmat=None"


@frule(Operator, signature=SIGNATURE)
def operator_frule(
    tangents,
    shape: tuple | list,
    matvec: object,
    rmatvec: object = None,
    matmat: object = None,
    dtype: object = None,
    rmatmat: object = None,
):
    """Ȧ has the tangents of its functions"""
    _, of_matvec, of_rmatvec, of_matmat, _, of_rmatmat = tangents
    moved = dict(zip(FIELDS.values(), (of_matvec, of_rmatvec, of_matmat, of_rmatmat), strict=True))
    return Operator(shape, matvec, rmatvec, matmat, dtype, rmatmat), Composite[Custom](**moved)


@rrule(Operator, signature=SIGNATURE)
def operator_rrule(
    shape: tuple | list,
    matvec: object,
    rmatvec: object = None,
    matmat: object = None,
    dtype: object = None,
    rmatmat: object = None,
):
    """The cotangent of each function is in Ā"""

    def operator_pullback(a_bar):
        matvec_bar, rmatvec_bar, matmat_bar, rmatmat_bar = [getattr(a_bar, f) for f in FIELDS.values()]
        return NO_TANGENT, matvec_bar, rmatvec_bar, matmat_bar, NO_TANGENT, rmatmat_bar

    return Operator(shape, matvec, rmatvec, matmat, dtype, rmatmat), operator_pullback


def made(P: Any, *parts: Any) -> Any:
    """The operator of one of SciPy's classes that is made of these parts."""
    return P(*parts)


@frule(made)
def made_frule(tangents, P: type, *parts: object):
    """Ȧ has the tangents of its parts"""
    y = made(P, *parts)
    if P in OF_ONE:
        return y, Composite[P](A=tangents[1])
    return y, Composite[P](args=tuple(tangents[1:]))


@rrule(made)
def made_rrule(P: type, *parts: object):
    """The cotangents of the parts are in Ā"""
    count = len(parts)

    def made_pullback(a_bar):
        if P in OF_ONE:
            return NO_TANGENT, a_bar.A
        of_parts = a_bar.args
        cotangents: tuple[Any, ...] = (NO_TANGENT,)
        for k in range(count):
            cotangents = (*cotangents, of_parts[k])
        return cotangents

    return made(P, *parts), made_pullback


def called(matvec: Any, rmatvec: Any, x: Any) -> Any:
    """The product by a function of the user's."""
    return matvec(x)


@frule(called)
def called_frule(tangents, matvec: Callable, rmatvec: Callable | None, x: Array, *, engine):
    """y = A x        ẏ = Ȧ x + A ẋ"""
    of_matvec, _, dx = tangents
    if of_matvec is ZERO:
        return matvec(x), matvec(dx)
    y, push = engine.value_and_pushforward(call, matvec, x)
    moved = push(of_matvec, ZERO)
    return y, moved if dx is ZERO else moved + matvec(dx)


@rrule(called)
def called_rrule(matvec: Callable, rmatvec: Callable | None, x: Array, *, engine, needs):
    """y = A x        x̄ = Aᴴ ȳ"""
    if rmatvec is not None and not needs[0]:

        def adjoint_pullback(y_bar):
            return ZERO, ZERO, rmatvec(y_bar)

        return matvec(x), adjoint_pullback
    y, back = engine.value_and_pullback(call, matvec, x)

    def called_pullback(y_bar):
        matvec_bar, x_bar = back(y_bar)
        return matvec_bar, ZERO, x_bar

    return y, called_pullback


def vector(x: Any) -> Any:
    """A vector, of a column as well."""
    return np.ravel(x)


def times(a: Any, x: Any) -> Any:
    """The product of an operator and a vector."""
    P = type(a)
    if P is Custom:
        functions = [getattr(a, f) for f in FIELDS.values()]
        return vector(called(functions[0], functions[1], x))
    if issubclass(P, Matrix):
        return a.A @ x
    if P is Sum:
        return times(a.args[0], x) + times(a.args[1], x)
    if P is Product:
        return times(a.args[0], times(a.args[1], x))
    if P is Scaled:
        return a.args[1] * times(a.args[0], x)
    if P is Power:
        for _ in range(a.args[1]):
            x = times(a.args[0], x)
        return x
    if P is Adjoint:
        return adjoint_times(a.A, x)
    if P is Transposed:
        return np.conj(adjoint_times(a.A, np.conj(x)))
    return vector(a._matvec(x))


def adjoint_times(a: Any, x: Any) -> Any:
    """The product of the adjoint of an operator and a vector."""
    P = type(a)
    if P is Custom:
        functions = [getattr(a, f) for f in FIELDS.values()]
        check_adjoint(functions[1])
        return vector(called(functions[1], functions[0], x))
    if issubclass(P, Matrix):
        return np.conj(a.A.T @ np.conj(x))
    if P is Sum:
        return adjoint_times(a.args[0], x) + adjoint_times(a.args[1], x)
    if P is Product:
        return adjoint_times(a.args[1], adjoint_times(a.args[0], x))
    if P is Scaled:
        return np.conj(a.args[1]) * adjoint_times(a.args[0], x)
    if P is Power:
        for _ in range(a.args[1]):
            x = adjoint_times(a.args[0], x)
        return x
    if P is Adjoint:
        return times(a.A, x)
    if P is Transposed:
        return np.conj(times(a.A, np.conj(x)))
    return vector(a._rmatvec(x))


def check_adjoint(rmatvec: Any) -> None:
    """Refuse an operator that was made without the product with its adjoint."""
    if rmatvec is None:
        raise UnsupportedArgument(
            Operator, "rmatvec", None, supported=["the product with the adjoint"],
            next="give LinearOperator rmatvec=, which this program calls",
        )  # fmt: skip


def check_vector(f: Any, a: Any, x: Any, side: int) -> None:
    """Refuse what has not the length of a row, or of a column."""
    if np.shape(x) not in ((a.shape[side],), (a.shape[side], 1)):
        raise UnsupportedArgument(f, "x", x, supported=[f"a vector of length {a.shape[side]}"])


def check_matrix(f: Any, a: Any, x: Any, side: int) -> None:
    """Refuse what is no dense matrix of so many rows."""
    if np.ndim(x) != 2 or np.shape(x)[0] != a.shape[side]:
        raise UnsupportedArgument(f, "x", x, supported=[f"a matrix of {a.shape[side]} rows"])


non_differentiable(check_adjoint, check_vector, check_matrix, why="checks an argument")


def like_given(y: Any, x: Any) -> Any:
    """A column where a column was given."""
    return np.reshape(y, (-1, 1)) if np.ndim(x) == 2 else y


@written_out(Operator.matvec)
def matvec(self: Operator, x: Array):
    """y = A x"""
    check_vector(Operator.matvec, self, x, 1)
    return like_given(times(self, np.ravel(x)), x)


@written_out(Operator.rmatvec)
def rmatvec(self: Operator, x: Array):
    """y = Aᴴ x"""
    check_vector(Operator.rmatvec, self, x, 0)
    return like_given(adjoint_times(self, np.ravel(x)), x)


@written_out(Operator.matmat)
def matmat(self: Operator, X: np.ndarray):
    """Y = A X, column by column"""
    check_matrix(Operator.matmat, self, X, 1)
    if type(self) is Custom and getattr(self, FIELDS["matmat"]) is not None:
        return called(getattr(self, FIELDS["matmat"]), getattr(self, FIELDS["rmatmat"]), X)
    return np.stack([times(self, X[:, k]) for k in range(np.shape(X)[1])], axis=1)


@written_out(Operator.rmatmat)
def rmatmat(self: Operator, X: np.ndarray):
    """Y = Aᴴ X, column by column"""
    check_matrix(Operator.rmatmat, self, X, 0)
    if type(self) is Custom and getattr(self, FIELDS["rmatmat"]) is not None:
        return called(getattr(self, FIELDS["rmatmat"]), getattr(self, FIELDS["matmat"]), X)
    return np.stack([adjoint_times(self, X[:, k]) for k in range(np.shape(X)[1])], axis=1)


def scaled(a: Any, c: Any) -> Any:
    """c a for a number c; a multiple of a multiple is one of the operator itself, as SciPy has it."""
    return made(Scaled, a.args[0], c * a.args[1]) if type(a) is Scaled else made(Scaled, a, c)


def from_the_left(a: Any, x: Any) -> Any:
    """a x for a number, a vector or a matrix."""
    if np.ndim(x) == 0:
        return scaled(a, x)
    return a.matvec(x) if np.ndim(x) == 1 or np.shape(x)[1] == 1 else a.matmat(x)


@written_out(Operator.__mul__, Operator.dot, Operator.__call__)
def product_x(self: Operator, x: Array):
    """y = A x"""
    return from_the_left(self, x)


@written_out(Operator.__matmul__)
def product_other(self: Operator, other: Array):
    """y = A x"""
    return from_the_left(self, other)


@written_out(Operator.__mul__, Operator.dot, Operator.__call__)
def product_of_operators(self: Operator, x: Operator):
    """C = A B"""
    return made(Product, self, x)


@written_out(Operator.__matmul__)
def product_with_other(self: Operator, other: Operator):
    """C = A B"""
    return made(Product, self, other)


@written_out(Operator.__rmul__)
def rmul(self: Operator, x: Array):
    """C = x A for a number x"""
    check_number(x)
    return scaled(self, x)


@written_out(Operator.__truediv__)
def quotient(self: Operator, other: Array):
    """C = A / x for a number x"""
    check_number(other)
    return scaled(self, 1.0 / other)


@written_out(Operator.__add__)
def total(self: Operator, x: Operator):
    """C = A + B"""
    return made(Sum, self, x)


@written_out(Operator.__sub__)
def difference(self: Operator, x: Operator):
    """C = A − B"""
    return made(Sum, self, scaled(x, -1))


@written_out(Operator.__neg__)
def negative(self: Operator):
    """C = −A"""
    return scaled(self, -1)


@written_out(Operator.__pow__)
def power(self: Operator, *, p):
    """C = A … A"""
    return made(Power, self, p)


@written_out(Operator.adjoint)
def adjoint(self: Operator):
    """C = Aᴴ"""
    return made(Adjoint, self)


@written_out(Operator.transpose)
def transpose(self: Operator):
    """C = Aᵀ"""
    return made(Transposed, self)


def check_number(x: Any) -> None:
    """Refuse what is no number."""
    if np.ndim(x):
        raise UnsupportedArgument(Operator.__rmul__, "x", x, supported=["a number"], next="use A.T @ x")


non_differentiable(check_number, why="checks an argument")


@written_out(linalg.aslinearoperator)
def of_matrix(A: Sparse | np.ndarray):
    """The operator of a matrix, which it holds"""
    return made(Matrix, A)


@written_out(linalg.aslinearoperator)
def of_operator(A: Operator):
    """An operator as it is"""
    return A
