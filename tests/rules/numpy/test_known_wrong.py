"""What other libraries get wrong, right here: each with the value that a pencil gives, or differences."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_rule

VALUES: dict[str, tuple[Callable[[Any], Any], Any, Any]] = {
    "diag of an array that is not square": (lambda x: np.sum(np.diag(x)), np.ones((2, 3)), np.eye(2, 3)),
    "tile with reps shorter than ndim": (
        lambda x: np.sum(np.tile(x, 2) * np.arange(12.0).reshape(2, 6)),
        np.ones((2, 3)),
        [[3, 5, 7], [15, 17, 19]],
    ),
    "prod at a zero": (np.prod, np.array([0.0, 2.0, 3.0]), [6, 0, 0]),
    "prod at two zeros": (np.prod, np.array([0.0, 0.0, 3.0]), [0, 0, 0]),
    "sinc at zero": (np.sinc, 0.0, 0),
    "norm at zero": (np.linalg.norm, np.zeros(2), [0, 0]),
    "clip by its lower bound": (lambda low: np.sum(np.clip(np.array([0.0, 2.0]), low, 3.0)), 1.0, 1),
    "clip by its upper bound": (lambda high: np.sum(np.clip(np.array([0.0, 2.0]), -1.0, high)), 1.0, 1),
    "max with ties across axes": (np.max, np.array([[1.0, 3.0], [3.0, 2.0]]), [[0, 0.5], [0.5, 0]]),
}
CASES = [
    case(np.linalg.eigh, normal(3, 3) + normal(3, 3).T, why="phases"),
    case(np.linalg.eigh, complex_normal(3, 3), why="phases"),
    case(np.linalg.svd, complex_normal(2, 4), full_matrices=False, why="wide and complex"),
    case(np.linalg.solve, normal(2, 3, 3) + 3 * np.eye(3), normal(3), why="a vector for a batch"),
]


@pytest.mark.parametrize("name", VALUES)
def test_value(name: str) -> None:
    f, x, expected = VALUES[name]
    np.testing.assert_array_equal(cr.grad(f)(x), expected)


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)
