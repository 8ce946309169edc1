"""Dual windows: the canonical one, that nearest to another window, real and complex."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, uniform

from chainrules.testing import check_grads, check_rule

WIN, WISHED = uniform(9), uniform(9, seed=1)
CASES = [
    case(signal.closest_STFT_dual_window, WIN, 3, WISHED),
    case(signal.closest_STFT_dual_window, WIN, 4, WISHED, scaled=False),
    case(signal.closest_STFT_dual_window, WIN, 4),
    case(signal.closest_STFT_dual_window, complex_normal(8), 3, complex_normal(8, seed=3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda w: signal.closest_STFT_dual_window(w, 3, WISHED)[0], WIN)


def test_what_is_dual_stays_dual():
    """The products of window and dual, summed over the shifts, are one, whatever the window."""

    def sums(w):
        products = w * signal.closest_STFT_dual_window(w, 3, WISHED)[0]
        return np.sum(np.reshape(products, (3, 3)), axis=0)

    check_grads(lambda w: sums(w) * w[0], WIN, order=1)
    np.testing.assert_allclose(sums(WIN), 1.0)
