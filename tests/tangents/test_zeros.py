"""The two zeros and the derivative that is not there."""

import copy
import itertools
import operator
import pickle
from typing import Any

import numpy as np
import pytest

from chainrules.tangents import (
    NO_TANGENT,
    ZERO,
    ChainRulesError,
    MissingDerivativeError,
    NoTangent,
    NotImplementedTangent,
    Zero,
    accumulate,
    inner,
    is_zero,
    materialize,
)

UNKNOWN = NotImplementedTangent("order of a Bessel function")


@pytest.mark.parametrize("zero", [ZERO, NO_TANGENT])
def test_singletons(zero: Any) -> None:
    assert type(zero)() is zero
    assert copy.copy(zero) is copy.deepcopy(zero) is zero
    assert pickle.loads(pickle.dumps(zero)) is zero
    assert not zero
    assert len({zero, type(zero)()}) == 1
    assert is_zero(zero)
    assert repr(zero) == type(zero).__name__ + "()"


def test_equality_is_of_the_same_zero_only() -> None:
    zeros: list[Any] = [ZERO, NO_TANGENT, 0.0]
    assert Zero() == ZERO
    assert all(a != b for a, b in itertools.combinations(zeros, 2))
    assert not is_zero(0.0)
    assert not is_zero(np.zeros(2))


MATRIX = np.eye(2)
PRODUCTS = [
    (ZERO, 3.0, ZERO),
    (ZERO, MATRIX, ZERO),
    (ZERO, ZERO, ZERO),
    (ZERO, NO_TANGENT, ZERO),
    (NO_TANGENT, 3.0, NO_TANGENT),
    (NO_TANGENT, NO_TANGENT, NO_TANGENT),
    (UNKNOWN, 3.0, UNKNOWN),
    (UNKNOWN, MATRIX, UNKNOWN),
    (UNKNOWN, ZERO, ZERO),
    (UNKNOWN, NO_TANGENT, NO_TANGENT),
]


@pytest.mark.parametrize(("a", "b", "expected"), PRODUCTS)
def test_products_on_both_sides(a: Any, b: Any, expected: Any) -> None:
    for times in (operator.mul, operator.matmul):
        if times is operator.mul or not isinstance(b, float):
            assert times(a, b) is expected
            assert times(b, a) is expected


@pytest.mark.parametrize("t", [ZERO, NO_TANGENT, UNKNOWN])
def test_unary_operators_and_division_keep_it(t: Any) -> None:
    assert -t is +t is t / 2.0 is t.conjugate() is t


def test_differences() -> None:
    assert ZERO - 2.0 == -2.0
    assert 2.0 - ZERO == 2.0
    assert NO_TANGENT - 2.0 == -2.0
    assert ZERO - NO_TANGENT is NO_TANGENT
    assert NO_TANGENT - ZERO is NO_TANGENT
    assert UNKNOWN - 1.0 is 1.0 - UNKNOWN is UNKNOWN


def test_a_zero_indexes_to_itself_and_does_not_iterate() -> None:
    assert ZERO[0] is ZERO[1:, None] is ZERO
    assert NO_TANGENT["a"] is NO_TANGENT
    with pytest.raises(TypeError, match="not iterable"):
        list(ZERO)  # type: ignore[call-overload]  # which is the point
    with pytest.raises(AttributeError):
        ZERO.T  # type: ignore[attr-defined]  # noqa: B018  # neither are attributes zeros


def test_a_zero_is_no_array() -> None:
    with pytest.raises(ChainRulesError, match="materialize"):
        np.asarray(ZERO)
    with pytest.raises(TypeError):
        np.sin(ZERO)


@pytest.mark.parametrize(
    "use",
    [
        float,
        complex,
        bool,
        np.asarray,
        abs,
        list,
        lambda t: t[0],
        lambda t: materialize(t, 1.0),
        lambda t: inner(t, 1.0),
        lambda t: inner(1.0, t),
    ],
)
def test_using_a_missing_derivative_tells_what_is_missing(use: Any) -> None:
    with pytest.raises(MissingDerivativeError, match="order of a Bessel function"):
        use(UNKNOWN)


def test_a_missing_derivative_is_forgotten_against_a_zero() -> None:
    assert inner(UNKNOWN, ZERO) == inner(NO_TANGENT, UNKNOWN) == 0.0
    assert accumulate(np.ones(2), UNKNOWN) is UNKNOWN
    assert pickle.loads(pickle.dumps(UNKNOWN)).why == UNKNOWN.why
    assert NoTangent() + UNKNOWN is UNKNOWN
