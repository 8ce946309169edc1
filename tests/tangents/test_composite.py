"""`Composite[P]`: its classes, its three layouts, and that a field wins over every name."""

import copy
import gc
import pickle
import types
import weakref
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import plum
import pytest

from chainrules.tangents import (
    NO_TANGENT,
    ZERO,
    ChainRulesError,
    Composite,
    Thunk,
    fields_of,
    from_fields,
    map_fields,
    primal_type,
)


@dataclass
class Point:
    x: Any
    y: Any


as_any: Any = Composite


class Sub(Point):
    pass


class Pair(NamedTuple):
    a: Any
    b: Any


def test_one_class_for_each_primal() -> None:
    assert Composite[Point] is Composite[Point]
    assert issubclass(Composite[Point], Composite)
    assert not issubclass(Composite[Sub], Composite[Point])
    assert primal_type(Composite[Point]()) is Point
    assert repr(Composite[Point](x=2.0, y=ZERO)) == "Composite[Point](x=2.0, y=Zero())"


def test_plum_dispatches_on_it_and_caches() -> None:
    def of_any(t: Composite) -> str:
        return "any"

    def of_points(t: Composite[Point]) -> str:  # type: ignore[type-arg]  # to mypy it is not generic
        return "point"

    kind: Any = plum.Function(of_any)
    for method in (of_any, of_points):
        kind.dispatch(method)
    assert [kind(Composite[P]()) for P in (Point, Sub, tuple)] == ["point", "any", "any"]
    assert all(plum.is_faithful(t) for t in (Composite, Composite[Point]))


def test_a_class_dies_with_its_primal() -> None:
    class Local:
        pass

    tangent = Composite[Local](a=1.0)
    primal, tangents = weakref.ref(Local), weakref.ref(type(tangent))
    del Local, tangent
    gc.collect()
    assert primal() is None
    assert tangents() is None


def test_a_class_of_a_builtin_stays() -> None:
    identity = id(Composite[tuple])
    gc.collect()
    assert id(Composite[tuple]) == identity


@pytest.mark.parametrize(
    "t",
    [
        Composite[Point](x=1.0),
        Composite[tuple](1.0, ZERO),
        Composite[list](),
        Composite[dict]({"a": 1.0, 2: NO_TANGENT}),
        Composite[OrderedDict]({"a": 1.0}),
        Composite[Pair](b=2.0),
        Composite[types.FunctionType](w=1.0),
    ],
    ids=repr,
)
def test_copies_and_pickles(t: Any) -> None:
    for other in (copy.copy(t), copy.deepcopy(t), pickle.loads(pickle.dumps(t))):
        assert type(other) is type(t)
        assert other == t
    for cls in (type(t), Composite):
        assert pickle.loads(pickle.dumps(cls)) is cls
    assert from_fields(primal_type(t), fields_of(t)) == t
    assert map_fields(lambda v: v, t) == t
    with pytest.raises(TypeError, match="unhashable"):
        hash(t)


