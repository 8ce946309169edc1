"""Specialised programs with lists that grow, sums of generators, loops that return, chains of comparisons."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.testing import check_grads

VECTOR = np.array([0.4, -1.3, 2.2, 0.7])


def states(x):
    y, kept = x, [x]
    for _ in range(5):
        y = y + 0.1 * np.sin(y) * x
        kept.append(y)
    return np.sum(np.stack(kept) ** 2)


def starts_with_the_argument(x):
    kept = [x]
    for _ in range(5):
        x = x * 0.9 + 0.1 * x**2
        kept.append(x)
    return (np.array(kept) ** 2).sum()


def starts_with_what_an_argument_becomes(x):
    v, kept = x[0], [x[0] * 1.0]
    for i in range(3):
        v = v * 0.9 + x[i]
        kept.append(v)
    return np.sum(np.array(kept) ** 3) + kept[-1]


def entries(x):
    kept = []
    for i in range(4):
        kept.append(x[i] * x[i - 1])
    y = np.array(kept)
    kept.append(3.0)
    return y @ x + len(kept)


def summed(x):
    return sum(v * v for v in x) + sum([v * x[0] for v in x if v > 0.0])


def summed_arrays(x):
    parts = [x * k for k in [1.0, 2.0, 3.0]]
    return np.sum(sum(parts) * parts[1])


def summed_of_two_shapes(x):
    return np.sum(sum([x, x[:1], x[1:2]]) * x)


def newton(x):
    root = x[0] + 2.0
    for _ in range(50):
        new = 0.5 * (root + 2.0 / root)
        if abs(new - root) < 1e-3:
            return new * x[1]
        root = new
    return root


def searched(x):
    for i in range(4):
        for j in range(i):
            if x[i] * x[j] > 0.2:
                return x[i] * x[i] * x[j]
        if x[i] > 100.0:
            return x[i]
    return x[0]


def not_found(x):
    y = x * 2.0
    for i in range(4):
        if x[i] > 100.0:
            return x[i]
    y = y * x
    return np.sum(y)


def found_array(x):
    return np.sum(halved(x) * x)


def halved(x):
    while True:
        x = x * 0.5
        if np.max(x) < 0.5:
            return x


def between(x):
    s = 0.0
    for v in x:
        if -1.0 < v <= 1.0 < 2.0:
            s += v * v
        elif 3.0 > v > 2.0:
            s += v**3
    return s


def traded(x):
    a, b = x[0] * 2.0, x[1] * 3.0
    for _ in range(3):
        a, b = b, a
    return a * 10.0 + b


def traded_arrays(x):
    a, b = x * 2.0, x * 3.0
    for _ in range(3):
        a, b = b, a
    return np.sum(a * 10.0) + np.sum(b)


PROGRAMS = [
    traded,
    traded_arrays,
    states,
    starts_with_the_argument,
    starts_with_what_an_argument_becomes,
    entries,
    summed,
    summed_arrays,
    newton,
    searched,
    not_found,
    found_array,
    between,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_right_and_specialised(f):
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for k in range(4):
            x = VECTOR + 0.01 * k
            g = cr.grad(f)(x)
    assert met == []
    with specialised_after(1):
        check_grads(f, VECTOR, order=1)
        for _ in range(3):
            g = cr.grad(f)(VECTOR)
    step = 1e-6
    differences = [(f(VECTOR + step * e) - f(VECTOR - step * e)) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(g, differences, rtol=1e-6, atol=1e-7)


def test_items_of_two_shapes_are_left_to_the_ordinary_program():
    with specialised_after(1):
        for _ in range(3):
            g = cr.grad(summed_of_two_shapes)(VECTOR)
    x = VECTOR
    expected = 2 * x + x[0] + x[1]
    expected[:2] += np.sum(x)
    np.testing.assert_allclose(g, expected, rtol=1e-12)


def test_a_list_of_other_items_is_declined():
    def pairs(x):
        kept = [(x[0], x[1]), (x[2], x[3])]
        return np.sum(np.array(kept) ** 2)

    with specialised_after(1):
        for _ in range(3):
            g = cr.grad(pairs)(VECTOR)
    np.testing.assert_allclose(g, 2 * VECTOR, rtol=1e-12)


def test_branches_not_seen_before_are_right():
    with specialised_after(1):
        for x in (VECTOR, VECTOR + 2.0, VECTOR - 3.0, VECTOR * 0.1, VECTOR * 60.0, VECTOR):
            for f in (searched, newton, between, not_found):
                expected = cr.grad(f, engine="tape")(x)
                np.testing.assert_allclose(cr.grad(f)(x), expected, rtol=1e-9)


def test_a_number_that_a_branch_gives_to_an_argument_is_no_constant():
    def f(x, count):
        if x[0] > 0.0:
            count = 3
        pairs = [(x[0], x[1]), (x[1], x[2]), (x[2], x[3]), (x[3], x[0])]
        total = 0.0
        for i in range(count):
            a, b = pairs[i]
            total = total + a * b
        return total

    with specialised_after(1):
        for x in (VECTOR, -VECTOR, VECTOR, -VECTOR, -VECTOR, VECTOR):
            expected = cr.grad(f, engine="tape")(x, 2)
            np.testing.assert_allclose(cr.grad(f)(x, 2), expected, rtol=1e-12)
