"""State space from and to polynomials and roots, and in discrete time by every method."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.rules.scipy.signal.systems import characteristic
from chainrules.testing import check_grads, check_rule

A, B, C, D = normal(3, 3), normal(3, 1, seed=1), normal(1, 3, seed=2), np.array([[0.3]])
TF, ZPK = (np.array([0.3, 0.7]), np.array([2.0, 0.7, 0.4])), (np.array([-0.4]), np.array([-0.8, -1.3]), 1.3)
SOS = np.array([[0.3, 0.2, 0.5, 1.0, -0.4, 0.3], [1.0, 0.6, 0.2, 1.0, 0.2, 0.5]])
TWO = (normal(2, 2), normal(2, 2, seed=1), normal(2, 2, seed=2), normal(2, 2, seed=3))
CASES = [
    case(characteristic, A),
    case(characteristic, complex_normal(3, 3)),
    case(characteristic, np.eye(3), why="one eigenvalue thrice"),
    case(signal.tf2ss, *TF),
    case(signal.tf2ss, np.array([0.3, 0.7, 0.2]), TF[1]),
    case(signal.tf2ss, np.array([0.3]), np.array([0.7])),
    case(signal.tf2ss, normal(2, 2), TF[1], why="two outputs"),
    case(signal.tf2ss, normal(2, 1), np.array([0.7]), why="two outputs without states"),
    case(signal.abcd_normalize, A, B, C, D),
    case(signal.abcd_normalize, A, B, C),
    case(signal.ss2tf, A, B, C, D),
    case(signal.ss2tf, *TWO, held(1)),
    case(signal.zpk2ss, *ZPK),
    case(signal.ss2zpk, A, B, C, D),
    case(signal.sos2zpk, SOS),
    *(
        case(signal.cont2discrete, system, 0.3, method)
        for system in ((A, B, C, D), TF)
        for method in ("zoh", "foh", "bilinear", "euler", "backward_diff")
    ),
    case(signal.cont2discrete, (A, B, C, D), 0.3, "gbt", 0.3),
    case(signal.cont2discrete, ZPK, 0.3, "bilinear"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_by_impulses():
    check_grads(lambda a, b, dt: signal.cont2discrete((a, b, C, 0 * D), dt, "impulse")[3], A, B, 0.3, order=2)


@pytest.mark.parametrize(
    ("match", "f"),
    [
        ("method", lambda a: signal.cont2discrete((a, B, C, D), 0.3, "exact")),
        ("alpha", lambda a: signal.cont2discrete((a, B, C, D), 0.3, "gbt", 2.0)),
        ("system", lambda a: signal.cont2discrete((a, B, C, D, D), 0.3)),
        ("input", lambda a: signal.ss2tf(a, B, C, D, 1)),
    ],
)
def test_what_is_not_known_is_refused(match, f):
    with pytest.raises(cr.UnsupportedArgument, match=match):
        cr.jacobian(lambda a: f(a)[0])(A)
