"""Functions whose kinds depend on a whole number that they are given, and stars before ranges."""

from __future__ import annotations

from typing import Any

import numpy as np

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .test_idioms_specialised import differences, hold_specialised

X = np.array([0.3, -0.75, 1.1, 0.2])


def stretched(w: Any, trailing: int) -> Any:
    return np.reshape(w, (*np.shape(w), *(1,) * trailing))


def by_two_numbers(x: Any) -> Any:
    table = x * stretched(x, 1) + stretched(x, 0)
    return np.sum(table**2) + np.sum(stretched(x * x, 2))


def by_how_many(x: Any, n: int) -> Any:
    return np.sum(stretched(x, n) * x) * np.sum(stretched(x, n - 1))


def transposed(x: Any) -> Any:
    table = np.reshape(x, (2, 1, 2))
    return np.sum(np.transpose(table, (*range(1, 3), *range(1)))[:, 0] ** 3)


def test_a_function_has_kinds_for_each_number() -> None:
    hold_specialised(by_two_numbers, X)
    hold_specialised(transposed, X)


def test_another_number_later() -> None:
    with specialised_after(1):
        for n in (1, 1, 2, 1, 3, 3, 3):
            found = cr.grad(by_how_many)(X, n)
            expected = differences(lambda x, n=n: by_how_many(x, n), X)
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
