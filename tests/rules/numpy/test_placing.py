"""Functions that only move entries, against differences; what they read of lists and integers."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

import chainrules as cr
from chainrules.tangents import Composite, Zero
from chainrules.testing import check_grads, check_rule

MASK = normal(2, 3, seed=3) > 0
JOINS = [np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack]
CASES = [
    case(np.insert, normal(3), constant(1), normal(2), why="several values at one place"),
    case(np.insert, normal(3), [1, 1], values=normal(2), why="a place named twice"),
    case(np.insert, normal(2, 3), constant(1), 5.0, axis=1),
    case(np.insert, normal(2, 3), constant([0, 2]), normal(2, 1), axis=1),
    case(np.insert, complex_normal(3), constant(slice(0, 2)), normal(2)),
    case(np.insert, complex_normal(3), constant(1), complex_normal(2)),
    case(np.insert, np.array([1, 2]), constant(1), 2.5, why="a value cut to an integer"),
    case(np.delete, normal(3), constant(1)),
    case(np.delete, normal(3, 4).astype(np.float32), constant([1, 2]), axis=1),
    case(np.delete, complex_normal(2, 3), constant([True, False, True]), axis=1),
    case(np.resize, normal(3), constant((2, 4)), why="longer"),
    case(np.resize, normal(2, 3), constant((2,)), why="shorter"),
    case(np.resize, normal(0), constant((2,)), why="empty: zeros"),
    case(np.extract, constant([True, False, True]), normal(3)),
    case(np.extract, constant(MASK), complex_normal(2, 3)),
    case(np.choose, constant(np.array([0, 1, 1])), [normal(3), 2.0]),
    case(np.choose, constant(np.array([0, 1, 1])), normal(2, 3)),
    case(np.choose, constant(np.array([0, 5])), normal(2, 2), mode="clip"),
    case(np.ndarray.choose, constant(np.array([0, 1, 1])), normal(2, 3)),
    case(np.select, constant([MASK, ~MASK[0]]), [normal(2, 3), normal(3)], 1.0),
    case(np.select, constant([MASK]), [complex_normal(2, 3)]),
    case(np.select, constant([MASK, ~MASK]), normal(2, 2, 3), why="choices in one array"),
    case(np.block, [[normal(2, 2), normal(2, 1)], [normal(3)]]),
    case(np.block, [normal(2), 3.0]),
    case(np.block, normal(2, 2), why="no list"),
    *(case(f, x) for f in (np.atleast_1d, np.atleast_2d, np.atleast_3d) for x in (0.5, normal(3))),
    *(case(f, normal(2, 3), why="an array of rows") for f in JOINS),
    *(case(f, complex_normal(2, 3, 2)) for f in JOINS),
    *(case(f, normal(2, 3, 2).astype(np.float32), axis=-1) for f in (np.concatenate, np.stack)),
    *(case(f, normal(2, 3), dtype=None) for f in JOINS[:4]),
    case(np.rollaxis, normal(2, 3, 4), constant(2)),
    case(np.rollaxis, normal(2, 3, 4), constant(0), 3),
]
PROGRAMS = {
    "insert": lambda x: np.insert(x * x, 1, x[0] * x[1]),
    "delete": lambda x: np.delete(x**3, [0]),
    "select": lambda x: np.select([x > 0], [x * x], x**3),
    "choose": lambda x: np.choose([0, 1, 1], [x * x, x**3]),
    "block": lambda x: np.block([[x * x, x], [x, x[0] * x]]),
}


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_second_order(name: str) -> None:
    check_grads(PROGRAMS[name], normal(3))


def test_each_block_has_its_own_cotangent() -> None:
    _, pullback = rrule_of(np.block, [[1.0, 2.0], [3.0, 4.0]])
    (x_bar,) = pullback(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert x_bar == Composite[list](Composite[list](1.0, 2.0), Composite[list](3.0, 4.0))


def test_the_default_of_select_takes_what_no_choice_does() -> None:
    gradient = cr.grad(lambda d: np.sum(np.select([MASK], [np.ones((2, 3))], d)))
    assert gradient(0.0) == np.sum(~MASK)


def test_what_an_integer_array_cuts_has_no_derivative() -> None:
    _, pullback = rrule_of(np.insert, np.array([1, 2]), 1, 2.5)
    assert pullback(np.ones(3))[2] == Zero()


def test_blocks_are_in_lists_as_numpy_says():
    def f(a):
        return np.linalg.det(np.block([[a + 3.0 * np.eye(2), a], [a, 2.0 * np.eye(2)]]))

    def of_tuples(a):
        return np.sum(np.block(((a, a),)))

    a = np.array([[0.3, 0.1], [-0.2, 0.4]])
    steps = [1e-6 * np.eye(1, 4, k).reshape(2, 2) for k in range(4)]
    wanted = [(f(a + h) - f(a - h)) / 2e-6 for h in steps]
    for _ in range(5):
        np.testing.assert_allclose(np.ravel(cr.grad(f)(a)), wanted, rtol=1e-6)
        with pytest.raises(TypeError, match="Only lists"):
            cr.grad(of_tuples)(a)
