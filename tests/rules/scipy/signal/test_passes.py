"""Filters forwards and backwards, with every extension of the ends."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules.testing import check_rule

B, A = signal.butter(2, 0.3)
X = normal(2, 16)
SOS = signal.butter(2, 0.3, output="sos")
CASES = [
    *(case(signal.filtfilt, B, A, X, padtype=kind) for kind in ("odd", "even", "constant", None)),
    case(signal.filtfilt, B, A, normal(9, 2), axis=0, padlen=4),
    *(case(signal.sosfiltfilt, held(SOS), X, padtype=kind) for kind in ("odd", None)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_method_of_gustafsson_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="method"):
        cr.grad(lambda x: np.sum(signal.filtfilt(B, A, x, method="gust")))(X[0])


def test_a_short_signal_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="padlen"):
        cr.grad(lambda x: np.sum(signal.filtfilt(B, A, x)))(X[0, :5])
