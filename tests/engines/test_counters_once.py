"""Functions that count their calls, and those that call such: each operator counts what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr

X = np.array([1.0, 2.0])


def in_a_dictionary() -> tuple[Callable[[Any], Any], Callable[[], int]]:
    counts = {"n": 0}

    def f(x: Any) -> Any:
        counts["n"] += 1
        return np.sin(x) * x

    return f, lambda: counts["n"]


def in_a_list() -> tuple[Callable[[Any], Any], Callable[[], int]]:
    log: list[int] = []

    def f(x: Any) -> Any:
        log.append(1)
        return np.sin(x) * x

    return f, lambda: len(log)


def in_a_variable() -> tuple[Callable[[Any], Any], Callable[[], int]]:
    n = 0

    def f(x: Any) -> Any:
        nonlocal n
        n += 1
        return np.sin(x) * x

    return f, lambda: n


def directly(f: Any) -> Any:
    return f


def by_another(f: Any) -> Any:
    return lambda x: f(x) * 2.0


def by_another_in_turn(f: Any) -> Any:
    g = by_another(f)
    return lambda x: g(x) + x


def total(f: Any) -> Any:
    return lambda x: np.sum(f(x))


OPERATORS: dict[str, Callable[[Any], Any]] = {
    "grad": lambda f: cr.grad(total(f))(X),
    "jvp": lambda f: cr.jvp(f, (X,), (X,)),
    "vjp": lambda f: cr.vjp(f, X)[1](X),
    "jacobian": lambda f: cr.jacobian(f)(X),
    "jacrev": lambda f: cr.jacrev(f)(X),
    "jacfwd": lambda f: cr.jacfwd(f)(X),
    "value_and_jacobian": lambda f: cr.value_and_jacobian(f)(X),
    "elementwise_grad": lambda f: cr.elementwise_grad(f)(X),
    "linearize": lambda f: cr.linearize(f, X)[1](X),
    "linear_transpose": lambda f: cr.linear_transpose(lambda x: 0.0 * f(X) + 3.0 * x, X)(X),
    "hessian": lambda f: cr.hessian(total(f))(X),
    "hvp": lambda f: cr.hvp(total(f), X, X),
    "jacfwd of jacfwd": lambda f: cr.jacfwd(cr.jacfwd(f))(X),
    "jacfwd of grad": lambda f: cr.jacfwd(cr.grad(total(f)))(X),
}


@pytest.mark.parametrize("around", [directly, by_another, by_another_in_turn])
@pytest.mark.parametrize("made", [in_a_dictionary, in_a_list, in_a_variable])
@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_a_call_is_counted_once(operator: Any, made: Any, around: Any) -> None:
    f, count = made()
    for k in range(1, 4):
        operator(around(f))
        assert count() == k


def test_differences_count_nothing_more() -> None:
    f, count = in_a_dictionary()
    cr.testing.check_grads(f, (X,), order=1)
    once = count()
    cr.testing.check_grads(by_another(f), (X,), order=1)
    assert count() == 2 * once
