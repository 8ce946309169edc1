"""Items and what is made of them; lazy results are compared as the tuples that the rules make."""

from collections import OrderedDict

import numpy as np
import pytest
from tests.rules.cases import case, normal, rrule_of

import chainrules as cr
from chainrules.core import apply_frule, apply_rrule, frule, rrule
from chainrules.core.sequences import items
from chainrules.rules.python.mappings import items_of, values_of
from chainrules.tangents import Composite, NoTangent, Zero
from chainrules.testing import check_rule


def made(f):
    """f with its lazy result made a tuple, and with the rules of f."""

    def of_items(*x, **kwargs):
        return tuple(f(*x, **kwargs))

    @frule(of_items)
    def of_items_frule(tangents, *x: object, **kwargs):
        return apply_frule(f, x, tangents, **kwargs)

    @rrule(of_items)
    def of_items_rrule(*x: object, **kwargs):
        return apply_rrule(f, *x, **kwargs)

    of_items.__qualname__ = f.__name__
    return of_items


ZIP, ENUMERATE, REVERSED = made(zip), made(enumerate), made(reversed)
CONTAINERS = [(1.0, normal(2)), [1.0, 2.0, 3.0], normal(3), normal(2, 3), normal(0), ()]
CASES = [
    *(case(f, x) for f in (items, tuple, list) for x in CONTAINERS),
    *(case(f, x) for f in (REVERSED, ENUMERATE) for x in CONTAINERS[:4]),
    case(items, {"w": 1.0}, why="keys"),
    case(ENUMERATE, [1.0, 2.0], start=3),
    case(ZIP, (1.0, 2.0), normal(2, 2)),
    case(ZIP, [1.0, 2.0, 3.0], (4.0, 5.0), why="the shortest ends it"),
    case(ZIP, [1.0, 2.0], ("a", "b"), strict=True),
    case(sorted, [3.0, 1.0, 2.0]),
    case(sorted, normal(5), reverse=True),
    case(sorted, (3.0, -1.0, 2.0), key=abs),
    case(values_of, {"w": normal(2), "b": 1.0}),
    case(items_of, {"w": normal(2), "b": 1.0}),
    case(dict, {"w": normal(2), "b": 1.0}),
    case(dict.copy, {"w": 1.0}),
    case(dict.copy, {"w": normal(2).astype("f4"), "b": 1.0j}),
    case(dict.copy, {}),
    case(OrderedDict.copy, OrderedDict(w=normal(2), b=1.0j)),
    case(OrderedDict.copy, OrderedDict()),
    case(list.copy, [1.0, normal(2)]),
    case(list.copy, []),
    case(list.copy, [np.float32(1.0), 2.0j]),
    case(dict, [("w", 1.0), ("b", 2.0)]),
    case(dict, (("w", 1.0), ("b", 2.0), ("w", 3.0)), why="the last of a key wins"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_equal_items_keep_their_order():
    _, pullback = rrule_of(sorted, [2.0, 1.0, 2.0])
    assert pullback(Composite[list](10.0, 20.0, 30.0)) == (Composite[list](20.0, 10.0, 30.0),)


def test_rows_that_nobody_used_stay_zero():
    _, pullback = rrule_of(items, np.ones((2, 2)))
    assert pullback(Composite[tuple](Zero(), Zero())) == (Zero(),)
    x_bar = pullback(Composite[tuple](Zero(), np.array([1.0, 2.0])))[0]
    np.testing.assert_array_equal(np.asarray(x_bar), [[0.0, 0.0], [1.0, 2.0]])


def test_truth_values_have_no_tangent():
    assert rrule_of(items, np.array([True, False]))[1](Composite[tuple](1.0, 1.0)) == (NoTangent(),)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda d: sum(d[k] * i for i, k in enumerate(sorted(d))), {"b": 1.0, "a": 0.0}),
        (lambda d: sum(d[k] * i for i, k in enumerate(reversed(d))), {"b": 1.0, "a": 0.0}),
        (lambda d: d[max(d)] * len(set(d)), {"b": 2.0, "a": 0.0}),
        (lambda d: d[min(d)] * len(frozenset(d)), {"b": 0.0, "a": 2.0}),
    ],
)
def test_what_is_said_of_keys_has_no_derivative(f, expected):
    d = {"b": 2.0, "a": 3.0}
    assert cr.grad(f)(d) == cr.Composite[dict](expected)
    _, dy = cr.jvp(f, (d,), (cr.Composite[dict]({"b": 1.0}),))
    assert cr.materialize(dy, like=0.0) == expected["b"]


@pytest.mark.parametrize("first", [dict, OrderedDict])
@pytest.mark.parametrize("second", [dict, OrderedDict])
def test_unions_of_dicts_of_two_types(first, second):
    def f(x):
        made = first({"w": x[0] * 2.0, "b": x[1]}) | second({"b": x[2], "c": x[0] * x[1]})
        return made["w"] * made["b"] * made["c"]

    cr.testing.check_grads(f, np.array([0.4, -0.3, 0.6]), order=2)


def test_a_union_with_a_dict_that_is_constant():
    def f(x):
        named = OrderedDict({"b": x[0] * x[1]})
        return ({"w": 2.0} | named)["b"] * (named | {"w": 2.0})["b"]

    cr.testing.check_grads(f, np.array([0.4, -0.3]), order=2)
