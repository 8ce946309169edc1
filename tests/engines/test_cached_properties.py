"""Cached properties: Python computes one once, the engine at each read; where the two differ, it refuses."""

import functools
import operator

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.fuzzing import function_of

import chainrules as cr


class Pair:
    def __init__(self, v):
        self.v = v

    @functools.cached_property
    def both(self):
        return np.array([self.v, self.v * self.v])

    @functools.cached_property
    def parts(self):
        return [self.v, np.array([self.v * self.v, 1.0])]


def kept(pair):
    return pair.both


def put(a, v):
    a[0] = v


NAMES = {"np": np, "operator": operator, "Pair": Pair, "kept": kept, "put": put}


def make(lines):
    """A function of x from the lines of its body, `o` a pair of x."""
    body = "".join(f"    {line}\n" for line in lines.split("; "))
    return function_of(f"def program(x):\n    o = Pair(x)\n{body}    return y\n", NAMES)


def both_modes(f, x):
    """The derivative of f in both modes, after that of its value."""
    y, pullback = cr.vjp(f, x)
    assert y == f(x)
    return float(pullback(1.0)[0]), float(cr.jvp(f, (x,), (1.0,))[1])


UNCHANGED = {
    "read twice": "a = o.both; y = np.sum(a * o.both) * o.parts[0]",
    "the same object": "a, b = o.both, kept(o); y = a[0] * b[1] * (1.0 if o.parts is o.parts else 2.0)",
    "a copy changed": "a = o.both.copy(); a[0] = x * x; y = np.sum(a * o.both)",
    "an entry": "a = o.both[0]; a += x; y = a * o.both[1]",
    "read after a change only": "o.v = x * x; y = np.sum(o.both)",
    "many objects": "y = sum(Pair(x * k).both[1] * Pair(x).parts[1][0] for k in range(4))",
}


@pytest.mark.parametrize("lines", UNCHANGED.values(), ids=UNCHANGED)
def test_what_is_unchanged_has_its_derivative(lines):
    f, h = make(lines), 1e-6
    np.testing.assert_allclose(both_modes(f, 1.3), (f(1.3 + h) - f(1.3 - h)) / (2 * h), 1e-7)
    second = (f(1.3 + 1e-4) - 2 * f(1.3) + f(1.3 - 1e-4)) / 1e-8
    np.testing.assert_allclose(float(cr.hessian(f)(1.3)), second, 1e-5)


GIVEN_CHANGED = {
    "a name": "q = o.both; q += 1.0; y = np.sum(o.both)",
    "getattr": "q = getattr(o, 'both'); q *= x; y = np.sum(o.both)",
    "getattr, never read again": "q = getattr(o, 'both'); q *= x; y = np.sum(q)",
    "an attrgetter": "q = operator.attrgetter('both')(o); q[0] = x; y = np.sum(o.both)",
    "a function": "q = kept(o); q[0] = x; y = np.sum(o.both)",
    "a view": "q = kept(o)[::-1]; q[0] = x; y = np.sum(o.both)",
    "in a call": "put(getattr(o, 'both'), x); y = np.sum(o.both)",
    "at once": "getattr(o, 'both')[0] = x; y = np.sum(o.both)",
    "in a list": "y = [q.sort() for q in [o.both]]; y = np.sum(o.both)",
}


@pytest.mark.parametrize("lines", GIVEN_CHANGED.values(), ids=GIVEN_CHANGED)
@pytest.mark.parametrize("x", [1.3, 1.0])  # at 1.0 some of the changes leave every number as it is
def test_a_change_of_what_one_gave_is_seen(lines, x):
    rightly.grad(make(lines))(x)
    rightly.jvp(make(lines), (x,), (1.0,))


OUTDATED = {
    "a field": "a = o.both; o.v = x * x; y = np.sum(o.both * a)",
    "a field, by a call": "a = o.both; setattr(o, 'v', x * x); y = np.sum(o.both * a)",
    "a list that it gave": "kept_list = lambda o: o.parts; kept_list(o).append(x); y = o.parts[0]",
    "an item of one": "getattr(o, 'parts')[0] = x ** 4; y = o.parts[0]",
}


@pytest.mark.parametrize("lines", OUTDATED.values(), ids=OUTDATED)
def test_a_value_that_is_out_of_date_counts_as_it_was(lines):
    rightly.grad(make(lines))(1.3)
    rightly.derivative(make(lines))(1.3)


def test_what_was_cached_before_must_still_hold():
    pair = Pair(2.0)
    assert np.sum(pair.both) == 6.0
    pair.v = 3.0  # Python goes on with what it kept
    with pytest.raises(cr.AliasedMutationError, match="was changed after it was computed"):
        cr.grad(lambda o: np.sum(o.both))(pair)


def test_another_run_knows_nothing_of_it():
    pair = Pair(2.0)
    for v in (2.0, 3.0):
        pair.v = v
        assert cr.grad(lambda o: np.sum(o.both))(pair).v == 1.0 + 2.0 * v
