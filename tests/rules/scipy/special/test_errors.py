"""Error functions against differences, at their ends, and where their derivatives would cancel."""

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import case, complex_normal, held, normal, rrule_of, uniform

from chainrules.rules.scipy.special.faddeeva import dawson, faddeeva
from chainrules.testing import check_rule

X = np.array([[-9.5, -2.0, 0.0], [0.7, 3.0, 9.5]])
Z = np.array([0.3 - 1j, 9.0 + 1j, -0.5 - 0.2j])
PLAIN = (special.erf, special.erfc, special.erfi, special.dawsn)
CASES = [
    *(case(f, normal(2, 3)) for f in (*PLAIN, special.erfcx)),
    *(case(f, complex_normal(3)) for f in (*PLAIN, special.erfcx, special.wofz)),
    case(special.erf, normal(3).astype(np.float32)),
    case(special.erfcx, np.array([-2.0, 9.0])),
    case(special.dawsn, X),
    case(special.dawsn, np.array([9.0 + 1j, 9.0 - 1j])),
    case(special.wofz, Z),
    case(special.erfinv, uniform(3)),
    case(special.erfcinv, uniform(3)),
    case(special.voigt_profile, normal(2, 3), 0.7, uniform(3)),
    case(special.voigt_profile, 0.3, held(0.0), 0.4, why="Lorentz's"),
    case(special.voigt_profile, 0.3, 0.5, held(0.0), why="Gauss's"),
    case(faddeeva, Z, held(2)),
    case(dawson, X, held(2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_ends():
    for f, x in ((special.erfinv, 1.0), (special.erfinv, -1.0)):
        assert rrule_of(f, x)[1](1.0) == (np.inf,)
        assert rrule_of(f, x)[1](0.0) == (0.0,)
    assert rrule_of(special.erfcinv, 0.0)[1](1.0) == (-np.inf,)
    assert rrule_of(special.voigt_profile, 0.3, 0.0, 0.4)[1](1.0)[1] == 0.0
