"""Stacks, queues, lists of entries and sorted lists in specialised programs."""

from collections import deque
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .compared import hold_directions, is_right

X = np.random.default_rng(3).normal(size=12) * 0.5


def stack(x):
    st = []
    for i in range(len(x)):
        st.append(x[i])
        if len(st) >= 2 and i % 2:
            a = st.pop()
            b = st.pop()
            st.append(a * b + a)
    return sum(st)


def queue(x):
    q: deque[Any] = deque()
    t, w = 0.0, 0.0
    for i in range(len(x)):
        q.append(x[i] ** 2)
        t = t + 0.3
        if len(q) > 3:
            w = w + q.popleft() * t
    return w + sum(q)


def both_ends(x):
    q = deque([x[0]])
    for i in range(1, len(x)):
        if i % 3:
            q.append(x[i] * q[0])
        else:
            q.appendleft(x[i] + q[-1])
    s = 0.0
    while q:
        s = s * 0.9 + q.pop()
        if len(q) > 1:
            s = s + q.popleft() ** 2
    return s


def at_places(x):
    items = [v * v for v in x]
    s, k = 0.0, 0
    while len(items) > 2:
        k = (k + 3) % len(items)
        s += items.pop(k) * len(items)
    items.insert(0, s)
    return s + items[0] * items[1] + items.pop(-2)


def sorted_in(x):
    items: list[Any] = []
    for v in x:
        k = 0
        while k < len(items) and items[k] < v:
            k += 1
        items.insert(k, v * 1.5)
    return sum(k * v for k, v in enumerate(items))


def put_anywhere(x):
    items = [x[0], x[1]]
    places = [1, -1, 7, -9, 0, 2]
    for k in places:
        items.insert(k, items[0] * x[k] + items[-1])
    items.insert(-2, x[2])
    items.insert(20, x[3])
    items.insert(3, x[4])
    return sum((k + 1) * v**2 for k, v in enumerate(items))


def arrays(x):
    st = [x[:3]]
    for i in range(3, 12, 3):
        st.append(x[i : i + 3])
        if len(st) == 2:
            b = st.pop()
            a = st.pop()
            st.append(a * b + np.tanh(a))
    return np.sum(st[0])


class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)

    def pop(self):
        return self.items.pop()


def of_a_class(x):
    st = Stack()
    for i in range(len(x)):
        st.push(x[i])
        if i % 3 == 2:
            st.push(st.pop() * st.pop())
    return st.pop() * st.pop()


def shifted(window, v):
    window.append(v)
    return window.pop(0) if len(window) > 3 else 0.0


def handed_on(x):
    window: list[Any] = []
    s = 0.0
    for v in x:
        s += shifted(window, v) * v
    return s


def anything_in_it(x):
    items: list[Any] = []
    s = x[0]
    for v in x:
        if items:
            s = s * 1.5
        items.append(v)
        s = s + v
    return s


def entries(x):
    items = list(x)
    items.append(x[0] * x[1])
    items[2] = items[3] * items[4]
    return sum(v * v for v in items)


