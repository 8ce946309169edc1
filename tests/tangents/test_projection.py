"""`project_to`: precision, realness, shape, kind and structure, for every kind of tangent."""

import math
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
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
    InplaceableThunk,
    MismatchedPrimalError,
    NotImplementedTangent,
    ShapeMismatch,
    Thunk,
    accumulate,
    project_to,
    same_values,
    sparse_policy,
    unthunk,
)


@dataclass
class Model:
    w: Any
    n: int = 1
    name: str = "model"


class Pair(NamedTuple):
    a: Any
    b: Any


F32 = np.ones(2, np.float32)


@pytest.mark.parametrize(
    ("x", "t", "expected"),
    [
        (1.0, 2.0, 2.0),
        (1.0, np.float32(2), 2.0),
        (1.0, 2 + 1j, 2.0),
        (1.0, np.array(2.0), 2.0),
        (1.0, np.array([[2.0]]), 2.0),
        (1, 2.5, 2.5),
        (1, 2, 2.0),
        (1j, 2.0, 2 + 0j),
        (np.float32(1), 2.0, np.float32(2)),
        (np.float64(1), 2, np.float64(2)),
        (np.int32(1), 2.5, np.float64(2.5)),
        (np.complex64(1), 2.0, np.complex64(2)),
        (F32, np.array([1.0, 2.0]), np.array([1, 2], np.float32)),
        (F32, np.array([1, 2]), np.array([1, 2], np.float32)),
        (F32, np.array([1j, 2.0]), np.array([0, 2], np.float32)),
        (np.ones(2, int), np.array([0.5, 1.0]), np.array([0.5, 1.0])),
        (np.ones(2, complex), np.array([1.0, 2.0]), np.array([1.0, 2.0], complex)),
        (np.array(1.0), 2.0, np.array(2.0)),
        (np.ones((1, 2)), np.array([1.0, 2.0]), np.array([[1.0, 2.0]])),
        (np.ones((2, 1)), np.array([1.0, 2.0]), np.array([[1.0], [2.0]])),
        (np.ones(2), np.ones((1, 2, 1)), np.ones(2)),
        (np.array(["2020-01-01"], "M8[D]"), np.array([12], "m8[h]"), np.array([12], "m8[h]")),
        (datetime(2020, 1, 1), timedelta(1), timedelta(1)),
        (True, 2.0, NO_TANGENT),
        (np.array([True]), np.ones(1), NO_TANGENT),
        ("a", 2.0, NO_TANGENT),
        (None, ZERO, NO_TANGENT),
    ],
)
def test_numbers(x: Any, t: Any, expected: Any) -> None:
    projected = project_to(x)(t)
    assert type(projected) is type(expected)
    assert getattr(projected, "dtype", None) == getattr(expected, "dtype", None)
    assert np.array_equal(projected, expected) if isinstance(expected, np.ndarray) else projected == expected


def test_what_fits_passes_untouched() -> None:
    t = np.ones(2)
    assert project_to(np.ones(2))(t) is t
    for x in (1.0, np.ones(2), (1.0,), Model(1.0), datetime(2020, 1, 1), sp.coo_array(np.eye(2))):
        project = project_to(x)
        missing = NotImplementedTangent("in a test")
        assert project(ZERO) is ZERO
        assert project(NO_TANGENT) is NO_TANGENT
        assert project(missing) is missing


@pytest.mark.parametrize(
    ("x", "t"),
    [
        (np.ones(3), np.ones(4)),
        (np.ones((3, 1)), np.ones((1, 3))),
        (np.ones((2, 3)), np.ones((3, 2))),
        (np.ones((1, 3)), np.ones((3, 1))),
        (np.ones((2, 1, 3)), np.ones((2, 3))),
        (np.ones(3), 1.0),
        (1.0, np.ones(2)),
        (np.ones(3), IndexedTangent((4,), np.dtype(float), 0, 1.0)),
        (np.ones(3), sp.coo_array(np.ones((3, 3)))),
        ((1.0, 2.0), (1.0,)),
        ([1.0, 2.0], Composite[list](1.0)),
        (sp.coo_array(np.eye(2)), np.ones((3, 3))),
    ],
)
def test_shapes_are_enforced(x: Any, t: Any) -> None:
    with pytest.raises(ShapeMismatch):
        project_to(x)(t)


@pytest.mark.parametrize(
    ("x", "t"),
    [
        (1.0, "a"),
        (1.0, True),
        (1.0, None),
        (1.0, Composite[tuple](1.0)),
        (1.0, np.array([True])),
        (np.ones(2), np.array(["a", "b"])),
        (np.ones(1), np.array([1], "m8[D]")),
        (datetime(2020, 1, 1), 1j),
        (np.ones(1, "m8[D]"), np.array([1j])),
        ((1.0,), 1.0),
        ((1.0,), {"a": 1.0}),
        (Model(1.0), Composite[Pair](a=1.0)),
        (Model(1.0), {"w": 1.0}),
        ({"a": 1.0}, Composite[Model](w=1.0)),
    ],
)
def test_kinds_are_enforced(x: Any, t: Any) -> None:
    with pytest.raises(MismatchedPrimalError):
        project_to(x)(t)


