"""Primals of standard kinds: their zeros, the dtypes of their tangents, and numbers kept exact."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from chainrules import ChainRulesError, NoTangent
from chainrules.tangents.naturals import exactly, in_floats, is_natural, tangent_dtype, zero_of

ZEROS = [
    (3, 0.0),
    (2.5, 0.0),
    (1j, 0j),
    (np.float32(2), np.float32(0)),
    (np.int8(2), np.float64(0)),
    (Fraction(1, 3), Fraction(0)),
    (Decimal("0.1"), Decimal(0)),
    (timedelta(1), timedelta(0)),
    (date(2020, 1, 1), timedelta(0)),
    (datetime(2020, 1, 1), timedelta(0)),
    (np.datetime64("2020", "D"), np.timedelta64(0, "D")),
]


@pytest.mark.parametrize(("x", "zero"), ZEROS, ids=[type(x).__name__ for x, _ in ZEROS])
def test_zeros(x, zero) -> None:
    found = zero_of(x)
    assert type(found) is type(zero)
    assert found == zero
    assert is_natural(x)


@pytest.mark.parametrize("x", [True, "a", None, len, np.bool_(True), np.array(["a"]), np.array([True])])
def test_what_cannot_be_perturbed(x) -> None:
    assert zero_of(x) is NoTangent()


@pytest.mark.parametrize("x", [(1.0,), [1.0], {"a": 1.0}])
def test_what_has_structure(x) -> None:
    assert zero_of(x) is None
    assert not is_natural(x)


@pytest.mark.parametrize(
    ("dtype", "tangent"), [("f2", "f2"), ("c8", "c8"), ("u1", "f8"), ("M8[s]", "m8[s]"), ("m8[ns]", "m8[ns]")]
)
def test_dtypes_of_tangents(dtype: str, tangent: str) -> None:
    assert tangent_dtype(np.dtype(dtype)) == np.dtype(tangent)


def test_a_structured_dtype_is_refused_by_name() -> None:
    with pytest.raises(ChainRulesError, match="have no tangent type"):
        tangent_dtype(np.dtype([("a", float), ("b", int)]))


def test_numbers_are_kept_exact() -> None:
    assert exactly(Fraction, 0.1) == Fraction(3602879701896397, 36028797018963968)
    assert exactly(Decimal, Fraction(1, 8)) == Decimal("0.125")
    assert exactly(Fraction, np.float64(0.5)) == Fraction(1, 2)


def test_integers_of_a_fixed_width_do_not_wrap_around() -> None:
    assert in_floats(np.uint8(200)) * 2 == 400.0
    assert in_floats(np.array([200], np.uint8)).dtype == np.float64
    assert in_floats(2**70) == 2**70
