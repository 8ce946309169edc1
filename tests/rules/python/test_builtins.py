"""max, min, sum and round against differences, and what ties decide."""

import numpy as np
import pytest
from tests.rules.cases import case, frule_of, normal, rrule_of

from chainrules.core import reverse
from chainrules.tangents import Composite, Zero
from chainrules.testing import check_rule

CASES = [
    *(case(f, [3.0, 1.0, 2.0]) for f in (max, min, sum)),
    *(case(f, normal(4)) for f in (max, min, sum)),
    *(case(f, 0.5, -1.5, 2) for f in (max, min)),
    case(max, (1.0, -3.0), key=abs),
    case(max, 1.0, -3.0, key=abs),
    case(min, [[3.0, 1.0], [2.0, 5.0]], why="of lists"),
    case(max, [], default=2.0),
    case(sum, (1.0, 2, 3.0), 0.5, why="a start"),
    case(sum, [normal(2), normal(2, seed=1)]),
    case(sum, [], why="empty"),
    case(sum, normal(3, 2), 1.5, why="rows"),
    case(sum, [np.float32(1), np.float32(2)], why="float32"),
    case(round, 2.3),
    case(round, 2.345, 1),
    case(round, 2.343, ndigits=2),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [max, min])
def test_the_first_of_equals_has_the_cotangent(f):
    assert f(2.0, 2) == 2.0
    assert rrule_of(f, 2.0, 2)[1](1.0) == (1.0, Zero())
    assert rrule_of(f, [2.0, 2.0])[1](1.0)[0] == Composite[list](1.0, Zero())
    assert frule_of(f, (2.0, 2.0), (1.0, 5.0))[1] == 1.0


def test_round_ends_activity():
    assert rrule_of(round, 2.3)[1](1.0) == (Zero(),)


def test_a_total_of_different_shapes_is_asked_of_the_engine():
    class Recorder:
        def value_and_pullback(self, f, *x):
            return f(*x), lambda y_bar: ("asked", x)

        value_and_pushforward = value_and_pullback

    x = [1.0, np.ones(2)]
    found = reverse(sum, (x,), engine=Recorder())
    assert found is not None
    np.testing.assert_array_equal(found[0], [2.0, 2.0])
