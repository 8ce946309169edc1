"""Stores that a class defines change what its objects hold, and all who hold that see the change."""

from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table

from chainrules.testing import check_grads

table = Table()
X = np.array([0.3, 0.7, 1.1])


class Box:
    def __init__(self, arr):
        self.arr = arr

    def __setitem__(self, i, value):
        self.arr[i] = value * 0.5

    def __delitem__(self, i):
        self.arr[i] *= 0.25

    def __imul__(self, value):
        self.arr[1:] *= value
        return self

    @property
    def top(self):
        return self.arr[2]

    @top.setter
    def top(self, value):
        self.arr[2] = value * 0.3


class Named:
    arr: Any

    def __init__(self, arr):
        object.__setattr__(self, "arr", arr)

    def __setattr__(self, name, value):
        self.arr[int(name[1:])] = value * value


@table(X)
def an_item(x):
    c = x * 2.0
    box = Box(x)
    box.arr = c
    box[2] = x[1]
    return np.sum(c * x)


@table(X)
def an_item_taken_away(x):
    c = x * 2.0
    box = Box(c)
    del box[0]
    return np.sum(c * x)


@table(X)
def an_operator_in_place(x):
    c = x * 2.0
    box = Box(c)
    box *= x[0]
    return np.sum(c * x)


@table(X)
def a_property_of_an_item(x):
    c = x * 2.0
    boxes = [Box(c)]
    boxes[0].top *= x[0]
    return np.sum(c * x)


@table(X)
def any_attribute(x):
    c = x * 2.0
    Named(c).a1 = x[2]
    return np.sum(c * x)


class Set:
    arr: Any

    def __init__(self, arr):
        setattr(self, "ar" + "r", arr)


@table(X)
def an_attribute_set_by_its_name(x):
    c = x * 2.0
    held = Set(c)
    held.arr[1] = x[2] ** 2
    return np.sum(c * x)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_derivatives_agree_with_differences(f, x):
    check_grads(f, *x, order=2)
