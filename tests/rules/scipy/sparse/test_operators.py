"""Linear operators, by their functions, by matrices, and made of others: products in both modes, refusals."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from tests.rules.cases import case

import chainrules as cr
from chainrules.rules.scipy.sparse.operators import called, made
from chainrules.testing import check_grads, check_rule, exempt

pytestmark = pytest.mark.filterwarnings("ignore:Calling `matvec` on 'column vectors':FutureWarning")

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
A = sp.csc_array(D)
X = np.array([1.0, 2.0, 3.0])
T = np.array([3.0, -2.0, 1.5])
WIDE = aslinearoperator(D[:2])
COLUMNS = np.stack([X, T], axis=1)

CASES = [
    case(LinearOperator.matvec, aslinearoperator(D), X),
    case(LinearOperator.matvec, WIDE, X[:, None], why="a column"),
    case(LinearOperator.matmat, WIDE, COLUMNS),
    *(case(f, WIDE, X) for f in (LinearOperator.__mul__, LinearOperator.dot, LinearOperator.__call__)),
    *(case(LinearOperator.__matmul__, WIDE, x) for x in (X, COLUMNS)),
]
OF_OPERATORS = [
    *("__mul__", "__matmul__", "dot", "__call__", "__rmul__", "__truediv__", "__add__", "__sub__"),
    *("__neg__", "__pow__", "adjoint", "transpose"),
]
EXEMPT = [
    exempt(LinearOperator, why="its value has no numbers; programs below use it"),
    exempt(aslinearoperator, why="its value has no numbers; programs below use it"),
    *(
        exempt(f, why="keeps the adjoint in the operator; programs below use it")
        for f in (LinearOperator.rmatvec, LinearOperator.rmatmat)
    ),
    exempt(made, why="its value has no numbers; programs below use it"),
    exempt(called, why="takes functions; programs below use it"),
    *(
        exempt(getattr(LinearOperator, name), why="its value has no numbers; programs below use it")
        for name in OF_OPERATORS
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def ring(t: Any, **given: Any) -> Any:
    return LinearOperator((3, 3), matvec=lambda v: t * v + np.roll(v, 1), dtype=float, **given)


def with_adjoint(t: Any) -> Any:
    return ring(t, rmatvec=lambda v: t * v + np.roll(v, -1))


def captured(t: Any, x: Any) -> Any:
    return np.sum((ring(t) @ x) ** 3)


def captured_twice(t: Any, x: Any) -> Any:
    a = with_adjoint(t)
    return np.sum(a.matvec(x) ** 2) + np.sum(a.rmatvec(x) ** 3)


def several_columns(t: Any, x: Any) -> Any:
    scaled = lambda v: t[:, None] * v  # noqa: E731
    a = LinearOperator((3, 3), matvec=lambda v: t * v, matmat=scaled, rmatmat=scaled, dtype=float)
    return np.sum(a.matmat(np.stack([x, x**2], axis=1)) ** 2) + np.sum((a.rmatmat(D) @ x) ** 2)


def by_matrix(a: Any, x: Any) -> Any:
    b = aslinearoperator(a)
    return np.sum(np.abs(b @ x) ** 3) + np.sum(np.abs(b.rmatvec(x) + b.rmatmat(D) @ x) ** 3)


def made_of_others(t: Any, a: Any, x: Any) -> Any:
    b, c = with_adjoint(t), aslinearoperator(a)
    d = 2.0 * b + c @ b - b.adjoint() / 3.0 + c**2 - b.transpose() + (-c) * t[0]
    return np.sum(d.matvec(x) ** 2) + np.sum(d.rmatvec(x) ** 3)


def of_adjoints(t: Any, a: Any, x: Any) -> Any:
    b, c = with_adjoint(t), aslinearoperator(a)
    d = (b @ c).adjoint() + c.transpose()
    return np.sum(d.matvec(x) ** 2) + np.sum(d.rmatvec(x) ** 3)


@pytest.mark.parametrize(
    ("f", "args", "order"),
    [
        (captured, (T, X), 2),
        (captured_twice, (T, X), 2),
        (several_columns, (T, X), 1),
        (by_matrix, (A, X), 2),
        (by_matrix, (D, X), 1),
        (by_matrix, (D * (1 + 1j), X * (1 - 2j)), 1),
        (made_of_others, (T, A, X), 1),
        (of_adjoints, (T, A, X), 1),
    ],
)
def test_programs(f: Any, args: Any, order: int) -> None:
    check_grads(f, *args, order=order)


def test_what_is_made_of_others_is_what_scipy_makes() -> None:
    b, c = with_adjoint(T), aslinearoperator(A)
    d = 2.0 * b + c @ b - b.adjoint() / 3.0 + c**2 - b.transpose() + (-c) * T[0]
    want = np.sum(d.matvec(X) ** 2) + np.sum(d.rmatvec(X) ** 3)
    assert np.isclose(cr.vjp(made_of_others, T, A, X)[0], want)


def test_rmatvec_stands_for_the_pullback_of_a_matvec_without_a_derivative() -> None:
    without = np.frompyfunc(lambda v: 2.0 * v, 1, 1)
    matvec = lambda v: without(v).astype(float)  # noqa: E731
    a = LinearOperator((3, 3), matvec=matvec, rmatvec=lambda v: 2.0 * v, dtype=float)
    assert np.array_equal(cr.grad(lambda x: np.sum(a @ x))(X), [2.0, 2.0, 2.0])
    without_adjoint = LinearOperator((3, 3), matvec=matvec, dtype=float)
    with pytest.raises(cr.ChainRulesError):
        cr.grad(lambda x: np.sum(without_adjoint @ x))(X)


class Doubling(LinearOperator):
    def __init__(self) -> None:
        super().__init__(float, (3, 3))

    def _matvec(self, x: Any) -> Any:
        return 2.0 * x


def test_operators_of_a_class_of_the_users() -> None:
    a = Doubling()
    assert np.allclose(cr.grad(lambda x: np.sum((a @ x) ** 2))(X), 8.0 * X)


def test_what_is_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="rmatvec"):
        cr.grad(lambda t: np.sum(ring(t).rmatvec(X)))(T)
    with pytest.raises(cr.UnsupportedArgument, match="a vector of length 3"):
        cr.grad(lambda x: np.sum(ring(T).matvec(x)))(X[:2])
    with pytest.raises(cr.UnsupportedArgument, match="3 rows"):
        cr.grad(lambda x: np.sum(ring(T).matmat(x)))(D[:2])
