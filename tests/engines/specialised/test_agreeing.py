"""When a text is taken to agree with the ordinary program."""

import numpy as np
import pytest

from chainrules.engines.specialised.running.agreeing import Disagreement, agree, rounding


def test_the_allowance_for_rounding_is_small_and_finite():
    assert rounding((np.ones(2),), np.inf) == 0.0
    assert rounding((np.ones(2), np.full(2, 1e-12)), 3.0) < 1e-12
    assert rounding((np.zeros(2),), 3.0) == 0.0


def test_a_gradient_of_rounding_errors_agrees_with_zero_and_no_other():
    x, y = (np.array([1.0, 2.0]),), 5.0
    agree((y, np.array([1e-17, 0.0])), (y, np.array([0.0, 3e-17])), rounding(x, y))
    with pytest.raises(Disagreement):
        agree((y, np.array([1e-9, 0.0])), (y, np.array([0.0, 3e-17])), rounding(x, y))
    with pytest.raises(Disagreement):
        agree((np.inf, np.array([1.0, 0.0])), (np.inf, np.array([2.0, 0.0])), rounding(x, np.inf))
