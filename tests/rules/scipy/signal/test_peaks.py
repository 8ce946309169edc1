"""Peaks: their heights, prominences and widths by the samples."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, held

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X = np.array([0.0, 1.0, 0.3, 2.0, 1.1, 1.7, 0.2, 0.9, 0.1])
PEAKS = np.array([1, 3, 5, 7])
BASES = (np.array([0, 0, 4, 6]), np.array([2, 8, 6, 8]))
CASES = [
    case(signal.peak_prominences, X, PEAKS),
    case(signal.peak_prominences, X, PEAKS, held(3)),
    *(case(signal.peak_widths, X, PEAKS, height) for height in (0.3, 0.5, 0.8)),
    case(signal.find_peaks, X),
    case(signal.find_peaks, X, height=0.95, threshold=0.1, prominence=0.2, width=0.1, plateau_size=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_widths_by_prominences_that_are_given():
    def widths(p):
        return signal.peak_widths(X, PEAKS, 0.5, (p, *BASES))[0]

    check_grads(widths, np.array([0.7, 1.9, 0.6, 0.7]), order=1)


def test_a_plateau_that_ends_at_a_base_does_not_move():
    x = np.array([1.0, 2.0, 1.0])
    slope = cr.jacobian(lambda x: signal.peak_widths(x, [1], rel_height=1.0)[0])(x)
    np.testing.assert_array_equal(slope, [[0.0, 0.0, 0.0]])


def test_equal_bases_share_a_prominence():
    slope = cr.grad(lambda x: signal.peak_prominences(x, [1])[0][0])(np.array([1.0, 3.0, 1.0]))
    np.testing.assert_array_equal(slope, [-0.5, 1.0, -0.5])


def test_places_do_not_move():
    assert cr.grad(lambda x: np.sum(x) + np.sum(signal.argrelmax(x)[0]))(X).tolist() == [1.0] * 9
