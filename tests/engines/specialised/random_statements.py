"""What random programs of statements share: how statements nest, and what is asked of a program."""

import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.engines.specialised.compared import differences

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

FIRST = int(os.environ.get("CHAINRULES_FUZZ_FIRST", "0"))


def seeds(count: int) -> range:
    """The seeds of so many programs, or of more where that is asked for."""
    return range(FIRST, FIRST + count * int(os.environ.get("CHAINRULES_FUZZ", "1")))


class Statements:
    """The statements of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops: list[str] = []

    def pick(self, *given: str) -> str:
        return self.random.choice(given)

    def simple(self) -> list[str]:
        """Statements of one line."""
        raise NotImplementedError

    def several(self) -> list[list[str]]:
        """Statements of several lines."""
        raise NotImplementedError

    def test(self) -> str:
        """What a branch asks."""
        raise NotImplementedError

    def statement(self, indent: int) -> list[str]:
        kind = self.random.random()
        if kind < 0.15 and indent < 3:
            counter = f"k{len(self.loops)}"
            self.loops.append(counter)
            body = self.block(indent + 1, self.random.randint(1, 3))
            self.loops.pop()
            return [f"for {counter} in range({self.random.randint(1, 3)}):", *body]
        if kind < 0.28 and indent < 3:
            return [f"if {self.test()}:", *self.block(indent + 1, 2), "else:", *self.block(indent + 1, 1)]
        return self.random.choice(self.several()) if kind < 0.45 else [self.random.choice(self.simple())]

    def block(self, indent: int, count: int) -> list[str]:
        return ["    " + line for _ in range(count) for line in self.statement(indent)]


def _jumps(f: Callable[[Any], Any], x: Any, step: float = 1e-7) -> bool:
    """Whether f jumps at x, as where a branch asks which of two equal numbers is larger."""
    return any(abs(f(x + e) + f(x - e) - 2 * f(x)) > 1e-3 for e in step * np.eye(len(x)))


def hold_program(f: Callable[[Any], Any], seed: int) -> None:
    """Hold gradients at several points, and derivatives along a direction, to differences."""
    numbers = np.random.default_rng(seed)
    points = [numbers.normal(size=3) for _ in range(4)]
    with specialised_after(1, compared=True):
        for x in [*points, *points[:2]]:
            try:
                found: Any = cr.grad(f)(x)
            except cr.core.ChainRulesError:
                return  # the ordinary program refuses it by name
            slopes = differences(f, x)
            size = np.max(np.abs(slopes), initial=1.0)
            if size > 1e3 or _jumps(f, x):
                return  # too steep for differences
            np.testing.assert_allclose(found, slopes, rtol=1e-5, atol=1e-6 * size)
    v, e, x = np.array([0.3, -0.5, 0.7]), 1e-5, points[0]
    with specialised_after(1, compared=True):
        for _ in range(3):
            _, dy = cr.jvp(f, (x,), (v,))
            hv = cr.hvp(f, x, v) if seed % 3 == 0 else None
    np.testing.assert_allclose(dy, differences(f, x) @ v, rtol=1e-5, atol=1e-5)
    if hv is not None:
        slope = (cr.grad(f)(x + e * v) - cr.grad(f)(x - e * v)) / (2 * e)
        np.testing.assert_allclose(hv, slope, rtol=1e-3, atol=1e-4 * np.max(np.abs(slope), initial=1.0))
