"""Riccati equations, with and without e and s."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg
from tests.rules.cases import case, complex_normal, constant, normal

from chainrules.testing import check_grads, check_rule, constrained


def weight(n: int, numbers: Any = normal, seed: int = 0) -> Any:
    x = numbers(n, n, seed=seed)
    return constrained(x @ x.conj().T + np.eye(n), "hermitian")


E, S = np.eye(3) + 0.2 * normal(3, 3, seed=8), 0.2 * normal(3, 2, seed=9)
CASES = [
    case(f, numbers(3, 3), numbers(3, 2, seed=1), weight(3, numbers), weight(2, numbers))
    for f, numbers in ((linalg.solve_continuous_are, complex_normal), (linalg.solve_discrete_are, normal))
] + [
    case(f, normal(3, 3), normal(3, 2, seed=1), weight(3), weight(2), *rest, balanced=balanced)
    for f, rest, balanced in (
        (linalg.solve_continuous_are, (E, S), True),
        (linalg.solve_discrete_are, (constant(None), S), False),
        (linalg.solve_discrete_are, (E,), True),
    )
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [linalg.solve_continuous_are, linalg.solve_discrete_are])
def test_second_order(f: Any) -> None:
    check_grads(lambda a: f(a, normal(2, 1, seed=1), np.eye(2), np.eye(1)), normal(2, 2))
