"""Windows by each of their parameters, periodic and symmetric."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_rule

W = signal.windows
CASES = [
    *(case(W.gaussian, 6, 1.3, sym=sym) for sym in (True, False)),
    case(W.gaussian, 1, 1.3),
    *(case(W.general_gaussian, n, 1.5, 2.0) for n in (6, 7)),
    *(case(W.kaiser, n, 5.0) for n in (6, 7)),
    case(W.kaiser, 6, 0.0, sym=False, why="flat"),
    case(W.kaiser_bessel_derived, 8, 4.0),
    *(case(W.tukey, n, 0.47, sym=sym) for n, sym in ((9, True), (10, False))),
    *(case(W.general_cosine, 7, np.array([0.4, 0.5, 0.1]), sym=sym) for sym in (True, False)),
    case(W.general_hamming, 7, 0.6),
    case(W.exponential, 7, None, 2.0),
    case(W.exponential, 7, 2.3, 2.0, False),
    *(case(W.chebwin, n, 60.0) for n in (8, 9)),
    case(signal.get_window, 4.0, 6),
]
BY_NAME = [
    ("gaussian", 1.3),
    ("kaiser_symmetric", 5.0),
    ("tukey_periodic", 0.47),
    ("general_gaussian", 1.5, 2.0),
    ("general_hamming", 0.6),
    ("exponential", None, 2.0),
    ("chebwin", 60.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("window", BY_NAME, ids=lambda w: w[0])
@pytest.mark.parametrize("fftbins", [True, False])
def test_windows_by_name(window, fftbins):
    def by(u):
        return signal.get_window((*window[:-1], u), 8, fftbins)

    np.testing.assert_array_equal(by(window[-1]), signal.get_window(window, 8, fftbins))
    cr.testing.check_grads(by, window[-1], order=1)


def test_a_window_that_is_held_constant_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="dpss"):
        cr.jacobian(lambda u: signal.get_window(("dpss", u), 8))(2.5)


@pytest.mark.parametrize("alpha", [-0.5, 1.5])
def test_tukeys_window_is_constant_beyond_its_ends(alpha):
    window, slope = cr.value_and_jacobian(lambda u: W.tukey(9, u))(alpha)
    np.testing.assert_array_equal(window, W.tukey(9, alpha))
    np.testing.assert_array_equal(slope, np.zeros(9))
