"""Parts of arrays by numbers and slices, against differences."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, constant, normal

from chainrules.core import UnsupportedArgument, apply_frule, apply_rrule
from chainrules.rules.parts import between_zeros, part
from chainrules.tangents import NoTangent
from chainrules.testing import check_rule, checking

INDICES: list[Any] = [
    1, -1, (0, 1), (slice(1, None), 0), (slice(-2, 9),), slice(2, 1), (..., 0), (None, 1, ...), (), ...,
    (np.int64(1), slice(None, -1)),
]  # fmt: skip
CASES = [
    *(case(part, normal(3, 2), constant(index)) for index in INDICES),
    *(case(part, normal(2, 3, 2).astype(dtype), constant((..., 1))) for dtype in ("f4", "c16")),
    case(between_zeros, normal(2), (slice(1, 3), 0), (4, 2)),
    case(between_zeros, normal(1, 2), (None, 1, ...), (3, 2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    with checking(order=2):
        check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("index", [slice(None, None, 2), [0, 1], np.array([0]), True, (slice(None), [0])])
def test_other_indices_are_refused(index: Any) -> None:
    with pytest.raises(UnsupportedArgument, match="by numbers and slices"):
        apply_rrule(part, normal(3, 2), index)
    with pytest.raises(UnsupportedArgument, match="by numbers and slices"):
        apply_frule(part, (normal(3, 2), index), (normal(3, 2), NoTangent()))
