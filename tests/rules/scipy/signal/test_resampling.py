"""Other rates: by transforms, by filters, with every kind of ends and both parities."""

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.rules.scipy.signal.resampling import between_zeros
from chainrules.testing import check_rule

X, H = normal(9), normal(5, seed=1)
CASES = [
    *(case(signal.resample, normal(n), num) for n in (8, 9) for num in (4, 5, 8, 12, 13)),
    *(case(signal.resample, complex_normal(n), num) for n in (8, 9) for num in (4, 5, 8, 12, 13)),
    case(signal.resample, X, 6, np.linspace(1.0, 2.0, 9)),
    case(signal.resample, X, 6, held(None), held(0), normal(9, seed=2)),
    case(signal.resample, complex_normal(8), 6, held(None), held(0), normal(8, seed=2)),
    case(signal.resample, normal(2, 8), 6, axis=1, window=("kaiser", 2.0)),
    case(signal.resample, complex_normal(8), 6, domain="freq"),
    *(case(between_zeros, H, X, up=up, down=down) for up in (1, 2, 3) for down in (1, 2, 4)),
    case(between_zeros, complex_normal(4), complex_normal(2, 5), up=3, down=2),
    case(signal.upfirdn, H, normal(7, 2), 2, 3, axis=0),
    *(
        case(signal.upfirdn, H, X, up, down, mode=mode, cval=0.7)
        for mode in ("constant", "symmetric", "reflect", "edge", "wrap")
        for up, down in ((1, 1), (3, 2), (2, 5))
    ),
    *(case(signal.resample_poly, X, up, down) for up, down in ((3, 2), (2, 3), (2, 2), (1, 4))),
    case(signal.resample_poly, normal(2, 9), 3, 2, held(1), H),
    *(case(signal.resample_poly, X, 2, 3, padtype=kind) for kind in ("mean", "median", "maximum", "wrap")),
    case(signal.resample_poly, X, 2, 3, cval=0.4),
    case(signal.decimate, normal(40), 2),
    case(signal.decimate, normal(2, 40), 3, n=4, zero_phase=False),
    case(signal.decimate, normal(40, 2), 3, n=12, ftype="fir", axis=0),
    case(signal.decimate, normal(40), 3, n=12, ftype="fir", zero_phase=False),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(
    ("name", "f"),
    [
        ("mode", lambda x: signal.upfirdn(H, x, 2, 3, mode="smooth")),
        ("cval", lambda x: signal.resample_poly(x, 2, 3, padtype="wrap", cval=1.0)),
        ("ftype", lambda x: signal.decimate(x, 2, ftype=signal.dlti([1.0], [1.0, 0.5]))),
        ("domain", lambda x: signal.resample(x, 4, domain="space")),
    ],
)
def test_what_has_no_rule_is_refused(name, f):
    with pytest.raises(cr.UnsupportedArgument, match=name):
        cr.grad(lambda x: np.sum(f(x)))(normal(40))


def test_resampling_up_and_down_is_the_identity():
    jacobian = cr.jacobian(lambda x: signal.resample(signal.resample(x, 15), 9))(X)
    np.testing.assert_allclose(jacobian, np.eye(9), atol=1e-14)
