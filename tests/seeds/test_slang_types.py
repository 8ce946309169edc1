"""The cases of the document on Slang (SL) about values, pointers and pairs, under its numbers; and SI56.

SI56 is a note: what a compiler keeps to itself (syntax trees, thunks, globals) has no part here, and what it
brings about is tested as SI10, SI34 and SI49.
"""

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules import types as ct
from chainrules.types import DPtr, bwd_diff, diff_pair, fwd_diff


def total(a, b):
    return a + b


def foo(a, b):
    return a * b * b, a * a


def add_into(a, b, out):
    out.set(a.get() + b.get())


def pointer(*numbers):
    return DPtr(np.array(numbers, float))


@cr.differentiable_type
@dataclass
class Vector:
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


@dataclass
class Pair:
    a: float
    b: float


def test_SL1_a_reverse_derivative_sets_the_differentials_of_values():
    a, b = diff_pair(3.0, 100.0), diff_pair(4.0, -7.0)
    assert bwd_diff(total)(a, b, 2.0) is None
    assert (a.d, b.d) == (2.0, 2.0)


def test_SL2_a_pair_starts_with_a_zero():
    pair = diff_pair(3.0)
    assert (pair.p, pair.d) == (3.0, 0.0)
    pair.d = 5.0
    assert pair.d == 5.0


def test_SL3_both_derivatives_are_transforms_of_functions():
    a, b = diff_pair(1.0), diff_pair(2.4)
    bwd_diff(foo)(a, b, (1.0, 0.0))
    assert (a.d, b.d) == pytest.approx((5.76, 4.8))
    pair = fwd_diff(foo)(diff_pair(1.0, 1.0), diff_pair(2.4, 0.0))
    assert pair.p == pytest.approx((5.76, 1.0))
    assert pair.d == pytest.approx((5.76, 2.0))


def test_SL4_the_differential_of_a_pointer_is_the_callers():
    mine = np.zeros(3)
    bwd_diff(lambda p: p.get() * (p + 2).get())(diff_pair(pointer(2.0, 3.0, 5.0), DPtr(mine)), 1.0)
    np.testing.assert_array_equal(mine, [5.0, 0.0, 2.0])


def test_SL5_derivatives_of_methods_act_on_the_pair():
    seen = []

    class Watched(DPtr):
        @ct.deriv_method
        def get_bwd(self, d):
            seen.append((self.p.load(), self.d.load(), d))
            self.d.interlocked_add(d)

    d = np.array([10.0])
    bwd_diff(lambda p: 3 * p.get())(diff_pair(Watched(np.array([2.0])), DPtr(d)), 1.0)
    assert seen == [(2.0, 10.0, 3.0)]
    assert d[0] == 13.0


def test_SL6_the_differential_pointer_is_never_replaced():
    mine = pointer(0.0)
    pair = diff_pair(pointer(2.0), mine)
    bwd_diff(lambda p: p.get())(pair, 1.0)
    assert pair.d is mine
    assert mine.get() == 1.0


def test_SL7_pointers_are_no_vectors():
    p, q = pointer(1.0), pointer(2.0)
    for wrong in (
        lambda: cr.add(p, q),
        lambda: p + q,
        lambda: 2.0 * p,
        lambda: cr.zero_tangent(p),
        lambda: cr.move(p, 1.0),
        lambda: cr.difference(p, q),
    ):
        with pytest.raises(TypeError, match="DPtr"):
            wrong()
    assert (p.get(), q.get()) == (1.0, 2.0)


def test_SL8_SL12_two_roles_on_one_base():
    assert issubclass(DPtr, ct.DifferentiableBase)
    assert issubclass(DPtr, ct.DifferentiablePtr)
    with pytest.raises(TypeError, match="Both is declared a value and a pointer"):

        class Both(ct.DifferentiableValue, ct.DifferentiablePtr):
            pass


def test_SL9_a_pointer_holds_nothing_for_derivatives():
    assert DPtr.__slots__ == ("buffer", "offset")


def test_SL10_pairs_nest_for_higher_orders():
    """x² along two directions of one: four buffers, and the second derivative 2."""

    def square(p):
        return p.get() * p.get()

    x, dx, ex, edx = pointer(3.0), pointer(1.0), pointer(1.0), pointer(0.0)
    twice = fwd_diff(fwd_diff(square))(diff_pair(diff_pair(x, dx), diff_pair(ex, edx)))
    assert (twice.p.p, twice.p.d) == (9.0, 6.0)
    assert (twice.d.p, twice.d.d) == (6.0, 2.0)


