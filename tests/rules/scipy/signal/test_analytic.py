"""Hilbert's transform and envelopes, in both parities."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_rule

CASES = [
    *(case(signal.hilbert, normal(2, n)) for n in (6, 7)),
    case(signal.hilbert, normal(6, 2), N=9, axis=0),
    case(signal.hilbert2, normal(4, 5)),
    case(signal.hilbert2, normal(4, 5, 2), N=(5, 6), axes=(0, 1)),
    *(
        case(signal.envelope, x, bp, n_out=m)
        for x in (normal(10), normal(9), complex_normal(10), complex_normal(9))
        for bp in ((1, None), (2, 4), (None, 3), (-3, 0), (-4, -1))
        for m in (None, 8, 13)
    ),
    case(signal.envelope, normal(9, 2), squared=True, axis=0, residual="all"),
    case(signal.envelope, normal(9), residual=None),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_envelope_of_a_modulated_wave_is_its_modulation():
    t = np.arange(200) / 200

    def depth(m):
        wave = (1.0 + m * np.cos(2 * np.pi * 3 * t)) * np.cos(2 * np.pi * 40 * t)
        return signal.envelope(wave, residual=None)

    np.testing.assert_allclose(cr.jacobian(depth)(0.5), np.cos(2 * np.pi * 3 * t), atol=1e-12)


def test_complex_signals_are_refused():
    with pytest.raises(cr.UnsupportedArgument, match="real"):
        cr.jacobian(lambda x: signal.hilbert(x * 1j))(normal(5))
