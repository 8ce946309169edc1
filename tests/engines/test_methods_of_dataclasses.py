"""The methods that Python writes for a dataclass: they set, compare and show its fields."""

import warnings
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import numpy as np
import pytest

import chainrules as cr


@dataclass
class Spring:
    length: float
    stiffness: float = 1.0
    seen: list[Any] = field(default_factory=list)


class Pair(Spring):
    def __init__(self, x):
        super().__init__(x[0], 2.0 * x[1])
        self.seen.append(x[0] * x[1])


@dataclass(frozen=True, order=True)
class Point:
    x: float
    y: float


class Named(Point):
    """Which may have other attributes than its fields."""


def made_by_super(x):
    pair = Pair(x)
    return pair.length * pair.stiffness + pair.seen[0]


def compared(x):
    p, q = Point(x[0], x[1]), Point(x[1], x[0])
    assert p != q and p == replace(q, x=q.y, y=q.x) and p in (q, p) and hash(p) == hash((x[0], x[1]))
    return min(p, q).x * 3.0 + (p < q) * x[1]


def shown(x):
    p = Point(float(x[0]), float(x[1]))
    print(p, [p], f"{p!r:>30}")  # noqa: T201
    return p.x * p.y


def frozen(x):
    p = Named(x[0], x[1])
    try:
        p.x = 1.0  # type: ignore[misc]
    except FrozenInstanceError:
        p.more = x[0] * x[1]  # type: ignore[attr-defined]
    return p.x * p.more  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def no_other_engine():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("f", [made_by_super, compared, shown, frozen])
def test_they_are_no_obstacle(f):
    x = np.array([1.5, 4.0])
    for _ in range(5):
        cr.testing.check_grads(f, x, order=2)
        cr.testing.check_grads(f, x[::-1].copy(), order=1)


def test_what_they_show_is_shown(capsys):
    x = np.array([1.5, 4.0])
    shown(x)
    plain = capsys.readouterr().out
    for _ in range(5):
        assert np.array_equal(cr.grad(shown)(x), x[::-1])
        assert capsys.readouterr().out == plain
