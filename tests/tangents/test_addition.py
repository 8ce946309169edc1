"""`add`: the whole precedence table, mixed kinds, structures, overloads, and what is refused."""

import gc
import operator
import weakref
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
    Composite,
    IndexedTangent,
    InplaceableThunk,
    ItemTangent,
    MismatchedPrimalError,
    NotImplementedTangent,
    ShapeMismatch,
    Thunk,
    add,
    same_values,
    scale,
)


@dataclass
class Point:
    x: Any
    y: Any


class Sub(Point):
    pass


class Pair(NamedTuple):
    a: Any
    b: Any


def indexed(index: Any, values: Any, n: int = 3) -> IndexedTangent:
    return IndexedTangent((n,), np.dtype(float), index, values)


# every kind, as a tangent of one vector of three; value None: there is no number
ONES = np.ones(3)
UNKNOWN = NotImplementedTangent("in a test")
KINDS: dict[str, tuple[Any, Any]] = {
    "NotImplementedTangent": (UNKNOWN, None),
    "NoTangent": (NO_TANGENT, np.zeros(3)),
    "Zero": (ZERO, np.zeros(3)),
    "Thunk": (Thunk(lambda: 2 * ONES), 2 * ONES),
    "InplaceableThunk": (
        InplaceableThunk(lambda acc: np.add(acc, 4.0, out=acc), lambda: 4 * ONES),
        4 * ONES,
    ),
    "ndarray": (np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])),
    "complex ndarray": (1j * ONES, 1j * ONES),
    "indexed": (indexed(1, 5.0), np.array([0.0, 5.0, 0.0])),
    "sparse": (sp.coo_array(np.array([0.0, 0.0, 7.0])), np.array([0.0, 0.0, 7.0])),
}
SPECIAL = {"Zero": ZERO, "NoTangent": NO_TANGENT, "NotImplementedTangent": UNKNOWN}
PAIRS = [(a, b) for a in KINDS for b in KINDS]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_the_precedence_table(left: str, right: str) -> None:
    a, b = KINDS[left][0], KINDS[right][0]
    total = add(a, b)
    for special in ("NotImplementedTangent", "Zero"):  # a NoTangent gives way to all but a Zero
        if special == left and special == "NotImplementedTangent":
            assert total is a
            return
        if special == right and special == "NotImplementedTangent":
            assert total is b
            return
    if left in SPECIAL and right in SPECIAL:
        assert total is (NO_TANGENT if "NoTangent" in (left, right) else ZERO)
    elif left in SPECIAL:
        assert total is b
    elif right in SPECIAL:
        assert total is a
    else:
        assert same_values(total, KINDS[left][1] + KINDS[right][1])


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_the_operator_agrees_with_add(left: str, right: str) -> None:
    a, b = KINDS[left][0], KINDS[right][0]
    if left in ("ndarray", "complex ndarray", "sparse") and right not in SPECIAL:
        a = IndexedTangent((3,), np.dtype(complex), slice(None), KINDS[left][1])  # NumPy's own + is not ours
    total, expected = a + b, add(a, b)
    assert total is expected or same_values(total, expected)


NATURAL = [
    1.5,
    2,
    1j,
    np.float32(2),
    np.ones(3),
    np.ones((2, 2), np.float32),
    np.array(1.0),
    timedelta(days=1),
    np.timedelta64(10**6, "D"),
    Fraction(1, 3),
    Decimal("0.1"),
    datetime(2020, 1, 1),
    date(2020, 1, 1),
    (1.0, 2.0),
    [1.0],
    {"a": 1.0},
    Pair(1.0, 2.0),
    "text",
    sp.csr_array(np.eye(2)),
    sp.coo_array(np.eye(2)),
    sp.csr_matrix(np.eye(2)),
    sp.lil_array(np.eye(2)),
    Point(1.0, 2.0),
    Composite[tuple](1.0),
]