def test_SL11_derivatives_of_methods_are_not_called():
    p = pointer(1.0)
    with pytest.raises(TypeError, match="takes a pair"):
        p.get_bwd(1.0)
    assert "get_bwd" not in dir(p)
    assert "get" in dir(p)
    d = np.zeros(1)
    bwd_diff(DPtr.get)(diff_pair(p, DPtr(d)), 2.0)
    assert d[0] == 2.0


def test_SL13_accumulation_belongs_to_use():
    """A note: the sum over uses is the backward derivative of `use`, no method of a type; see SL15."""
    assert not hasattr(DPtr, "dadd")


def test_SL14_default_differentials_are_zero():
    assert Vector.Differential() == Vector(0.0, 0.0)
    assert diff_pair(Vector(1.0, 2.0)).d == Vector(0.0, 0.0)


class Largest:
    """A differential that keeps the largest of the cotangents of all uses."""

    def __init__(self, size=0.0):
        self.size = size


class Peak(ct.DifferentiableValue):
    Differential = Largest

    def __init__(self, v):
        self.v = v

    @ct.deriv_method
    def use_bwd(self: Any, d):
        self.d = Largest(max(self.d.size, d.size))


ct.manifold(Peak, tangent=Largest, move=lambda x, t: Peak(x.v + t.size), project=lambda x, t: t)


@cr.rrule(getattr, Peak, "v")
def peak_rrule(x: Peak):
    return x.v, lambda y_bar: (Largest(y_bar),)


@pytest.mark.parametrize("engine", ["source", "tape"])
def test_SL15_SL22_a_type_accumulates_its_own_way(engine):
    gradient = cr.grad(lambda p: 2.0 * p.v + 5.0 * p.v + 3.0 * p.v, engine=engine)(Peak(1.0))
    assert gradient.size == 5.0
    pair = diff_pair(Peak(1.0))
    for size in (2.0, 5.0, 3.0):
        ct.use_bwd(pair, Largest(size))
    assert pair.d.size == 5.0


def test_SL16_multiples_are_not_needed():
    assert not hasattr(Largest, "__mul__")
    assert cr.grad(lambda p: 2.0 * p.v)(Peak(1.0)).size == 2.0


def test_SL17_nobody_makes_the_differential_of_a_pointer():
    p = pointer(1.0)
    for missing in (
        lambda: diff_pair(p),
        lambda: bwd_diff(lambda p: p.get())(p, 1.0),
        lambda: fwd_diff(lambda p: p.get())(p),
        lambda: cr.grad(lambda p: p.get())(p),
    ):
        with pytest.raises(ct.MissingDifferentialError, match="DPtr has no differential"):
            missing()


def test_SL18_the_older_name():
    assert ct.IDifferentiable is ct.DifferentiableValue


def test_SL19_floats_are_their_own_differentials():
    class Meters(ct.SelfTangent):
        pass

    assert ct.tangent_type(float) is float
    assert ct.tangent_type(Meters) is Meters.Differential is Meters


def test_SL20_use_is_a_primitive():
    assert ct.use(3.0) == 3.0
    pair = diff_pair(3.0)
    ct.use_bwd(pair, 2.0)
    ct.use_bwd(ct.use_fwd(pair), 5.0)
    ct.use_bwd(pair, 5.0)
    assert pair.d == 7.0
    assert cr.grad(lambda x: ct.use(x) * 2.0 + ct.use(x) * 5.0)(3.0) == 7.0


def test_SL21_uses_of_structs_accumulate_field_by_field():
    gradient = cr.grad(lambda p: ct.use(p).a * 2.0 + ct.use(p).a * 5.0 + p.b)(Pair(1.0, 2.0))
    assert (gradient.a, gradient.b) == (7.0, 1.0)
    pair = diff_pair(Pair(1.0, 2.0))
    ct.use_bwd(pair, cr.Composite[Pair](a=2.0))
    ct.use_bwd(pair, cr.Composite[Pair](a=5.0, b=1.0))
    assert (pair.d.a, pair.d.b) == (7.0, 1.0)


