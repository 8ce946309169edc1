"""Functions that call the function they are given."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, constant, held, normal

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.testing import check_rule


def squares(x: Any) -> Any:
    return np.outer(x, x)


def sum_over(x: Any, axis: int) -> Any:
    return np.sum(x * x, axis=axis)


def kink(x: Any) -> Any:
    return x * x if x > 0 else 3.0 * x


def both(x: Any, y: Any) -> Any:
    return x * y, x + y


def spread(x: Any, y: Any) -> Any:
    return x * y, np.sum(x) + y


def at(coefficients: Any, x: Any) -> Any:
    return coefficients[0] + x * (coefficients[1] + x * coefficients[2])


def counted(calls: Any) -> None:
    calls[0] += 1


cr.non_differentiable(counted, why="counts")


X = normal(2, 3)
FLOATS = np.vectorize(kink, otypes=[float])
FLOATS(1.0)  # which keeps a ufunc for later calls
CALL = np.vectorize.__call__
ALONG, OVER = np.apply_along_axis, np.apply_over_axes
CASES = [
    case(np.fromfunction, lambda i, j: i + 2.0 * j, shape=(2, 3)),
    case(np.fromfunction, lambda i: i * 0.5, shape=(3,), dtype=np.float32),
    case(np.fromfunction, lambda i: i * 1j, shape=(0,)),
    case(ALONG, held(np.sum), constant(0), X),
    case(ALONG, held(np.cumsum), constant(-1), X),
    case(ALONG, held(squares), constant(1), normal(2, 3, 2), why="a matrix for each line"),
    case(ALONG, held(np.multiply), constant(0), normal(3), normal(3)),
    case(ALONG, held(np.sum), constant(0), X.astype(np.float32)),
    case(OVER, held(sum_over), normal(2, 3, 2), constant([0, -1])),
    case(OVER, held(np.sum), X, constant(1)),
    case(np.piecewise, X, constant([X < 0, X >= 0]), held([np.exp, np.sin])),
    case(np.piecewise, X, constant([X < 0]), held([np.exp, 2.0]), why="a number elsewhere"),
    case(np.piecewise, 0.5, constant([True]), held([np.exp])),
    case(CALL, held(np.vectorize(kink)), X),
    case(CALL, held(np.vectorize(both)), normal(3), normal(2, 1), why="two results"),
    case(CALL, held(FLOATS), normal(2)),
    case(CALL, held(FLOATS), np.zeros((0, 2)), why="nothing"),
    case(CALL, held(np.vectorize(kink)), X.astype(np.float32), why="single precision"),
    case(CALL, held(np.vectorize(np.dot, signature="(n),(n)->()")), normal(2, 3), normal(4, 1, 3)),
    case(CALL, held(np.vectorize(squares, signature="(n)->(n,n)")), X, why="a matrix for each vector"),
    case(CALL, held(np.vectorize(spread, signature="(n),()->(n),()")), X, normal(2), why="two results"),
    case(
        CALL, held(np.vectorize(np.dot, otypes=[float], signature="(n),(n)->()")), np.zeros((0, 3)), normal(3)
    ),
    case(CALL, held(np.vectorize(at, excluded={0})), normal(3), X, why="coefficients as they are"),
    case(CALL, held(np.vectorize(at, excluded={0}, signature="(n)->(n)")), normal(3), X),
    case(ALONG, held(np.cumsum), constant(-1), np.zeros((2, 0)), why="empty lines"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(
    "f",
    [
        lambda w: np.sum(np.apply_along_axis(lambda v: w * v * v, 0, X)),
        lambda w: np.sum(np.apply_over_axes(lambda v, axis: np.sum(w * v, axis), X, [0, 1])),
        lambda w: np.sum(np.piecewise(X, [X > 0], [lambda v: v * w * w, w])),
        lambda w: np.sum(np.fromfunction(lambda i, j: i * w + j * w * w, (2, 3))),
        lambda w: np.sum(np.vectorize(lambda v: w * w * v)(X)),
    ],
)
def test_what_the_function_captured_has_its_derivative(f: Any) -> None:
    expected = (f(1.5 + 1e-6) - f(1.5 - 1e-6)) / 2e-6
    assert cr.grad(f)(1.5) == pytest.approx(expected, rel=1e-6)
    assert cr.derivative(f)(1.5) == pytest.approx(expected, rel=1e-6)
    second = (f(1.5 + 1e-3) - 2 * f(1.5) + f(1.5 - 1e-3)) / 1e-6
    assert cr.grad(cr.grad(f))(1.5) == pytest.approx(second, rel=1e-4, abs=1e-4)


def test_what_vectorize_makes_whole_numbers_of_has_no_derivative() -> None:
    f = np.vectorize(lambda x: x if x > 0 else 0)
    x = np.array([-1.0, 2.5])
    assert f(x).tolist() == [0, 2]
    np.testing.assert_array_equal(cr.vjp(f, x)[0], [0, 2])


def test_an_array_given_by_name_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="an array given by name"):
        cr.grad(lambda x: np.sum(np.vectorize(lambda a, b: a * b)(x, b=X)))(1.0)


@pytest.mark.parametrize("given", [{}, {"otypes": [float]}, {"cache": True}, {"signature": "()->()"}])
def test_vectorize_calls_the_function_as_often_as_numpy(given: Any) -> None:
    calls = np.zeros(1, int)

    def f(x: Any) -> Any:
        counted(calls)
        return x * x

    v = np.vectorize(f, **given)
    v(X)
    plain = int(calls[0])
    cr.vjp(v, X)
    assert calls[0] == 2 * plain


@pytest.mark.parametrize(
    ("signature", "args", "match"),
    [
        ("(n),(n)->()", (normal(2), normal(3)), "does not fit"),
        ("(n)->()", (normal(2), normal(2)), "arguments"),
        ("(n),(n)->(n)", (normal(2), normal(2)), "results"),
        ("(n),(n)->(),()", (normal(2), normal(2)), "results"),
    ],
)
def test_arguments_that_do_not_fit_a_signature(signature: str, args: Any, match: str) -> None:
    v = np.vectorize(np.dot, signature=signature)
    with pytest.raises((TypeError, ValueError)):
        v(*args)
    with pytest.raises((TypeError, ValueError), match=match):
        cr.vjp(v, *args)
