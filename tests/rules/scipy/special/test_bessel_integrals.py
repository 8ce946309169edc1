"""Integrals of Bessel and Struve functions against differences, near 0 too."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, uniform

import chainrules as cr
from chainrules.testing import check_rule

FUNCTIONS = (
    special.itj0y0, special.iti0k0, special.it2j0y0, special.it2i0k0,
    special.itstruve0, special.it2struve0, special.itmodstruve0,
)  # fmt: skip
X = uniform(4, low=0.5, high=6.0)
CASES = [
    *(case(f, X) for f in FUNCTIONS),
    *(case(f, 0.7) for f in FUNCTIONS),
    *(case(f, -X) for f in (special.itstruve0, special.it2struve0, special.itmodstruve0)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_quotients_at_zero_and_where_the_series_ends():
    slope = cr.grad(lambda x: special.it2j0y0(x)[0])
    assert slope(0.0) == 0.0
    assert slope(1e-8) == pytest.approx(0.25e-8, rel=1e-12)
    for f in (special.it2j0y0, special.it2i0k0):
        below, above = (cr.grad(lambda x, f=f: f(x)[0])(np.nextafter(2.0, side)) for side in (0.0, 3.0))
        assert below == pytest.approx(above, rel=1e-12)
    below, above = (cr.grad(special.it2struve0)(np.nextafter(2.0, side)) for side in (0.0, 3.0))
    assert below == pytest.approx(above, rel=1e-12)
    assert cr.grad(special.it2struve0)(0.0) == pytest.approx(-2 / np.pi)
