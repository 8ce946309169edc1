"""Constants that a pullback kept: a change that nobody could foresee is refused, and all are given back."""

import itertools
import threading

import numpy as np
import pytest
from tests.engines.fuzzing import Compared, function_of

import chainrules as cr

MODULE = """
import itertools
import functools

class Box:
    def __init__(self, w):
        self.w = w
    def put(self):
        self.w[0] += 4.0
        return 1.0
    def __iter__(self):
        yield self.put()
    def __add__(self, other):
        return self.put()
    def __iadd__(self, other):
        self.put()
        return self
    def __setitem__(self, k, v):
        self.put()

W = np.array([1.0, 2.0, 3.0])
BOX, LIST, DICT, BUFFER = Box(W), [W], {"w": W}, np.zeros(3)
PART, OTHER = W[:2], W[2:]
HALF = Box(PART)

def put():
    W[0] += 4.0
    return 1.0

def put_deep():
    BOX.w[0] += 4.0

def put_into(a):
    a[0] += 4.0
    return 0.0

def used(x):
    return np.sum(W * x)

def filled(t):
    BUFFER[:] = t, 2.0 * t, 3.0
    return BUFFER

"""


def made(lines):
    """The function of these lines, in a module of its own."""
    body = "".join(f"    {line}\n" for line in lines.split("; "))
    return function_of(f"{MODULE}\ndef program(x):\n{body}    return np.sum(y)\n", {"np": np})


UNFORESEEN = [
    "y = W * x; put(); y = y * W",
    "y = W * x; put_deep(); y = y * W",
    "y = BOX.w * x; put(); y = y * W",
    "y = used(x); put(); y = y * W",
    "y = W * x; h = put; h(); y = y * W",
    "y = W * x; h = lambda: put_into(BOX.w); h(); y = y * W",
    "y = W * x; k = [put() for _ in range(2)]; y = y * W",
    "y = x * W * put() * W",
    "y = np.multiply(x, x2=W) if False else np.where(W > 0, x, W); put(); y = y * W",
    "y = 0.0; for i in range(3): y = y + W * x; put()",
    "w = np.ones(3); y = w * x; list(map(put_into, [w])); y = y * w",
    "w = np.ones(3); y = w * x; m = map(put_into, [w]); next(m); y = y * w",
    "w = np.ones(3); y = w * x; functools.reduce(lambda a, b: put_into(b), [w, w]); y = y * w",
    "w = np.ones(3); y = w * x; b = Box(w); list(b); y = y * w",
]
FORESEEN = [
    "y = W * x; PART[0] = 5.0; y = y * W",
    "y = W * x; HALF.w[0] = 5.0; y = y * W",
    "y = W * x; HALF.w += 5.0; y = y * W",
    "y = W * x; q = PART; q += 5.0; y = y * W",
    "y = LIST[0] * x; W[0] = 5.0; y = y * W",
    "y = W * x; LIST[0][0] = 5.0; y = y * W",
    "y = W * x; q = DICT['w']; q += 5.0; y = y * W",
    "y = W * x; PART.fill(5.0); y = y * W",
    "y = W * x; np.add(PART, 1.0, out=PART); y = y * W",
    "y = W * x; BOX.put(); y = y * W",
    "y = 0.0; for i in range(3): y = y + filled(i) * x",
    "w = np.ones(3); y = w * x; k = max([w, w], key=put_into); y = y * w",
    "w = np.ones(3); y = w * x; fs = [lambda: put_into(w)]; fs[0](); y = y * w",
    "w = np.ones(3); y = w * x; b = Box(w); b += 1; y = y * w",
    "w = np.ones(3); y = w * x; b = Box(w); b[0] = 1; y = y * w",
    "w = np.ones(3); y = w * x; m = memoryview(w); m[0] = 5.0; y = y * w",
    "w = np.ones(4); y = w[1:] * x; LIST.append(w); LIST[1][1] = 5.0; y = y * w[1:]",
    "y = W * x; W[0] = 5.0; y = y * W; W[0] = 1.0",
    "PART[0] = 5.0; y = W * x",
    "y = OTHER * x[:1]; PART[0] = 5.0; y = y * PART[0]; PART[0] = 1.0",
    "w = np.ones(3); y = w * x; w[0] = 5.0; y = y * w",
    "w = np.ones(3); y = w * x; put_into(w); y = y * w",
    "w = np.ones(3); y = w * x; w.__setitem__(0, 5.0); y = y * w",
    "w = np.ones(3); y = w * x; b = Box(w); b.put(); y = y * w",
    "w = np.ones(3); q = dict(a=w); y = w * x; put_into(**q); y = y * w",
    "w = np.ones(3); w += x; w[0] = 5.0; y = w * W",
    "w = np.ones(3); v = w[1:]; y = w * x; v[0] = 5.0; y = y * w",
    "w = np.ones(3); y = x; for i in range(3): w[i] = 2.0; y = y * w",
    "y = x * 1.0; y *= W; put(); y = y * W",  # y might be a list, repeated, that has items of W
    "y = x * 1.0; y /= W; put(); y = y * W",
]


