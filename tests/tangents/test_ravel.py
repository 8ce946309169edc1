"""`ravel`: every number once, back with its type, and linear."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

from chainrules.tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    IndexedTangent,
    ItemTangent,
    ShapeMismatch,
    Thunk,
    ravel,
    same_values,
    zero_tangent,
)


@dataclass
class Model:
    w: Any
    b: Any
    name: str = "model"


class Pair(NamedTuple):
    a: Any
    b: Any


CASES: list[tuple[Any, list[float]]] = [
    (1.5, [1.5]),
    (3, [3.0]),
    (1 + 2j, [1.0, 2.0]),
    (np.float32(2), [2.0]),
    (np.array([[1, 2], [3, 4]], np.int8), [1.0, 2.0, 3.0, 4.0]),
    (np.array([1 + 2j, 3j], np.complex64), [1.0, 2.0, 0.0, 3.0]),
    (np.ones((2, 0)), []),
    (np.array(2.0), [2.0]),
    (Fraction(1, 2), [0.5]),
    (Decimal("0.5"), [0.5]),
    (True, []),
    ("a", []),
    (None, []),
    (np.array([True]), []),
    (datetime(2020, 1, 1), [0.0]),
    (date(2020, 1, 1), [0.0]),
    (np.array(["2020-01-01"], "M8[ns]"), [0.0]),
    (timedelta(minutes=1), [60.0]),
    (np.timedelta64(10**18 + 1, "ns"), [1e9]),
    (np.array([1, 2], "m8[D]"), [86400.0, 172800.0]),
    (Fraction(1, 3), [1 / 3]),
    (Decimal("0.1"), [0.1]),
    (10**30 + 1, [1e30]),
    (2**60 + 1, [2.0**60]),
    (np.int64(2**60 + 1), [2.0**60]),
    (np.array([2**63 + 1], np.uint64), [2.0**63]),
    (np.longdouble(1) / 3, [1 / 3]),
    (np.clongdouble(1j) / 3, [0.0, 1 / 3]),
    (ZERO, []),
    ((1.0, [2.0, "a"], {"k": 3.0}), [1.0, 2.0, 3.0]),
    (Pair(1.0, (2.0, None)), [1.0, 2.0]),
    (np.array([1.0, "a"], object), [1.0]),
    (Composite[Pair](b=2.0, a=ZERO), [2.0]),
    (Composite[dict]({"a": np.ones(2), "b": NO_TANGENT}), [1.0, 1.0]),
]


def same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and (a is b or same_values(a, b) or bool(np.all(a == b)))


@pytest.mark.parametrize(("x", "numbers"), CASES, ids=lambda v: f"{type(v).__name__}")
def test_there_and_back(x: Any, numbers: list[float]) -> None:
    vector, unravel = ravel(x)
    assert vector.dtype == np.float64
    assert vector.tolist() == numbers
    again = unravel(vector)
    assert same(again, x)
    assert getattr(again, "dtype", None) == getattr(x, "dtype", None)


def test_a_model_takes_a_step() -> None:
    model = Model(np.ones(2, np.float32), {"bias": 1j, "n": 2})
    vector, unravel = ravel(model)
    moved = unravel(vector + 0.5)
    assert isinstance(moved, Model)
    assert moved.w.dtype == np.float32
    assert moved.w.tolist() == [1.5, 1.5]
    assert moved.b == {"bias": 0.5 + 1.5j, "n": 2.5}
    assert moved.name == "model"
    assert model.w.tolist() == [1.0, 1.0]
    moved.w[0] = 7.0
    assert vector[0] == 1.0


def test_lazy_and_light_tangents_are_dense() -> None:
    light = IndexedTangent((3,), np.dtype(float), 1, 2.0)
    assert ravel(light)[0].tolist() == [0.0, 2.0, 0.0]
    assert ravel(ItemTangent(list, 2, 1, Thunk(lambda: 3.0)))[0].tolist() == [3.0]


def test_sparse_arrays_give_what_they_store() -> None:
    x = sp.csr_array(np.diag([1.0, 2.0, 3.0]))
    vector, unravel = ravel(x)
    assert vector.tolist() == [1.0, 2.0, 3.0]
    assert np.array_equal(unravel(2 * vector).toarray(), 2 * x.toarray())
    assert unravel(vector).format == "csr"
    assert np.array_equal(x.toarray(), np.diag([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("form", ["coo", "csr", "csc", "bsr", "dia", "lil", "dok"])
@pytest.mark.parametrize("kind", [sp.coo_array, sp.coo_matrix])
def test_stored_zeros_have_entries(form: str, kind: Any) -> None:
    x = kind(np.diag([1.0, 2.0, 3.0])).asformat(form)
    n = ravel(x)[0].size
    t = zero_tangent(x)
    assert ravel(t)[0].tolist() == [0.0] * n
    assert t.format == form
    again = ravel(t)[1](np.arange(1.0, n + 1))
    assert (type(again), again.trace()) == (type(x), 6.0)


STEPPED = [
    (datetime(2020, 1, 1), 86400.0, datetime(2020, 1, 2)),
    (date(2020, 1, 1), 86400.0, date(2020, 1, 2)),
    (np.datetime64("2020-01-01"), 86400.0, np.datetime64("2020-01-02")),
    (np.datetime64("2020-01-01"), 3600.0, np.datetime64("2020-01-01T01")),
    (timedelta(1), 0.5, timedelta(days=1, seconds=0.5)),
    (np.timedelta64(1, "D"), 86400.0, np.timedelta64(2, "D")),
    (np.timedelta64(1, "D"), 3600.0, np.timedelta64(25, "h")),
    (Fraction(1, 2), 0.25, Fraction(3, 4)),
    (Decimal("0.5"), 0.25, Decimal("0.75")),
    (2**60 + 1, 2.0**60, 2**61),
    (10**30, 0.0, 10**30),
]


@pytest.mark.parametrize(("x", "step", "moved"), STEPPED, ids=lambda v: type(v).__name__)
def test_what_is_no_float_moves_by_seconds_or_exactly(x: Any, step: float, moved: Any) -> None:
    vector, unravel = ravel(x)
    again = unravel(vector + step)
    assert again == moved
    assert type(again) is type(x)


def test_a_primal_and_its_tangents_have_the_same_entries() -> None:
    x = {"a": Fraction(1, 3), "t": datetime(2020, 1, 1), "n": 3, "s": sp.csr_array(np.eye(2)), "f": len}
    assert ravel(x)[0].shape == ravel(zero_tangent(x))[0].shape == (5,)


def test_minimize_any_dataclass_in_one_line() -> None:
    def energy(model: Model) -> float:
        return float(np.sum((model.w - [1.0, 2.0]) ** 2) + (model.b - 3.0) ** 2)

    vector, unravel = ravel(Model(np.zeros(2), 0.0))
    best = unravel(minimize(lambda v: energy(unravel(v)), vector).x)
    assert np.allclose([*best.w, best.b], [1.0, 2.0, 3.0], atol=1e-5)


def test_another_length_is_refused() -> None:
    with pytest.raises(ShapeMismatch, match=r"\(3,\)"):
        ravel(np.ones(2))[1](np.ones(3))
