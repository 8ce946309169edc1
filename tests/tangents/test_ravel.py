"""`ravel`: every number once, back with its type, and linear."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp

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
    (datetime(2020, 1, 1), []),
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


def test_another_length_is_refused() -> None:
    with pytest.raises(ShapeMismatch, match=r"\(3,\)"):
        ravel(np.ones(2))[1](np.ones(3))
