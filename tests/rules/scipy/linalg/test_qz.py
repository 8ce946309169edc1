"""Generalised Schur forms."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

REAL = np.diag([1.0, -2.0, 4.0]) + 0.3 * normal(3, 3)
OTHER = np.eye(3) + 0.2 * normal(3, 3, seed=4)
CASES = [
    case(linalg.qz, REAL, OTHER),
    case(linalg.ordqz, REAL, OTHER),
    case(linalg.ordqz, REAL, OTHER, sort="rhp"),
    case(linalg.qz, np.stack([REAL, OTHER @ REAL]), OTHER),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a: linalg.qz(a, OTHER[:2, :2])[2:], REAL[:2, :2], modes=("rev",))


def test_what_no_phase_changes() -> None:
    def quotients(a: Any, b: Any) -> Any:
        s, t, _, z = linalg.qz(a, b, "complex")
        return np.diagonal(s) / np.diagonal(t), np.abs(z)

    check_grads(quotients, normal(3, 3), complex_normal(3, 3), order=1, modes=("rev",))


def test_what_is_not_determined_is_refused() -> None:
    turning = np.array([[0.0, 1.0], [-1.0, 0.0]])
    with pytest.raises(cr.NotDifferentiableError, match="complex pairs"):
        cr.grad(lambda a: np.sum(linalg.qz(a, np.eye(2))[0]))(turning)
    with pytest.raises(cr.NotDifferentiableError, match="phase"):
        cr.grad(lambda a: np.sum(np.real(linalg.qz(a, np.eye(2), "complex")[3])))(turning)
    with pytest.raises(cr.NotDifferentiableError, match="coincide"):
        cr.grad(lambda a: np.sum(linalg.qz(a, np.eye(2))[3]))(np.eye(2))
