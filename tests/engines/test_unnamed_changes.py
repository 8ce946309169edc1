"""Changes of what has no name: what a call, a choice or an item of a fresh list gives is changed in place."""

import numpy as np
import pytest
from tests.engines.table import Table

from chainrules.testing import check_grads

table = Table()
X = np.array([1.3, 0.4, -0.7])


@table(X)
def groups(x):
    found: dict[int, list[float]] = {}
    for i, v in enumerate(x):
        found.setdefault(i % 2, []).append(v * v)
    return sum(found[0]) * sum(found[1])


@table(X)
def groups_of_groups(x):
    found: dict[str, dict[int, list[float]]] = {}
    for i, v in enumerate(x):
        found.setdefault("a", {}).setdefault(i % 2, []).append(v * v)
    return sum(found["a"][0]) * sum(found["a"][1])


@table(X)
def got_from_a_dict(x):
    found = {0: [1.0]}
    row = found[0]
    found.get(0, []).append(x[0] * x[1])
    return found[0][1] * row[1]


class Box:
    def __init__(self):
        self.items = []


def items_of(box):
    return box.items


@table(X)
def got_from_a_function(x):
    box = Box()
    kept = box.items
    items_of(box).append(x[0] ** 2)
    items_of(box).append(x[1] ** 2)
    return kept[0] * box.items[1]


@table(X)
def chosen(x):
    rows: list[list[float]] = [[], []]
    none: list[float] = []
    more: list[float] = []
    (rows[0] if x[0] > 0 else rows[1]).append(x[0] ** 2)
    (none or more).append(x[1] ** 2)
    return rows[0][0] * more[0]


@table(X)
def an_item_of_a_new_list(x):
    rows = [[v] for v in x[:2]]
    sorted(rows, key=len)[1].append(x[2] ** 3)
    return rows[1][0] * rows[1][1] * rows[0][0]


@table(X)
def got_from_a_nested_function(x):
    found = {"p": [1.0]}

    def row():
        return found["p"]

    row().append(x[0] * x[1])
    return found["p"][1] ** 2


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_the_change_is_seen_by_all_that_hold_it(f, x):
    check_grads(f, *x, order=2)
