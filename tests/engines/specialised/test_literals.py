"""Numbers that a text writes out, where they meet arrays: the same digits, precisions and types."""

from __future__ import annotations

import ast
import types
from typing import Any, cast

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.reading.compiling import compiled
from chainrules.engines.specialised.reading.literals import settle

KINDS = {"x": "a1", "y": "a2", "s": "f", "n": "i", "z": "z1", "_other": "j1"}


def settled(text: str, helpers: dict[str, Any] | None = None) -> tuple[str, list[float]]:
    tree = ast.parse(text)
    made = settle([*ast.walk(tree)], KINDS, helpers or {})
    assert all(type(v) is np.ndarray and v.shape == () and v.dtype == float for v in made.values())
    return ast.unparse(tree), [float(v) for v in made.values()]


@pytest.mark.parametrize(
    ("text", "wanted", "numbers"),
    [
        ("x * 1.2", "x * number1_", [1.2]),
        ("1 - x * x", "number1_ - x * x", [1.0]),
        ("2.0 * (x / -3)", "number1_ * (x / number2_)", [2.0, -3.0]),
        ("x > 0.5", "x > number1_", [0.5]),
        ("x -= 0.5", "x -= number1_", [0.5]),
        ("t = x + 1.0\nu = t * 1.0", "t = x + number1_\nu = t * number1_", [1.0]),
        ("number1_ + x * 2.0", "number1_ + x * number2_", [2.0]),
        ("x * 0.0 + x * -0.0", "x * number1_ + x * number2_", [0.0, -0.0]),
    ],
)
def test_a_number_that_meets_an_array_has_a_name(text, wanted, numbers):
    made, found = settled(text)
    assert made == wanted
    np.testing.assert_array_equal(np.signbit(found), np.signbit(numbers))
    assert found == numbers


@pytest.mark.parametrize(
    "text",
    [
        "s * 1.2",  # numbers stay Python's
        "n * 2",
        "z * 1.2",  # of complex numbers nothing is said
        "unknown * 1.2",
        "x ** 2",  # powers are told by their type
        "x // 2.0",
        "x[0] * 2.0",  # an entry
        "t = x\nt, u = s, n\nt * 2.0",  # not always an array
        "for t in x:\n    t * 2.0",
        "x * True",
        "x * 9007199254740993",  # no float
    ],
)
def test_other_numbers_stay(text):
    made, found = settled(text)
    assert made == ast.unparse(ast.parse(text))
    assert not found


def test_arguments_of_ufuncs_that_give_floats():
    helpers = {"most": np.maximum, "where": np.where, "sum": np.add.reduce}
    assert settled("most(x, 1.0)", helpers)[0] == "most(x, number1_)"
    assert settled("most(x, 1.0) * 2.0", helpers)[0] == "most(x, number2_) * number1_"
    assert settled("where(x, 1.0, 2.0)", helpers)[0] == "where(x, 1.0, 2.0)"
    assert settled("sum(x) * 2.0", helpers)[0] == "sum(x) * 2.0"


def test_the_function_finds_them():
    def f(x: Any) -> Any:
        return x

    lines = ["def f(x):", "    return 1 - x * 0.1"]
    made = compiled(cast(types.FunctionType, f), "f", lines, {}, {"x": "a1"})
    x = np.random.default_rng(0).normal(size=7)
    np.testing.assert_array_equal(made(x), 1 - x * 0.1)


def test_single_precision_stays():
    def f(x):
        return np.sum(np.sin(x * 1.2) * (1 - x))

    x = np.linspace(0.1, 1.0, 5)
    for dtype in (np.float32, np.float64, np.float32):
        for _ in range(5):
            made = cr.grad(f)(x.astype(dtype))
            along = cr.jvp(f, (x.astype(dtype),), (x.astype(dtype),))[1]
        assert made.dtype == dtype
        assert np.asarray(along).dtype == dtype
        wanted = 1.2 * np.cos(1.2 * x) * (1 - x) - np.sin(1.2 * x)
        np.testing.assert_allclose(made, wanted, rtol=1e-5)
        np.testing.assert_allclose(along, wanted @ x, rtol=1e-5)
