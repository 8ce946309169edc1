"""Conversions of arrays against differences, and those that end the derivative."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

from chainrules.tangents import Zero
from chainrules.testing import check_grads, check_rule

MADE = [np.asfortranarray, np.asarray_chkfinite, np.require]
AXES = [np.atleast_1d, np.atleast_2d, np.atleast_3d]
CASES = [
    *(case(f, normal(2, 3)) for f in MADE),
    *(case(f, 2.0) for f in MADE),
    *(case(f, [[1.0, 2.0], [3.0, 4.0]]) for f in MADE),
    *(case(f, normal(3), np.float32) for f in MADE),
    case(np.require, complex_normal(2, 3), None, ["F", "W"]),
    case(np.asarray_chkfinite, complex_normal(2, 3), order="F"),
    case(np.astype, normal(2, 3), np.float32),
    case(np.astype, normal(3).astype(np.float32), np.complex128),
    case(np.astype, complex_normal(3), np.complex64, copy=False),
    *(case(f, 2.0) for f in AXES),
    *(case(f, normal(2, 3)) for f in AXES),
    *(case(f, complex_normal(2), 3.0, normal(1, 2, 2)) for f in AXES),
    *(case(np.unstack, x) for x in (normal(2, 3), complex_normal(3), normal(0, 2))),
    case(np.unstack, normal(2, 3, 2).astype(np.float32), axis=-1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(
    "f", [*MADE, *AXES, lambda x: np.astype(x, float), lambda x: np.unstack(x)[1] * np.unstack(x)[0]]
)
def test_second_order(f: Any) -> None:
    check_grads(lambda x: f(x * x), normal(3))


def test_integers_and_truth_values_end_the_derivative() -> None:
    for f in (np.astype, np.require, np.asfortranarray):
        assert rrule_of(f, normal(3), int)[1](np.ones(3))[0] == Zero()


def test_what_is_not_finite_is_refused_as_numpy_does() -> None:
    with pytest.raises(ValueError, match="infs or NaNs"):
        rrule_of(np.asarray_chkfinite, np.array([1.0, np.inf]))
