"""Iterables and mappings of classes of the user's, where C code takes all that is in them."""

import collections
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
x = np.array([0.5, 1.5, -0.7])


class Doubled(Mapping[str, Any]):
    def __init__(self, **entries):
        self.entries = entries

    def __getitem__(self, key):
        return self.entries[key] * 2.0

    def __iter__(self):
        return iter(self.entries)

    def __len__(self):
        return len(self.entries)


class Keyed:
    """What has `keys` and items is a mapping to Python."""

    def __init__(self, **entries):
        self.entries = entries

    def keys(self):
        return self.entries.keys()

    def __getitem__(self, key):
        return self.entries[key] * 3.0


class Sorted(dict[str, Any]):
    def __getitem__(self, key):
        return dict.__getitem__(self, key) * 5.0

    def __iter__(self):
        return iter(sorted(dict.keys(self)))


class Row(Sequence[Any]):
    def __init__(self, values):
        self.values = values

    def __getitem__(self, i):
        return self.values[i] * 2.0

    def __len__(self):
        return len(self.values)


class Tripled(list[Any]):
    def __iter__(self):
        return (3.0 * v for v in list.__iter__(self))


def product(a, b):
    return a * b


@table(x)
def unpacked_by_name(x):
    y = product(**Doubled(a=x[0], b=x[1])) + product(**Keyed(a=x[1], b=x[2]), **{})
    return y + product(**Sorted(b=x[0], a=x[2])) + product(**{"a": x[0], "b": 2.0})


@table(x)
def displays(x):
    d = {"z": 1.0, **Doubled(a=x[0]), **Keyed(b=x[1])}
    return d["a"] * d["b"] + {**Sorted(a=x[2])}["a"] * d["z"]


@table(x)
def dictionaries(x):
    d = dict(Doubled(a=x[0]), b=x[1])
    d.update(Keyed(c=x[2]), e=x[0])
    d |= Doubled(f=x[1])
    made = collections.OrderedDict(Sorted(a=x[2]))
    return (
        d["a"] * d["b"]
        + d["c"] * d["e"]
        + d["f"] ** 2
        + made["a"] * x[0]
        + dict(zip("ab", Row(x), strict=False))["b"]
    )


@table(x)
def lists(x):
    held, last = [1.0], collections.deque([2.0])
    held.extend(Row(x))
    held[0:1] = Row(x[:2])
    held += Tripled(x[:1])
    last.extend(Row(x))
    last += Row(x[1:])
    return sum(v * (i + 1) for i, v in enumerate(held)) + sum(v * i for i, v in enumerate(last))


@table(x)
def lists_for_numpy(x):
    y = np.zeros(3)
    y[:] = Tripled(x)
    return np.sum(np.array(Tripled(x)) * y) + np.dot(Tripled(x), x) + math.fsum(Tripled(x))


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_is_in_them_is_differentiated(f, x):
    for _ in range(5):
        cr.grad(f)(*x)
    check(f, x)
