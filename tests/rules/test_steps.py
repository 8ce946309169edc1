"""Functions that are constant between jumps: the value runs, the derivative is zero in both modes."""

import numpy as np
import pytest
from tests.rules.cases import frule_of, rrule_of

from chainrules.core import UnsupportedArgument
from chainrules.rules.steps import piecewise_constant
from chainrules.tangents import Zero
from chainrules.testing import check_rule


def digit(x, base):
    return np.floor(x) // base


piecewise_constant(digit, arity=2)


def test_zero_in_both_modes():
    check_rule(digit, np.array([12.3, 7.9]), 4.4)
    y, pullback = rrule_of(digit, 12.3, 10.0)
    assert (y, pullback(1.0)) == (1.0, (Zero(), Zero()))
    assert frule_of(digit, (12.3, 10.0), (1.0, 1.0)) == (1.0, Zero())


def test_what_the_rule_does_not_take_is_refused():
    with pytest.raises(UnsupportedArgument, match="where"):
        rrule_of(np.floor, np.ones(2), where=np.array([True, False]))
