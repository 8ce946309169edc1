"""The noncentral t distribution and its inverses against differences and numbers of mpmath."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, held, rrule_of

import chainrules as cr
from chainrules.core import NotDifferentiableError
from chainrules.rules.scipy.special.noncentral_t import noncentral_by
from chainrules.testing import check_grads, check_rule

V, D, T = np.array([3.0, 10.0, 2.5]), np.array([0.5, 4.0, -3.0]), np.array([1.5, 2.0, -2.0])
CASES = [
    case(special.nctdtr, V, D, T),
    case(special.nctdtrit, 3.0, 0.5, 0.4),
    case(special.nctdtridf, 0.7, 0.5, 1.2),
    case(special.nctdtrinc, 3.0, 0.7, 0.5),  # where SciPy finds the root to the last digit; elsewhere to 1e-8
    case(noncentral_by, V, D, T, held(1), held(0), held(0)),
    case(noncentral_by, V, D, T, held(0), held(1), held(0)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order_by_all_arguments():
    check_grads(special.nctdtr, 3.0, 0.5, 1.5)


def test_without_noncentrality_it_is_students():
    v, t = np.array([0.7, 3.0, 90.0]), np.array([-5.0, 0.3, 2.0])
    got, want = (
        rrule_of(special.nctdtr, v, 0.0, t)[1](np.ones(3)),
        rrule_of(special.stdtr, v, t)[1](np.ones(3)),
    )
    assert got[0] == pytest.approx(want[0], rel=1e-11)
    assert got[2] == pytest.approx(want[1], rel=1e-13)


WANTED = [  # differences of AS 243's series at 60 digits
    ((10.0, 4.0, 0.2), (3.384984288167788e-08, -0.0002903456768365569, 0.0002941250039014472)),
    ((100.0, 2.0, 3.0), (7.006477341663905e-05, -0.24364069813558614, 0.23956822362891006)),
    ((0.7, 2.0, -5.0), (-0.006277770519147882, -0.006830501046555969, 0.0003670098504004215)),
    ((5.0, 8.0, 1.0), (-5.794280082175413e-12, -7.995109871330231e-11, 1.3883747962321605e-10)),
    ((40.0, 1.0, -30.0), (-4.3153816641365497e-32, -2.466661427797312e-31, 4.680786038718248e-32)),
    ((1000.0, 0.3, 0.001), (9.532311583380188e-11, -0.3815020296177058, 0.3814067230674302)),
    ((3.0, 6.0, 300.0), (4.185944709799724e-05, -5.677583578830372e-06, 1.196858093108907e-07)),
]


@pytest.mark.parametrize(("at", "want"), WANTED)
def test_in_both_tails_no_digit_is_lost(at, want):
    assert rrule_of(special.nctdtr, *at)[1](1.0) == pytest.approx(want, rel=3e-11, abs=0)


def test_at_infinity_nothing_moves_it():
    assert rrule_of(special.nctdtr, 3.0, 0.5, np.inf)[1](1.0) == (0.0, 0.0, 0.0)


def test_at_zero_the_degrees_of_freedom_do_not_matter():
    assert rrule_of(special.nctdtr, 3.0, 0.5, 0.0)[1](1.0)[0] == 0.0


def test_too_few_degrees_of_freedom_are_refused():
    with pytest.raises(NotDifferentiableError, match="tail is too long"):
        cr.grad(lambda v: special.nctdtr(v, 0.5, 1.0))(1e-3)
