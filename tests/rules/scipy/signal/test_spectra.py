"""Spectra by signals and windows, with every option that changes what is computed."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.testing import check_rule

X, Y, WINDOW = normal(23), normal(23, seed=1), np.array([0.2, 0.7, 1.0, 0.8, 0.3, 0.1])
CASES = [
    case(signal.csd, X, Y, nperseg=8),
    case(signal.csd, X, normal(19), held(3.0), WINDOW, scaling="spectrum"),
    case(signal.csd, normal(2, 12), normal(12, seed=1), nperseg=5, nfft=8, detrend="linear"),
    case(signal.csd, complex_normal(13), Y[:13], nperseg=6, noverlap=2, detrend=False),
    case(signal.csd, X, Y, nperseg=6, average="median"),
    case(signal.csd, X, Y, nperseg=6, return_onesided=False),
    case(signal.welch, X, held(1.0), WINDOW),
    case(signal.welch, normal(12, 2), nperseg=5, axis=0, average="median"),
    case(signal.welch, complex_normal(13), nperseg=6),
    case(signal.periodogram, X),
    case(signal.periodogram, normal(2, 8), window=("kaiser", 3.0), nfft=16, detrend="linear"),
    case(signal.periodogram, X, nfft=8, scaling="spectrum"),
    case(signal.coherence, X, Y, nperseg=8),
    case(signal.coherence, X, Y, held(1.0), WINDOW, detrend="linear"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_an_array_with_itself_has_a_real_spectrum():
    jacobian = cr.jacobian(lambda x: signal.csd(x, x, nperseg=8)[1])(X)
    np.testing.assert_allclose(jacobian, cr.jacobian(lambda x: signal.welch(x, nperseg=8)[1])(X), rtol=1e-12)
    assert jacobian.dtype == float


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("scaling", {"scaling": "power"}),
        ("detrend", {"detrend": lambda x: x}),
        ("noverlap", {"nperseg": 4, "noverlap": 4}),
        ("window", {"window": WINDOW, "nperseg": 5}),
    ],
)
def test_what_is_not_known_is_refused(name, options):
    with pytest.raises((cr.UnsupportedArgument, ValueError), match=name):
        cr.grad(lambda x: np.sum(signal.welch(x, **options)[1]))(X)


def test_the_power_of_white_noise_is_its_variance():
    """Parseval: Σ P Δf = mean of x², so that the gradient is 2x/n"""

    def power(x):
        f, p = signal.periodogram(x, detrend=False)
        return np.sum(p) * f[1]

    np.testing.assert_allclose(cr.grad(power)(X), 2 * X / len(X), rtol=1e-12)
