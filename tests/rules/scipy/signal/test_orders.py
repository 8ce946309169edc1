"""The least order that meets a specification, and the filter of that order."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_rule

LOW, HIGH, BAND = (0.2, 0.34), (0.34, 0.2), (np.array([0.3, 0.5]), np.array([0.17, 0.7]))
ORDERS = (signal.buttord, signal.cheb1ord, signal.cheb2ord, signal.ellipord)
PASSED, STOPPED = np.array([0.3, 2.0]), np.array([0.5, 1.3])
CASES = [
    *(case(f, *edges, 2.3, 41.0) for f in ORDERS for edges in (LOW, HIGH, BAND)),
    *(case(f, *edges, 2.3, 41.0, analog=True) for f in ORDERS[::2] for edges in (LOW, HIGH, BAND)),
    *(case(f, 120.0, 170.0, 2.3, 41.0, fs=800.0) for f in ORDERS[:2]),
    *(
        case(signal.iirdesign, *edges, 2.3, 41.0, ftype=kind, output="zpk")
        for kind in ("butter", "cheby1", "cheby2", "chebyshevii", "cauer")
        for edges in (LOW, BAND)
    ),
    case(signal.iirdesign, *LOW, 2.3, 41.0, ftype="cheby1", output="sos"),
    case(signal.iirdesign, *HIGH, 2.3, 41.0),
    case(signal.iirdesign, 120.0, 170.0, 2.3, 41.0, ftype="cauer", fs=800.0),
    *(
        case(signal.band_stop_obj, wp, ind, PASSED, STOPPED, 2.3, 41.0, kind)
        for kind in ("butter", "cheby", "ellip")
        for wp, ind in ((0.42, 0), (1.7, 1))
    ),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Callable[..., Any], args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", ORDERS)
def test_a_band_that_is_stopped_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(cr.UnsupportedArgument, match="search"):
        cr.vjp(lambda wp: f(wp, STOPPED / 4, 2.3, 41.0)[1], PASSED / 4)
