"""What of Python has no derivative, and bit operations, whose derivative is zero."""

import bisect
import operator
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly
from tests.rules.cases import rrule_of

import chainrules as cr
from chainrules.core import apply_rrule
from chainrules.tangents import NoTangent, Zero


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (operator.lt, (1.0, 2.0)),
        (len, ([1.0],)),
        (isinstance, (1.0, float)),
        (range, (3,)),
        (hash, (1.0,)),
        (bisect.bisect, ([1.0, 2.0], 1.5)),
        (dict.keys, ({"a": 1.0},)),
        (type, (1.0,)),
    ],
)
def test_no_tangent(f, x):
    y, pullback = rrule_of(f, *x)
    assert y == f(*x)
    assert pullback(Zero()) == (NoTangent(),) * len(x)


def test_bit_operations_of_numbers_alone():
    assert rrule_of(operator.and_, 6, 3)[1](1.0) == (Zero(), Zero())
    assert apply_rrule(operator.and_, {1.0}, {2.0}) is None


def test_a_set_of_places_may_be_changed_along_the_way() -> None:
    def f(x: Any) -> Any:
        seen: set[Any] = set()
        total = 0.0
        for v, k in sorted((v, i) for i, v in enumerate(x)):
            if k not in seen:
                seen.add(k)
                seen.add((k, "once"))
                seen.discard(7)
                total += v * x[(k + 1) % 3]
        return total * len(seen)

    x = np.array([0.3, 0.1, 0.2])
    expected = [(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(f)(x), expected, rtol=1e-6)
    np.testing.assert_allclose(cr.jvp(f, (x,), (x,))[1], np.dot(expected, x), rtol=1e-6)


class Held:
    def __init__(self, v: Any) -> None:
        self.v = v


@pytest.mark.parametrize("key", [lambda v: v, lambda v: (0, v), np.float32, lambda v: (Held(v),)])
def test_a_set_of_numbers_that_vary(key: Any) -> None:
    def f(x: Any) -> Any:
        seen: set[Any] = set()
        for v, _ in sorted((v, i) for i, v in enumerate(x)):
            seen.add(key(v))
        return len(seen) * x[0]

    rightly.grad(f)(np.array([0.3, 0.1]))
