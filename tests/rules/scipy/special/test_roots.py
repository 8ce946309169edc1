"""Gauss quadrature by its parameters, against differences and against moments."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case

import chainrules as cr
from chainrules.rules.scipy.special.roots import jacobi_nodes, laguerre_nodes
from chainrules.testing import check_grads, check_rule

CASES = [
    *(case(special.roots_jacobi, n, 0.3, -0.2, mu=mu) for n, mu in ((1, False), (5, True))),
    case(special.roots_jacobi, 4, 0.5, 0.5),
    *(case(special.roots_gegenbauer, 4, lam, mu=lam > 0) for lam in (0.0, 0.7)),
    case(special.roots_sh_jacobi, 4, 2.3, 1.2, mu=True),
    *(case(special.roots_genlaguerre, n, 0.4, mu=True) for n in (1, 6)),
    case(special.assoc_laguerre, np.array([0.3, 2.0]), 3, 0.7),
    case(jacobi_nodes, 0.3, -0.2, n=4),
    case(laguerre_nodes, 0.3, n=4),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order():
    check_grads(lambda a, b: special.roots_jacobi(3, a, b)[1][0], 0.3, 0.2, order=2)
    check_grads(lambda a: special.roots_genlaguerre(3, a)[0][1], 0.3, order=2)


@pytest.mark.parametrize("n", [3, 40])
def test_moments_have_the_derivatives_of_their_closed_forms(n):
    def moment(a, b):
        x, w = special.roots_jacobi(n, a, b)
        return np.sum(w * (1 - x) ** 2)

    found = cr.grad(moment, argnums=(0, 1))(0.3, 1.2)
    total = np.exp((0.3 + 1.2 + 3) * np.log(2) + special.betaln(3.3, 2.2))
    shared = np.log(2) - special.digamma(5.5)
    assert found[0] == pytest.approx(total * (shared + special.digamma(3.3)), rel=1e-10)
    assert found[1] == pytest.approx(total * (shared + special.digamma(2.2)), rel=1e-10)
