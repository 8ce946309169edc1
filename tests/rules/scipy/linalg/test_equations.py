"""Sylvester and Lyapunov equations."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule


def stable(*shape: int, numbers: Any = normal, seed: int = 0) -> Any:
    return numbers(*shape, seed=seed) - 4 * np.eye(shape[-1])


def small(n: int, numbers: Any = normal, seed: int = 0) -> Any:
    return 0.8 * numbers(n, n, seed=seed) / np.sqrt(2 * n)


CASES = [
    case(linalg.solve_sylvester, stable(3, 3), stable(2, 2, seed=1), normal(3, 2)),
    case(
        linalg.solve_sylvester,
        stable(3, 3, numbers=complex_normal),
        stable(2, 2, numbers=complex_normal),
        complex_normal(3, 2),
    ),
    case(linalg.solve_sylvester, stable(2, 3, 3), stable(2, 2, 2, seed=1), normal(2, 3, 2)),
    case(linalg.solve_continuous_lyapunov, stable(3, 3), normal(3, 3)),
    case(linalg.solve_continuous_lyapunov, stable(2, 2, numbers=complex_normal), complex_normal(2, 2)),
    case(linalg.solve_sylvester, stable(2, 3, 3), stable(2, 2, seed=1), normal(3, 2), why="stretched"),
    case(linalg.solve_lyapunov, stable(2, 2, 2), normal(2, 2, 2)),
    *(case(linalg.solve_discrete_lyapunov, small(3), normal(3, 3), method=m) for m in ("direct", "bilinear")),
    case(linalg.solve_discrete_lyapunov, small(2, complex_normal), complex_normal(2, 2)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(lambda a, b: linalg.solve_sylvester(a, b, a), stable(2, 2), stable(2, 2, seed=1))
    check_grads(linalg.solve_discrete_lyapunov, small(2), normal(2, 2))


@pytest.mark.parametrize("f", [linalg.solve_continuous_lyapunov, linalg.solve_discrete_lyapunov])
def test_an_equation_without_a_unique_solution_is_refused(f: Any) -> None:
    a = np.diag([1.0, -1.0]) if f is linalg.solve_continuous_lyapunov else np.diag([2.0, 0.5])
    with pytest.raises((cr.NotDifferentiableError, np.linalg.LinAlgError)):
        cr.grad(lambda q: np.sum(f(a, q)))(np.eye(2))