def rows(x):
    g = [list(r) for r in x.reshape(3, 4)]
    h = [[g[i][j] * g[(i + 1) % 3][j // 2] for j in range(4)] for i in range(3)]
    return h[0][1] * h[1][2] + h[2][3]


def starred(x):
    a, *b, c = x
    d, *e = [v * v for v in b]
    return a * c + sum(v * v for v in b) + d * sum(e)


def starred_rows(x):
    h, *rest = x.reshape(3, 4)
    for r in rest:
        h = np.tanh(h * r)
    rest.append(h)
    return np.sum(rest[-1] * rest[0])


def in_order(x):
    s = sorted(x)
    t = sorted(x, key=lambda v: -abs(v))
    r = sorted([v * v for v in x], reverse=True)
    return sum((i + 1) * v for i, v in enumerate(s)) + t[0] ** 2 * t[1] + r[0]


def extremes(x):
    i = max(range(len(x)), key=lambda k: x[k])
    v = max(x, key=abs)
    w = min(x, key=lambda t: (t - 0.1) ** 2)
    return x[i] ** 2 + v * w


def nearest(x):
    d = [(x[i] - 0.2) ** 2 for i in range(len(x))]
    return sum(x[i] * d[i] for i in sorted(range(len(x)), key=lambda i: d[i])[:3])


PROGRAMS = [
    *(
        stack,
        queue,
        both_ends,
        at_places,
        sorted_in,
        put_anywhere,
        arrays,
        of_a_class,
        handed_on,
        anything_in_it,
    ),
    *(entries, rows, starred, starred_rows, in_order, extremes, nearest),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", PROGRAMS)
def test_directions(f):
    hold_directions(f, X)


def test_equal_keys_keep_their_order():
    def f(x):
        s = sorted([0, 1, 2, 3], key=lambda i: x[i], reverse=True)
        return x[s[0]] * 2.0 + x[s[1]] * 3.0 + x[max(range(4), key=lambda i: x[i])]

    x = np.array([1.0, 2.0, 2.0, 0.5])
    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(x), [0.0, 3.0, 3.0, 0.0])


def test_what_is_too_short_raises_as_ever():
    def f(x):
        a, *b, c = [v for v in x if v > 0]
        return a * c + sum(b)

    def g(x):
        q = [v for v in x if v > 0]
        return q.pop() * q.pop()

    with specialised_after(1):
        for _ in range(3):
            cr.grad(f)(np.array([1.0, 2.0, 3.0]))
            cr.grad(g)(np.array([1.0, 2.0, 3.0]))
        with pytest.raises(ValueError, match="unpack"):
            cr.grad(f)(np.array([1.0, -2.0, -3.0]))
        with pytest.raises(IndexError, match="pop"):
            cr.grad(g)(np.array([1.0, -2.0, -3.0]))


def test_a_list_of_the_caller_is_not_changed():
    def f(x, items):
        return items.pop() * x[0]

    given = [1.0, 2.0]
    with specialised_after(1):
        assert cr.grad(f)(X, given)[0] == 2.0
        assert given == [1.0]


def average(x):
    last: deque[Any] = deque(maxlen=3)
    out = []
    for v in x:
        last.append(v)
        out.append(sum(last) / len(last))
    return np.sum(np.array(out) ** 2)


def delayed(x):
    q, s = deque([0.0] * 4, maxlen=4), 0.0
    a = b = 0.5
    for v in x:
        s = s + q[0] * v * a
        q.append(np.tanh(v + q[-1]) * b)
    return s


def from_the_left(x, k=3):
    q = deque(x[:5], k)
    for v in x[5:]:
        q.appendleft(v * q[0])
        if v > 0.2:
            q.pop()
            q.append(v)
    return np.sum(np.stack(list(q)) * np.arange(len(q))) * q[0]


def without_a_limit(x):
    q = deque(x[:3], maxlen=None)
    q.append(x[4])
    return sum(v * v for v in q)


@pytest.mark.parametrize("f", [average, delayed, from_the_left])
def test_queues_with_a_limit(f):
    assert is_right(f, X)
    hold_directions(f, X)


def given_away(q, v):
    q.append(v)
    return q[0]


def test_queues_with_a_limit_that_others_have():
    def by_a_function(x):
        q = deque(x[:3], maxlen=3)
        return given_away(q, x[4]) + sum(q) * x[0]

    def by_another_name(x):
        q = deque(x[:3], maxlen=3)
        p = q
        p.append(x[5])
        return q[0] * q[-1]

    def bound_again(x):
        q = deque(x[:3], maxlen=3)
        q = deque(x[:3], maxlen=2) if x[0] > 0 else q
        q.append(x[5])
        return q[0] * q[-1]

    def of_nothing(x):
        q = deque(x[:3], maxlen=0)
        q.append(x[4])
        return sum(q) + x[0]

    for f in (by_a_function, by_another_name, bound_again, of_nothing, without_a_limit):
        is_right(f, X)
