"""Parts of complex numbers against differences, and their values at zero."""

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

from chainrules.testing import check_rule

PARTS = [np.real, np.imag, np.conjugate, np.sign]
CASES = [
    *(case(f, complex_normal(2, 3)) for f in (*PARTS, np.angle)),
    *(case(f, normal(3)) for f in (*PARTS, np.angle)),
    *(case(f, 0.3 - 0.4j) for f in (*PARTS, np.angle, complex.conjugate)),
    *(case(f, 0.3) for f in (*PARTS, np.angle, float.conjugate)),
    *(
        case(f, x)
        for f in (np.generic.conj, np.generic.conjugate)
        for x in (np.float32(0.3), np.complex128(1j))
    ),
    *(case(complex.conjugate, x) for x in (-2.0 + 1.0j, 3.0 + 0.0j)),
    *(case(float.conjugate, x) for x in (-2.0, 0.0)),
    *(case(f, np.complex64(1 + 2j)) for f in (*PARTS, np.generic.conjugate)),
    case(np.angle, complex_normal(3), deg=True),
    case(np.angle, complex_normal(3), True, why="positional"),
    case(np.ndarray.conj, complex_normal(3)),
    case(np.ndarray.conjugate, normal(3)),
    case(np.real_if_close, complex_normal(3)),
    case(np.real_if_close, normal(3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_an_imaginary_part_that_is_dropped_has_no_derivative():
    y, pullback = rrule_of(np.real_if_close, np.array([1 + 1e-20j]))
    assert y.dtype == float
    np.testing.assert_array_equal(pullback(np.array([2.0]))[0], [2 + 0j])


@pytest.mark.parametrize("f", [np.angle, np.sign])
def test_zero_at_zero(f):
    assert rrule_of(f, 0j)[1](1.0)[0] == 0
    np.testing.assert_array_equal(rrule_of(f, np.zeros(2, complex))[1](np.ones(2))[0], [0, 0])
