"""What `math` has beyond NumPy's functions, against differences and at its corners."""

import math

import numpy as np
import pytest
from tests.rules.cases import case, normal, rrule_of

from chainrules.rules.python.math import polygamma
from chainrules.testing import check_grads, check_rule

CASES = [
    *(case(f, 0.7) for f in (math.erf, math.erfc, math.gamma, math.lgamma)),
    *(case(f, x) for f in (math.gamma, math.lgamma) for x in (-0.5, 3.2)),
    *(case(polygamma, 0.7, n) for n in (0, 2)),
    case(math.log, 2.5, 3.0),
    case(math.hypot, 0.3),
    case(math.hypot, 0.3, -0.4),
    case(math.hypot, 0.3, -0.4, 1),
    case(math.dist, (0.1, 0.2), [0.5, -0.7]),
    case(math.dist, normal(3), (0.5, -0.7, 0.0)),
    case(math.fsum, [0.1, 0.2, 3]),
    case(math.fsum, normal(3)),
    case(math.prod, (2.0, -1.5, 0.5)),
    case(math.prod, [2.0, 0.0, 3.0], why="one zero"),
    case(math.prod, [0.0, 0.0, 3.0], why="two zeros"),
    case(math.prod, normal(3), start=2),
    case(math.prod, [], why="empty"),
    case(math.prod, [1.0 + 2.0j, 0.5 - 1.0j, 2.0j], why="complex"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [math.gamma, math.lgamma])
def test_second_order_of_gamma(f):
    check_grads(f, 0.7)


def test_derivatives_at_the_origin_are_zero():
    assert rrule_of(math.hypot, 0.0, 0.0)[1](1.0) == (0.0, 0.0)
    for x_bar in rrule_of(math.dist, (1.0, 2.0), (1.0, 2.0))[1](1.0):
        assert tuple(x_bar) == (0.0, 0.0)


def test_a_product_of_integers_stays_exact():
    assert rrule_of(math.prod, [10**10] * 3)[0] == 10**30


def test_elementary_functions_of_numpy_scalars():
    y, pullback = rrule_of(math.sin, np.float32(0.5))
    assert type(y) is float
    assert type(pullback(1.0)[0]) is np.float32
