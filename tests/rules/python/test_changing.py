"""Lists and dicts that are changed in place, against differences: the state after the call is an output."""

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, constant, normal

from chainrules.testing import check_grads, check_rule

CASES = [
    case(list.append, [1.0, 2.0], 3.0),
    case(list.append, [], normal(2), why="the first"),
    case(list.insert, [1.0, 2.0], constant(1), 3.0),
    case(list.insert, [1.0, 2.0], constant(-9), 3.0, why="before all"),
    case(list.pop, [1.0, 2.0, 3.0]),
    case(list.pop, [1.0, 2.0, 3.0], constant(0)),
    case(list.extend, [1.0], [2.0, normal(2)]),
    case(list.extend, [1.0], (2.0, 3.0), why="by a tuple"),
    case(list.remove, [1.0, 2, 3.0], 2),
    case(list.reverse, [1.0, 2.0, 3.0]),
    case(list.clear, [1.0, 2.0]),
    case(dict.update, {"w": 1.0, "b": 2.0}, {"b": 3.0, "c": normal(2)}),
    case(dict.pop, {"w": 1.0, "b": 2.0}, "b"),
    case(dict.pop, {"w": 1.0}, "b", 3.0, why="the default"),
    case(dict.setdefault, {"w": 1.0}, "w", 3.0, why="there already"),
    case(dict.setdefault, {"w": 1.0}, "b", 3.0),
    case(dict.update, {"w": 1.0}, {}),
    case(dict.update, {}, {"c": normal(2).astype("f4")}),
    case(dict.clear, {"w": 1.0}),
    case(dict.clear, {"w": normal(2), "b": 1.0j}),
    case(dict.clear, {}),
    case(dict.popitem, {"w": 1.0, "b": normal(2)}),
    case(OrderedDict.popitem, OrderedDict(w=1.0, b=2.0)),
    case(OrderedDict.popitem, OrderedDict(w=1.0, b=2.0), constant(False), why="the first"),
    case(OrderedDict.move_to_end, OrderedDict(w=1.0, b=2.0), "w"),
    case(OrderedDict.move_to_end, OrderedDict(w=1.0, b=2.0), "b", constant(False)),
    case(OrderedDict.pop, OrderedDict(w=1.0, b=2.0), "b"),
    case(OrderedDict.setdefault, OrderedDict(w=1.0), "b", 3.0),
    case(OrderedDict.update, OrderedDict(w=1.0), {"b": 3.0}),
    case(OrderedDict.clear, OrderedDict(w=1.0)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_lists_grow_by_whatever_can_be_gone_through():
    def f(x):
        rows = [x[0]]
        rows.extend(x * x)
        rows.extend(v * v for v in x)
        return rows[1] * rows[-1]

    check_grads(f, np.array([1.5, 0.5]), order=2)


def test_dicts_are_updated_by_names_and_pairs():
    def f(x):
        found = {"a": x[0]}
        found.update([("b", x[0] * x[1])])
        found.update({"b": found["b"] ** 2}, c=x[2])
        found.update(zip("de", x, strict=False))
        return found["a"] * found["b"] * found["c"] * found["e"]

    check_grads(f, np.array([1.5, 0.5, 2.0]), order=1)
