"""Parabolic cylinder functions by their argument, against differences; by their order they are refused."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, constant, held

import chainrules as cr
from chainrules.testing import check_grads, check_rule

X = np.array([-0.4, 1.1])
CASES = [
    *(case(f, held(0.7), X) for f in (special.pbdv, special.pbvv, special.pbwa)),
    *(case(f, held(v), 0.4) for f in (special.pbdv_seq, special.pbvv_seq) for v in (0.3, 2.7)),
    case(special.pbdn_seq, constant(3), 0.4),
    case(special.pbdn_seq, constant(-3), 0.4 + 0.1j),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda x: special.pbdv(0.7, x)[0], 1.2, order=2)
    check_grads(lambda x: np.sum(special.pbdv_seq(1.7, x)[1]), 1.4, order=2)


def test_what_is_missing_is_refused_by_name():
    with pytest.raises(cr.NoRuleError, match="by their order"):
        cr.grad(lambda v: special.pbdv(v, 0.4)[0])(0.7)
    with pytest.raises(cr.UnsupportedArgument, match="SciPy's last derivative"):
        cr.grad(lambda x: np.sum(special.pbdv_seq(-2.3, x)[1]))(0.4)
    with pytest.raises(cr.UnsupportedArgument, match="SciPy's values there are wrong"):
        cr.vjp(lambda z: special.pbdn_seq(2, z)[0], 0.4 + 0.1j)[1](np.ones(3, complex))
