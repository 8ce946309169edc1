"""Short-time transforms and their inverses, with every option that changes what is computed."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.testing import check_rule

X, WINDOW, Z = normal(23), np.array([0.2, 0.7, 1.0, 0.8, 0.3, 0.1]), complex_normal(5, 4)
CASES = [
    *(case(signal.spectrogram, X, nperseg=8, mode=mode) for mode in ("psd", "complex", "angle", "phase")),
    case(signal.spectrogram, X, held(1.0), WINDOW, mode="magnitude", scaling="spectrum"),
    case(signal.spectrogram, normal(12, 2), nperseg=5, axis=0, nfft=7),
    case(signal.spectrogram, complex_normal(12), nperseg=5, return_onesided=False),
    *(case(signal.stft, X, nperseg=6, boundary=edge) for edge in ("zeros", "even", "odd", "constant", None)),
    case(signal.stft, X, held(1.0), WINDOW, held(6), padded=False, detrend="constant", scaling="psd"),
    case(signal.stft, normal(12, 2), nperseg=5, axis=0, nfft=7, return_onesided=False),
    case(signal.stft, complex_normal(12), nperseg=5, return_onesided=False),
    case(signal.istft, Z),
    case(signal.istft, Z, nperseg=7, nfft=8, noverlap=5, scaling="psd", fs=2.0),
    case(
        signal.istft, np.stack([Z, 2 * Z]), time_axis=1, freq_axis=2, boundary=False, nperseg=6, window=WINDOW
    ),
    case(signal.istft, Z, held(1.0), WINDOW[:5], input_onesided=False),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_there_and_back_is_the_identity():
    def there_and_back(x):
        return signal.istft(signal.stft(x, nperseg=8)[2], nperseg=8)[1][:23]

    np.testing.assert_allclose(cr.jacobian(there_and_back)(X), np.eye(23), atol=1e-13)


def test_windows_that_leave_samples_out_warn_as_scipy_does():
    with pytest.warns(UserWarning, match="NOLA"):
        cr.jacobian(lambda z: signal.istft(z, window=WINDOW * 0.0, nperseg=6)[1])(normal(4, 3))


@pytest.mark.parametrize("options", [{"mode": "power"}, {"scaling": "power"}, {"noverlap": 300}])
def test_what_is_not_known_is_refused(options):
    with pytest.raises(cr.UnsupportedArgument, match=next(iter(options))):
        cr.grad(lambda x: np.sum(signal.spectrogram(x, nperseg=8, **options)[2]))(X)
