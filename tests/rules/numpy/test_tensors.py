"""Tensor contractions."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

from chainrules.core import UnsupportedArgument, apply_rrule
from chainrules.testing import check_rule

CASES = [
    case(np.tensordot, normal(2, 3, 4), normal(3, 4, 5)),
    case(np.tensordot, normal(2, 3, 4), normal(4, 5), axes=1),
    case(np.tensordot, normal(2), normal(3), axes=0),
    case(np.tensordot, normal(2, 3, 4), normal(4, 5, 2), axes=((0, -1), (2, 0)), why="crossed pairs"),
    case(np.tensordot, normal(2, 3, 4), normal(5, 3), axes=(1, 1)),
    case(np.tensordot, complex_normal(2, 3), complex_normal(3, 2, seed=5), axes=([1, 0], [0, 1])),
    case(np.inner, normal(3), normal(3, seed=1)),
    case(np.inner, normal(2, 3), normal(4, 5, 3)),
    case(np.inner, normal(2, 3), 2.0),
    case(np.outer, normal(2), normal(3)),
    case(np.outer, complex_normal(2, 2), normal(3)),
    case(np.vdot, normal(3), normal(3, seed=1)),
    case(np.vdot, complex_normal(2, 2), complex_normal(2, 2, seed=3)),
    case(np.kron, normal(2, 3), normal(3, 2)),
    case(np.kron, normal(2), complex_normal(2, 3)),
    case(np.kron, normal(1, 2, 2), normal(2)),
    case(np.kron, 2.0, normal(2)),
    case(np.cross, normal(3), normal(3, seed=1)),
    case(np.cross, normal(4, 3), normal(3)),
    case(np.cross, normal(3, 2), normal(2, 3), axisa=0, axisb=1, axisc=0),
    case(np.cross, complex_normal(3, 2), normal(3, 1), axis=0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_cross_of_two_components_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="length=2"):
        apply_rrule(np.cross, np.ones(2), np.ones(2))
