"""The chirp z-transform by signal and points."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.testing import check_rule

CASES = [
    case(signal.czt, normal(5)),
    case(signal.czt, complex_normal(2, 5), held(3), 0.9 * np.exp(0.3j), 1.1 * np.exp(0.2j)),
    case(signal.czt, normal(5, 2), m=7, axis=0),
    case(signal.czt, normal(5), held(3), 0.9),
    case(signal.zoom_fft, normal(6), np.array([0.2, 0.7]), m=4),
    case(signal.zoom_fft, complex_normal(6), 0.7, m=8, fs=3.0, endpoint=True),
    case(signal.czt_points, 4, 0.9 * np.exp(0.3j), 1.1 * np.exp(0.2j)),
    case(signal.czt_points, 4, held(None), 1.1 * np.exp(0.2j)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_zoom_into_the_whole_spectrum_is_the_fourier_transform():
    x = normal(8)
    jacobian = cr.jacobian(lambda x: np.real(signal.zoom_fft(x, [0.0, 2.0])))(x)
    np.testing.assert_allclose(jacobian, np.real(np.fft.fft(np.eye(8))), atol=1e-12)


def test_no_points_are_refused():
    with pytest.raises(cr.UnsupportedArgument, match="m"):
        cr.jacobian(lambda x: np.abs(signal.czt(x, 0)))(normal(4))
