"""Dataclasses that go on to `__post_init__`: what that changes is seen by whoever gave it."""

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import Any

import numpy as np
import pytest

from chainrules.testing import check_grads

AT = np.array([0.7, 1.3, -0.4])


@dataclass
class Appending:
    a: Any
    items: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.items.append(self.a)


@dataclass
class Writing:
    held: Any
    k: InitVar[Any] = 2.0
    given: Any = field(default=1.0, kw_only=True)
    found: Any = field(init=False, default_factory=dict)

    def __post_init__(self, k: Any) -> None:
        self.held[0] = self.held[1] * k
        self.found["v"] = self.held[0] * self.given


@dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any = 3.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", self.a * self.b)


@dataclass
class Below(Appending):
    b: Any = 1.5

    def __post_init__(self) -> None:
        super().__post_init__()
        self.items.append(self.b * self.a)


@dataclass(slots=True)
class Slotted:
    a: Any
    found: Any = field(init=False, default=0.5)
    items: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.found = self.a * self.found
        self.items.append(self.found)


def one_with_slots(x: Any) -> Any:
    items = [x[1]]
    made, other = Slotted(x[0]), Slotted(x[2], items)
    return made.found * items[1] + other.a * items[0]


def a_list_of_its_own(x: Any) -> Any:
    return Appending(x[0]).items[0] * x[1]


def a_list_that_was_given(x: Any) -> Any:
    items = [x[2]]
    Appending(x[0], items)
    return items[0] * items[1]


def a_list_that_grows_afterwards(x: Any) -> Any:
    items = [x[2]]
    made = Appending(x[0], items)
    items.append(x[1])
    return made.items[0] * made.items[1] * made.items[2]


def an_array_that_was_given(x: Any) -> Any:
    a = x * 1.0
    made = Writing(a, x[2], given=x[1])
    return made.found["v"] * a[0]


def a_frozen_one(x: Any) -> Any:
    made: Any = Frozen(x[0], b=x[1])
    return made.c * made.a


def one_below_another(x: Any) -> Any:
    items = [x[2]]
    Below(x[0], items, x[1])
    return items[0] * items[1] * items[2]


def in_turns(x: Any) -> Any:
    items = [x[2]]
    for i in range(3):
        Appending(x[i] * items[-1], items)
    return sum(items) * items[2]


PROGRAMS = [
    *(a_list_of_its_own, a_list_that_was_given, a_list_that_grows_afterwards, an_array_that_was_given),
    *(a_frozen_one, one_below_another, in_turns, one_with_slots),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_both_modes_and_orders_agree_with_differences(f: Callable[[Any], Any]) -> None:
    check_grads(f, AT)
