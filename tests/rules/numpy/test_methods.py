"""Methods and attributes of arrays."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, frule_of, normal, rrule_of

from chainrules.core import UnsupportedArgument, apply_rrule
from chainrules.tangents import NoTangent, Zero, is_zero
from chainrules.testing import check_rule

TWO, THREE = constant(2), constant(3)
CASES = [
    case(np.ndarray.reshape, normal(6), TWO, THREE),
    case(np.ndarray.reshape, normal(6), constant((2, 3)), order="F"),
    case(np.ndarray.reshape, normal(2, 3), constant(-1)),
    case(np.ndarray.transpose, normal(2, 3, 4)),
    case(np.ndarray.transpose, normal(2, 3, 4), TWO, constant(0), constant(1)),
    case(np.ndarray.transpose, normal(2, 3, 4), constant((1, 2, 0))),
    case(np.ndarray.flatten, normal(2, 3), "F"),
    case(np.ndarray.ravel, normal(2, 3)),
    case(np.ndarray.swapaxes, normal(2, 3), 0, 1),
    case(np.ndarray.squeeze, normal(1, 3)),
    case(np.ndarray.repeat, normal(2), 2),
    case(np.ndarray.min, normal(2, 3), axis=1),
    case(np.generic.conj, np.complex128(1 + 2j)),
    case(np.generic.item, np.float32(2.5)),
    case(np.generic.astype, np.float64(2.5), complex),
    case(np.ndarray.astype, normal(3), np.float64),
    case(np.ndarray.astype, normal(3), complex),
    *(case(getattr, x, a) for x in (normal(2, 3), complex_normal(2, 3)) for a in ("T", "mT", "real", "imag")),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("dtype", [int, bool, np.int8])
def test_astype_to_what_is_exact_ends_the_derivative(dtype: Any) -> None:
    _, pullback = rrule_of(np.ndarray.astype, np.array([1.5, 2.5]), dtype)
    assert is_zero(pullback(NoTangent())[0])
    _, dy = frule_of(np.ndarray.astype, (np.array([1.5]), dtype), (np.ones(1), NoTangent()))
    assert is_zero(dy)


def test_astype_keeps_the_precision_of_its_argument() -> None:
    _, pullback = rrule_of(np.ndarray.astype, np.ones(2, np.float32), float)
    assert pullback(np.ones(2))[0].dtype == np.float32


def test_astype_object_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="dtype"):
        apply_rrule(np.ndarray.astype, np.ones(2), object)


@pytest.mark.parametrize("name", ["shape", "ndim", "size", "dtype", "itemsize", "nbytes"])
def test_what_tells_of_shape_has_no_tangent(name: str) -> None:
    x = np.ones((2, 3))
    y, pullback = rrule_of(getattr, x, name)
    assert y == getattr(x, name)
    assert is_zero(pullback(NoTangent())[0])
    assert frule_of(getattr, (x, name), (x, NoTangent())) == (y, Zero())
