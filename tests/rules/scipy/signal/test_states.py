"""Initial states of recursive filters, as SciPy computes them, and where there is none."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_rule

B, A = np.array([0.3, 0.2, -0.1]), np.array([1.2, -0.5, 0.3])
CASES = [
    case(signal.lfilter_zi, B, A),
    case(signal.lfilter_zi, B[:2], A),
    case(signal.sosfilt_zi, signal.butter(4, 0.3, output="sos")),
    case(signal.lfiltic, B, A, normal(1), normal(2, seed=1)),
    case(signal.lfiltic, normal(5), A, normal(4)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_pole_at_one_is_refused():
    with pytest.raises(cr.NotDifferentiableError, match="pole at one"):
        cr.grad(lambda b: np.sum(signal.lfilter_zi(b, np.array([1.0, -1.0]))))(np.array([0.5, 0.5]))
