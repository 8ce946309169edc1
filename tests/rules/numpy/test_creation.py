"""Arrays made of numbers, lists and one another."""

from collections import deque
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, frule_of, normal, rrule_of

import chainrules as cr
from chainrules.tangents import Composite, Zero
from chainrules.testing import check_rule

NESTED = [[1.0, 2.0], (3.0, 4.0)]
CASES = [
    case(np.array, [1.0, 2.0]),
    case(np.array, NESTED),
    case(np.array, [normal(3), normal(3, seed=1)]),
    case(np.array, [np.float64(1.5), 2.0, 3j], why="a complex among them"),
    case(np.array, 2.0),
    case(np.fromiter, [1.0, 2.0, 3.0], float),
    case(np.fromiter, (1.0, 2.0, 3.0), "f4", 2),
    case(np.array, normal(2), ndmin=3),
    case(np.array, [1.0, 2.0], ndmin=2),
    case(np.array, [np.float32(1), 2.0], dtype=np.float64),
    case(np.array, []),
    case(np.asarray, NESTED),
    case(np.asarray, normal(3), dtype=complex),
    case(np.asarray, (1.0, (2.0)), dtype=np.float32),
    case(np.asanyarray, (1.0, 2.0)),
    case(np.ascontiguousarray, normal(2, 3).T),
    case(np.ascontiguousarray, 2.0, why="becomes a vector"),
    case(np.copy, complex_normal(3)),
    case(np.ndarray.copy, normal(2, 3)),
    case(np.full, constant((2, 3)), 2.0),
    case(np.full, constant((2, 3)), normal(3)),
    case(np.full_like, normal(2, 3), 2.0),
    case(np.linspace, 1.0, 3.0, 5),
    case(np.linspace, normal(2), normal(3, 1), num=4, endpoint=False, axis=-1),
    case(np.linspace, 1.0, 3.0, 1, why="one point"),
    case(np.linspace, 1.0, 3.0, 5, retstep=True),
    case(np.linspace, normal(2), normal(3, 1), num=4, endpoint=False, retstep=True, axis=-1),
    case(np.linspace, 1.1, 3.3, 4, retstep=True, dtype=int, why="whole numbers, and a step"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [np.array, np.asarray])
def test_integers_end_the_derivative(f: Any) -> None:
    _, pullback = rrule_of(f, [1.5, 2.5], dtype=int)
    assert pullback(np.ones(2)) == (Zero(),)
    _, dy = frule_of(f, ([1.5, 2.5],), (Composite[list](1.0, 1.0),), dtype=int)
    assert dy is Zero()


def test_a_missing_entry_is_zero() -> None:
    t = Composite[list](Composite[list](1.0, Zero()), Zero())
    _, dy = frule_of(np.array, ([[1.0, 2.0], [3.0, 4.0]],), (t,))
    np.testing.assert_array_equal(dy, [[1, 0], [0, 0]])


@pytest.mark.parametrize(
    "f", [np.array, np.asarray, np.ascontiguousarray, np.prod, np.mean, np.std, np.max, np.median]
)
def test_a_queue_is_taken_for_an_array(f: Any) -> None:
    def g(x: Any) -> Any:
        window, total = deque[Any](maxlen=3), 0.0
        for v in x:
            window.append(v * v)
            total = total + np.sum(f(window)) * v
        return total

    x = np.array([0.3, 0.1, 0.2, 0.7, 0.5])
    expected = [(g(x + e) - g(x - e)) / 2e-6 for e in 1e-6 * np.eye(5)]
    for _ in range(4):
        np.testing.assert_allclose(cr.grad(g)(x), expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(cr.jvp(g, (x,), (x,))[1], np.dot(expected, x), rtol=1e-6)
