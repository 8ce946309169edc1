"""Rounding and remainders: steps have derivative zero, remainders their two partials."""

import math
import operator

import numpy as np
import pytest
from tests.rules.cases import case, constant, frule_of, normal, rrule_of, uniform

from chainrules.tangents import Zero
from chainrules.testing import check_grads, check_rule

pytestmark = pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")

STEPS = [np.floor, np.ceil, np.trunc, np.rint, np.fix]
CASES = [
    *(case(f, normal(2, 3)) for f in STEPS),
    *(case(f, 1.3) for f in (math.floor, math.ceil, math.trunc, math.ulp, math.frexp)),
    *(case(f, normal(2, 3)) for f in (np.spacing, np.frexp)),
    case(np.frexp, np.array([0.3, -0.7, 1.6], np.float32)),
    case(np.nextafter, normal(2, 1), normal(3, seed=1)),
    case(math.nextafter, 1.5, 3.0),
    *(case(f, normal(3), uniform(2, 1)) for f in (np.floor_divide, operator.floordiv)),
    *(case(f, normal(3), uniform(2, 1)) for f in (np.remainder, np.fmod, operator.mod, np.divmod, divmod)),
    *(case(f, 7.3, 1.9) for f in (operator.ifloordiv, operator.imod)),
    *(case(f, -7.3, np.float64(1.9)) for f in (operator.ifloordiv, operator.imod)),
    case(math.trunc, -0.7),
    case(math.trunc, 12.5),
    *(case(f, -7.3, 1.9) for f in (operator.mod, math.fmod, math.remainder, divmod, np.divmod)),
    case(np.round, normal(3)),
    case(np.round, normal(3), 1, why="positional decimals"),
    case(np.around, normal(3), decimals=1),
    case(np.ndarray.round, normal(3), 1),
    *(case(f, 2.3) for f in (math.modf, np.modf)),
    case(np.modf, normal(3)),
    case(np.ldexp, normal(3), constant(3)),
    case(np.ldexp, normal(2, 1), constant(np.array([1, 2, 3])), why="broadcast"),
    case(math.ldexp, 0.7, constant(-2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [*STEPS, np.round])
def test_a_step_ends_activity(f):
    x = np.array([0.2, 1.0])
    assert rrule_of(f, x)[1](np.ones(2)) == (Zero(),)
    assert frule_of(f, (x,), (np.ones(2),))[1] is Zero()


def test_a_remainder_counts_as_its_value_does():
    # 1.0 / 0.1 rounds to 10, but its remainder is that of 9 times
    for f in (np.fmod, operator.mod, math.fmod):
        assert rrule_of(f, 1.0, 0.1)[1](1.0) == (1.0, -9.0)


@pytest.mark.parametrize("which", [0, 1])
def test_remainders_where_one_argument_is_constant(which):
    x, m = normal(3) * 5, uniform(3)
    check_grads(lambda v: np.divmod(*((v, m) if which == 0 else (x, v)))[1] ** 2, (x, m)[which])
