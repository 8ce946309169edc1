"""Sigmoids and what normalises exponentials against differences, and where all weights are infinite."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, normal, rrule_of, uniform

from chainrules.core import UnsupportedArgument
from chainrules.tangents import Composite, Zero
from chainrules.testing import check_rule

A = normal(2, 3)
CASES = [
    *(case(f, A) for f in (special.expit, special.log_expit, special.softplus, special.softmax)),
    case(special.expit, A.astype(np.float32)),
    case(special.logit, uniform(3)),
    case(special.log_softmax, A),
    case(special.log_softmax, A, axis=1),
    case(special.softmax, A, axis=(0, 1)),
    case(special.softmax, complex_normal(3)),
    case(special.log_softmax, complex_normal(3)),
    case(special.logsumexp, A),
    case(special.logsumexp, A, axis=1, keepdims=True),
    case(special.logsumexp, A, axis=(0, 1)),
    case(special.logsumexp, A, b=normal(3, seed=3) ** 2, axis=0),
    case(special.logsumexp, A, b=normal(2, 1, seed=1), axis=0, return_sign=True),
    case(special.logsumexp, complex_normal(3)),
    case(special.logsumexp, 0.3),
    case(special.diric, A, 4),
    case(special.diric, np.array([0.0, 2 * np.pi, 1.0]), np.array([1, 2, 7])),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_infinite_entries_of_logsumexp():
    low = np.full(2, -np.inf)
    assert rrule_of(special.logsumexp, low)[1](1.0)[0].tolist() == [1.0, 1.0]
    assert rrule_of(special.logsumexp, np.array([np.inf, 0.0]))[1](1.0)[0].tolist() == [1.0, 0.0]
    assert rrule_of(special.logsumexp, np.array([-np.inf, 0.0]))[1](1.0)[0].tolist() == [0.0, 1.0]


def test_a_weight_of_zero():
    a_bar, b_bar = rrule_of(special.logsumexp, np.ones(2), None, np.array([0.0, 1.0]))[1](1.0)[::2]
    assert a_bar.tolist() == [0.0, 1.0]
    assert b_bar.tolist() == [1.0, 1.0]


def test_the_sign_moves_nothing_and_that_of_a_complex_sum_is_refused():
    pullback = rrule_of(special.logsumexp, np.ones(2), return_sign=True)[1]
    assert pullback(Composite[tuple](Zero(), Zero()))[0] == Zero()
    with pytest.raises(UnsupportedArgument, match="return_sign"):
        rrule_of(special.logsumexp, np.ones(2) * 1j, return_sign=True)


def test_tails_do_not_cancel():
    assert rrule_of(special.expit, 40.0)[1](1.0)[0] == pytest.approx(np.exp(-40.0), rel=1e-14)
    assert rrule_of(special.logit, 0.0)[1](1.0) == (np.inf,)
    assert rrule_of(special.logit, 0.0)[1](0.0) == (0.0,)
