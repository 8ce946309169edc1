"""Comparisons with tuples and dictionaries: each call decides for itself, not as the first one did."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

from .test_idioms_specialised import differences

OPTIONS = {"a": 2.0, "b": 3.0}


def in_a_global(x: Any, n: Any) -> Any:
    return x * (2.0 if n in OPTIONS else 7.0)


def in_a_dictionary(x: Any, n: Any) -> Any:
    return x * (1.0 + (n in {"a": 1.0, "b": 2.0}))


def in_a_literal(x: Any, n: Any) -> Any:
    if n in ("a", "c"):
        return x * x
    return x


def in_a_list(x: Any, n: Any) -> Any:
    if n in ["a", "c"]:
        return x * x
    return x


def in_a_set(x: Any, n: Any) -> Any:
    return x * x if n in {"a", "c"} else x


def not_in_a_literal(x: Any, n: Any) -> Any:
    return x * x if n not in ("a", "c") else x


def equal(x: Any, n: Any) -> Any:
    pair = (n, 1)
    return x * x if pair == ("a", 1) else x


def unequal(x: Any, n: Any) -> Any:
    pair = (n, 1)
    return x * x if pair != ("a", 1) else x


def ordered(x: Any, n: Any) -> Any:
    return x * x if (1, n) < (1, "m") else x


def the_same(x: Any, n: Any) -> Any:
    pair = (n, 1.0)
    other = pair if n == "a" else (n, 1.0)
    return x * x if pair is other else x


def none_or_a_pair(x: Any, n: Any) -> Any:
    pair = (x, 1.0) if n == "a" else None
    return x if pair is None else x * x


PROGRAMS: list[Callable[[Any, Any], Any]] = [
    *(
        in_a_global,
        in_a_dictionary,
        in_a_literal,
        in_a_list,
        in_a_set,
        not_in_a_literal,
        equal,
        unequal,
        ordered,
    ),
    *(equal, unequal, ordered, the_same, none_or_a_pair),
]


@pytest.mark.parametrize("order", [("a", "z"), ("z", "a")], ids=lambda o: "".join(o))
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_each_call_decides_for_itself(program: Any, order: tuple[str, str]) -> None:
    f = FunctionType(program.__code__, program.__globals__, program.__name__)  # one that has no text yet
    with specialised_after(1):
        for _ in range(3):
            first = cr.grad(f)(3.0, order[0])
        second = cr.grad(f)(3.0, order[1])
        assert bool(text_of(f)) == (program not in (the_same, none_or_a_pair))
    slopes = [(f(3.0 + 1e-6, n) - f(3.0 - 1e-6, n)) / 2e-6 for n in order]
    assert [first, second] == pytest.approx(slopes, rel=1e-6)


def turned(x: Any, order: tuple[int, ...]) -> Any:
    return np.sum(np.transpose(x.reshape(2, 2, 2), order) ** 2 * np.arange(8.0).reshape(2, 2, 2))


def test_an_order_of_axes_may_count_from_the_end_in_a_later_call() -> None:
    x = np.linspace(0.1, 1.0, 8)
    with specialised_after(1):
        for order in ((2, 0, 1), (2, 0, 1), (-1, 0, 1), (0, -1, 1), (1, -1, 0)):
            np.testing.assert_allclose(
                cr.grad(turned)(x, order), differences(lambda x, o=order: turned(x, o), x), rtol=1e-6
            )
        assert text_of(turned)
