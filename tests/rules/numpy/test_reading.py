"""Methods that read an array as something else."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, normal, rrule_of

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.rules.numpy.reading import in_line
from chainrules.testing import check_grads, check_rule

CASES = [
    case(np.ndarray.tolist, normal(3)),
    case(np.ndarray.tolist, normal(2, 3)),
    case(np.ndarray.tolist, complex_normal(2)),
    case(np.ndarray.tolist, np.array(0.3)),
    case(np.ndarray.compress, normal(3), constant([True, False, True])),
    case(np.ndarray.compress, normal(2, 3).astype(np.float32), constant([False, True]), axis=0),
    case(np.ndarray.compress, complex_normal(2, 3), constant([True, False, True, True])),
    *(case(in_line, x) for x in (normal(2, 3), normal(3).astype("f4"), complex_normal(1, 2))),
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


def stored_in_line(x: Any) -> Any:
    y = x * 2.0
    y.flat[[0, 2]] = x[1, :2]
    y.flat[1] *= x[0, 0]
    return y * x


FLAT: dict[str, Any] = {
    "an entry": lambda x: x.flat[3] * x[0, 0],
    "a slice": lambda x: x.flat[1:3] ** 2,
    "one by one": lambda x: sum(i * v for i, v in enumerate(x.flat)),
    "whole": lambda x: np.dot(x.flat, x.flat) * len(x.flat),
    "copy": lambda x: x.flat.copy() * np.array(x.flat),
    "stored": stored_in_line,
}


@pytest.mark.parametrize("name", FLAT)
def test_flat(name: str) -> None:
    check_grads(FLAT[name], normal(2, 3))


def test_flat_of_what_does_not_lie_in_order() -> None:
    check_grads(lambda x: np.sum(np.arange(6.0) * list(x.T.flat)) + x.T.flat[1] ** 2, normal(2, 3))
    with pytest.raises(UnsupportedArgument, match="do not lie in order"):
        rrule_of(getattr, normal(2, 3).T, "flat")


def test_flat_may_be_written_by_another_name() -> None:
    def written(x: Any) -> Any:
        y = x * 2.0
        line = y.flat
        line[0] = 3.0 * x[0, 1]
        return np.sum(y * x)

    check_grads(written, normal(2, 3))


def test_flat_of_what_nothing_else_sees_may_be_written() -> None:
    def written(x: Any) -> Any:
        line = (x * 2.0).flat
        line[0] = 3.0
        return np.sum(line)

    check_grads(written, normal(2, 3))
