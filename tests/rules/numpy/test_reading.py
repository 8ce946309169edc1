"""Methods that read an array as something else."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.testing import check_rule

CASES = [
    case(np.ndarray.tolist, normal(3)),
    case(np.ndarray.tolist, normal(2, 3)),
    case(np.ndarray.tolist, complex_normal(2)),
    case(np.ndarray.tolist, np.array(0.3)),
    case(np.ndarray.compress, normal(3), constant([True, False, True])),
    case(np.ndarray.compress, normal(2, 3).astype(np.float32), constant([False, True]), axis=0),
    case(np.ndarray.compress, complex_normal(2, 3), constant([True, False, True, True])),
    case(np.ndarray.view, normal(2, 3)),
    case(np.ndarray.view, normal(2, 4), complex),
    case(np.ndarray.view, complex_normal(3), dtype=float),
    case(np.ndarray.view, normal(4).astype(np.float32), np.complex64),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_in_programs() -> None:
    x = normal(4)
    np.testing.assert_allclose(cr.grad(lambda x: sum(v * v for v in x.tolist()))(x), 2 * x)
    np.testing.assert_allclose(cr.grad(lambda x: np.sum(np.abs(x.view(complex)) ** 2))(x), 2 * x)


@pytest.mark.parametrize("dtype", [np.int64, np.float32, bool])
def test_bits_as_other_numbers_are_refused(dtype: Any) -> None:
    with pytest.raises(UnsupportedArgument, match="bits"):
        rrule_of(np.ndarray.view, normal(4), dtype)
