"""The cases of the document on tangents, many to many (CR), under its numbers."""

import tracemalloc

import numpy as np
import pytest

import chainrules as cr
from chainrules.tangents import to_coo


class SVD:
    U: np.ndarray


class QR:
    Q: np.ndarray


class Dense:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return self.w @ x + self.b


def test_CR5_zero_is_the_zero_element():
    t = np.ones(3)
    assert cr.Zero() + t is t


def test_CR14_the_tangent_of_getindex_is_sparse():
    """Inside it is a light tangent of our own; the scipy.sparse array is made where one is asked for."""
    x = np.arange(1e6).reshape(1000, 1000)
    _, pullback = cr.vjp(lambda x: x[3, 4], x)
    (x_bar,) = pullback(1.0)
    sparse = to_coo(x_bar)
    assert sparse.nnz == 1
    assert sparse.coords[0][0] == 3 and sparse.coords[1][0] == 4
    assert sparse.data[0] == 1.0
    assert cr.grad(lambda x: x[3, 4])(x).nnz == 1


def test_CR16_any_class_has_a_structural_tangent():
    layer = Dense(np.array([[2.0, 0.0], [0.0, 3.0]]), np.zeros(2))
    gradient = cr.grad(lambda layer: np.sum(layer(np.array([1.0, 2.0]))))(layer)
    assert isinstance(gradient, cr.Composite[Dense])
    np.testing.assert_array_equal(gradient.w, [[1.0, 2.0], [1.0, 2.0]])
    np.testing.assert_array_equal(gradient.b, [1.0, 1.0])


def test_CR26_composites_of_two_primals_are_not_added():
    with pytest.raises(cr.MismatchedPrimalError, match=r"SVD.*QR"):
        cr.Composite[SVD](U=np.ones(2)) + cr.Composite[QR](Q=np.ones(2))


def test_CR28_a_thunk_is_forced_by_addition_and_by_unthunk():
    assert cr.Thunk(lambda: 3.0) + 2.0 == 5.0
    assert cr.unthunk(cr.Thunk(lambda: 3.0)) == 3.0


def lazy_product(x, y):
    return x * y


def test_CR29_a_thunk_is_not_computed_where_it_is_not_used():
    forced = []

    def forcing(name, value):
        forced.append(name)
        return value

    @cr.rrule(lazy_product)
    def lazy_product_rrule(x: float, y: float):
        def lazy_product_pullback(y_bar):
            return cr.Thunk(lambda: forcing("x", y_bar * y)), cr.Thunk(lambda: forcing("y", y_bar * x))

        return x * y, lazy_product_pullback

    assert cr.grad(lazy_product, argnums=1)(2.0, 3.0) == 2.0
    assert forced == ["y"]


def test_CR30_an_inplaceable_thunk_adds_into_an_accumulator():
    def value():
        raise AssertionError("the value was built")

    def add_into(buffer):
        buffer += 2.0
        return buffer

    buffer = np.ones(3)
    owned = cr.accumulate(cr.Zero(), buffer)
    first = cr.accumulate(owned, np.ones(3))
    result = cr.accumulate(first, cr.InplaceableThunk(add_into, cr.Thunk(value)))
    assert result is first
    np.testing.assert_array_equal(cr.unthunk(result), [4.0, 4.0, 4.0])


def test_CR31_adding_a_hard_zero_changes_nothing_at_all():
    a = np.ones(3)
    assert cr.Zero() + a is a
    assert a + cr.Zero() is a


@pytest.mark.parametrize("seed", [1.0, np.float64(2.0)])
def test_CR32_an_argument_that_does_not_matter_has_a_zero_cotangent(seed):
    _, pullback = cr.vjp(lambda x, y: 2 * x, 3.0, 4.0)
    x_bar, y_bar = pullback(seed)
    assert x_bar == 2 * seed
    assert y_bar is cr.Zero()
    assert cr.grad(lambda x, y: 2 * x, argnums=1, form="raw")(3.0, 4.0) is cr.Zero()


def test_CR33_the_zero_is_a_vector_space():
    zero = cr.Zero()
    assert zero + zero is zero
    assert 3 * zero is zero
    assert -zero is zero
    assert not zero
    assert zero == cr.Zero()


def test_CR39_getindex_of_a_large_array_stays_small():
    """The document's 10⁴ × 10⁴, whose dense tangent takes 800 MB, is a view of one number here."""
    x = np.broadcast_to(np.array(2.0), (10_000, 10_000))
    cr.grad(lambda x: x[0, 0])(x)
    tracemalloc.start()
    gradient = cr.grad(lambda x: x[0, 0])(x)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert gradient.nnz == 1
    assert peak < 5e6


def test_CR42_a_missing_field_is_zero():
    partial = cr.Composite[Dense](w=1.0)
    assert partial.b is cr.Zero()
    assert partial == cr.Composite[Dense](w=1.0, b=cr.Zero())
