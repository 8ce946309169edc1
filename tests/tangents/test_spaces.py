"""Zeros of a shape, and dense forms, for every kind of tangent."""

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
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
    ShapeMismatch,
    Thunk,
    materialize,
    zero_tangent,
)


@dataclass
class Model:
    w: Any
    b: Any = 0.0
    name: str = "model"

    @property
    def norm(self) -> Any:
        return np.sum(self.w**2)


class Pair(NamedTuple):
    a: Any
    b: Any


class Slotted:
    __slots__ = ("__hidden", "x")

    def __init__(self, x: Any) -> None:
        self.x = x
        self.__hidden = 1.0


ZEROS = [
    (1.5, 0.0),
    (3, 0.0),
    (1j, 0j),
    (np.float32(2), np.float32(0)),
    (np.int8(2), np.float64(0)),
    (np.complex64(2), np.complex64(0)),
    (np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)),
    (np.ones(2, int), np.zeros(2)),
    (np.array(1.0), np.array(0.0)),
    (np.array(["2020-01-01"], "M8[D]"), np.zeros(1, "m8[D]")),
    (np.datetime64("2020-01-01", "h"), np.timedelta64(0, "h")),
    (np.timedelta64(3, "D"), np.timedelta64(0, "D")),
    (timedelta(days=1), timedelta(0)),
    (datetime(2020, 1, 1), timedelta(0)),
    (date(2020, 1, 1), timedelta(0)),
    (Fraction(1, 3), Fraction(0)),
    (Decimal("0.1"), Decimal(0)),
]


@pytest.mark.parametrize(("x", "zero"), ZEROS, ids=lambda v: f"{type(v).__name__} {v}")
def test_zeros_of_numbers(x: Any, zero: Any) -> None:
    for made in (zero_tangent(x), materialize(ZERO, like=x), materialize(Thunk(lambda: ZERO), like=x)):
        assert type(made) is type(zero)
        assert getattr(made, "dtype", None) == getattr(zero, "dtype", None)
        assert np.array_equal(made, zero)


@pytest.mark.parametrize(
    "x", [True, np.True_, "a", b"a", None, float, math.sin, lambda: 1, math, range(3), {1}, object()]
)
def test_what_cannot_be_perturbed_has_no_tangent(x: Any) -> None:
    assert zero_tangent(x) is NO_TANGENT


def test_zeros_of_structures() -> None:
    zero = zero_tangent(Model(np.ones(2), (1.0, [2, "a"])))
    assert list(zero) == ["w", "b", "name"]
    assert np.array_equal(zero.w, np.zeros(2))
    assert isinstance(zero.b, Composite[tuple])
    assert list(zero.b[1]) == [0.0, NO_TANGENT]
    assert zero.name is NO_TANGENT
    assert zero_tangent({"a": 1}) == Composite[dict]({"a": 0.0})
    assert list(zero_tangent(Pair(1.0, "a"))) == [0.0, NO_TANGENT]
    assert set(zero_tangent(Slotted(1.0))) == {"x", "_Slotted__hidden"}
    assert list(zero_tangent(np.array([1.0, "a"], object))) == [0.0, NO_TANGENT]


@pytest.mark.parametrize("form", ["coo", "csr", "csc", "dia", "lil", "dok"])
def test_zero_of_a_sparse_array_keeps_its_pattern(form: str) -> None:
    x = sp.coo_array(np.array([[np.nan, 0.0], [0.0, 2.0]])).asformat(form)
    zero = zero_tangent(x)
    assert sp.issparse(zero)
    assert np.array_equal(zero.toarray(), np.zeros((2, 2)))


def test_structured_dtypes_are_refused_by_name() -> None:
    with pytest.raises(ChainRulesError, match="f8"):
        zero_tangent(np.zeros(2, [("a", float)]))


def test_materialize_fills_and_densifies() -> None:
    model = Model(np.ones(3), {"u": 1.0, "v": [np.ones(2), 2.0]})
    t = Composite[Model](
        w=IndexedTangent((3,), np.dtype(float), 1, 2.0),
        b=Composite[dict]({"v": ItemTangent(list, 2, 1, Thunk(lambda: 3.0))}),
        norm=ZERO,
    )
    full = materialize(t, like=model)
    assert np.array_equal(full.w, [0.0, 2.0, 0.0])
    assert full.b["u"] == 0.0
    assert np.array_equal(full.b["v"][0], np.zeros(2))
    assert full.b["v"][1] == 3.0
    assert full.norm == 0.0
    assert full.name is NO_TANGENT
    assert materialize(2.0, like=1.0) == 2.0
    assert materialize((ZERO, 1.0), like=(2.0, 2.0)) == (0.0, 1.0)
    assert materialize(Composite[Pair](b=ZERO), like=Pair(1.0, np.ones(1))) == (0.0, np.zeros(1))


def test_materialize_sparse_follows_the_primal() -> None:
    t = sp.coo_array(np.eye(2))
    assert type(materialize(t, like=np.ones((2, 2)))) is np.ndarray
    assert materialize(t, like=sp.csr_array(np.ones((2, 2)))) is t


def test_materialize_what_a_function_captured() -> None:
    w, b = np.ones(2), 3.0
    full = materialize(Composite[type(test_zeros_of_numbers)](w=ZERO), like=lambda x: w * x + b)
    assert np.array_equal(full.w, np.zeros(2))


def test_materialize_refuses_another_primal() -> None:
    with pytest.raises(MismatchedPrimalError):
        materialize(Composite[Model](w=1.0), like=Pair(1.0, 2.0))
    with pytest.raises(ShapeMismatch):
        materialize(Composite[tuple](1.0), like=(1.0, 2.0))