@pytest.mark.parametrize("t", NATURAL, ids=lambda t: type(t).__name__)
def test_zero_gives_back_the_same_object(t: Any) -> None:
    for total in (t + ZERO, ZERO + t, add(t, ZERO), add(ZERO, t)):  # both sides, operator and function
        assert total is t


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (2.0, 3.0, 5.0),
        (2, 3.0, 5.0),
        (np.float64(2), 3.0, 5.0),
        (np.array(2.0), 3.0, 5.0),
        (1j, 3.0, 3 + 1j),
        (timedelta(days=1), timedelta(hours=12), timedelta(hours=36)),
        (datetime(2020, 1, 1), timedelta(hours=36), datetime(2020, 1, 2, 12)),
        (timedelta(hours=36), datetime(2020, 1, 1), datetime(2020, 1, 2, 12)),
        (Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)),
        (Decimal("0.1"), Decimal("0.2"), Decimal("0.3")),
        ((1, 2), (3, 4), (4, 6)),
        ([1.0, [2.0]], [3.0, [4.0]], [4.0, [6.0]]),
        ({"a": 1.0, "b": 2.0}, {"b": 3.0, "c": 4.0}, {"a": 1.0, "b": 5.0, "c": 4.0}),
        (Pair(1.0, ZERO), Pair(2.0, 3.0), Pair(3.0, 3.0)),
        (Composite[tuple](1.0, ZERO), Composite[tuple](2.0, 5.0), Composite[tuple](3.0, 5.0)),
        (Composite[Point](x=1.0), Composite[Point](y=2.0), Composite[Point](x=1.0, y=2.0)),
        (Composite[dict]({"a": 1.0}), Composite[dict]({"a": 2.0, "b": 1.0}), {"a": 3.0, "b": 1.0}),
        (Composite[Pair](a=1.0), Composite[Pair](a=1.0, b=2.0), Composite[Pair](a=2.0, b=2.0)),
        (Composite[list](np.ones(2)), Composite[list](np.ones(2)), Composite[list](2 * np.ones(2))),
        (ItemTangent(list, 3, 0, 1.0), ItemTangent(list, 3, 2, 5.0), Composite[list](1.0, ZERO, 5.0)),
        (ItemTangent(list, 2, 0, 1.0), Composite[list](1.0, 1.0), Composite[list](2.0, 1.0)),
        (ItemTangent(Pair, 2, 0, 1.0), Composite[Pair](b=1.0), Composite[Pair](a=1.0, b=1.0)),
        ((1.0, 2.0), Composite[tuple](3.0, ZERO), (4.0, 2.0)),
        ({"a": 1.0}, Composite[dict]({"a": 2.0}), {"a": 3.0}),
        (Point(1, 2), Composite[Point](x=1.0), Point(2, 2)),
        (Composite[Point](x=1.0), Point(1, 2), Point(2, 2)),
    ],
)
def test_sums(a: Any, b: Any, expected: Any) -> None:
    total = add(a, b)
    assert type(total) is type(expected) or isinstance(expected, dict | float)
    assert total == expected


def test_plain_containers_keep_their_own_operator() -> None:
    assert operator.add((1, 2), (3, 4)) == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        (np.ones(3), np.ones((1, 3)), ShapeMismatch, r"\(3,\) and \(1, 3\)"),
        (np.ones(3), 1.0, ShapeMismatch, r"\(3,\) and \(\)"),
        (np.ones(3), np.ones(1), ShapeMismatch, "broadcast"),
        (indexed(0, 1.0, 4), np.ones(3), ShapeMismatch, r"\(4,\) and \(3,\)"),
        (indexed(0, 1.0, 4), indexed(0, 1.0), ShapeMismatch, r"\(4,\) and \(3,\)"),
        (sp.coo_array(np.ones((1, 3))), np.ones(3), ShapeMismatch, r"\(1, 3\) and \(3,\)"),
        ((1, 2), (1, 2, 3), ShapeMismatch, "2 and 3 items"),
        (Composite[tuple](1.0), Composite[tuple](1.0, 2.0), ShapeMismatch, "1 and 2 items"),
        ((1, 2), [1, 2], MismatchedPrimalError, "tuple and list"),
        ("a", "b", MismatchedPrimalError, "str and str"),
        (True, True, MismatchedPrimalError, "bool and bool"),
        (np.array([True]), np.array([True]), MismatchedPrimalError, "ndarray and ndarray"),
        (1.0, "a", MismatchedPrimalError, "float and str"),
        (object(), object(), MismatchedPrimalError, "object and object"),
        (datetime(2020, 1, 1), datetime(2020, 1, 1), MismatchedPrimalError, "datetime and datetime"),
        (Composite[Point](x=1.0), Composite[Pair](a=1.0), MismatchedPrimalError, r"\[Point\].*\[Pair\]"),
        (Composite[Point](x=1.0), Composite[Sub](x=1.0), MismatchedPrimalError, r"\[Point\].*\[Sub\]"),
        (Sub(1, 2), Composite[Point](x=1.0), MismatchedPrimalError, r"Sub and .*\[Point\]"),
        (Composite[Point](x=1.0), 1.0, MismatchedPrimalError, r"float and .*\[Point\]"),
    ],
)
def test_refusals_name_both_sides(a: Any, b: Any, error: type[Exception], message: str) -> None:
    for left, right in ((a, b), (b, a)):
        with pytest.raises(error) as raised:
            add(left, right)
        assert "next:" in str(raised.value)
    with pytest.raises(error, match=message):
        add(a, b)


