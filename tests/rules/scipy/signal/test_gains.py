"""Responses over frequency, of continuous and discrete systems."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.testing import check_rule

SS = (normal(2, 2), normal(2, 1, seed=1), normal(1, 2, seed=2), np.array([[0.3]]))
TF, ZPK = (np.array([0.7, 0.2]), np.array([2.0, 0.7, 0.4])), (np.array([-0.4]), np.array([-0.8, -1.3]), 1.3)
W = np.array([0.2, 1.1, 2.3])
CASES = [
    case(signal.freqs, *TF, W),
    case(signal.freqs, held(TF[0]), TF[1], W),
    case(signal.freqs_zpk, complex_normal(2), complex_normal(3, seed=4), 1.3, W),
    case(signal.group_delay, TF, W),
    case(signal.group_delay, TF, W, fs=8.0),
    case(signal.group_delay, TF, held(5), whole=True),
    *(case(f, system, W) for f in (signal.freqresp, signal.bode) for system in (SS, TF, ZPK)),
    *(
        case(f, (*system, 0.5), W)
        for f in (signal.dfreqresp, signal.dbode)
        for system in (SS, TF, TF[::-1], ZPK)
    ),
    case(signal.dfreqresp, (*TF, 0.5), n=5, whole=True),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [signal.freqs, signal.freqresp])
def test_frequencies_that_scipy_chooses(f):
    def response(c):
        w, h = f(c, TF[1], 5) if f is signal.freqs else f((c, TF[1]), n=5)
        return np.abs(h) + w

    cr.testing.check_grads(response, TF[0], order=1)


@pytest.mark.parametrize("name", ["b", "a"])
def test_several_polynomials_at_once_are_refused(name):
    def response(c):
        return signal.freqs(**{"b": TF[0], "a": TF[1], name: np.stack([c, c])}, worN=W)[1]

    with pytest.raises(cr.UnsupportedArgument, match=f"`?{name}`?"):
        cr.vjp(response, TF[1])


def test_a_delay_has_its_own_group_delay():
    got = cr.jacobian(lambda b: signal.group_delay((b, np.ones(1)), W)[1])(np.array([0.0, 0.0, 1.0]))
    assert got.shape == (3, 3)
    np.testing.assert_allclose(got[:, 2], 0.0, atol=1e-12)


def test_a_zero_on_the_circle_is_refused():
    with pytest.raises(cr.NotDifferentiableError, match="vanishes"):
        cr.jacobian(lambda b: signal.group_delay((b, np.ones(1)), np.array([np.pi]))[1])(np.ones(2))
