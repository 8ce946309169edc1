"""`ShortTimeFFT`: transforms of slices and the way back, in every mode, by the signal and by the spectrum."""

from typing import Any

import numpy as np
import pytest
from scipy.signal import ShortTimeFFT, windows
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.tangents import ZERO
from chainrules.testing import check_grads, check_rule, with_tangent

WINDOW = windows.hann(8, sym=False) + 0.1
X, LINES = normal(21), normal(2, 21)


def made(mode: Any = "onesided", **options: Any) -> ShortTimeFFT:
    return ShortTimeFFT(options.pop("win", WINDOW), hop=3, fs=10.0, fft_mode=mode, **options)


def of(mode: Any = "onesided", *, last: int = 21, **options: Any) -> Any:
    """An object that is held still, and that has computed what it keeps for a signal of so many samples."""
    f = made(mode, **options)
    f.istft(f.stft(X), k1=last)
    return with_tangent(f, ZERO)


def spectrum(f: ShortTimeFFT, n: int = 21, *before: int) -> Any:
    return complex_normal(*before, f.f_pts, f.p_num(n))


PAIRS: list[Any] = [
    ("onesided", "magnitude"),
    ("onesided2X", "magnitude"),
    ("onesided2X", "psd"),
    ("centered", None),
]
CASES = [
    *(case(ShortTimeFFT.stft, of(mode, scale_to=scale), X) for mode, scale in PAIRS),
    *(case(ShortTimeFFT.stft, of(), X, padding=padding) for padding in ("zeros", "edge", "even", "odd")),
    *(case(ShortTimeFFT.stft, of(), X, -1, 0, k_offset=-2, padding=p) for p in ("even", "odd", "edge")),
    case(ShortTimeFFT.stft, of("twosided"), complex_normal(21)),
    case(ShortTimeFFT.stft, of("centered", win=WINDOW + 0.3j), X, 1, 4, k_offset=2),
    case(ShortTimeFFT.stft, of(mfft=11), LINES),
    case(ShortTimeFFT.stft, of(mfft=11, phase_shift=None), LINES.T, axis=0),
    case(ShortTimeFFT.stft, of(mfft=12, phase_shift=3), X, p0=0),
    *(case(ShortTimeFFT.stft_detrend, of(), X, kind) for kind in ("constant", "linear", None)),
    case(ShortTimeFFT.stft_detrend, of(), LINES, lambda x: x - 0.5 * np.mean(x * x, axis=-1, keepdims=True)),
    case(ShortTimeFFT.spectrogram, of(), X),
    case(ShortTimeFFT.spectrogram, of(scale_to="psd"), X, normal(21, seed=3), "constant"),
    case(ShortTimeFFT.spectrogram, of("twosided"), LINES, complex_normal(2, 21), padding="edge"),
    *(
        case(ShortTimeFFT.istft, of(mode, scale_to=s), spectrum(made(mode, scale_to=s)), k1=21)
        for mode, s in PAIRS
    ),
    case(ShortTimeFFT.istft, of("twosided", last=28), spectrum(made("twosided"))),
    case(ShortTimeFFT.istft, of(last=17), spectrum(made()), 4, 17),
    case(ShortTimeFFT.istft, of(last=9), spectrum(made()), -2, 9),
    case(ShortTimeFFT.istft, of(last=9), spectrum(made()), -4, 9),
    case(ShortTimeFFT.istft, of(mfft=12, phase_shift=3), spectrum(made(mfft=12), 21, 2), k1=21),
    case(ShortTimeFFT.istft, of(mfft=11, phase_shift=None), spectrum(made(mfft=11), 21, 2), k1=21),
    case(ShortTimeFFT.istft, of(), spectrum(made()).T, k1=21, f_axis=1, t_axis=0),
    case(ShortTimeFFT.istft, of(), np.moveaxis(spectrum(made(), 21, 2), 0, 1), k1=21, f_axis=0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_there_and_back_is_the_signal():
    f = made(scale_to="magnitude")

    def back(x):
        return f.istft(f.stft(x), k1=21)

    np.testing.assert_allclose(back(X), X)
    np.testing.assert_allclose(cr.jacobian(back)(X), np.eye(21), atol=1e-12)


def test_a_filter_by_its_gains():
    f = made(scale_to="magnitude")
    check_grads(lambda g, x: f.istft(f.stft(x) * g[:, None], k1=21), normal(f.f_pts), X, order=2)


def test_what_scipy_refuses_it_refuses():
    for call in (
        lambda x: made().stft(x + 0j),
        lambda x: made().stft(x[:3]),
        lambda x: made().stft(x, padding="none"),
        lambda x: made().istft(x[:, None]),
    ):
        with pytest.raises(ValueError, match=r"x|padding|shape"):
            cr.vjp(call, X)


def test_a_window_that_varies_is_refused_by_name():
    with pytest.raises(cr.NoRuleError, match="ShortTimeFFT"):
        cr.grad(lambda w: np.sum(np.abs(made(win=w).stft(X))))(WINDOW)
    z = spectrum(made())
    for call in (lambda f: f.stft(X), lambda f: f.istft(z)):
        y, pullback = cr.vjp(call, made())
        with pytest.raises(cr.ChainRulesError, match="take self as metadata"):
            cr.materialize(pullback(y)[0], like=made())
