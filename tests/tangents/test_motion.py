"""Moving primals along tangents, the tangent between two, and how objects are rebuilt."""

from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

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
    construct,
    difference,
    fields,
    move,
)


class Plain:
    def __init__(self, required: Any) -> None:
        self.w = required
        self.child: Any = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and vars(self) == vars(other)


@dataclass(frozen=True)
class Frozen:
    x: Any
    tag: str = "a"

    def __post_init__(self) -> None:
        if isinstance(self.x, str):
            raise ValueError("never run again")


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x: Any) -> None:
        self.x = x


class Pair(NamedTuple):
    a: Any
    b: Any


class Labelled(list[Any]):
    label = "class"


MOVES = [
    (1.5, 0.5, 2.0),
    (1.5, np.float64(0.5), 2.0),
    (1, 2.0, 3),
    (10**30, 1, 10**30 + 1),
    (1j, 1.0, 1 + 1j),
    (np.float32(1), 0.5, np.float32(1.5)),
    (np.int8(1), 2.0, np.int8(3)),
    (np.ones(2, np.float32), np.ones(2), np.full(2, 2, np.float32)),
    (np.ones(2, int), np.array([1.0, -1.0]), np.array([2, 0])),
    (np.ones(2), IndexedTangent((2,), np.dtype(float), 0, 1.0), np.array([2.0, 1.0])),
    (np.ones(2), Thunk(lambda: np.ones(2)), np.full(2, 2.0)),
    (datetime(2020, 1, 1), timedelta(hours=36), datetime(2020, 1, 2, 12)),
    (date(2020, 1, 1), timedelta(days=1), date(2020, 1, 2)),
    (np.datetime64("2020-01-01"), np.timedelta64(12, "h"), np.datetime64("2020-01-01T12")),
    (Fraction(1, 3), Fraction(1, 3), Fraction(2, 3)),
    (Decimal("0.1"), Decimal("0.2"), Decimal("0.3")),
    (Fraction(1, 3), 0.5, Fraction(5, 6)),
    (Decimal("0.1"), Fraction(1, 2), Decimal("0.6")),
    (datetime(2020, 1, 1), np.timedelta64(36, "h"), datetime(2020, 1, 2, 12)),
    (np.datetime64("2020-01-01"), timedelta(hours=12), np.datetime64("2020-01-01T12:00:00.000000")),
    (np.array("2020-01-01", "M8[D]"), np.timedelta64(1, "D"), np.array("2020-01-02", "M8[D]")),
    (np.float16(1), 0.5, np.float16(1.5)),
    (np.longdouble(1), 0.5, np.longdouble(1.5)),
    (np.array(1, np.complex64), 1j, np.array(1 + 1j, np.complex64)),
    ((1, 2.0, "a"), Composite[tuple](1.0, ZERO, NO_TANGENT), (2, 2.0, "a")),
    ([1.0, 2.0], (1.0, 1.0), [2.0, 3.0]),
    ([1.0, 2.0], ItemTangent(list, 2, 1, 1.0), [1.0, 3.0]),
    ({"a": 1.0, "b": 2.0}, Composite[dict]({"b": 1.0}), {"a": 1.0, "b": 3.0}),
    (Pair(1.0, 2.0), Composite[Pair](b=1.0), Pair(1.0, 3.0)),
    (Frozen(1.0), Composite[Frozen](x=1.0), Frozen(2.0)),
]


@pytest.mark.parametrize(("x", "t", "moved"), MOVES, ids=lambda v: type(v).__name__)
def test_moves_keep_the_kind(x: Any, t: Any, moved: Any) -> None:
    result = move(x, t)
    assert type(result) is type(moved)
    assert getattr(result, "dtype", None) == getattr(moved, "dtype", None)
    assert np.array_equal(result, moved) if isinstance(moved, np.ndarray) else result == moved


@pytest.mark.parametrize("x", ["abc", True, None, 1.0, np.ones(2), (1, 2), Plain(1.0), len])
def test_a_zero_moves_nothing(x: Any) -> None:
    assert move(x, ZERO) is move(x, NO_TANGENT) is x
    assert isinstance(x, bool | str | float) or x is None or move(x, Thunk(lambda: ZERO)) is x


