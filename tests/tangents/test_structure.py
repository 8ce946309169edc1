"""Taking objects apart and putting them together; what has no end is refused by name."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest

from chainrules.tangents import (
    ChainRulesError,
    Composite,
    canonicalize,
    difference,
    inner,
    materialize,
    move,
    project_to,
    ravel,
    zero_tangent,
)


@attrs.define
class Slotted:
    a: Any
    b: Any = 2.0


@attrs.frozen
class Frozen:
    a: Any
    b: Any = 2.0


class Base:
    __slots__ = ("__hidden", "a")

    b: Any

    def __init__(self, a: Any, b: Any = 2.0) -> None:
        self.a = a
        object.__setattr__(self, "b", b)  # where the subclasses keep it
        self.__hidden = "x"


class Inherits(Base):
    __slots__ = ("b",)


class Mixed(Base):
    """Slots below, and a `__dict__` above them."""


class Pair(NamedTuple):
    a: Any
    b: Any = 2.0


@dataclass(slots=True)
class Data:
    a: Any
    b: Any = field(init=False, default=2.0)


class Plain:
    shared = 7.0

    def __init__(self, a: Any, b: Any = 2.0) -> None:
        self.a, self.b = a, b


@pytest.mark.parametrize("P", [Slotted, Frozen, Inherits, Mixed, Pair, Data, Plain])
def test_every_class_is_taken_apart_and_rebuilt(P: Any) -> None:
    x = P((1.0, np.ones(2)))
    zero = zero_tangent(x)
    assert zero == Composite[P](a=(0.0, np.zeros(2)), b=0.0)
    moved = move(x, Composite[P](b=1.0))
    assert (type(moved), moved.b, x.b) == (P, 3.0, 2.0)
    assert moved.a is x.a
    step = difference(moved, x)
    assert inner(step, step) == 1.0
    assert materialize(Composite[P](b=1.0), like=x) == canonicalize(step, like=x) == step
    assert project_to(x)(Composite[P](b=1j)) == Composite[P](b=0.0)
    vector, unravel = ravel(x)
    assert vector.tolist() == [1.0, 1.0, 1.0, 2.0]
    assert unravel(vector + 1).b == 3.0


class Node:
    def __init__(self, value: float, parent: Any = None) -> None:
        self.value, self.parent = value, parent
        self.children: list[Any] = []


def family() -> Node:
    root = Node(1.0)
    root.children.append(Node(2.0, root))
    return root


def endless_list() -> list[Any]:
    x: list[Any] = [1.0]
    x.append({"key": x})
    return x


WALKS = {
    "zero_tangent": zero_tangent,
    "difference": lambda x: difference(x, x),
    "project_to": project_to,
    "ravel": ravel,
    "materialize": lambda x: materialize(Composite[type(x)](), x) if isinstance(x, Node) else zero_tangent(x),
}


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
@pytest.mark.parametrize(
    ("make", "way"), [(family, r"x(\.children)?\[0\]\.parent"), (endless_list, r"stores itself: x\[")]
)
def test_what_stores_itself_is_refused_by_name(walk: Any, make: Any, way: str) -> None:
    with pytest.raises(ChainRulesError, match=way):
        walk(make())


def test_what_goes_too_deep_is_refused_by_name() -> None:
    chain: Any = 1.0
    for _ in range(20_000):
        chain = [chain]
    with pytest.raises(ChainRulesError, match="nested deeper"):
        zero_tangent(chain)
    while isinstance(chain, list):  # taken down from the top, or Python would go down it too
        chain = chain.pop()


def test_what_is_stored_twice_is_no_cycle() -> None:
    shared = [1.0]
    assert ravel((shared, shared))[0].tolist() == [1.0, 1.0]