def test_indexed_and_sparse_sums_stay_sparse_up_to_the_threshold() -> None:
    few = add(indexed(3, 1.0, 10**6), indexed(7, 2.0, 10**6))
    assert isinstance(few, IndexedTangent)
    assert few.nnz == 2
    total: Any = ZERO
    for i in range(5):
        total = add(total, indexed(i, 1.0, 5))
    assert type(total) is np.ndarray
    assert np.array_equal(total, np.ones(5))
    thin = sp.coo_array(([1.0], ([0], [0])), shape=(10, 10))
    assert sp.issparse(add(thin, thin.tocsr()))
    assert type(add(sp.coo_array(np.eye(2)), sp.coo_array(np.eye(2)))) is np.ndarray
    assert type(add(sp.csr_matrix(np.eye(2)), np.ones((2, 2)))) is np.ndarray
    assert sp.issparse(add(indexed(3, 1.0, 100), sp.coo_array(np.eye(1, 100)[0])))


def test_zero_does_not_force_a_thunk() -> None:
    thunk = Thunk(lambda: pytest.fail("forced"))
    for zero in (ZERO, NO_TANGENT):
        assert zero + thunk is thunk
        assert thunk + zero is thunk
        assert add(zero, thunk) is add(thunk, zero) is thunk


def test_a_users_overload_is_used_for_its_primal_only() -> None:
    class Mine:
        pass

    @add.dispatch
    def add_mine(a: Composite[Mine], b: Composite[Mine]) -> Any:  # type: ignore[type-arg]  # to mypy not generic
        return "mine"

    assert add(Composite[Mine](), Composite[Mine]()) == "mine"
    assert Composite[Mine]() + Composite[Mine]() == "mine"
    assert add(Composite[Mine](), ZERO) == Composite[Mine]()
    assert add(Composite[Point](x=1.0), Composite[Point](x=1.0)) == Composite[Point](x=2.0)
    with pytest.raises(MismatchedPrimalError):
        add(Composite[Mine](), Composite[Point]())


def test_a_new_tangent_class_adds_with_everything() -> None:
    class Constant:
        def __init__(self, value: float) -> None:
            self.value = value

    @add.dispatch
    def add_constant(a: Constant, b: np.ndarray) -> Any:
        return a.value + b

    @add.dispatch
    def add_constant_to_any(a: Constant, b: object) -> Any:
        return ("any", b)

    assert np.array_equal(add(Constant(2.0), np.ones(2)), [3.0, 3.0])
    assert add(Constant(2.0), Composite[Point](x=1.0)) == ("any", Composite[Point](x=1.0))
    assert add(ZERO, t := Constant(1.0)) is t


def test_sums_do_not_keep_a_primal_alive() -> None:
    class Local:
        pass

    add(Composite[Local](a=1.0), Composite[Local](a=2.0))
    add(Local(), Composite[Local]())
    with pytest.raises(MismatchedPrimalError):
        add(Composite[Local](), 1.0)
    primal, tangents = weakref.ref(Local), weakref.ref(Composite[Local])
    del Local
    gc.collect()
    assert primal() is None
    assert tangents() is None


def test_integers_of_a_fixed_width_do_not_wrap_around() -> None:
    small = np.array([200], "u1")
    scalar = np.uint8(200)
    for total in (add(small, small), add(scalar, scalar), add(small, np.array([200.0])), scale(2, small)):
        assert np.asarray(total).dtype == float
        assert np.all(total == 400.0)
    assert add(2**62, 2**62) == 2**63
