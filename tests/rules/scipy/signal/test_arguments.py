"""What SciPy takes without documenting it is refused by name, and what it documents has SciPy's own value."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import normal

import chainrules as cr

NOTHING, ROWS, X = np.zeros(0), normal(2, 3), normal(8)


@pytest.mark.parametrize(
    ("name", "f", "x"),
    [
        ("in1", lambda x: signal.convolve(x, np.ones(2)), NOTHING),
        ("in1", lambda x: signal.convolve2d(x, np.ones((2, 2))), np.zeros((3, 0))),
        ("x", lambda x: signal.welch(x)[1], NOTHING),
        ("y", lambda x: signal.csd(X, x, nperseg=4)[1], NOTHING),
        ("x", lambda x: signal.stft(x)[2], NOTHING),
        ("x", lambda x: signal.spectrogram(x)[2], NOTHING),
        ("b", lambda x: signal.freqz(x)[1], NOTHING),
        ("a", lambda x: signal.freqs([1.0], x, X)[1], NOTHING),
        ("p", lambda x: signal.unique_roots(x)[0], NOTHING),
        ("sos", lambda x: signal.sos2tf(x)[0], ROWS),
        ("z", lambda x: signal.zpk2tf(x, X, 1.0)[0], ROWS),
        ("z", lambda x: signal.freqs_zpk(x, X[:2], 1.0, X)[1], ROWS),
        ("z", lambda x: signal.freqz_zpk(x, X[:2], 1.0, X)[1], ROWS),
        ("r", lambda x: signal.invres(x, X[:3], [1.0])[0], ROWS),
        ("r", lambda x: signal.invresz(x, X[:3], [1.0])[0], ROWS),
        ("window", lambda x: signal.welch(x, window=np.array([1.0, 1j]))[1], X),
        ("x", lambda x: signal.resample_poly(x, 2, 2), np.array(0.3)),
        ("A", lambda x: signal.ss2tf(x, np.zeros((0, 1)), np.zeros((1, 0)), [[0.3]])[0], np.zeros((0, 0))),
        ("U", lambda x: signal.lsim(([1.0], [1.0, 2.0]), x, np.arange(5.0))[1], NOTHING),
    ],
)
def test_what_is_not_documented_is_refused(name, f, x):
    with pytest.raises(cr.UnsupportedArgument, match=rf"\b{name}\b"):
        cr.vjp(f, x)


@pytest.mark.parametrize(
    ("name", "f", "x"),
    [
        ("bands", lambda x: signal.firls(7, x, [1.0, 0.9, 0.1, 0.3]), np.array([0.1, 0.3, 0.4, 0.8]) + 0j),
        ("b", lambda x: signal.tf2sos(x, [1.0, 0.3, 0.2]), X[:3] * (1 + 0.3j)),
    ],
)
def test_imaginary_parts_that_scipy_drops_are_refused(name, f, x):
    with pytest.raises(cr.UnsupportedArgument, match=rf"{name}.*complex"):
        cr.vjp(f, x)


def test_single_precision_stays_where_scipy_keeps_it():
    sos = np.array([[0.3, 0.2, 0.5, 1.0, -0.4, 0.3]], np.float32)
    for given in (sos, sos.astype(float)):
        for w in (None, np.array([0.2, 1.1], np.float32), np.array([0.2, 1.1])):
            y, _ = cr.vjp(lambda s, w=w: signal.freqz_sos(s, w), given)
            assert [part.dtype for part in y] == [part.dtype for part in signal.freqz_sos(given, w)]
    for f in (signal.iirnotch, signal.iirpeak):
        y, _ = cr.vjp(f, np.float32(0.3), np.float32(5.0))
        assert [part.dtype for part in y] == [np.float64, np.float64]


def test_times_that_are_returned_are_not_those_given():
    t = np.linspace(0.0, 2.0, 6)
    y, _ = cr.vjp(lambda b: signal.step((b, [1.0, 2.0]), T=t), np.ones(1))
    assert not np.shares_memory(y[0], t)
