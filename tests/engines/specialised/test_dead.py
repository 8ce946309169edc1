"""Lines of a text that nothing reads: they are left out where they do nothing else."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

import chainrules as cr
from chainrules.engines.specialised.pushing.dead import without_dead
from chainrules.engines.specialised.running import ways
from chainrules.engines.specialised.running.entry import Settings
from chainrules.engines.specialised.writing import rundown

HELPERS = {"sin": np.sin, "zeros": np.zeros, "scattered": rundown.scattered, "other": lambda x: x}


def left(text: str, result: str) -> list[str]:
    return without_dead(text.split("\n"), [ast.parse(result, mode="eval").body], HELPERS)


def test_what_is_not_read_is_left_out() -> None:
    text = "a = sin(x)\nb = a * 2\nc = b.copy()\ne = zeros(3)\nb = None\ny = a + 1"
    assert left(text, "y") == ["a = sin(x)", "y = a + 1"]
    assert left(text, "(c, e)") == ["a = sin(x)", "b = a * 2", "c = b.copy()", "e = zeros(3)"]


def test_what_does_something_stays() -> None:
    for line in ("y[0] = a", "a = ys.pop()", "scattered(y, i, a)", "a = scattered(y, i, b)", "a = other(b)",
                 "a = unknown(b)", "a += b", "if c:\n    raise d", "a, y[0] = b"):  # fmt: skip
        assert left(f"{line}\nz = 1", "w") == line.split("\n")


def energy(x: Any, b: Any) -> Any:
    return np.sum(x**4 - np.sin(x) * b) / (1.0 + np.sum(x * x))


def test_a_product_with_a_hessian_asks_for_no_tangent_of_the_value() -> None:
    x, b, v = np.array([0.3, -0.5, 1.2]), np.array([1.0, 2.0, -1.0]), np.array([1.0, 0.5, -0.3])
    for _ in range(Settings.runs + 2):
        found, hessian = cr.hvp(energy, (x, b), (v, b), (0, 1)), cr.hessian(energy)(x, b)
    gradient = cr.grad(energy, (0, 1))
    ahead, behind = (gradient(x + s * v, b + s * b) for s in (1e-5, -1e-5))
    for mine, p, q in zip(found, ahead, behind, strict=True):
        np.testing.assert_allclose(mine, (p - q) / 2e-5, rtol=1e-7, atol=1e-8)
    columns = [(gradient(x + e, b)[0] - gradient(x - e, b)[0]) / 2e-5 for e in np.eye(3) * 1e-5]
    np.testing.assert_allclose(hessian, columns, rtol=1e-7, atol=1e-8)
    program = ways.program_at(energy, ("gradient", (0, 1)), (x, b))
    assert "result__dot" not in program.text