def test_SL23_pointers_have_offsets():
    buffer, d = np.array([1.0, 2.0]), np.zeros(2)
    assert (DPtr(buffer, 0) + 1).get() == 2.0
    assert (DPtr(buffer, 1) - 1).get() == 1.0
    bwd_diff(lambda b: b.get() + (b + 1).get())(diff_pair(DPtr(buffer), DPtr(d)), 1.5)
    np.testing.assert_array_equal(d, [1.5, 1.5])
    with pytest.raises(IndexError, match="entry 2 of a buffer of 2"):
        (DPtr(buffer) + 2).get()


def test_SL24_reading_forwards_gives_a_pair():
    pair = fwd_diff(DPtr.get)(diff_pair(pointer(2.0), pointer(7.0)))
    assert (pair.p, pair.d) == (2.0, 7.0)


def in_threads(work):
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_SL25_threads_accumulate_atomically():
    d = pointer(0.0)

    def work():
        for _ in range(1000):
            d.interlocked_add(1.0)

    in_threads(work)
    assert d.get() == 8000.0


def test_SL25_threads_differentiate_at_once():
    p, d = pointer(3.0), pointer(0.0)

    def work():
        for _ in range(10):
            bwd_diff(lambda p: p.get() * p.get())(diff_pair(p, d), 1.0)

    in_threads(work)
    assert d.get() == 8 * 10 * 6.0


def test_SL26_a_hash_grid_spreads_and_reduces():
    p, d = ct.DHashGridPtr(np.array([2.0, 3.0])), ct.DHashGridPtr(np.zeros(8))
    in_threads(lambda: bwd_diff(lambda p: p.get())(diff_pair(p, d), 1.0))
    assert ct.DHashGridPtr.N == 4
    assert d.buffer[:4].sum() == 8.0
    np.testing.assert_array_equal(d.reduce(2), [8.0, 0.0])


def test_SL30_a_function_that_writes_returns_nothing():
    a, b, out = (diff_pair(pointer(x), pointer(0.0)) for x in (2.0, 3.0, 0.0))
    out.d.set(3.0)
    bwd_diff(add_into)(a, b, out)
    assert (a.d.get(), b.d.get(), out.p.get()) == (3.0, 3.0, 5.0)
    a.d.set(0.0)
    out.d.set(3.0)
    bwd_diff(lambda a, out: add_into(a, a, out))(a, out)
    assert a.d.get() == 6.0


def test_SL31_of_two_writes_only_the_last_gets_a_cotangent():
    def twice(a, b, out):
        out.set(a.get())
        out.set(b.get())

    a, b, out = (diff_pair(pointer(1.0), pointer(0.0)) for _ in range(3))
    out.d.set(3.0)
    bwd_diff(twice)(a, b, out)
    assert (a.d.get(), b.d.get(), out.d.get()) == (0.0, 3.0, 0.0)


def test_SL34_a_derivative_is_linked_from_either_side():
    def cube_adjoint(x, y, seed):
        return 3 * x**2 * seed

    @ct.differentiable("reverse", adjoint=cube_adjoint)
    def cube(x):
        return x**3

    def other(x):
        return x**3

    @ct.derivative(of=other)
    def other_derivative(x):
        return other(x), lambda y_bar: 3 * x**2 * y_bar

    def third(x):
        return x**3

    def third_bwd(x, d_out):
        x.d = 3 * x.p**2 * d_out

    ct.differentiable("reverse", adjoint=ct.from_bwd(third_bwd))(third)
    assert cr.grad(cube)(2.0) == cr.grad(other)(2.0) == cr.grad(third)(2.0) == 12.0


@pytest.mark.parametrize("buffer", [np.array(["a"]), np.array([1, 2]), [1.0], np.ones((2, 2))], ids=str)
def test_SL35_a_pointer_points_to_numbers(buffer: Any):
    with pytest.raises(TypeError, match="DPtr points into a vector"):
        DPtr(buffer, 0)


def test_SI56_a_note():
    """See the head of this file."""
    named = {"test_SI10", "test_SI34", "test_SI49"}
    from pathlib import Path

    text = "".join(p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("test_swift_*.py"))
    assert all(name.removeprefix("test_") in text for name in named)
