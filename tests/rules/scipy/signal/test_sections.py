"""Sections of second order: real and paired zeros and poles, odd numbers of them, every pairing."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_grads, check_rule

Z, P = np.array([0.4, -0.7, 0.1]), np.array([0.5, -0.3, 0.2])
CASES = [
    *(case(signal.zpk2sos, Z, P, 1.3, pairing=pairing) for pairing in (None, "keep_odd")),
    case(signal.zpk2sos, Z[:1], P, 1.3, analog=True),
    case(signal.tf2sos, np.poly(Z) * 0.7, np.poly(P)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("odd", [False, True])
def test_pairs_move_together(odd):
    def sections(t):
        p = 0.6 * np.exp(1j * t[0]) + 0.1 * t[1]
        q = 0.8 * np.exp(1j * t[1])
        poles = [p, np.conj(p), q, np.conj(q)] + ([t[0] / 5] if odd else [])
        z = np.exp(1j * t[2])
        return signal.zpk2sos(np.stack([z, np.conj(z)]), np.stack(poles), t[0])

    check_grads(sections, np.array([0.7, 1.4, 2.5]), order=2)


def test_the_response_is_that_of_the_zeros_and_poles():
    w = np.array([0.3, 1.2])

    def by_sections(p):
        return np.sum(np.abs(signal.freqz_sos(signal.zpk2sos(Z, p, 1.3), w)[1]))

    def by_poles(p):
        return np.sum(np.abs(signal.freqz_zpk(Z, p, 1.3, w)[1]))

    np.testing.assert_allclose(cr.grad(by_sections)(P), cr.grad(by_poles)(P), rtol=1e-12)
