"""A corpus of wrong reverse rules: each must fail in the check meant for it, naming the argument."""

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from chainrules.core import rrule
from chainrules.tangents import NO_TANGENT, ZERO, Composite, InplaceableThunk, Thunk, Zero, is_zero, unthunk
from chainrules.tangents.thunks import is_waiting
from chainrules.testing import check_rrule

X = np.array([0.5, -1.2, 2.0])
Y = np.array([1.5, 0.3, -0.7])
A = np.array([[1.0, 2.0], [-0.5, 0.3]])
Z = np.array([0.5 + 1j, -1.2 - 0.3j])
F = X.astype(np.float32)
VALUE, KINDS = "reverse value", "reverse kinds"
DIFFERENCES, REPEATABLE = "reverse against differences", "reverse repeatable"
SEEDS, LINEAR = "seeds are borrowed", "reverse linear"
INPUTS = "inputs are unchanged"


@dataclass
class Point:
    x: float
    y: float


def norm2(p: Point) -> float:
    return p.x**2 + p.y**3


def doubled_in_place(y_bar):
    y_bar *= 2
    return y_bar / 2


def counting():
    """A pullback that forgets to start again."""
    total = [0.0]

    def pullback(y_bar, x):
        total[0] = total[0] + y_bar
        return total[0]

    return pullback


def one_buffer():
    """A pullback that hands out the same array each time."""
    buffer = np.empty(3)
    return lambda y_bar, x: np.multiply(y_bar, 2.0, out=buffer)


def refuse(x):
    assert x.ndim == 2


def spoiling(y_bar, x):
    x += 1.0
    return y_bar


def in_place(y_bar):
    return InplaceableThunk(lambda acc: acc - y_bar, lambda: y_bar)


