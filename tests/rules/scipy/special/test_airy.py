"""Airy functions against differences, and the scaled ones far out, where the terms cancel."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, frule_of, uniform

from chainrules.testing import check_rule

X = uniform(3, low=0.2, high=4.0)
SMALL = uniform(3, low=0.2, high=0.9)  # further out SciPy's integrals lose up to half of their digits
CASES = [
    *(case(special.airy, x) for x in (X, -X, 0.0)),
    *(case(special.itairy, x) for x in (SMALL, -SMALL, 0.0)),
    case(special.airy, complex_normal(3)),
    case(special.airye, X),
    case(special.airye, 0.7),
    case(special.airye, complex_normal(4)),
    case(special.airye, np.array([80.0, 500.0]), why="far out"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_the_expansion_meets_the_difference():
    for x in (60.001, 100.0, 1e6):
        y, dy = frule_of(special.airye, (x,), (1.0,))
        assert dy[0] == pytest.approx(y[0] * (-0.25 / x + 5 / 32 / x**2.5), rel=1e-5)
        assert dy[2] == pytest.approx(y[2] * (-0.25 / x - 5 / 32 / x**2.5), rel=1e-5)
    near, far = frule_of(special.airye, (59.99,), (1.0,))[1], frule_of(special.airye, (60.01,), (1.0,))[1]
    np.testing.assert_allclose([near[0], near[2]], [far[0], far[2]], rtol=5e-4)


def test_on_the_negative_axis_only_bi_has_a_real_value():
    _, dy = frule_of(special.airye, (-1.0,), (1.0,))
    assert np.isnan(dy[0])
    assert dy[2] == special.airy(-1.0)[3]
    assert dy[3] == pytest.approx(-special.airy(-1.0)[2])
