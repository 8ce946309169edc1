"""Feedback that places poles, with one input."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import normal

import chainrules as cr
from chainrules.testing import check_grads

A, B, POLES = normal(3, 3), normal(3, 1, seed=1), np.array([-0.7, -1.3, -2.1])


def test_the_gain_by_matrices_and_poles():
    check_grads(lambda a, b, p: signal.place_poles(a, b, p).gain_matrix, A, B, POLES, order=1)


def test_by_a_pair_of_poles():
    def gain(re, im):
        return signal.place_poles(A, B, np.stack([-1.3 + 0j, re + 1j * im, re - 1j * im])).gain_matrix

    check_grads(gain, -0.7, 0.4, order=1)


def test_a_first_order_system():
    """a − b k = p, so that k = (a − p) / b"""
    a, b = np.array([[1.5]]), np.array([[2.0]])
    got = cr.jacobian(lambda p: signal.place_poles(a, b, p).gain_matrix[0, 0])(np.array([-0.3]))
    np.testing.assert_allclose(got, [-0.5])


def test_the_poles_that_were_computed_have_no_derivative():
    with pytest.raises(cr.ChainRulesError, match="computed_poles"):
        cr.grad(lambda a: np.sum(np.abs(signal.place_poles(a, B, POLES).computed_poles)))(A)


def test_several_inputs_are_refused():
    with pytest.raises(cr.UnsupportedArgument, match="inputs"):
        cr.vjp(lambda p: signal.place_poles(A, normal(3, 2), p).gain_matrix, POLES)
