"""Arrays that are rolled: the entries are taken by slices, in the texts of tangents, too."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.core.registry import keep, rules_of
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of
from chainrules.engines.specialised.writing.rundown import rolled

from .compared import by_ordinary, hold_directions, is_right


def of_a_vector(x: Any) -> Any:
    return np.sum(np.roll(x, 1) ** 2 * np.roll(x * x, -2) + np.roll(x, 0) * x)


def of_a_matrix(x: Any) -> Any:
    a = np.outer(x, x[:2] ** 2)
    return np.sum(np.roll(a, 1, 0) ** 2 * np.roll(a, 3, axis=-1) + np.roll(a, -2) * np.roll(a, 1, axis=1))


def stretched(x: Any) -> Any:
    return np.sum(np.roll(np.full(4, x[0] * x[1]), 1) * np.roll(np.tile(x[1:], 2), 3))


@pytest.mark.parametrize("f", [of_a_vector, of_a_matrix, stretched])
def test_rolls_have_texts(f: Any) -> None:
    x = np.array([0.3, -1.2, 0.7])
    assert is_right(f, x)
    assert "rolled" in text_of(f)
    hold_directions(f, x)
    with specialised_after(1, compared=True):
        for at in (x, 2.0 * x):
            np.testing.assert_allclose(cr.hessian(f)(at), by_ordinary(f, at, of=cr.hessian), atol=1e-12)


@pytest.mark.parametrize("shape", [(1,), (5,), (0,), (3, 4), (0, 3), (2, 3, 4)])
def test_what_is_rolled_is_numpy_s(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).normal(size=shape)
    for shift in (-7, -1, 0, 2, 5):
        for axis in (None, *range(-len(shape), len(shape))):
            y = rolled(x, shift, axis)
            np.testing.assert_array_equal(y, np.roll(x, shift, axis))
            assert not np.shares_memory(x, y)
    with pytest.raises(ValueError, match="out of bounds"):
        rolled(x, 1, len(shape))


@pytest.fixture
def another_rule() -> Iterator[None]:
    """A forward rule of np.roll by somebody else, seven times what it should be."""
    np.testing.assert_array_equal(cr.grad(of_a_vector)(np.ones(3)).shape, (3,))  # the rules are loaded
    entry: Any = rules_of(np.roll)
    before, entry.methods["forward"] = entry.methods["forward"], []

    @cr.frule(np.roll)
    def roll_frule(tangents: Any, x: np.ndarray, *, shift: Any, axis: Any = None) -> Any:
        return np.roll(x, shift, axis), 7.0 * np.roll(tangents[0], shift, axis)

    yield
    entry.methods["forward"] = before
    keep(entry)


@pytest.mark.usefixtures("another_rule")
def test_the_rule_in_force_counts() -> None:
    def f(x: Any) -> Any:
        return np.sum(x * np.roll(x, 1))

    x, v = np.array([1.0, 2.0, 5.0]), np.array([1.0, 0.0, 2.0])
    for _ in range(4):
        np.testing.assert_allclose(cr.hvp(f, x, v), 7 * (np.roll(v, 1) + np.roll(v, -1)))
