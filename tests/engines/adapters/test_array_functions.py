"""Functions of arrays alone: value, pullback and pushforward, and those of the two again."""

import numpy as np
import pytest
from tests.engines.adapted import counted, same, squared_in_place, squared_unseen

import chainrules as cr
from chainrules.engines.adapters.array_functions import ArrayFunction, is_numeric, moves
from chainrules.engines.leaves import Layout
from chainrules.testing import Derivatives, check_derivatives

A, B = np.array([[2.0, 0.3], [0.1, 1.0]]), np.array([1.0, 2.0])


def structured(d, k, z):
    return {"a": np.sin(d["x"]) * d["y"] ** k, "b": (np.sum(z), "name", 3)}


CASES = {
    "sin": (np.sin, (B,)),
    "solve": (np.linalg.solve, (A, B)),
    "svd": (np.linalg.svd, (A,), {"full_matrices": False}),
    "sum": (np.sum, (A,), {"axis": 0}),
    "structured": (structured, ({"x": B, "y": B + 1}, 2, B)),
    "slogdet": (np.linalg.slogdet, (A,)),
    "complex": (np.multiply, (A + 1j * B, B)),
    "interp": (np.interp, (np.array([0.2, 0.7]), np.array([0.0, 0.5, 1.0]), np.array([1.0, 3.0, 2.0]))),
}


def array_function(f, args, kwargs=None):
    layout, x = Layout.of(args, is_numeric)
    return ArrayFunction(f, layout, kwargs or {}), x


def derivatives(function, moving):
    """Of an array function, as a function of the arrays that move."""

    def all_of(x):
        given = iter(x)
        return [next(given) if m is None else m for m in moving]

    def vjp(*x):
        _, ys, pullback = function.reverse(all_of(x), tuple(m is None for m in moving))
        return tuple(ys), lambda y_bar: tuple(t for t in pullback(list(y_bar)) if t is not None)

    def jvp(x, dx):
        dx = iter(dx)
        _, ys, dys = function.forward(all_of(x), [next(dx) if m is None else None for m in moving])
        return tuple(ys), tuple(dys)

    return Derivatives(lambda *x: tuple(function.value(all_of(x))[1]), vjp, jvp)


@pytest.mark.parametrize("name", CASES)
def test_against_differences(name):
    function, x = array_function(*CASES[name])
    fixed = [None if moves(a) else a for a in x]
    varying = [a for a in x if moves(a)]
    check_derivatives(derivatives(function, fixed), *varying)

    out, ys = function.value(x)
    seeds, needs = [np.full_like(y, 0.7) for y in ys], [moves(a) for a in x]
    pulled = function.pulled(out, [True] * len(ys), needs)
    check_derivatives(derivatives(pulled, [None] * len(seeds) + fixed), *seeds, *varying)
    pushed = function.pushed(out, [True] * len(ys), needs)
    steps = [np.full_like(a, 0.3) for a in varying]
    check_derivatives(derivatives(pushed, [None] * len(steps) + fixed), *steps, *varying)


def test_what_is_not_needed_is_none_and_not_computed():
    scaled, asked = counted()
    function, x = array_function(scaled, (B, B + 1))
    _, _, pullback = function.reverse(x, (False, True))
    assert pullback([B])[0] is None
    assert asked == [(False, True)]


def test_a_write_into_an_array_of_another_engine_is_refused():
    function, x = array_function(squared_in_place, (B.copy(),))
    runs = (
        lambda: function.value(x),
        lambda: function.forward(x, [B]),
        lambda: function.reverse(x, (True,)),
    )
    for run in runs:
        with pytest.raises(cr.AliasedMutationError, match=r"writes into an array(.|\n)*next: "):
            run()
    same(x, [B])


