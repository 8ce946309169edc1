"""What has no derivative says why, and may stand where none passes."""

import numpy as np
import pytest
from scipy import special

import chainrules as cr
from chainrules.testing.coverage.data import kinds

KNOWN = kinds("scipy.special").items()
DISCRETE = sorted(name for name, known in KNOWN if known == ("scipy.special", "discrete"))


@pytest.mark.parametrize("name", DISCRETE)
def test_the_reason_is_given(name):
    if name.endswith(".ellip_normal"):
        pytest.skip("its arguments are those of a function that is refused")
    assert len(DISCRETE) > 50
    assert "not differentiable" in str(cr.rules_for(getattr(special, name.rpartition(".")[2])))


def test_a_quadrature_of_fixed_nodes_is_differentiated():
    x, w = special.roots_legendre(20)
    assert cr.grad(lambda k: np.sum(w * np.exp(k * x)))(0.7) == pytest.approx(
        2 * (np.cosh(0.7) / 0.7 - np.sinh(0.7) / 0.49)
    )
