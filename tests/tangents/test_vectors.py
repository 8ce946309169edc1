"""Inner products, multiples, norms and linear combinations, for every kind of tangent."""

import math
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

from chainrules.tangents import (
    NO_TANGENT,
    ZERO,
    ChainRulesError,
    Composite,
    IndexedTangent,
    ItemTangent,
    MismatchedPrimalError,
    MissingDerivativeError,
    NotImplementedTangent,
    ShapeMismatch,
    Thunk,
    add,
    canonicalize,
    gather,
    inner,
    linear_combination,
    move,
    norm,
    same_values,
    scale,
)


@dataclass
class Model:
    w: Any
    b: Any = 0.0

    @property
    def norm(self) -> Any:
        return np.sum(self.w**2)


class Pair(NamedTuple):
    a: Any
    b: Any


A, B = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 0.0], [0.0, -1.0]])


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [
        (2.0, 3, 6.0),
        (1 + 2j, 3 - 1j, 1.0),
        (np.float32(2), 3.0, 6.0),
        (A, B, 1.0),
        (1j * A, 1j * B, 1.0),
        (1j * A, B, 0.0),
        (ZERO, B, 0.0),
        (B, NO_TANGENT, 0.0),
        (Thunk(lambda: A), B, 1.0),
        (Composite[Model](w=A, b=1.0), Composite[Model](w=B, norm=ZERO), 1.0),
        ({1: 2.0, "items": 1.0}, Composite[dict]({1: 3.0}), 6.0),
        (Composite[tuple](1.0, ZERO), (2.0, 3.0), 2.0),
        ({"a": 1.0}, Composite[dict]({"a": 2.0, "b": 1.0}), 2.0),
        (Composite[Pair](b=2.0), Composite[Pair](a=1.0, b=2.0), 4.0),
        (sp.coo_array(A), B, 1.0),
        (A, sp.csr_array(B), 1.0),
        (sp.csc_array(A), sp.lil_array(B), 1.0),
        (sp.dok_array(A), sp.dok_array(B), 1.0),
        (A, sp.dok_matrix(B), 1.0),
        (sp.coo_array(1j * A), sp.coo_array(1j * B), 1.0),
        (IndexedTangent((2, 2), A.dtype, (0, 0), 2.0), sp.coo_array(B), 10.0),
        (IndexedTangent((2, 2), A.dtype, [0, 0], np.ones((2, 2))), B, 10.0),
        (timedelta(seconds=2), timedelta(seconds=3), 6.0),
        (np.timedelta64(2, "s"), np.timedelta64(3000, "ms"), 6.0),
        (Fraction(1, 2), Fraction(1, 2), 0.25),
        (Decimal(2), 1.5, 3.0),
        (np.array([1.0, (2.0,)], object), np.array([3.0, (4.0,)], object), 11.0),
    ],
)
def test_inner_products(a: Any, b: Any, value: float) -> None:
    for product in (inner(a, b), inner(b, a)):
        assert type(product) is float
        assert product == pytest.approx(value)


