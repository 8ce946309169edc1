"""Transfer functions by coefficients and frequencies, with numerators shorter and longer."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_rule

SHORT, LONG = np.array([0.3, 0.7]), np.array([2.0, 0.7, 0.4, 0.1])
CASES = [
    *(case(f, b, a, 1.3) for f in (signal.lp2lp, signal.lp2hp) for b, a in ((SHORT, LONG), (LONG, SHORT))),
    *(case(f, SHORT, LONG, 1.3, 0.6) for f in (signal.lp2bp, signal.lp2bs)),
    *(case(f, LONG, SHORT, 1.3, 0.6) for f in (signal.lp2bp, signal.lp2bs)),
    *(case(signal.bilinear, b, a, 1.7) for b, a in ((SHORT, LONG), (LONG, SHORT))),
    case(signal.lp2bp, complex_normal(2), complex_normal(3, seed=4), 1.3, 0.6),
    case(signal.deconvolve, normal(7), np.array([2.0, 0.3, 0.4])),
    case(signal.deconvolve, normal(2), np.array([2.0, 0.3, 0.4])),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_matrices_are_refused():
    with pytest.raises(cr.UnsupportedArgument, match="list"):
        cr.grad(lambda b: np.sum(signal.lp2lp(b, LONG)[0]))(np.ones((2, 2)))
