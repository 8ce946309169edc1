"""Running sums and products."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal

from chainrules.testing import check_grads, check_rule

INITIAL = [
    *(case(f, normal(4)) for f in (np.cumulative_sum, np.cumulative_prod)),
    *(case(f, np.array(0.3), why="a number") for f in (np.cumulative_sum, np.cumulative_prod)),
    *(
        case(f, complex_normal(2, 3), axis=1, include_initial=True)
        for f in (np.cumulative_sum, np.cumulative_prod)
    ),
    *(
        case(f, normal(2, 3).astype(np.float32), axis=0, dtype=float)
        for f in (np.cumulative_sum, np.cumulative_prod)
    ),
    case(np.cumulative_prod, np.array([2.0, 0.0, 3.0]), include_initial=True, why="a zero"),
]
CASES = [
    *INITIAL,
    case(np.cumsum, normal(4)),
    case(np.cumsum, normal(2, 3)),
    case(np.cumsum, normal(2, 3), axis=-1),
    case(np.ndarray.cumsum, normal(2, 3), 0),
    case(np.cumprod, normal(4)),
    case(np.cumprod, normal(2, 3)),
    case(np.cumprod, complex_normal(2, 3), axis=0),
    case(np.ndarray.cumprod, normal(2, 3), axis=1),
    case(np.cumprod, np.array([2.0, 0.0, 3.0, 4.0]), why="a zero"),
    case(np.cumprod, np.array([[2.0, 0.0, 3.0], [0.0, 1.0, 0.0]]), axis=1, why="zeros"),
    case(np.cumprod, np.array([[2.0, 0.0, 3.0], [0.0, 1.0, 0.0]]), why="zeros, flattened"),
    *(case(f, normal(3).astype(np.float32), dtype=complex) for f in (np.cumsum, np.cumprod)),
    case(np.cumprod, complex_normal(3) * [1, 0, 1], why="complex with a zero"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize(("f", "args", "kwargs"), INITIAL)
def test_cumulative(f: Any, args: Any, kwargs: Any) -> None:
    check_grads(lambda x: f(x**2, **kwargs), *args)


def test_a_number_along_its_axis() -> None:
    zero = np.array(0.0)
    assert frule_of(np.cumprod, (zero,), (zero + 1.0,), axis=0)[1] == 1.0