def test_structures() -> None:
    projected = project_to((np.float32(1), [1.0, "a"]))((2.0, Composite[list](1 + 1j, 3.0)))
    assert type(projected) is Composite[tuple]
    assert type(projected[0]) is np.float32
    assert list(projected[1]) == [1.0, NO_TANGENT]
    model = project_to(Model(F32))(Composite[Model](w=np.ones(2), name=1.0, norm=2 + 1j))
    assert model.w.dtype == np.float32
    assert model.name is NO_TANGENT
    assert model.n is ZERO
    assert model.norm == 2 + 1j
    assert project_to({"a": 1.0})({"a": 1 + 1j}) == Composite[dict]({"a": 1.0})
    assert project_to(Pair(1.0, "a"))(Composite[Pair](a=1j)) == Composite[Pair](a=0.0)
    assert project_to([1.0] * 3)([1j, 2.0, ZERO]) == [0.0, 2.0, ZERO]
    entries = project_to(np.array([1.0, "a"], object))(np.array([1j, 2.0], object))
    assert list(entries) == [0.0, NO_TANGENT]


def test_functions_keep_what_they_captured() -> None:
    t = Composite[type(test_structures)](w=1.0)
    assert project_to(test_structures)(t) == t
    assert project_to(math.sin)(1.0) is NO_TANGENT


def test_light_tangents_stay_light() -> None:
    t = IndexedTangent((2,), np.dtype(float), 0, 2.0)
    assert project_to(np.ones(2))(t) is t
    single = project_to(F32)(t)
    assert isinstance(single, IndexedTangent)
    assert single.dtype == single.dense().dtype == np.float32
    coo = project_to(np.ones((2, 2), np.float32))(sp.coo_array(1j * np.eye(2)))
    assert sp.issparse(coo)
    assert coo.dtype == np.float32


def test_thunks_are_projected_when_forced() -> None:
    calls = []
    thunk = project_to(F32)(Thunk(lambda: calls.append(1) or np.ones(2)))  # type: ignore[func-returns-value]  # None
    assert not calls
    assert unthunk(thunk).dtype == np.float32
    inplace = project_to(F32)(InplaceableThunk(lambda acc: np.add(acc, 1.0, out=acc), lambda: np.ones(2)))
    assert isinstance(inplace, InplaceableThunk)
    assert unthunk(inplace).dtype == np.float32
    acc = np.zeros(2, np.float32)
    assert accumulate(acc, inplace) is acc


@pytest.mark.parametrize("form", ["coo", "csr", "csc"])
def test_a_sparse_primal_keeps_its_pattern(form: str) -> None:
    x = sp.coo_array(np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]], np.float32)).asformat(form)
    dense = np.arange(6.0).reshape(2, 3) + 1j
    expected = np.array([[0.0, 0.0, 2.0], [0.0, 0.0, 5.0]])
    index = (slice(None), slice(1, 3))
    light = IndexedTangent((2, 3), np.dtype(complex), index, dense[index])
    for t in (dense, sp.csr_array(dense), sp.coo_array(dense), light):
        projected = project_to(x)(t)
        assert (projected.format, projected.dtype, projected.nnz) == (form, np.float32, 3)
        assert np.array_equal(projected.toarray(), expected)


def test_the_projector_does_not_keep_the_primal() -> None:
    for x in (np.ones(1000), [np.ones(1000)], Model(np.ones(1000)), sp.csr_array(np.eye(30))):
        before = sys.getrefcount(x)
        project = project_to(x)
        assert sys.getrefcount(x) == before
        assert callable(project)


def test_projected_zero_fields() -> None:
    assert same_values(project_to((1.0, 2.0))(Composite[tuple](ZERO, 1.0)), (0.0, 1.0))


@pytest.mark.parametrize(
    ("x", "t", "expected"),
    [
        (Fraction(1, 3), 0.25, Fraction(1, 4)),
        (Fraction(1, 3), np.array(0.5), Fraction(1, 2)),
        (Fraction(1, 3), 2 + 1j, Fraction(2)),
        (Decimal(1), Fraction(1, 4), Decimal("0.25")),
        (Decimal(1), np.float64(0.5), Decimal("0.5")),
        (datetime(2020, 1, 1), np.timedelta64(36, "h"), timedelta(days=1.5)),
        (np.datetime64("2020-01-01"), timedelta(1), np.timedelta64(1, "D")),
        (np.array("2020-01-01", "M8[D]"), np.timedelta64(1, "D"), np.array(1, "m8[D]")),
    ],
)
def test_exact_numbers_and_times(x: Any, t: Any, expected: Any) -> None:
    projected = project_to(x)(t)
    assert type(projected) is type(expected)
    assert projected == expected


@pytest.mark.parametrize(
    ("x", "t"),
    [(Fraction(1), "a"), (Decimal(1), True), (Fraction(1), np.ones(2)), (datetime(2020, 1, 1), True)],
)
def test_what_is_neither_exact_nor_a_time(x: Any, t: Any) -> None:
    with pytest.raises(MismatchedPrimalError):
        project_to(x)(t)


def test_the_policy_for_what_a_sparse_primal_does_not_store() -> None:
    x, full = sp.csr_array(np.diag([1.0, 2.0])), np.array([[1.0, 2.0], [3.0, 4.0]])
    kept = project_to(x)
    with sparse_policy("free"):
        free = project_to(x)
        with sparse_policy("pattern"):
            assert project_to(x)(full).nnz == 2
        assert np.array_equal(project_to(x)(full), full)
    assert np.array_equal(kept(full).toarray(), np.diag([1.0, 4.0]))
    assert np.array_equal(free(full), full)
    assert sp.issparse(free(sp.coo_array(full)))
    assert project_to(x)(full).nnz == 2
    with pytest.raises(ValueError, match="'pattern' or 'free'"), sparse_policy("other"):  # type: ignore[arg-type]  # refused
        pass


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.coo_matrix, sp.csc_array, sp.lil_matrix])
def test_a_sparse_primal_keeps_its_class(kind: type) -> None:
    assert type(project_to(kind(np.eye(2)))(np.ones((2, 2)))) is kind
