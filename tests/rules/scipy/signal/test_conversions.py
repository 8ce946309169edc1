"""Filters by zeros and poles: other bands, discrete time, polynomials and back."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.testing import check_rule, checking

Z, P = np.array([-0.4]), np.array([-0.8, -1.3, -0.5])
SOS = np.array([[0.3, 0.2, 0.5, 1.0, -0.4, 0.3], [1.0, 0.6, 0.2, 1.0, 0.2, 0.5]])
COMPLEX = (complex_normal(1), complex_normal(3, seed=4))
CASES = [
    case(signal.zpk2tf, Z, P, 1.3),
    case(signal.zpk2tf, *COMPLEX, 1.3),
    case(signal.normalize, np.array([0.3, 0.2]), np.array([2.0, 0.7, 0.1])),
    case(signal.normalize, np.array([0.3, 0.2]), held(np.array([0.0, 2.0, 0.7, 0.1])), why="a zero before"),
    case(signal.normalize, normal(2, 3), np.array([2.0, 0.7, 0.1]), why="two numerators"),
    case(signal.normalize, normal(1, 3), np.array([2.0, 0.7, 0.1]), why="one row"),
    case(signal.tf2zpk, np.array([0.3, 0.2]), np.array([2.0, 3.0, 0.7])),
    case(signal.tf2zpk, np.array([0.3, 0.2]), np.array([2.0, 0.7, 0.1]), why="a pair of poles"),
    case(signal.sos2tf, SOS),
    *(case(f, Z, P, 1.3, 0.7) for f in (signal.lp2lp_zpk, signal.lp2hp_zpk, signal.bilinear_zpk)),
    *(case(f, *COMPLEX, 1.3, 0.7) for f in (signal.lp2lp_zpk, signal.lp2hp_zpk, signal.bilinear_zpk)),
    *(case(f, Z, P, 1.3, 0.7, 0.4) for f in (signal.lp2bp_zpk, signal.lp2bs_zpk)),
    *(case(f, *COMPLEX, 1.3, 0.7, 0.4) for f in (signal.lp2bp_zpk, signal.lp2bs_zpk)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_coincident_roots_are_refused():
    b, a = signal.zpk2tf([-1.0, -1.0], [0.3, 0.5], 1.0)
    with pytest.raises(cr.NotDifferentiableError, match="coincide"):
        cr.grad(lambda b: np.sum(np.abs(signal.tf2zpk(b, a)[0]) ** 2))(b)


def test_back_and_forth_is_the_identity():
    def there_and_back(b):
        return signal.zpk2tf(*signal.tf2zpk(b, np.array([1.0, 0.2, 0.5])))[0]

    b = normal(4)
    np.testing.assert_allclose(np.real(cr.jacobian(there_and_back)(b)), np.eye(4), atol=1e-12)


@pytest.mark.parametrize(
    ("f", "args"), [(signal.lp2lp_zpk, (Z, P, 1.3, 0.7)), (signal.tf2zpk, ([0.3, 0.2], [2.0, 3.0, 0.7]))]
)
def test_second_order_in_single_precision(f, args):
    """Where some results are rounded to single precision and others are not."""
    single = [x if isinstance(x, float) else np.asarray(x, np.float32) for x in args]
    with checking(order=2):
        check_rule(f, *single)
