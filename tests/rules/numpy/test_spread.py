"""var and std."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of

from chainrules.testing import check_rule

CASES = [
    *(case(f, normal(2, 3, 2)) for f in (np.var, np.std)),
    *(case(f, normal(2, 3), axis=0, ddof=1) for f in (np.var, np.std)),
    *(case(f, normal(2, 3, 2), axis=(0, -1), keepdims=True) for f in (np.var, np.std)),
    *(case(f, complex_normal(3)) for f in (np.var, np.std)),
    *(case(f, normal(5).astype(np.float32)) for f in (np.var, np.std)),
    case(np.ndarray.var, normal(2, 3), 1),
    case(np.ndarray.std, normal(4), ddof=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_a_deviation_of_zero_has_derivative_zero() -> None:
    x = np.array([[3.0, 3.0], [1.0, 2.0]])
    _, pullback = rrule_of(np.std, x, axis=1)
    np.testing.assert_allclose(pullback(np.ones(2))[0], np.array([[0, 0], [-0.5, 0.5]]))
    _, dy = frule_of(np.std, (x,), (normal(2, 2),), axis=1)
    assert dy[0] == 0
