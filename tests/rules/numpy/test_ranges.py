"""`arange` against differences."""

import numpy as np
import pytest
from tests.rules.cases import case

from chainrules.core import UnsupportedArgument, apply_rrule
from chainrules.testing import check_rule

CASES = [
    case(np.arange, 3.5),
    case(np.arange, 0.3, 3.1),
    case(np.arange, 0.3, 3.2, 0.7),
    case(np.arange, 3.0, 0.2, -1.1, why="downwards"),
    case(np.arange, 2.5, 0.5, why="empty"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_a_dtype_that_could_truncate_is_refused():
    with pytest.raises(UnsupportedArgument, match="dtype"):
        apply_rrule(np.arange, 0.5, 3.0, dtype=int)
