"""Systems in time, given by polynomials, by zeros and poles, and by matrices."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.rules.scipy.signal.simulation import marched
from chainrules.testing import check_grads, check_rule

A, B, C, D = normal(2, 2), normal(2, 1, seed=1), normal(1, 2, seed=2), np.array([[0.3]])
SS, TF, ZPK = (
    (A, B, C, D),
    (np.array([0.7]), np.array([2.0, 0.7, 0.4])),
    (np.array([-0.4]), np.array([-0.8, -1.3]), 1.3),
)
T, U = np.linspace(0.0, 2.0, 6), normal(6, seed=3)
CASES = [
    case(marched, A, normal(4, 2), normal(2, seed=5)),
    case(marched, complex_normal(2, 2), complex_normal(4, 2), complex_normal(2, seed=5)),
    *(case(signal.lsim, system, U, held(T), np.array([0.3, 0.2])) for system in (SS, TF)),
    case(signal.lsim, ZPK, U, held(T + 0.5), np.array([0.3, 0.2]), interp=False),
    case(signal.lsim, SS, held(None), held(T), np.array([0.3, 0.2])),
    case(signal.lsim, SS, U[:1], held(T[:1]), np.array([0.3, 0.2]), why="one time"),
    case(signal.impulse, SS, T=T),
    case(signal.impulse, TF, np.array([[0.3], [0.1]]), T=T),
    case(signal.step, SS, T=T),
    case(signal.step, ZPK, np.array([0.3, 0.1]), T=T),
    case(signal.dlsim, (*SS, 0.5), U),
    case(signal.dlsim, (*TF, 0.5), normal(6, 1), held(0.46 * np.arange(6)), np.array([0.3, 0.2])),
    case(signal.dlsim, (*TF, 1), U, held(T)),
    case(signal.dimpulse, (*SS, 1), n=5),
    case(signal.dimpulse, (*TF, 0.5), np.array([0.3, 0.2]), held(0.46 * np.arange(5))),
    case(signal.dstep, (*SS, 1), np.array([0.3, 0.2]), n=5),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_times_that_scipy_chooses():
    check_grads(lambda x: signal.impulse(SS, x, N=5)[1], np.array([[0.3], [0.1]]), order=1)


def test_by_the_step_of_a_discrete_system():
    check_grads(lambda dt: signal.dlsim((*SS, dt), U)[0], 0.5, order=1)
    check_grads(lambda dt: signal.dstep((*SS, dt), n=4)[0], 0.5, order=1)


def test_a_first_order_system_has_the_slope_of_the_exponential():
    """y = exp(−t / τ) / τ by τ: (t / τ − 1) exp(−t / τ) / τ²"""
    got = cr.jacobian(lambda tau: signal.impulse((np.ones(1), np.stack([tau, tau / tau])), T=T)[1])(1.3)
    np.testing.assert_allclose(got, (T / 1.3 - 1) * np.exp(-T / 1.3) / 1.3**2, rtol=1e-10)


@pytest.mark.parametrize("times", [np.array([0.0, 0.1, 0.3]), np.array([-1.0, 0.0, 1.0])])
def test_uneven_and_negative_times_are_refused(times):
    with pytest.raises(cr.UnsupportedArgument, match="T"):
        cr.jacobian(lambda u: signal.lsim(SS, u, times)[1])(np.ones(3))