def test_a_change_in_a_container_of_another_engines_arrays_is_refused():
    def grown(xs):
        xs.append(xs[0] * 2.0)
        return xs[1]

    function, x = array_function(grown, ([B.copy()],))
    for run in (lambda: function.value(x), lambda: function.reverse(x, (True,))):
        with pytest.raises(cr.AliasedMutationError, match="writes into a list"):
            run()


@pytest.mark.parametrize(
    ("f", "x"),
    [(squared_unseen, (B.copy(),)), (np.put, (B.copy(), 0, 1.0)), (np.square, (B.copy(), B.copy()))],
)
def test_a_write_that_nobody_foresees_is_refused(f, x):
    function, x = array_function(f, x)
    with pytest.raises(cr.AliasedMutationError, match="writes into an array"):
        function.value(x)
    same(x[0], B)


def test_values_that_other_engines_do_not_know_are_refused():
    function, x = array_function(lambda v: np.array([v, None], dtype=object), (1.0,))
    with pytest.raises(cr.UnsupportedArgument, match="arrays of numbers alone"):
        function.value(x)


def alone(x):
    return x


def pair(a, b):
    return a + b


@cr.rrule(alone)
def alone_rrule(x: np.ndarray):
    return x, lambda y_bar: y_bar


@cr.rrule(pair)
def pair_rrule(a: np.ndarray, b: np.ndarray):
    def pair_pullback(y_bar):
        both = 2.0 * y_bar
        return both, both

    return (a + b)[::-1], pair_pullback


@pytest.mark.parametrize(("f", "x"), [(alone, (B,)), (pair, (B, B)), (np.add, (B, B)), (np.transpose, (A,))])
def test_arrays_given_share_no_memory(f, x):
    function, given = array_function(f, x)
    for out, ys, *back in (function.value(given), function.reverse(given, (True,) * len(x))):
        assert out.filled(ys) is ys[0] and ys[0].flags.writeable
        found = back[0]([ys[0]]) if back else []
        everything = [*given[:1], *ys, *found]
        assert not any(np.shares_memory(a, b) for i, a in enumerate(everything) for b in everything[:i])


TABLE, STORED = np.array([1.0, 2.0]), np.zeros(2)
U, V = np.array([0.5, -1.0]), np.array([3.0, 4.0])
MADE = [0]


def kept(a, b):
    return np.sum(a * b)


@cr.rrule(kept)
def kept_rrule(a: np.ndarray, b: np.ndarray):
    def kept_pullback(y_bar):
        MADE[:] = [id(a_bar := y_bar * b)]
        return a_bar, STORED[::1] if y_bar == 1.0 else STORED

    return np.sum(a * b), kept_pullback


def test_memory_that_a_function_or_its_rule_keeps_is_not_given():
    for f in (
        lambda x: TABLE,
        lambda x: TABLE[::-1],
        lambda x: np.broadcast_to(1.0, 2),
        lambda x: (x, TABLE)[1],
    ):
        function, x = array_function(f, (U,))
        (y,) = function.value(x)[1]
        assert y.flags.writeable and not np.shares_memory(y, TABLE)
    function, x = array_function(kept, (U, V))
    back = function.reverse(x, (True, True))[2]
    for seed in (1.0, 2.0):
        a_bar, b_bar = back([np.array(seed)])
        assert not np.shares_memory(b_bar, STORED)
        np.testing.assert_array_equal(a_bar, seed * V)


def test_what_a_rule_makes_is_given_without_a_copy():
    function, x = array_function(kept, (U, V))
    a_bar, _ = function.reverse(x, (True, False))[2]([np.array(1.0)])
    assert [id(a_bar)] == MADE


def test_a_rule_registered_later_is_found():
    def later(x):
        return 2.0 * x

    function, x = array_function(later, (B,))
    assert function.reverse(x, (True,))[2]([B])[0].tolist() == (2 * B).tolist()
    cr.rrule(later)(lambda x: (2.0 * x, lambda y_bar: 5.0 * y_bar))
    assert function.reverse(x, (True,))[2]([B])[0].tolist() == (5 * B).tolist()