def test_objects_are_rebuilt_without_their_constructor() -> None:
    x = Plain(np.ones(2))
    x.child = Plain(1)
    moved = move(x, Composite[Plain](w=np.ones(2), child=Composite[Plain](w=1.0)))
    assert np.array_equal(moved.w, [2.0, 2.0])
    assert moved.child.w == 2
    assert np.array_equal(x.w, np.ones(2))
    slotted = move(Slotted(1.0), Composite[Slotted](x=1.0))
    assert slotted.x == 2.0
    assert not hasattr(slotted, "y")
    labelled = Labelled([1.0])
    labelled.label = "mine"
    moved = move(labelled, Composite[Labelled](1.0))
    assert (type(moved), moved, moved.label) == (Labelled, [2.0], "mine")
    default = defaultdict(float, a=1.0)
    assert move(default, Composite[defaultdict]({"a": 1.0}))["other"] == 0.0
    assert move(OrderedDict(a=1.0), Composite[OrderedDict]({"a": 1.0})) == OrderedDict(a=2.0)


@pytest.mark.parametrize("form", ["coo", "csr", "csc", "bsr", "dia", "lil", "dok"])
@pytest.mark.parametrize("kind", [float, complex, int, np.float32])
def test_sparse_primals_move_within_their_pattern(form: str, kind: type) -> None:
    b = sp.diags_array([2.0, 0.0, 3.0]).asformat("coo").astype(kind)
    b = sp.coo_array((b.data, b.coords), shape=(3, 3)).asformat(form)
    a = sp.coo_array(np.array([[0.0, 0, 0], [4.0, 0, 0], [0, 0, 1.0]])).astype(kind).asformat(form)
    step = difference(a, b)
    moved = move(b, step)
    assert (step.format, moved.format, moved.dtype) == (form, form, np.dtype(kind))
    assert np.array_equal(moved.toarray(), a.toarray())
    away = move(b, difference(sp.csr_array(b.shape).asformat(form).astype(kind), b))
    assert away.count_nonzero() == 0
    assert away.nnz == b.nnz > 0


def test_sparse_vectors_and_dense_steps() -> None:
    x = sp.coo_array([1.0, 0.0, 2.0])
    assert difference(x, x).nnz == 2
    assert np.array_equal(move(x, np.ones(3)).toarray(), [2.0, 1.0, 3.0])


def test_clocks_of_two_zones() -> None:
    berlin, utc = ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")
    a, b = datetime(2020, 6, 1, tzinfo=utc), datetime(2020, 1, 1, tzinfo=berlin)
    for x, y in ((a, b), (b, a), (datetime(2020, 6, 1, tzinfo=berlin), b)):
        assert move(y, difference(x, y)) == x
    with pytest.raises(ChainRulesError, match="time zone"):
        difference(a, datetime(2020, 1, 1))


def test_masks_stay() -> None:
    moved = move(np.ma.array([1.0, 2.0], mask=[False, True]), np.ones(2))
    assert moved.tolist() == [2.0, None]


