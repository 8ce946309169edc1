"""A rule applied to a call: what comes out, for seeds of every kind, and where there is none."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from tests.core.calls import value_and_pullback

import chainrules as cr
from chainrules import Composite, NoTangent, NotImplementedTangent, ShapeMismatch, Thunk, Zero


def test_none_where_there_is_no_rule() -> None:
    assert cr.apply_rrule(str.upper, "a") is None
    assert cr.apply_frule(str.upper, ("a",), (NoTangent(),)) is None


def test_metadata_has_no_tangent() -> None:
    y, pullback = value_and_pullback(np.sum, np.ones((2, 3)), 1)
    assert y.tolist() == [3.0, 3.0]
    x_bar, axis_bar = pullback(np.array([1.0, 2.0]))
    assert np.array_equal(x_bar, [[1.0] * 3, [2.0] * 3])
    assert axis_bar is NoTangent()


@pytest.mark.parametrize("seed", [Zero(), NotImplementedTangent("a gap")])
def test_a_seed_whose_answer_is_known(seed) -> None:
    _, pullback = value_and_pullback(np.multiply, 3.0, 4.0)
    assert [type(t) for t in pullback(seed)] == [type(seed)] * 2


@pytest.mark.parametrize(
    "seed", [np.array([1, 0]), Thunk(lambda: np.array([1.0, 0.0])), coo_array(np.array([1.0, 0.0]))]
)
def test_a_seed_in_another_form(seed) -> None:
    _, pullback = value_and_pullback(np.multiply, np.array([2.0, 3.0]), 4.0)
    x_bar, y_bar = pullback(seed)
    assert np.asarray(x_bar).tolist() == [4.0, 0.0]
    assert float(y_bar) == 2.0


def test_a_seed_of_another_shape_is_refused() -> None:
    _, pullback = value_and_pullback(np.multiply, np.ones(2), 4.0)
    for seed in (1.0, np.ones(3)):
        with pytest.raises(ShapeMismatch):
            pullback(seed)


def test_a_method_and_an_attribute_are_read_as_functions() -> None:
    x = np.arange(6.0).reshape(2, 3)
    y, pullback = value_and_pullback(x.sum)
    assert (y, pullback(1.0)) == (15.0, ())
    y, pullback = value_and_pullback(getattr, x, "T")
    assert y.shape == (3, 2)
    x_bar, name_bar = pullback(np.ones((3, 2)))
    assert x_bar.shape == (2, 3)
    assert name_bar is NoTangent()


def test_a_plain_container_is_a_composite_seed() -> None:
    y, pullback = value_and_pullback(divmod, 7.5, 2.0)
    assert y == (3.0, 1.5)
    assert pullback((0.0, 1.0)) == pullback(Composite[tuple](0.0, 1.0)) == (1.0, -3.0)


def test_primals_and_tangents_are_as_many() -> None:
    with pytest.raises(ShapeMismatch, match="2 primals and 1 tangents"):
        cr.apply_frule(np.multiply, (3.0, 4.0), (1.0,))
