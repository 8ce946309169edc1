"""Smoothing by polynomials, ranks and variances; trends taken away."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules.testing import check_rule

X = normal(12)
CASES = [
    *(case(signal.detrend, normal(2, 9), type=kind) for kind in ("linear", "constant")),
    case(signal.detrend, normal(9, 2), axis=0, bp=[3, 6]),
    case(signal.savgol_coeffs, 5, 2, 1, 0.7),
    *(
        case(signal.savgol_filter, normal(2, 9), 5, 3, 1, 0.7, mode=mode, cval=0.3)
        for mode in ("interp", "mirror", "constant", "nearest", "wrap")
    ),
    case(signal.savgol_filter, normal(9, 2), 4, 2, axis=0, why="an even window"),
    case(signal.wiener, X),
    case(signal.wiener, normal(5, 6), (3, 2), 0.4),
    case(signal.medfilt, X),
    case(signal.medfilt, normal(4, 5), (1, 3)),
    case(signal.medfilt2d, normal(5, 6)),
    case(signal.order_filter, normal(5, 6), held(np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])), 3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(
    ("name", "f"),
    [
        ("mode", lambda x: signal.savgol_filter(x, 5, 2, mode="odd")),
        ("window_length", lambda x: signal.savgol_filter(x, 13, 2)),
        ("kernel_size", lambda x: signal.medfilt(x, 4)),
        ("domain", lambda x: signal.order_filter(x, np.ones(2), 1)),
        ("type", lambda x: signal.detrend(x, type="cubic")),
        ("overwrite_data", lambda x: signal.detrend(x * 1.0, overwrite_data=True)),
    ],
)
def test_what_has_no_rule_is_refused(name, f):
    with pytest.raises(cr.UnsupportedArgument, match=name):
        cr.grad(lambda x: np.sum(f(x)))(X)


def test_a_median_moves_with_the_sample_that_was_selected():
    np.testing.assert_array_equal(
        cr.grad(lambda x: signal.medfilt(x, 3)[1])(np.array([3.0, 1.0, 2.0])), [0.0, 0.0, 1.0]
    )
