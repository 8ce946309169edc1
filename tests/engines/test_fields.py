"""The dict of an object's fields, descriptors, and classes that can be gone through, in both modes."""

import functools
from dataclasses import asdict, astuple, dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

from chainrules.testing import check_grads

table = Table()
X = np.array([0.7, 1.3, 2.1])


class Model:
    defaults: ClassVar = {"scale": 2.0}

    def __init__(self, **given):
        self.__dict__.update(self.defaults)
        vars(self).update(given, twice=given["a"] * 2.0)
        self.__dict__["shift"] = given["a"] * given["b"]

    def total(self):
        return sum(v * v for name, v in self.__dict__.items() if name in vars(self))


@table(X)
def fields_by_name(x):
    m = Model(a=x[0], b=x[1])
    copied = dict(m.__dict__) | {"a": x[2]}
    other = SimpleNamespace(**vars(m), c=x[2])
    other.__dict__.update({**m.__dict__, "b": m.__dict__["a"] * other.c})
    s = sum(vars(other)[n] for n in sorted(vars(other))) + len(vars(m)) * m.__dict__.get("b", 0.0)
    return m.total() * copied["a"] * s + m.__dict__.copy()["shift"]


class Ends(NamedTuple):
    first: float
    others: list[float]


@dataclass
class Beam:
    ends: Ends
    loads: dict[str, Any]


@dataclass
class Frame:
    beams: list[Beam]
    height: float


@table(X)
def dataclasses_as_dicts_and_tuples(x):
    frame = Frame([Beam(Ends(x[0], [x[1] * x[2]]), {"wind": x * x[0]})], x[2])
    made, listed = asdict(frame), astuple(frame)
    made["beams"][0]["loads"]["wind"][1] *= x[2]
    made["beams"][0]["ends"].others[0] *= 2.0
    wind = made["beams"][0]["loads"]["wind"] * frame.beams[0].loads["wind"]
    return np.sum(wind) * listed[0][0][0].others[0] * made["beams"][0]["ends"].others[0] * listed[1]


class Doubled:
    def __init__(self, function):
        self.function = function

    def __get__(self, owner, cls):
        return self if owner is None else 2.0 * self.function(owner)


class Squares:
    def __init__(self, side):
        self.side = side

    @Doubled
    def area(self):
        return self.side**2


@table(X)
def read_by_a_descriptor(x):
    s = Squares(x[0])
    area = s.area
    s.side = x[1] * area
    return s.area * area


@functools.total_ordering
class Pair:
    def __init__(self, p, q):
        self.p, self.q = p, q

    def __iter__(self):
        yield self.p
        yield self.q

    def __add__(self, other):
        return Pair(self.p + other.p, self.q * other.q)

    def __eq__(self, other):
        return self.q == other.q

    def __lt__(self, other):
        return self.q < other.q

    def __hash__(self):
        return id(self)


@table(X)
def compared_and_added_as_they_are(x):
    a, b = Pair(x[2], x[0]), Pair(x[1], x[2])
    s = sum([a, b], Pair(x[0], 1.0))
    r = functools.reduce(lambda u, v: u + v, [a, b], Pair(0.0, x[1]))
    return max(a, b).p * min(a, b).p + s.p * s.q + r.p * r.q + max(a) * sum(b)


class Deck:
    def __init__(self, cards):
        self.cards = cards

    def __len__(self):
        return len(self.cards)

    def __getitem__(self, i):
        return self.cards[i] * 2.0


class Shuffled(Deck):
    def __reversed__(self):
        return iter([self.cards[1], self.cards[0]])


@table(X)
def gone_through_backwards(x):
    deck: Any = Deck(x)
    total = 0.0
    for i, card in enumerate(reversed(deck)):
        total = total + i * card**2
    return total * next(reversed(Shuffled(x))) * sum(deck) * max(deck)


class Stack(list[Any]):
    def append(self, v: Any) -> None:
        super().append(v * 2.0)

    def taken(self):
        return super().pop() * 3.0


@table(X)
def a_list_with_methods_of_its_own(x):
    stack = Stack()
    for v in x:
        stack.append(v * v)
    return stack.taken() * sum(stack) + stack[0]


class Tank:
    def __init__(self, volume):
        self.volume = volume

    @property
    def level(self):
        return self.volume * 0.5

    @level.setter
    def level(self, value):
        self.volume = value * 2.0


def halves(values):
    for v in values:
        yield v * 0.5


@table(X)
def what_a_property_gives_is_no_method(x):
    tank = Tank(x[0])
    level = tank.level
    tank.level = level * x[1]
    return sum(halves([level, tank.level]))


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)
    check_grads(f, *x, order=2)


class Stored:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, owner, cls):
        return owner.__dict__[self.name]

    def __set__(self, owner, value):
        owner.__dict__[self.name] = value * 2.0


class Checked:
    side = Stored()

    def __init__(self, side):
        self.side = side


def kept_by_a_descriptor(x):
    return Checked(x[0]).side


def kept_past_a_descriptor(x):
    c = Checked(1.0)
    object.__setattr__(c, "side", x[0])
    return c.side


def a_dict_under_a_name(x):
    m = SimpleNamespace(a=x[0])
    fields = m.__dict__
    fields["a"] = x[1]
    return m.a


@pytest.mark.parametrize("f", [kept_by_a_descriptor, kept_past_a_descriptor, a_dict_under_a_name])
def test_fields_that_descriptors_and_dictionaries_keep(f):
    for doing in (lambda: rightly.grad(f)(X), lambda: rightly.jvp(f, (X,), (X,))):
        doing()


def dicts_of_what_does_not_vary(x):
    c = Checked(1.0)
    c.__dict__.update(side=5.0)
    known = [n for n in vars(Model) if n == "defaults"]
    return x[0] * c.side * vars(np)["pi"] * len(known) * Model.__dict__["defaults"]["scale"]


def test_dicts_of_what_does_not_vary_are_as_they_are():
    check(dicts_of_what_does_not_vary, (X,))