@pytest.mark.parametrize(
    ("x", "t", "error", "message"),
    [
        (1, 0.5, ChainRulesError, "integral"),
        (np.ones(2, int), np.array([1.0, 0.5]), ChainRulesError, "integral"),
        (1.0, 1j, ChainRulesError, "real"),
        (np.ones(2), 1j * np.ones(2), ChainRulesError, "real"),
        (date(2020, 1, 1), timedelta(hours=36), ChainRulesError, "whole days"),
        (sp.csr_array([[1, 0]]), sp.csr_array([[0.5, 0.0]]), ChainRulesError, "integral"),
        (sp.csr_array([[1.0, 0]]), sp.csr_array([[1j, 0.0]]), ChainRulesError, "real"),
        (True, 1.0, ChainRulesError, "bool"),
        (np.array([True]), np.ones(1), ChainRulesError, "only Zero"),
        ("a", "b", ChainRulesError, "str"),
        (None, 1.0, ChainRulesError, "NoneType"),
        (np.ones(2), np.ones(1), ShapeMismatch, "shapes"),
        (np.ones(2), 1.0, ShapeMismatch, "shapes"),
        ((1.0, 2.0), Composite[tuple](1.0), ShapeMismatch, "2 items"),
        ((1.0,), Composite[list](1.0), MismatchedPrimalError, "list"),
        (1.0, Composite[tuple](1.0), MismatchedPrimalError, "float"),
        (Frozen(1.0), Composite[Plain](w=1.0), MismatchedPrimalError, "Plain"),
        (Frozen(1.0), Composite[Frozen](norm=1.0), ChainRulesError, "'norm' is no field"),
        (1.0, NotImplementedTangent("here"), MissingDerivativeError, "here"),
    ],
)
def test_moves_that_are_refused(x: Any, t: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        move(x, t)


DIFFERENT = [
    (3.0, 1.0),
    (5, 3),
    (10**30, 1),
    (1 + 1j, 2.0 + 0j),
    (np.array([1, 2], np.uint8), np.array([2, 1], np.uint8)),
    (np.array([1.0, 2.0], np.float32), np.array([0.5, 4.0], np.float32)),
    (np.float32(2), np.float32(1)),
    (datetime(2020, 1, 2), datetime(2019, 1, 1)),
    (date(2020, 1, 2), date(2019, 1, 1)),
    (np.datetime64("2020-01-02"), np.datetime64("2019-01-01")),
    (np.datetime64("2020-01-02T12"), np.datetime64("2019-01-01")),
    (np.array("2020-01-02", "M8[D]"), np.array("2019-01-01", "M8[D]")),
    (timedelta(3), timedelta(1)),
    (np.timedelta64(3, "D"), np.timedelta64(1, "D")),
    (np.array(3.0, np.float32), np.array(1.0, np.float32)),
    (np.array(3), np.array(1)),
    (np.float16(3), np.float16(1)),
    (np.longdouble(3), np.longdouble(1)),
    (np.clongdouble(3j), np.clongdouble(1)),
    (np.array([1 + 2j], np.complex64), np.array([3j], np.complex64)),
    (Fraction(1, 3), Fraction(1, 7)),
    (Decimal("0.1"), Decimal("0.7")),
    ((1.0, "a", [2]), (2.0, "a", [5])),
    ({"a": 1.0, "b": None}, {"a": 3.0, "b": None}),
    (Pair(1.0, True), Pair(2.0, True)),
    (Frozen(1.0), Frozen(0.5)),
]


@pytest.mark.parametrize(("a", "b"), DIFFERENT, ids=lambda v: type(v).__name__)
def test_the_difference_leads_from_one_to_the_other(a: Any, b: Any) -> None:
    moved = move(b, difference(a, b))
    assert type(moved) is type(a)
    assert np.array_equal(moved, a) if isinstance(a, np.ndarray) else moved == a


@pytest.mark.parametrize(
    ("a", "b", "error"),
    [
        (1.0, 1, MismatchedPrimalError),
        (True, False, ChainRulesError),
        ("a", "b", ChainRulesError),
        (np.ones(2), np.ones(3), ShapeMismatch),
        ((1,), (1, 2), ShapeMismatch),
        ({"a": 1}, {"b": 1}, MismatchedPrimalError),
    ],
)
def test_differences_that_are_refused(a: Any, b: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        difference(a, b)


def test_fields_and_construct() -> None:
    assert fields(Pair(1, 2)) == {"a": 1, "b": 2}
    assert fields(Frozen(1.0)) == {"x": 1.0, "tag": "a"}
    assert fields(Slotted(1.0)) == {"x": 1.0}
    assert fields(len) == fields(Plain) == fields(1.0) == fields("a") == {}
    assert construct(Plain, {"w": 1.0, "child": None}) == Plain(1.0)
    assert construct(Frozen, {"x": "a", "tag": "b"}).x == "a"
    assert construct(Pair, {"b": 1.0}, like=Pair(3.0, 4.0)) == Pair(3.0, 1.0)
    assert construct(list, (1, 2)) == [1, 2]
    with pytest.raises(ChainRulesError, match="__copy__"):
        construct(type(iter([])), {"x": 1})


@pytest.mark.parametrize(
    ("x", "t"),
    [
        (np.uint8(250), 10.0),
        (np.array([250], "u1"), np.array([10.0])),
        (np.array([5], "u1"), np.array([-10.0])),
        (np.array([2**62]), np.array([2.0**62])),
        (np.array([1]), np.array([np.inf])),
        (np.array([1]), np.array([np.nan])),
        (np.int64(1), 0.5),
    ],
)
def test_an_integer_does_not_wrap_around(x: Any, t: Any) -> None:
    with pytest.raises(ChainRulesError, match="integral step that its width holds"):
        move(x, t)


def test_wide_integers_keep_their_last_digit() -> None:
    a, b = np.array([2**62 + 1, 0, 200], np.int64), np.array([2**62, -(2**62) - 1, 100], np.int64)
    np.testing.assert_array_equal(difference(a, b), [1.0, 2.0**62, 100.0])
    np.testing.assert_array_equal(move(b[::2], difference(a, b)[::2]), a[::2], strict=True)
    np.testing.assert_array_equal(move(np.array([250, 0], "u1"), np.array([-250.0, 255.0])), [0, 255])
