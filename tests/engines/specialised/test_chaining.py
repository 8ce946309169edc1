"""What `itertools` chains, cuts and repeats, sets of places, extremes of lists: specialised, and right."""

import itertools
import operator

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import differences, hold_directions, is_right

X = np.array([0.5, 1.2, 0.3, 0.8, 0.9, 0.1])


def chained(x):
    return sum(v * v for v in itertools.chain(x[:3], x[4:])) * x[5]


def from_rows(x):
    rows = [[x[0], x[1]], [x[2]], [x[3], x[4], x[5]]]
    one = sum(v * (i + 1) for i, v in enumerate(itertools.chain.from_iterable(rows)))
    return one * sum(itertools.chain(*[[v, v * v] for v in x]))


def the_longest(x):
    return sum(a * b for a, b in itertools.zip_longest(x[:4], x[4:], fillvalue=0.5))


def cut_and_mapped(x):
    products = sum(itertools.starmap(operator.mul, zip(x, x[::-1], strict=False)))
    return products + sum(itertools.islice(x, 1, 5, 2)) ** 2 + sum(itertools.islice(x, 2))


def repeated(x):
    total = 1.0
    for a, b in zip(x, itertools.repeat(x[0] * 2, 4), strict=False):
        total = total * a + b
    return total


def taken_apart(x):
    first, *rest = itertools.chain(x[:2], x[3:])
    items = list(itertools.chain([x[0]], (v * 2 for v in x[1:3]), [1.0]))
    return first * sum(rest) * max(items) + items[1] * len(items)


def places_once(x):
    seen, total = set(), 0.0
    for i in [3, 1, 3, 2, 1, 5]:
        if i in seen:
            continue
        seen.add(i)
        total += x[i] ** 2
    return total * len(seen)


def sets_in_their_order(x):
    keep, total = {1, 4, 2}, 0.0
    for i in sorted(keep):
        total += x[i] * i
    for i in keep:
        total = total * x[i]
    keep.discard(1)
    keep.remove(2)
    return total * len(keep) + sum(x[i % 6] * i for i in {k * k for k in range(5)})


def extremes_of_rows(x):
    rows = [[x[0] * x[1], x[2]], [x[3], x[4] * 2]]
    return max(max(r) for r in rows) * min([v * x[5] for v in x])


def extremes_of_a_list_that_grows(x):
    values = [x[0]]
    for k in range(1, 6):
        values.append(-max(values) * x[k] + 1 - 2 * min(values))
    return values[-1]


def noted(x):
    log, total = [], 0.0
    for i, v in enumerate(x):
        total = total * v + 1
        log.append(f"step {i!r:>3}: {total:.3f}")
    return total * len(log)


def read_again_behind_a_loop_without_turns(x):
    rows = [[x[0], x[1], 1.0], [x[2], x[3], 2.0], [x[4], x[5], 3.0]]
    found = [0.0] * 2
    for i in reversed(range(2)):
        found[i] = (rows[i][2] - sum(rows[i][j] * found[j] for j in range(i + 1, 2))) / rows[i][i]
    return found[0] * found[1]


ALL = [
    *(chained, from_rows, the_longest, cut_and_mapped, repeated, taken_apart, places_once),
    *(sets_in_their_order, extremes_of_rows, extremes_of_a_list_that_grows, noted),
    read_again_behind_a_loop_without_turns,
]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", ALL)
def test_directions(f):
    hold_directions(f, X)


@pytest.mark.parametrize("x", [[1.0, 1.0, 0.5], [0.2, 0.7, 0.7]])
def test_of_equal_items_the_first_counts(x):
    def f(x):
        return max([x[0], x[1], x[2]]) * 2.0 - min([v * 1.0 for v in x])

    with specialised_after(1):
        found = [cr.grad(f)(np.array(x)) for _ in range(3)]
    np.testing.assert_array_equal(found[0], found[2])


def test_a_place_that_is_not_in_a_set_raises_as_ever():
    def f(x, place):
        keep = {1, 2}
        keep.remove(place)
        return x[0] * len(keep)

    with specialised_after(1):
        for place in (1, 1, 2, 1):
            np.testing.assert_array_equal(cr.grad(f, argnums=0)(X, place), [1.0, 0, 0, 0, 0, 0])
        with pytest.raises(KeyError):
            cr.grad(f, argnums=0)(X, 5)


def test_a_loop_over_a_chain_that_changes_it():
    def f(x):
        items, total = [x[0], x[1]], 0.0
        for v in itertools.chain(items, [x[2]]):
            if len(items) < 4:
                items.append(v * 2.0)
            total = total * x[3] + v
        return total

    try:
        expected = differences(f, X)
        with specialised_after(1):
            for _ in range(3):
                np.testing.assert_allclose(cr.grad(f)(X), expected, rtol=1e-6)
    except cr.core.ChainRulesError:
        pass  # the ordinary program may refuse it
