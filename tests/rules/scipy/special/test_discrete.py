"""What has no derivative says why, and may stand where none passes."""

import numpy as np
import pytest
from scipy import special

import chainrules as cr
from chainrules.testing.coverage.data import kinds

DISCRETE = sorted(name for name, (home, kind) in kinds("scipy.special").items() if home == "scipy.special" and kind == "discrete")  # fmt: skip


@pytest.mark.parametrize("name", DISCRETE)
def test_the_reason_is_given(name):
    if name.endswith(".ellip_normal"):
        pytest.skip("its arguments are those of a function that is refused")
    assert "not differentiable" in str(cr.rules_for(getattr(special, name.rpartition(".")[2])))


def test_a_quadrature_of_fixed_nodes_is_differentiated():
    x, w = special.roots_legendre(20)
    assert cr.grad(lambda k: np.sum(w * np.exp(k * x)))(0.7) == pytest.approx(
        2 * (np.cosh(0.7) / 0.7 - np.sinh(0.7) / 0.49)
    )