@pytest.mark.parametrize("lines", UNFORESEEN)
def test_a_change_that_is_seen_when_it_happens(lines):
    f, x = made(lines), np.array([0.3, 0.7, 1.1])
    expected = [(made(lines)(x + h) - made(lines)(x - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(f)(x), expected, 1e-6)
    assert f.__globals__["W"].flags.writeable
    assert f.__globals__["BUFFER"].flags.writeable


@pytest.mark.parametrize(
    "lines", ["y = W * x * x; put(); y = y * W", "y = W * x**2; LIST[0][0] = 5.0; y = y * W"]
)
def test_so_it_is_where_the_gradient_is_differentiated(lines):
    x = np.array([0.3, 0.7, 1.1])
    expected = [(cr.grad(made(lines))(x + h) - cr.grad(made(lines))(x - h)) / 2e-5 for h in 1e-5 * np.eye(3)]
    f = made(lines)
    found = [cr.jvp(cr.grad(made(lines)), (x,), (e,))[1] for e in np.eye(3)]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
    twice = cr.grad(lambda x: np.sum(cr.grad(f)(x)))(x)
    np.testing.assert_allclose(twice, np.sum(expected, axis=0), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("lines", FORESEEN)
def test_one_that_is_seen_counts_as_it_was(lines):
    f, x = made(lines), np.array([0.3, 0.7, 1.1])
    expected = [(made(lines)(x + h) - made(lines)(x - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(cr.grad(f)(x), expected, 1e-6)
    assert f.__globals__["W"].flags.writeable


def test_arrays_are_given_back_with_the_views_that_are_returned():
    w, fixed = np.ones(3), np.ones(3)
    fixed.flags.writeable = False
    views = w[1:]

    def f(x):
        return np.sum(w * x) + np.sum(views * x[1:]) + np.sum(fixed * x), w[1:], [views[::-1], w]

    y, _ = cr.vjp(f, np.ones(3))
    assert all(a.flags.writeable for a in (w, views, y[1], *y[2]))
    assert not fixed.flags.writeable


def test_they_are_given_back_after_an_error():
    w = np.ones(3)

    def f(x):
        y = w * x
        raise KeyError(y.size)

    with pytest.raises(KeyError):
        cr.grad(f)(np.ones(3))
    w[0] = 2.0


@pytest.mark.parametrize("memory", [bytes(24), bytearray(24)], ids=["that cannot be written", "that can"])
def test_arrays_over_other_memory(memory):
    w = np.frombuffer(memory)
    before = w.flags.writeable
    assert np.array_equal(cr.grad(lambda x: np.sum(w * x))(np.ones(3)), np.zeros(3))
    assert w.flags.writeable == before


def test_data_that_is_filled_anew_between_gradients():
    data, x = np.zeros(3), np.ones(3)
    for k in range(3):
        data[:] = k
        x = x - 0.1 * cr.grad(lambda x: np.sum(data * x * x))(x)

    def trained(s):  # and the same inside of a function that is differentiated
        x, data = s * np.ones(3), np.zeros(3)
        for k in range(3):
            data[:] = k
            x = x - 0.1 * cr.grad(lambda x, d: np.sum(d * x * x))(x, data)
        return np.sum(x)

    np.testing.assert_allclose(np.sum(x), 3.0 * 0.8 * 0.6)
    np.testing.assert_allclose(cr.grad(trained)(1.0), 3.0 * 0.8 * 0.6)


def test_threads_that_compute_with_one_array():
    w, found = np.arange(3.0), []

    def run():
        for _ in range(50):
            found.append(cr.grad(lambda x: np.sum(w * x * x))(np.ones(3)))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 200
    assert all(np.array_equal(g, 2.0 * w) for g in found)
    cr.grad(lambda x: np.sum(w * x))(np.ones(3))  # gives back what threads left that were in each other's way
    assert w.flags.writeable


@pytest.mark.parametrize("made", ["itertools.chain([x[0]], c)", "itertools.accumulate(c, initial=x[0])"])
def test_what_an_iterator_went_over_may_change(made):
    text = f"""\
def program(x):
    c = np.ones(3)
    k = sum({made})
    c[0] = 5.0
    return np.sum(c * x) * k
"""
    Compared(text, {"np": np, "itertools": itertools}).first_order()
