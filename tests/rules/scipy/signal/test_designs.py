"""Recursive filters by critical frequencies and ripples: every kind, band and output."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

BAND = np.array([0.2, 0.45])
BANDS = ("bandpass", "bandstop")
KINDS = ("cheby1", "cheby2", "ellip", "bessel")
CASES = [
    *(case(f, n, 3.0) for f in (signal.cheb1ap, signal.cheb2ap) for n in (3, 4)),
    *(case(signal.butter, 3, 0.3, btype=b, output=o) for b in ("low", "high") for o in ("zpk", "ba", "sos")),
    *(
        case(signal.butter, 3, BAND, btype=b, output=o)
        for b in ("bandpass", "bandstop")
        for o in ("zpk", "sos")
    ),
    case(signal.butter, 2, BAND, "band"),
    case(signal.butter, 2, 12.0, "low", fs=100.0),
    case(signal.butter, 2, 12.0, "low", analog=True),
    *(case(signal.cheby1, n, 1.5, 0.3, output="sos") for n in (3, 4)),
    *(case(signal.cheby2, n, 30.0, 0.3, output="sos") for n in (3, 4)),
    case(signal.cheby1, 2, 1.5, BAND, "bandpass"),
    case(signal.cheby2, 3, 30.0, 0.3, "high", analog=True),
    case(signal.bessel, 3, 0.3, norm="mag"),
    *(case(signal.ellipap, n, 1.0, 30.0) for n in (0, 1, 4, 5)),
    case(signal.ellip, 3, 1.0, 30.0, 0.3, output="sos"),
    *(case(signal.iirfilter, 2, BAND, 1.0, 30.0, ftype=kind) for kind in KINDS),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_gain_at_the_critical_frequency_stays():
    def gain(wn):
        z, p, k = signal.butter(4, wn, output="zpk")
        return np.abs(signal.freqz_zpk(z, p, k, np.stack([np.pi * wn]))[1][0])

    assert gain(0.3) == pytest.approx(np.sqrt(0.5))
    assert cr.derivative(gain)(0.3) == pytest.approx(0.0, abs=1e-12)


def test_a_ripple_is_the_loss_at_the_edge():
    def loss(ripple):
        z, p, k = signal.cheby1(3, ripple, 0.3, output="zpk")
        return -20 * np.log10(np.abs(signal.freqz_zpk(z, p, k, np.array([np.pi * 0.3]))[1][0]))

    assert loss(1.5) == pytest.approx(1.5)
    assert cr.derivative(loss)(1.5) == pytest.approx(1.0)


def test_the_cutoff_reaches_the_filtered_signal():
    x = normal(30)

    def energy(wn):
        return np.sum(signal.sosfilt(signal.butter(4, wn, "bandpass", output="sos"), x) ** 2)

    check_grads(energy, BAND, order=2)


def test_the_poles_of_cauers_filter_follow_both_ripples():
    """Its response at the edge of the band is −r decibels, whatever the other ripple."""

    def edge(rp, rs):
        z, p, k = signal.ellip(5, rp, rs, 1.0, output="zpk", analog=True)
        return -20.0 * np.log10(np.abs(signal.freqs_zpk(z, p, k, np.array([1.0]))[1][0]))

    assert cr.jacobian(edge, argnums=(0, 1))(1.5, 40.0) == pytest.approx((1.0, 0.0), abs=1e-8)
