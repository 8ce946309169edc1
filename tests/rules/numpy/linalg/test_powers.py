"""Matrix powers."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_rule

CASES = [
    *(case(np.linalg.matrix_power, normal(3, 3), n) for n in (0, 1, 2, 5, -1, -2)),
    case(np.linalg.matrix_power, complex_normal(2, 2, 2), 3),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)