@pytest.mark.parametrize(
    ("a", "b", "error"),
    [
        (np.ones(2), np.ones(3), ShapeMismatch),
        (np.ones(2), 1.0, ShapeMismatch),
        ((1.0,), (1.0, 2.0), ShapeMismatch),
        (Composite[Model](w=1.0), Composite[Pair](a=1.0), MismatchedPrimalError),
        (Composite[Model](w=1.0), 1.0, MismatchedPrimalError),
        ("a", "a", MismatchedPrimalError),
        (True, 1.0, MismatchedPrimalError),
        (1.0, None, MismatchedPrimalError),
    ],
)
def test_inner_refuses(a: Any, b: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        inner(a, b)
    with pytest.raises(error):
        inner(b, a)


@pytest.mark.parametrize(
    ("s", "t", "expected"),
    [
        (2.0, 3.0, 6.0),
        (2, A, 2 * A),
        (2.0, ZERO, ZERO),
        (2.0, Thunk(lambda: A), 2 * A),
        (2.0, (1.0, [2.0, {"a": 3.0}]), (2.0, [4.0, {"a": 6.0}])),
        (2.0, Composite[Pair](a=1.0), Composite[Pair](a=2.0)),
        (2.0, ItemTangent(tuple, 2, 0, 1.0), (2.0, ZERO)),
        (0.5, timedelta(days=1), timedelta(hours=12)),
        (0.5, Decimal(3), Decimal("1.5")),
        (2.0, sp.coo_array(A), 2 * A),
        (np.array(2.0), 3.0, 6.0),
        (Fraction(1, 2), 3.0, 1.5),
    ],
)
def test_scaling(s: Any, t: Any, expected: Any) -> None:
    assert same_values(scale(s, t), expected)


def test_scaling_refuses() -> None:
    with pytest.raises(TypeError, match="by a number"):
        scale(np.ones(2), A)
    with pytest.raises(MismatchedPrimalError):
        scale(2, "a")
    assert scale(2.0, np.ones(1, np.float32)).dtype == np.float32
    with pytest.raises(TypeError, match="by a number, not by bool"):
        scale(True, A)
    for s, t in ((2.0, np.ones(1, bool)), (1j, timedelta(1)), (1j, np.timedelta64(1, "D")), (2.0, len)):
        with pytest.raises(MismatchedPrimalError, match="multiplied"):
            scale(s, t)


KINDS = [
    (np.float64(0.5), np.float32(3), np.float32(1.5)),
    (np.float64(0.5), np.ones(1, np.float16), np.full(1, 0.5, np.float16)),
    (np.complex128(0.5), np.ones(1, np.complex64), np.full(1, 0.5, np.complex64)),
    (np.float64(0.5), 3.0, 1.5),
    (0.5, Fraction(1, 3), Fraction(1, 6)),
    (Fraction(1, 4), Decimal("0.2"), Decimal("0.05")),
    (0.5, np.timedelta64(1, "D"), np.timedelta64(12, "h")),
    (3, np.timedelta64(10**6, "D"), np.timedelta64(3 * 10**6, "D")),
]


@pytest.mark.parametrize(("s", "t", "expected"), KINDS, ids=lambda v: type(v).__name__)
def test_a_multiple_keeps_the_kind(s: Any, t: Any, expected: Any) -> None:
    multiple = scale(s, t)
    assert type(multiple) is type(expected)
    assert getattr(multiple, "dtype", None) == getattr(expected, "dtype", None)
    assert np.all(multiple == expected)


def test_products_of_narrow_numbers_are_wide() -> None:
    assert inner(np.full(2, 300, np.float16), np.full(2, 300, np.float16)) == 180_000.0
    assert inner(np.full(2, 100, np.int8), np.full(2, 100, np.int8)) == 20_000.0


NORMS = [
    (3 - 4j, 5.0),
    (ZERO, 0.0),
    (0.0, 0.0),
    (Composite[Model](w=np.array([2.0, 3.0]), b=6.0), 7.0),
    (sp.csr_array(np.diag([3.0, 4.0])), 5.0),
    (IndexedTangent((5,), np.dtype(float), [0, 0], np.ones(2)), 2.0),
    ((1e200, np.full(2, 1e200)), math.sqrt(3) * 1e200),
    (3e-200, 3e-200),
    (timedelta(minutes=1), 60.0),
    (np.array([np.inf, 1.0]), math.inf),
    (Fraction(1, 2), 0.5),
]


@pytest.mark.parametrize(("t", "value"), NORMS, ids=lambda v: type(v).__name__)
def test_norms(t: Any, value: float) -> None:
    assert type(norm(t)) is float
    assert norm(t) == pytest.approx(value, rel=1e-15)


def test_norms_of_what_is_no_number() -> None:
    assert math.isnan(norm((math.nan, 1.0)))
    with pytest.raises(MissingDerivativeError, match="here"):
        norm(NotImplementedTangent("here"))


def test_linear_combinations() -> None:
    t, u = Composite[Model](w=A, b=1.0), Composite[Model](w=B)
    assert linear_combination((2.0, t), (-1.0, u)) == Composite[Model](w=2 * A - B, b=2.0)
    assert linear_combination((0.5, ZERO), (2.0, timedelta(1))) == timedelta(2)
    with pytest.raises(TypeError, match="at least one"):
        linear_combination()
    assert move(Model(A, 1.0), linear_combination((-1.0, t))).b == 0.0


def test_a_property_is_no_entry() -> None:
    svd = np.linalg.svd(np.eye(2))
    V_bar = Composite[type(svd)](V=np.ones((2, 2)))
    for fields, formal in (
        (Composite[Model](w=A, b=1.0), Composite[Model](w=B, norm=1.0)),
        (Composite[type(svd)](Vh=np.ones((2, 2))), V_bar),
    ):
        for refused in (
            lambda a=fields, b=formal: inner(a, b),
            lambda a=fields, b=formal: inner(b, a),
            lambda b=formal: inner(b, b),
            lambda b=formal: norm(b),
        ):
            with pytest.raises(ChainRulesError, match=r"(?s)is a property of .*canonicalize\(t, like=x\)"):
                refused()
    assert scale(2.0, V_bar).V[0, 0] == 2.0  # a multiple of a formal sum is one
    assert inner(canonicalize(V_bar, like=svd), Composite[type(svd)](Vh=np.ones((2, 2)))) == 4.0


@pytest.mark.parametrize("kind", [sp.dok_array, sp.dok_matrix, sp.bsr_matrix, sp.dia_array])
def test_a_sparse_format_that_is_a_dict_is_an_array(kind: Any) -> None:
    for t in (scale(2.0, kind(A)), add(kind(A), kind(A)), gather(kind(A), A), Thunk(lambda: 3 * A) - kind(A)):
        assert not isinstance(t, np.matrix)
        np.testing.assert_array_equal(t if isinstance(t, np.ndarray) else t.toarray(), 2 * A)
