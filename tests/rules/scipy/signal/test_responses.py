"""Frequency responses by coefficients, zeros and poles, and the frequencies that are given."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held

import chainrules as cr
from chainrules.testing import check_rule

B, A = np.array([0.3, 0.2, -0.1]), np.array([1.2, -0.5, 0.3])
W = np.array([0.2, 1.1, 2.3])
SOS = signal.butter(4, 0.3, output="sos")
CASES = [
    case(signal.freqz, B, A, W),
    case(signal.freqz, B, A, held(5), whole=True, fs=3.0),
    case(signal.freqz, B, held(1), held(4), include_nyquist=True),
    case(signal.freqz_sos, held(SOS), W),
    case(signal.sosfreqz, held(SOS), held(4)),
    case(signal.freqz_zpk, complex_normal(2), 0.5 * complex_normal(3), 1.3, W),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_gain_of_a_moving_average_has_the_slope_of_dirichlets_kernel():
    got = cr.derivative(lambda w: np.abs(signal.freqz(np.ones(2) / 2, 1, np.stack([w]))[1])[0])(0.8)
    np.testing.assert_allclose(got, -0.5 * np.sin(0.4), rtol=1e-12)
