"""Arrays taken apart: several outputs, of which some may be unused."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, normal, rrule_of

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.tangents import Composite, Zero
from chainrules.testing import check_grads, check_rule

CASES = [
    case(np.split, normal(4), 2),
    case(np.split, normal(2, 4), [1, 3], axis=1),
    case(np.array_split, normal(5), 2),
    case(np.array_split, normal(2, 5), 3, axis=-1),
    case(np.vsplit, normal(4, 2), 2),
    case(np.hsplit, normal(2, 4), [1]),
    case(np.hsplit, normal(4), 2),
    case(np.dsplit, normal(1, 2, 4), 2),
    case(np.broadcast_arrays, normal(3, 1), normal(2), 1.5),
    case(np.meshgrid, normal(2), normal(3)),
    case(np.meshgrid, normal(2), normal(3), normal(4), indexing="ij"),
    case(np.meshgrid, normal(2), normal(3), sparse=True),
    case(np.meshgrid, normal(3)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_unused_parts_are_zero() -> None:
    _, pullback = rrule_of(np.split, normal(4), 2)
    (x_bar, _) = pullback(Composite[list](Zero(), np.array([1.0, 2.0])))
    np.testing.assert_array_equal(x_bar, [0, 0, 1, 2])


def test_parts_in_common_are_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="the places fall"):
        rrule_of(np.split, normal(5), [3, 1])


def test_second_derivatives_where_one_of_several_is_stretched():
    """The tangent of the smaller one is stretched too, and its cotangent summed."""
    wide = normal(3, 3)

    def f(w):
        v, stretched = np.broadcast_arrays(wide, w[None])
        return np.sum(stretched[0] ** 3) + np.sum(v * stretched**2)

    check_grads(f, normal(3), order=2)

    def slope(pair):
        low, high = pair
        return cr.jvp(f, (low,), (high,))[1]

    low, high = normal(3), normal(3, seed=1)
    np.testing.assert_allclose(cr.grad(slope)((low, high))[0], cr.hessian(f)(low) @ high, rtol=1e-12)
