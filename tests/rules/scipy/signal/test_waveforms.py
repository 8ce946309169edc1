"""Waves by every argument that is no flag."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, normal, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule

T = uniform(4, low=0.1, high=2.0)
CASES = [
    *(
        case(signal.chirp, T, 1.0, 2.0, 3.0, method=kind)
        for kind in ("linear", "quadratic", "log", "hyperbolic")
    ),
    case(signal.chirp, T, 3.0, 2.0, 1.0, "hyperbolic", 30.0),
    case(signal.chirp, 2 * T, -3.0, 1.0, 1.0, "hyperbolic", why="on both sides of a pole"),
    case(signal.chirp, T, 1.0, 2.0, 3.0, "quadratic", 0.3, False, complex=True),
    *(case(signal.chirp, T, 2.0, 2.0, 2.0, kind, why="one frequency") for kind in ("log", "hyperbolic")),
    case(signal.sawtooth, 5 * T, 0.4),
    case(signal.sawtooth, 5 * T),
    case(signal.sawtooth, 5 * T[:, None], np.array([0.3, 0.7])),
    case(signal.gausspulse, T, 2.0, 0.4, -5.0, -50.0),
    case(signal.gausspulse, T, 2.0, 0.4, retquad=True, retenv=True),
    case(signal.gausspulse, T, 2.0, 0.4, retenv=True),
    case(signal.gausspulse, "cutoff", 2.0, 0.4, -5.0, -50.0),
    case(signal.sweep_poly, T, np.array([0.3, -0.2, 1.0]), 20.0),
    case(signal.gauss_spline, normal(4), 3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("method", ["log", "hyperbolic"])
def test_the_second_derivative_where_both_frequencies_agree(method):
    check_grads(lambda f: signal.chirp(T, 2.0, 2.0, f, method), 2.0, order=2)


def test_a_width_outside_of_its_range_is_not_a_number():
    assert np.all(np.isnan(cr.jvp(lambda w: signal.sawtooth(T, w), (1.5,), (1.0,))[0]))


def test_a_square_wave_is_constant():
    assert cr.grad(lambda t: t + np.sum(signal.square(t)))(0.3) == 1.0
