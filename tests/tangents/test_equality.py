"""Equal tangents: field by field, zeros of every kind alike, one answer for arrays."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import chainrules as cr
from chainrules import Composite, NoTangent, NotImplementedTangent, Thunk, Zero
from chainrules.tangents import all_zero, same_values

ZEROS = [
    Zero(),
    NoTangent(),
    0.0,
    np.zeros(2),
    csr_array((2, 2)),
    Thunk(lambda: 0.0),
    Composite[tuple](0.0, Zero()),
]


@pytest.mark.parametrize("zero", ZEROS)
def test_every_zero_is_zero(zero) -> None:
    assert all_zero(zero)
    assert same_values(zero, Zero())
    assert same_values(Zero(), zero)


@pytest.mark.parametrize(
    "t", [1.0, np.array([0.0, 1.0]), Composite[tuple](0.0, 1.0), NotImplementedTangent("a gap")]
)
def test_what_is_not_zero(t) -> None:
    assert not all_zero(t)
    assert not same_values(t, Zero())
    assert same_values(t, t)


def test_parts_are_compared_one_by_one() -> None:
    t = Composite[dict]({"a": 1.0, "b": Zero()})
    assert same_values(t, {"a": Thunk(lambda: 1.0), "b": 0.0})
    assert same_values(t, Composite[dict]({"a": 1.0}))
    assert not same_values(t, {"a": 1.0, "b": 2.0})
    assert same_values(Composite[tuple](1.0, 2.0), (1.0, 2.0))
    assert not same_values(Composite[tuple](1.0), Composite[tuple](1.0, 0.0))


def test_forms_of_one_array_are_equal() -> None:
    raw = cr.grad(lambda x: x[1] ** 2, form="raw")(np.array([1.0, 2.0]))
    assert same_values(raw, np.array([0.0, 4.0]))
    assert same_values(csr_array(np.eye(2)), np.eye(2))
    assert not same_values(np.ones(2), np.ones(3))
    assert not same_values(np.ones((1, 2)), np.ones(2))


def test_a_gap_equals_nothing_but_itself() -> None:
    gap = NotImplementedTangent("a gap")
    assert same_values(gap, gap)
    assert not same_values(gap, NotImplementedTangent("another"))
    assert not same_values(gap, 1.0)