NAMES = [
    "self",
    "fields",
    "keys",
    "items",
    "values",
    "index",
    "count",
    "_values",
    "P",
    "__init",
    "map_fields",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_field_wins_over_any_name(name: str) -> None:
    assert getattr(Composite[Point](**{name: 1.0}), name) == 1.0
    assert getattr(Composite[Point](), name) is ZERO


def test_missing_fields_are_zeros_and_protocols_are_not() -> None:
    t = Composite[Point](x=1.0)
    assert t.y is t.no_such_field is ZERO
    with pytest.raises(AttributeError):
        t.__array_interface__  # noqa: B018  # a probe of NumPy's
    assert list(t) == ["x"]


def test_it_is_not_written_to() -> None:
    t = Composite[Point](x=1.0)
    with pytest.raises(TypeError, match="build a new one"):
        t.x = 2.0
    with pytest.raises(TypeError, match="build a new one"):
        del t.x


def test_sequences() -> None:
    t = Composite[tuple](1.0, np.ones(2), ZERO)
    assert len(t) == 3
    assert t[0] == t[-3] == 1.0
    assert t[1:][1] is ZERO
    a, *_, c = t
    assert (a, c) == (1.0, ZERO)
    assert Composite[list](1.0, 2.0) == [1.0, 2.0]
    assert Composite[tuple](1.0, 2.0) == (1.0, 2.0)
    assert np.array_equal(np.asarray(Composite[list](1.0, ZERO)), [1.0, 0.0])


def test_dicts() -> None:
    t = Composite[dict]({"a": 1.0, "keys": 2.0})
    assert t["a"] == 1.0
    assert t["missing"] is ZERO
    assert list(t) == list(t.keys()) == ["a", "keys"]
    assert dict(t.items()) == dict(zip(t, t.values(), strict=True)) == t
    assert "a" in t
    assert "missing" not in t


def test_named_tuples_have_both_ways() -> None:
    t = Composite[Pair](b=2.0)
    assert t.a is t[0] is ZERO
    assert t.b == t[1] == t[-1] == 2.0
    assert list(t) == [ZERO, 2.0]
    assert len(t) == 2
    assert t == (0.0, 2.0)
    assert t[:] == (ZERO, 2.0)
    assert from_fields(Pair, [ZERO, 2.0]) == t


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (Composite[Point](x=1.0), Composite[Point](x=1.0, y=ZERO), True),
        (Composite[Point](x=1.0), Composite[Point](x=1.0, y=0.0), True),
        (Composite[Point](x=1.0), Composite[Point](x=1.0, y=np.zeros(3)), True),
        (Composite[Point](x=1.0), Composite[Point](x=1.0, y=Composite[tuple](0.0, ZERO)), True),
        (Composite[Point](x=1.0), Composite[Point](x=1.0, y=1.0), False),
        (Composite[Point](x=1.0), Composite[Point](x=1.0, y=np.array([0.0, 1.0])), False),
        (Composite[Point](x=1.0), Composite[Sub](x=1.0), False),
        (Composite[Point](x=np.ones(2)), Composite[Point](x=np.ones(2)), True),
        (Composite[Point](x=np.ones(2)), Composite[Point](x=np.ones(3)), False),
        (Composite[Point](x=np.ones(2)), Composite[Point](x=Thunk(lambda: np.ones(2))), True),
        (Composite[Point](), ZERO, False),
        (Composite[tuple](1.0), (1.0, 0.0), False),
        (Composite[tuple](np.ones(2)), (np.ones(2),), True),
        (Composite[tuple]((1.0, ZERO)), Composite[tuple](Composite[tuple](1.0, 0.0)), True),
        (Composite[tuple](1.0), {"a": 1.0}, False),
        (Composite[tuple](1.0), 1.0, False),
        (Composite[dict]({"a": 1.0}), {"a": 1.0, "b": 0.0}, True),
        (Composite[dict]({"a": 1.0}), {"a": 2.0}, False),
        (Composite[Point](x=1.0), {"x": 1.0}, False),
    ],
)
def test_equality(a: Any, b: Any, equal: bool) -> None:
    assert (a == b) is equal
    assert (b == a) is equal
    assert (a != b) is not equal


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Composite(x=1.0), "type of its primal"),
        (lambda: as_any[3], "class of a primal"),
        (lambda: as_any[Point][Point], "class of a primal"),
        (lambda: Composite[Point](1.0), "positional"),
        (lambda: Composite[tuple](a=1.0), "keyword"),
        (lambda: Composite[Point](x=1.0) * Composite[Point](x=1.0), "unsupported operand"),
        (lambda: np.ones(2) * Composite[Point](x=1.0), "unsupported operand"),
    ],
)
def test_misuse(make: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


def test_it_is_no_array() -> None:
    for t in (Composite[Point](x=1.0), Composite[dict]({"a": 1.0})):
        with pytest.raises(ChainRulesError, match="ravel"):
            np.asarray(t)


def test_operators() -> None:
    t = Composite[Point](x=1.0, y=Composite[tuple](2.0, ZERO))
    assert 2 * t == t + t == t * np.float64(2) == t / 0.5
    assert t - t == Composite[Point]()
    assert -t == Composite[Point](x=-1.0, y=(-2.0, ZERO))
    assert +t is t