# (what is wrong, the check that must see it, the argument, f, pullback(y_bar, *x), arguments)
ROWS: list[tuple[str, str, int | None, Any, Any, tuple[Any, ...]]] = [
    ("flipped sign", DIFFERENCES, 0, lambda x: np.cos(x), lambda g, x: g * np.sin(x), (X,)),
    ("factor", DIFFERENCES, 0, lambda x: x**2, lambda g, x: g * x, (X,)),
    ("factor of 1.001 in one of three", DIFFERENCES, 1, lambda a, b, c: a * b + c,
     lambda g, a, b, c: (g * b, 1.001 * g * a, g), (X, Y, X)),
    ("factor of 1.001 in float32", DIFFERENCES, 0, lambda x: x * x,
     lambda g, x: np.float32(2.002) * x * g, (X.astype(np.float32),)),
    ("wrong in a scalar argument", DIFFERENCES, 1, lambda a, s: a * s,
     lambda g, a, s: (g * s, float(np.sum(g))), (X, 0.7)),
    ("swapped arguments", DIFFERENCES, 0, lambda a, b: a * b, lambda g, a, b: (g * a, g * b), (X, Y)),
    ("lost transpose, square", DIFFERENCES, 0, lambda a, b: a @ b,
     lambda g, a, b: (g @ b, a.T @ g), (A, A + 1)),
    ("lost transpose, oblong", KINDS, 0, lambda a: a.T, lambda g, a: g, (np.ones((2, 3)),)),
    ("product that does not fit", KINDS, None, lambda a, b: a @ b,
     lambda g, a, b: (g @ b, a.T @ g), (A, np.ones((2, 3)))),
    ("lost transpose in a solve", DIFFERENCES, 1, lambda a, b: np.linalg.solve(a, b),
     lambda g, a, b: (-np.outer(np.linalg.solve(a.T, g), np.linalg.solve(a, b)), np.linalg.solve(a, g)),
     (A, np.array([1.0, 2.0]))),
    ("missing dimension", KINDS, 1, lambda a, b: a + b, lambda g, a, b: (g, g), (np.ones((2, 3)), X)),
    ("scalar given an array", KINDS, 1, lambda a, b: a * b, lambda g, a, b: (g * b, g * a), (X, 2.0)),
    ("wrong axis", DIFFERENCES, 0, lambda a: np.cumsum(a, axis=0),
     lambda g, a: np.cumsum(g[:, ::-1], axis=1)[:, ::-1], (A,)),
    ("mean as a sum", DIFFERENCES, 0, lambda a: np.mean(a), lambda g, a: np.broadcast_to(g, a.shape), (A,)),
    ("lost conjugate", DIFFERENCES, 0, lambda z: z * z, lambda g, z: 2 * z * g, (Z,)),
    ("right for real, wrong for complex", DIFFERENCES, 0, lambda z: np.abs(z),
     lambda g, z: g * np.sign(z.real), (Z,)),
    ("abs without its phase", DIFFERENCES, 0, lambda z: np.abs(z) ** 2, lambda g, z: g * z, (Z,)),
    ("wrong at a branch", DIFFERENCES, 0, lambda x: np.where(x > 0, x, 0.1 * x),
     lambda g, x: g * (x > 0), (X,)),
    ("mutated seed", SEEDS, None, lambda x: 1.0 * x, lambda g, x: doubled_in_place(g), (X,)),
    ("stateful", REPEATABLE, 0, lambda x: 1.0 * x, counting(), (X,)),
    ("one buffer for every answer", REPEATABLE, 0, lambda x: 2.0 * x, one_buffer(), (X,)),
    ("input written into by the pullback", INPUTS, 0, lambda x: x + 1.0, spoiling, (X,)),
    ("arity, too few", KINDS, None, lambda a, b: a * b, lambda g, a, b: g * b, (X, Y)),
    ("arity, too many", KINDS, None, lambda a: 1.0 * a, lambda g, a: (g, g), (X,)),
    ("None", KINDS, 1, lambda a, b: 1.0 * a, lambda g, a, b: (g, None), (X, Y)),
    ("bare 0", KINDS, 1, lambda a, b: 1.0 * a, lambda g, a, b: (g, 0), (X, Y)),
    ("plain tuple for a container", KINDS, 0, lambda t: t[0] * t[1],
     lambda g, t: ((g * t[1], g * t[0]),), ((2.0, 3.0),)),
    ("NoTangent for Zero", KINDS, 1, lambda a, b: 1.0 * a, lambda g, a, b: (g, NO_TANGENT), (X, Y)),
    ("Zero for a derivative", DIFFERENCES, 1, lambda a, b: a * b, lambda g, a, b: (g * b, ZERO), (X, Y)),
    ("nonlinear", LINEAR, 0, lambda x: 1.0 * x, lambda g, x: g + 1e-3 * g**2, (X,)),
    ("absolute value of the seed", LINEAR, 0, lambda x: np.sum(x), lambda g, x: np.full(3, abs(g)), (X,)),
    ("affine", LINEAR, 0, lambda x: 1.0 * x, lambda g, x: g + 1.0, (X,)),
    ("fields swapped", DIFFERENCES, 0, norm2,
     lambda g, p: Composite[Point](x=3 * g * p.y**2, y=2 * g * p.x), (Point(2.0, 0.5),)),
    ("field forgotten", DIFFERENCES, 0, norm2,
     lambda g, p: Composite[Point](x=2 * g * p.x), (Point(2.0, 0.5),)),
    ("tangent of another type", KINDS, 0, lambda p: p.x * 1.0,
     lambda g, p: Composite[dict]({"x": g}), (Point(2.0, 0.5),)),
    ("items in the wrong order", DIFFERENCES, 0, lambda t: t[0] * 3.0 + t[1],
     lambda g, t: Composite[tuple](g, 3.0 * g), ((2.0, 3.0),)),
    ("output seeds in the wrong order", DIFFERENCES, 0, lambda x: (x * 2.0, x * 3.0),
     lambda g, x: 2.0 * g[1] + 3.0 * g[0], (X,)),
    ("a partial zero taken for one", "reverse of a partial", 0, lambda x: (x * 2.0, x * 3.0),
     lambda g, x: 2.0 * (np.ones(3) if g[0] is ZERO else g[0]) + 3.0 * g[1], (X,)),
    ("all to the first of a tie", DIFFERENCES, 0, lambda x: np.sum(np.sort(x)[:2]) + x[0],
     lambda g, x: g * (x <= np.sort(x)[1]), (X,)),
    ("wrong at the sign of zero, where it is smooth", DIFFERENCES, 0, lambda x: x * np.abs(x) + x,
     lambda g, x: g * (2 * np.abs(x) + np.abs(np.sign(x))), (np.array([0.0, 1.0]),)),
    ("wrong where the base is zero", DIFFERENCES, 0, lambda x: np.prod(x),
     lambda g, x: g * np.prod(x) / np.where(x == 0, 1.0, x), (np.array([0.0, 2.0, 3.0]),)),
    ("reversed axis", DIFFERENCES, 0, lambda x: x[::-1] * 1.0, lambda g, x: g, (X,)),
    ("broadcast along the wrong axis", DIFFERENCES, 1, lambda a, b: a + b,
     lambda g, a, b: (g, g.sum(axis=1)), (A, np.ones(2))),
    ("conjugate of one argument", DIFFERENCES, 1, lambda a, b: a * b,
     lambda g, a, b: (g * np.conj(b), g * a), (Z, Z + 1)),
    ("adjoint without its conjugate", DIFFERENCES, 0, lambda a: a @ a,
     lambda g, a: g @ a.T + a.T @ g, (A + 1j * A.T,)),
    ("real part dropped", DIFFERENCES, 0, lambda z: np.imag(z), lambda g, z: g + 0j, (Z,)),
    ("off by one in a power", DIFFERENCES, 0, lambda x: x**4, lambda g, x: 4 * g * x**2, (X,)),
    ("raises", KINDS, None, lambda x: 1.0 * x, lambda g, x: g @ np.ones((7, 7)), (X,)),
    ("adds itself wrongly", "reverse accumulates", 0, lambda x: 1.0 * x, lambda g, x: in_place(g), (X,)),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_wrong_pullback_is_caught(row, reverse, fails):
    _, check, argument, f, pullback, args = row
    fails(check_rrule, reverse(f, pullback), args, check, argument)


def pulled(value, g):
    return lambda *x: (value(*x), lambda y_bar: g(y_bar, *x))


# (what has grown, the argument, f, pullback(y_bar, *x), arguments)
GROWN: list[tuple[str, int, Any, Any, tuple[Any, ...]]] = [
    ("an array", 1, lambda a, b: a * b, lambda g, a, b: (g * b, g.astype(float) * a), (F, F)),
    ("by a constant of NumPy's", 0, lambda x: 2 * x, lambda g, x: g * np.float64(2.0), (F,)),
    ("a thunk", 0, lambda x: 2 * x, lambda g, x: Thunk(lambda: 2.0 * g.astype(float)), (F,)),
    ("a complex array", 0, lambda x: 2 * x, lambda g, x: 2 * g.astype(complex), (Z.astype("c8"),)),
    ("a part of a list", 0, lambda x: x[0] * x[1],
     lambda g, x: (Composite[list](g * x[1], (g * x[0]).astype(float)),), ([F, F],)),
]  # fmt: skip


@pytest.mark.parametrize("row", GROWN, ids=[row[0] for row in GROWN])
def test_a_cotangent_that_has_grown_in_precision_is_caught(row, reverse, fails):
    _, argument, f, pullback, args = row
    fails(check_rrule, reverse(f, pullback), args, "reverse precision", argument)


def test_a_cotangent_may_be_as_wide_as_what_it_is_computed_with(reverse):
    check_rrule(reverse(lambda a, b: a * b, lambda g, a, b: (g * b, g * a)), F, X)
    check_rrule(reverse(lambda x: x.astype(float), lambda g, x: g), F)
    check_rrule(reverse(lambda x: float(np.sum(x)), lambda g, x: np.full(3, g)), F)


# Rules that answer for the contract themselves, unwrapped: nothing is projected for them.
UNWRAPPED: list[tuple[str, str, int | None, Any, Any, tuple[Any, ...]]] = [
    ("float64 for float32", KINDS, 0, lambda x: x * 2,
     lambda g, x: (2 * g.astype(float),), (X.astype("f4"),)),
    ("complex for real", KINDS, 0, lambda x: x * 2, lambda g, x: (2 * g + 0j,), (X,)),
    ("array for a number", KINDS, 0, lambda x: x * 2, lambda g, x: (np.asarray(2 * g),), (0.5,)),
    ("a number for a flag", KINDS, 1, lambda x, up: x if up else -x, lambda g, x, up: (g, 0.0), (X, True)),
    ("arity", "reverse arity", None, lambda a, b: a * b, lambda g, a, b: (g,), (X, Y)),
    ("nothing for zero", "reverse of a zero seed", 0, lambda x: x * 2,
     lambda g, x: (np.ones(3) if g is ZERO else 2 * unthunk(g),), (X,)),
    ("no thunks", "reverse of a thunked seed", None, lambda x: x * 2,
     lambda g, x: (ZERO if is_zero(g) else np.multiply(2, g) if type(g) is np.ndarray else g.value,), (X,)),
    ("a thunk evaluated twice", "reverse forces a thunk once", None, lambda x: x * 2,
     lambda g, x: (g._fn() + g._fn() if is_waiting(g) else 2 * unthunk(g),), (X,)),
    ("no indexed tangents", "reverse of an indexed seed", 0, lambda x: x * 2,
     lambda g, x: (ZERO if is_zero(g) else 2 * unthunk(g) if type(unthunk(g)) is np.ndarray else ZERO,),
     (X,)),
]  # fmt: skip


@pytest.mark.parametrize("row", UNWRAPPED, ids=[row[0] for row in UNWRAPPED])
def test_a_wrong_rule_that_is_not_wrapped_is_caught(row, reverse, fails):
    _, check, argument, f, pullback, args = row
    fails(check_rrule, reverse(f, pullback, complete=True), args, check, argument)


# (what is wrong, the check, the argument, f, rule, arguments)
RULES: list[tuple[str, str, int | None, Any, Any, tuple[Any, ...]]] = [
    ("value", VALUE, None, lambda x: x * 2, lambda x: (x * 2 + 1e-6, lambda g: 2 * g), (X,)),
    ("value of another shape", VALUE, None, np.atleast_1d, lambda x: (x, lambda g: g), (np.array(2.0),)),
    ("value of another dtype", VALUE, None, lambda x: x * 2,
     lambda x: (2.0 * x.astype(float), lambda g: 2 * g), (X.astype("f4"),)),
    ("value of another type", VALUE, None, lambda x: [x, x], lambda x: ((x, x), lambda g: g[0] + g[1]), (X,)),
    ("input written into", INPUTS, 0, lambda x: x * 2,
     lambda x: (np.multiply(x, 2, out=x), lambda g: 2 * g), (X,)),
    ("value that is the input", "reverse value aliasing", 0, np.copy, lambda x: (x, lambda g: g), (X,)),
    ("value that is a view of the input", "reverse value aliasing", 0, lambda x: x.ravel().copy(),
     lambda x: (x.ravel(), lambda g: g.reshape(2, 2)), (A,)),
    ("no pair", "reverse rule", None, lambda x: x * 2, lambda x: x * 2, (X,)),
    ("raises", "reverse rule", None, lambda x: x * 2, lambda x: x.no_such_thing, (X,)),
    ("asserts", "reverse rule: AssertionError", None, lambda x: x * 2, lambda x: refuse(x), (X,)),
]  # fmt: skip


@pytest.mark.parametrize("row", RULES, ids=[row[0] for row in RULES])
def test_a_wrong_rule_is_caught(row, fails):
    _, check, argument, f, rule, args = row

    def own(x):
        return f(x)

    @rrule(own)
    def own_rrule(x):
        return rule(x)

    fails(check_rrule, own, args, check, argument)


def test_a_rule_that_ignores_its_metadata_is_caught(fails):
    def total(x, axis=None):
        return np.sum(x, axis=axis)

    @rrule(total)
    def total_rrule(x, *, axis=None):
        return np.sum(x, axis=axis), lambda y_bar: np.broadcast_to(y_bar, x.shape)

    check_rrule(total, A, axis=0)
    fails(lambda *x: check_rrule(*x, axis=1), total, (A,), DIFFERENCES, 0)


def test_a_rule_that_misreads_needs_is_caught(fails):
    def product(a, b):
        return a * b

    @rrule(product)
    def product_rrule(a, b, *, needs):
        return a * b, lambda y_bar: (y_bar * b if all(needs) else Zero(), y_bar * a)

    fails(check_rrule, product, (X, Y), "reverse with needs", 0)


def test_a_rule_that_asks_for_needs_and_works_regardless_is_caught(fails):
    def product(a, b):
        return a * b

    @rrule(product)
    def product_rrule(a, b, *, needs):
        return a * b, lambda y_bar: (y_bar * b, y_bar * a)

    fails(check_rrule, product, (X, Y), "reverse with needs", 0)


def test_a_wrong_state_of_a_mutated_argument_is_caught(fails):
    def shift(x, by):
        x[...] = x * 2 + by

    def rule(factor):
        def shift_rrule(x, by):
            shift(x, by)
            return None, lambda y_bar, states: (factor * states[0], states[0])

        return shift_rrule

    rrule(shift, mutates=(0,))(rule(2.0))
    check_rrule(shift, X, Y)

    def other(x, by):
        shift(x, by)

    rrule(other, mutates=(0,))(rule(1.0))
    fails(check_rrule, other, (X, Y), DIFFERENCES, 0)


def test_a_function_that_writes_into_its_input_undeclared_is_told(fails):
    def shift(x):
        x += 1.0
        return x * 2

    fails(check_rrule, shift, (X,), "function without effects", 0)


def test_a_missing_rule_is_told_with_what_is_there(reverse, forward, fails):
    assert "no rules" in fails(check_rrule, lambda x: x, (X,), "reverse rule", None)
    f = forward(lambda x: 1.0 * x, lambda dx, x: dx[0])
    assert "f_frule" in fails(check_rrule, f, (X,), "reverse rule: there is none", None)


def test_a_message_says_the_numbers_the_rule_and_the_seed(reverse, fails):
    f = reverse(lambda x: 1.0 * x, lambda g, x: 3.0 * g)
    message = fails(check_rrule, f, (X,), DIFFERENCES, 0)
    for part in ("ndarray[3] of float64", "relative error", "f_rrule", "conftest.py:", "checking(seed=0)"):
        assert part in message
    numbers = message.split("⟨x̄, ẋ⟩ is ")[1].split(";")[0].split(", by differences ")
    got, want = (float(n.partition(" ")[0]) for n in numbers)
    assert got == pytest.approx(3 * want)


def test_the_rows_are_all_different():
    names = [row[0] for row in itertools.chain(ROWS, UNWRAPPED)]
    assert len(set(names)) == len(names) >= 50
    assert len(names) + len(RULES) >= 60


def test_a_zero_returned_after_the_work_is_done(fails):
    def product(x, y):
        return x * y

    @rrule(product)
    def product_rrule(x: np.ndarray, y: np.ndarray, *, needs):
        def product_pullback(y_bar):
            x_bar, other = np.multiply(y_bar, y), np.multiply(y_bar, x)
            return (x_bar if needs[0] else Zero()), (other if needs[1] else Zero())

        return x * y, product_pullback

    fails(check_rrule, product, (X, X + 1.0), "reverse with needs", 0)
