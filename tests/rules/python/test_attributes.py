"""Real and imaginary parts of numbers, read as attributes."""

import numpy as np
import pytest
from tests.rules.cases import case, frule_of, rrule_of

import chainrules as cr
from chainrules.testing import check_rule

CASES = [case(getattr, z, name) for z in (0.5, 1 + 2j, np.float32(0.5)) for name in ("real", "imag")]
NUMBERS = [
    0.5,
    1 + 2j,
    3,
    np.float32(0.5),
    np.complex64(1 + 2j),
    np.float64(0.5),
    np.complex128(2j),
    np.int64(3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("z", NUMBERS)
@pytest.mark.parametrize(("name", "unit"), [("real", 1), ("imag", 1j)])
def test_the_part_and_its_adjoint(z, name, unit):
    y, pullback = rrule_of(getattr, z, name)
    assert y == getattr(z, name)
    direction = 0.3 - 0.7j if isinstance(z, complex | np.complexfloating) else 0.3
    z_bar = complex(pullback(1.0)[0])
    dy = frule_of(getattr, (z, name), (direction, 0.0))[1]
    assert (z_bar.conjugate() * direction).real == pytest.approx(float(dy)) == getattr(direction, name)
    assert z_bar in (unit, 0)


def by_class(x):
    kind, whole = x[0].__class__, x.__class__
    return kind(2.0) * x[0] ** 2 + (3.0 if whole is np.ndarray else 0.0) * x[1]


def test_a_class_has_no_tangent():
    x = np.array([0.7, 1.3])
    np.testing.assert_allclose(cr.grad(by_class)(x), [2.8, 3.0])
    np.testing.assert_allclose(cr.jvp(by_class, (x,), (np.array([1.0, -0.5]),))[1], 1.3)
    assert frule_of(getattr, ([1.0], "__class__"), ([1.0], 0.0))[0] is list
    assert rrule_of(getattr, (1.0,), "__class__")[0] is tuple
