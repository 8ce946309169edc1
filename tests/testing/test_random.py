"""Random tangents are tangents of their primal, of every kind; the same seed gives the same ones."""

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from chainrules.tangents import NO_TANGENT, Composite, IndexedTangent, Thunk, Zero, move, project_to
from chainrules.testing import Settings, checking, random_tangent
from chainrules.testing.settings import current


@dataclass
class Point:
    x: float
    label: str


class Pair(NamedTuple):
    a: float
    b: int


def drawn(x: Any, seed: int = 0) -> Any:
    return random_tangent(x, np.random.default_rng(seed))


@pytest.mark.parametrize(
    "x",
    [3, np.int64(3), np.ones(2, int), True, np.bool_(1), np.array([True]), "a", None, int, len, (1, "a"), {},
     (), Zero(), NO_TANGENT, [1, (2, None)]],
    ids=repr,
)  # fmt: skip
def test_what_is_not_perturbed_has_no_tangent(x):
    assert drawn(x) is NO_TANGENT


@pytest.mark.parametrize(
    "x",
    [2.0, np.float32(2), 1j, np.complex64(1), np.ones((2, 3)), np.ones(2, "f4"), np.ones(3, complex),
     np.array(1.0), np.zeros((0, 2)), Fraction(1, 3)],
    ids=repr,
)  # fmt: skip
def test_numbers_and_arrays_keep_their_type(x):
    dx = drawn(x)
    assert type(dx) is type(x)
    assert (np.shape(dx), np.asarray(dx).dtype) == (np.shape(x), np.asarray(x).dtype)
    assert np.all(np.abs(np.asarray(dx, complex)) >= 0.19)
    assert type(move(x, dx)) is type(x)


@pytest.mark.parametrize(
    ("x", "kind"),
    [((1.0, 2), Composite[tuple]), ([1.0], Composite[list]), ({"a": 1.0}, Composite[dict]),
     (Point(1.0, "a"), Composite[Point]), (Pair(1.0, 2), Composite[Pair]),
     (SimpleNamespace(a=1.0), Composite[SimpleNamespace]), (Composite[tuple](1.0, Zero()), Composite[tuple]),
     (IndexedTangent((2,), float, 0, 1.0), np.ndarray), (Thunk(lambda: 2.0), float),
     (date(2020, 1, 1), timedelta)],
)  # fmt: skip
def test_structures_get_composites(x, kind):
    assert type(drawn(x)) is kind


@given(
    hnp.arrays(
        hnp.floating_dtypes(sizes=(16, 32, 64)) | hnp.complex_number_dtypes(sizes=(64, 128)),
        hnp.array_shapes(min_dims=0),
    ),
    st.integers(0, 99),
)
def test_arrays_of_any_kind(x, seed):
    dx = drawn(x, seed)
    assert project_to(x)(dx) is dx
    assert np.array_equal(dx, drawn(x, seed))


def test_settings_nest_and_come_back():
    with checking(seed=3), checking(rtol=1e-4) as inner:
        assert (inner.seed, inner.rtol) == (3, 1e-4)
        assert str(inner) == "checking(seed=3, rtol=0.0001)"
    assert current() == Settings()
    with pytest.raises(TypeError, match="sede"), checking(sede=3):
        pass
