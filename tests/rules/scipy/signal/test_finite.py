"""Filters with a finite response, by all that is no count."""

from typing import Any

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.testing import check_rule

BANDS, DESIRED = np.array([0.05, 0.2, 0.35, 0.8]), np.array([1.0, 0.9, 0.1, 0.3])
FREQ, GAIN = np.array([0.0, 0.3, 0.45, 1.0]), np.array([1.0, 0.8, 0.2, 0.0])
INNER = signal.firwin(9, 0.4)
CASES = [
    case(signal.firwin_2d, (5, 4), ("hamming", ("kaiser", 3.0)), fc=0.4),
    case(signal.kaiser_atten, 11, 0.2),
    case(signal.kaiserord, 45.3, held(0.1)),
    *(case(signal.kaiser_beta, a) for a in (60.0, 30.0, 10.0)),
    *(case(signal.firwin, n, 0.3) for n in (7, 8)),
    case(signal.firwin, 7, 0.3, pass_zero="highpass", window=("kaiser", 3.0)),
    *(case(signal.firwin, 7, np.array([0.2, 0.5]), pass_zero=kind) for kind in (True, "bandpass")),
    case(signal.firwin, 7, np.array([20.0, 50.0, 60.0]), fs=200.0, scale=False),
    case(signal.firwin, 7, 0.3, width=0.4),
    case(signal.firwin2, 9, held(FREQ), GAIN),
    case(signal.firwin2, 9, held(np.array([0.0, 0.3, 0.3, 1.0])), GAIN, nfreqs=20),
    case(signal.firls, 7, BANDS, DESIRED),
    case(signal.firls, 5, 10 * BANDS, DESIRED, fs=20.0),
    *(
        case(signal.minimum_phase, INNER, n_fft=64, **options)
        for options in ({}, {"half": False}, {"method": "hilbert"})
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


PROGRAMS: dict[str, Any] = {
    "width": (lambda u: signal.firwin(7, 0.3, width=u), 0.4),
    "the window's parameter": (lambda u: signal.firwin(7, 0.3, window=("kaiser", u)), 3.0),
    "a frequency": (lambda u: signal.firwin2(9, [0.0, u, 0.45, 1.0], GAIN), 0.31),
    "an odd gain": (
        lambda u: signal.firwin2(9, FREQ, np.stack([0 * u, u, u**2, 0 * u]), antisymmetric=True),
        0.7,
    ),
    "weights": (lambda u: signal.firls(7, BANDS, DESIRED, weight=np.stack([u, 2.0 + 0 * u])), 1.5),
    "cutoffs in two dimensions": (lambda u: signal.firwin_2d((5, 4), ("hamming", "hann"), fc=u), 0.4),
    "along a radius": (lambda u: signal.firwin_2d((5, 4), "hamming", fc=u, circular=True), 0.4),
    "least phase": (lambda u: signal.minimum_phase(signal.firwin(9, u), n_fft=64), 0.4),
    "least phase by Hilbert": (lambda u: signal.minimum_phase(signal.firwin(9, u), "hilbert", 64), 0.4),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_agree_with_differences(name):
    cr.testing.check_grads(*PROGRAMS[name], order=2)


def test_bands_that_do_not_determine_the_filter_are_refused():
    with pytest.raises(cr.NotDifferentiableError, match="fewer taps"):
        cr.jacobian(lambda d: signal.firls(101, [0.0, 0.01, 0.02, 0.03], d))(DESIRED)
