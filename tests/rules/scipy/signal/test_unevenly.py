"""Lomb's and Scargle's spectrum by times, values, frequencies and weights; the strength of vectors."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, normal, uniform

import chainrules as cr
from chainrules.testing import check_grads, check_rule

T, Y, F, W = np.sort(uniform(9, low=0.0, high=5.0)), normal(9), np.array([1.1, 2.3]), uniform(9, seed=3)
CASES = [
    *(
        case(signal.lombscargle, T, Y, F, normalize=kind, floating_mean=mean)
        for kind in (False, True, "amplitude")
        for mean in (False, True)
    ),
    case(signal.vectorstrength, T, 1.3),
    case(signal.vectorstrength, T, np.array([1.3, 0.7])),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_by_weights():
    check_grads(lambda w: signal.lombscargle(T, Y, F, weights=w, floating_mean=True), W, order=2)


def test_frequency_zero_is_refused():
    with pytest.raises(cr.NotDifferentiableError, match="frequency zero"):
        cr.grad(lambda y: signal.lombscargle(T, y, np.array([0.0])))(Y)


def test_a_deprecated_option_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="precenter"):
        cr.grad(lambda y: np.sum(signal.lombscargle(T, y, F, precenter=True)))(Y)
