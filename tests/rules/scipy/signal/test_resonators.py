"""Notches, peaks, combs and Gammatone's filter by frequency and quality."""

import pytest
from scipy import signal
from tests.rules.cases import case, held

from chainrules.testing import check_rule

CASES = [
    *(case(f, 0.3, 5.0) for f in (signal.iirnotch, signal.iirpeak)),
    *(case(f, 30.0, 5.0, fs=200.0) for f in (signal.iirnotch, signal.iirpeak)),
    *(
        case(signal.iircomb, held(0.25), 5.0, kind, pass_zero=low)
        for kind in ("notch", "peak")
        for low in (True, False)
    ),
    case(signal.gammatone, 440.0, "fir", fs=16000.0, order=3, numtaps=20),
    case(signal.gammatone, 440.0, "iir", fs=16000.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)
