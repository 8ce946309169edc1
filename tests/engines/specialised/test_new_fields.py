"""Fields that an object gets after it was made: specialised, or right as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right

X = np.array([0.7, 1.3, 0.4, 1.9])


class Item:
    w: Any = 2.0

    def __init__(self, n: Any) -> None:
        self.n = n

    def put(self, v: Any) -> Any:
        self.w = v
        return self

    def out(self) -> Any:
        return self.w * self.n

    def once(self, v: Any) -> Any:
        if not hasattr(self, "kept"):
            self.kept = v * v
        return self.kept


@dataclass
class Pair:
    a: Any
    b: Any = 1.0


class Stack:
    def __init__(self) -> None:
        self.items: list[Any] = []

    def add(self, item: Any) -> Stack:
        self.items.append(item)
        return self

    def load(self, values: Any) -> None:
        for k, item in enumerate(self.items):
            item.put(values[k])


class Named:
    def __init__(self, n: Any) -> None:
        self.n = n

    @property
    def z(self) -> Any:
        return self.inner * 3

    @z.setter
    def z(self, v: Any) -> None:
        self.inner = v


class Doubling:
    def __init__(self, n: Any) -> None:
        self.n = n

    def __setattr__(self, name: str, v: Any) -> None:
        object.__setattr__(self, name, v * 2 if name == "z" else v)


class Answering:
    def __init__(self, n: Any) -> None:
        self.n = n

    def __getattr__(self, name: str) -> Any:
        return 5.0


def instead_of_the_class_s(x: Any) -> Any:
    a = Item(x[0])
    before = a.w * x[1]
    a.w = x[2]
    return before * a.w * a.out()


def by_a_method(x: Any) -> Any:
    return Item(x[0]).put(x[1]).out() * x[2]


def of_one_in_a_list(x: Any) -> Any:
    every = [Item(x[0]), Item(x[1])]
    every[0].q = x[2]  # type: ignore[attr-defined]
    return every[0].q * every[1].n  # type: ignore[attr-defined]


def of_all_in_a_list(x: Any) -> Any:
    every, k = [Item(x[0]), Item(x[1])], 2
    for item in every:
        item.put(x[k])
        k += 1
    return sum(item.out() for item in every)


def of_a_dataclass(x: Any) -> Any:
    d: Any = Pair(x[0])
    d.c = x[1] * d.a
    d.c = d.c * 2
    return d.c + d.b


def set_by_a_helper(item: Any) -> Any:
    item.k = item.n * 3
    return item


def by_a_helper(x: Any) -> Any:
    a, b = set_by_a_helper(Item(x[0])), set_by_a_helper(Item(x[1]))
    a.k = a.k * b.k
    return a.k + b.k


def a_list_that_grows(x: Any) -> Any:
    a: Any = Item(x[0])
    a.seen = []
    for i in range(3):
        a.seen.append(x[i] * a.n)
    return sum(a.seen)


def in_each_turn(x: Any) -> Any:
    total = 0.0
    for i in range(3):
        a: Any = Item(x[i])
        a.m = x[i + 1]
        total = total + a.m * a.n
    return total


def by_a_setter(x: Any) -> Any:
    a = Named(x[0])
    a.z = x[1]
    return a.z * a.inner * a.n


def put_into_a_stack(x: Any) -> Any:
    stack = Stack()
    stack.add(Item(x[0]))
    stack.add(Item(x[1]))
    stack.load(x[2:])
    return sum(item.out() for item in stack.items)


def put_in_a_chain(x: Any) -> Any:
    stack = Stack().add(Item(x[0])).add(Item(x[1] * x[2]))
    stack.load(x[1:])
    return stack.items[0].out() * stack.items[-1].out()


def in_a_loop(x: Any) -> Any:
    stack = Stack()
    for i in range(3):
        stack.add(Item(x[i]))
    stack.load(x)
    return sum(item.out() for item in stack.items)


SPECIALISED = [
    *(instead_of_the_class_s, by_a_method, of_one_in_a_list, of_all_in_a_list, of_a_dataclass, by_a_helper),
    *(a_list_that_grows, in_each_turn, by_a_setter),
]


@dataclass
class Shelf:
    items: list[Any]
    b: Any


def with_what_was_bound_before(x: Any) -> Any:
    k = x[0]
    shelf = Shelf([], k)
    k = k * 2
    shelf.items.append(Item(x[1]))
    k = k * 3
    shelf.items.append(Item(k))
    return shelf.b * shelf.items[0].n * shelf.items[1].n * k


def with_an_array_that_changes(x: Any) -> Any:
    v = x.copy()
    shelf = Shelf([], v)
    v[0] = x[1] * 2
    shelf.items.append(Item(v[0]))
    v[1] = 5 * x[2]
    shelf.items.append(Item(v[1]))
    return shelf.items[0].n * shelf.items[1].n * np.sum(shelf.b)


STACKS = [put_into_a_stack, put_in_a_chain, with_what_was_bound_before, with_an_array_that_changes]


def class_s_at_first(x: Any) -> Any:
    a, total = Item(x[0]), 0.0
    for i in range(3):
        total = total + a.w
        a.w = x[i]
    return total * a.w


def in_a_branch(x: Any) -> Any:
    a = Item(x[0])
    if x[1] > 1.0:
        a.w = x[1]
    return a.out()


def only_once(x: Any) -> Any:
    a = Item(x[0])
    return a.once(x[1]) * a.once(x[2])


def an_object_in_another(x: Any) -> Any:
    a: Any = Item(x[0])
    a.inner = Item(x[1])
    a.inner.w = x[2]
    return a.inner.out() * a.n


def first_in_a_long_loop(x: Any) -> Any:
    a: Any = Item(x[0])
    h = x[1]
    for _ in range(50):
        a.h = h = np.tanh(h * a.n)
    return a.h * h


def with_deletion(x: Any) -> Any:
    a: Any = Item(x[0])
    a.z = x[1]
    del a.z
    a.z = x[2]
    return a.z


def with_a_setattr(x: Any) -> Any:
    a: Any = Doubling(x[0])
    a.z = x[1]
    return a.z * a.n


def with_a_getattr(x: Any) -> Any:
    a: Any = Answering(x[0])
    before = a.z
    a.z = x[1]
    return before * a.z * a.n


def read_while_it_grows(x: Any) -> Any:
    stack, total = Stack(), 0.0
    for i in range(3):
        stack.add(Item(x[i]))
        total = total + stack.items[-1].n * len(stack.items)
    return total


def of_two_lists(x: Any) -> Any:
    one, two = Stack(), Stack()
    two.items = one.items
    one.add(Item(x[0]))
    two.add(Item(x[1]))
    return sum(item.n * (i + 1) for i, item in enumerate(one.items))


OTHERS = [
    *(class_s_at_first, in_a_branch, only_once, an_object_in_another, first_in_a_long_loop, with_deletion),
    *(with_a_setattr, with_a_getattr, read_while_it_grows),
]
OTHER_STACKS = [in_a_loop, of_two_lists]


@pytest.mark.parametrize("f", SPECIALISED, ids=lambda f: f.__name__)
def test_specialised(f: Any) -> None:
    assert is_right(f, X)
    hold_directions(f, X)


@pytest.mark.parametrize("f", STACKS, ids=lambda f: f.__name__)
def test_lists_that_a_method_fills(f: Any) -> None:
    assert is_right(f, X)


@pytest.mark.parametrize("f", OTHER_STACKS, ids=lambda f: f.__name__)
def test_lists_that_a_method_fills_are_right(f: Any) -> None:
    is_right(f, X)


@pytest.mark.parametrize("f", OTHERS, ids=lambda f: f.__name__)
def test_right_whether_specialised_or_not(f: Any) -> None:
    is_right(f, X)
    hold_directions(f, X)
