"""What a function inside does to an argument happens once, however often a derivative runs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr

X = np.array([1.0, 2.0, 3.0])


def in_a_generator(x: Any, out: list[float]) -> Any:
    def squares() -> Any:
        for v in x:
            out.append(1.0)
            yield v * v

    return np.array(list(squares()))


def in_a_lambda_that_is_mapped(x: Any, out: list[float]) -> Any:
    note = lambda v: out.append(1.0)  # noqa: E731
    for _ in map(note, x):
        pass
    return x * x


def in_a_generator_that_is_given_it(x: Any, out: list[float]) -> Any:
    def counted(seen: list[float]) -> Any:
        for v in x:
            seen.append(1.0)
            yield v * v

    return np.array(list(counted(out)))


def by_a_method_that_is_taken(x: Any, out: list[float]) -> Any:
    note = out.append
    return np.array([note(1.0) or v * v for v in x])


def by_a_lambda_that_is_mapped(x: Any, out: list[float]) -> Any:
    note = lambda seen: [seen.append(1.0) for _ in x]  # noqa: E731
    return x * x + 0.0 * len(list(map(note, [out])))


def in_a_comprehension(x: Any, out: list[float]) -> Any:
    return np.array([v * v for v in x if [seen.append(1.0) for seen in [out]]])  # type: ignore[func-returns-value]  # a list of None


@pytest.mark.parametrize("of", [cr.jacfwd, cr.jacrev])
@pytest.mark.parametrize(
    "f",
    [
        in_a_generator,
        in_a_lambda_that_is_mapped,
        in_a_generator_that_is_given_it,
        by_a_method_that_is_taken,
        by_a_lambda_that_is_mapped,
        in_a_comprehension,
    ],
)
def test_it_happens_once(of: Callable[..., Any], f: Callable[..., Any]) -> None:
    out: list[float] = []
    np.testing.assert_allclose(of(f)(X, out), np.diag([2.0, 4.0, 6.0]))
    assert out == [1.0] * 3
