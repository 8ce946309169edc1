"""Random programs: the specialised program and the ordinary one give the same numbers on every path."""

import linecache
import random
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

HELPER = """

def helper(u, w):
    if u[0] > w:
        return u * w
    y = u
    for j in range(2):
        y = y * u[j] + w
    return y
"""
START = """def f(x, a, p):
    v1 = x * 0.5
    v2 = x
    v3 = p[0] * 1.0
    s1 = a
    s2 = 0.0
    ys = [x, x * 2.0]
    i = 0
"""
END = "    return np.sum(v1 * v2) + np.sum(v3) * s1 + s2 + np.sum(ys[0] + ys[-1])\n"


class Programs:
    """Draws programs of vectors and numbers: branches, loops, lists, calls, reassigned variables."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.in_loop = False

    def name(self, kind: str) -> str:
        names = ("x", "p[0]", "v1", "v2", "v3", "ys[-1]") if kind == "v" else ("a", "p[1]", "s1", "s2")
        return self.draw.choice(names)

    def number(self) -> str:
        c = self.draw.random()
        if c < 0.5:
            return self.name("s")
        if c < 0.6:
            return f"{self.name('v')}[{self.draw.choice(['0', '-1', 'i' if self.in_loop else '2'])}]"
        if c < 0.7:
            return f"np.{self.draw.choice(['sum', 'max', 'min', 'mean'])}({self.vector()})"
        if c < 0.8:
            return f"np.{self.draw.choice(['sin', 'tanh', 'exp'])}({self.name('s')} * 0.3)"
        if c < 0.9:
            return f"({self.number()} {self.draw.choice('+-*')} {self.number()})"
        return str(round(self.draw.uniform(-2, 2), 2))

    def vector(self) -> str:
        c, v = self.draw.random(), self.name("v")
        if c < 0.4:
            return v
        if c < 0.5:
            return f"np.{self.draw.choice(['sin', 'cos', 'tanh'])}({v})"
        if c < 0.7:
            return f"({self.vector()} {self.draw.choice('+-*')} {self.vector()})"
        if c < 0.78:
            return f"({self.vector()} {self.draw.choice('+-*/')} (2.5 + np.cos({self.number()})))"
        others = (
            f"np.concatenate(({v}[1:], {self.name('v')}[:1]))",
            f"{v}[::-1]",
            f"helper({v}, {self.name('s')})",
            f"np.outer({v}, {self.name('v')}) @ {self.name('v')} * 0.1",
            f"({v}[None, :] * {self.name('v')}[:, None]).sum(axis={self.draw.choice([0, 1])}) * 0.1",
            f"np.where({v} > {self.number()}, {self.name('v')}, {self.number()})",
        )
        return self.draw.choice(others)

    def block(self, indent: int, count: int) -> list[str]:
        lines = []
        for _ in range(count):
            lines += ["    " * indent + line for line in self.statement(indent)]
        return lines

    def statement(self, indent: int) -> list[str]:
        c, draw = self.draw.random(), self.draw
        if c < 0.3:
            return [f"{draw.choice(['v1', 'v2', 'v3', 'x'])} = {self.vector()} * 0.5"]
        if c < 0.55:
            return [f"{draw.choice(['s1', 's2', 'a'])} = {self.number()} * 0.5"]
        if c < 0.62:
            return [f"v1, v2 = v2, {self.vector()} * 0.3"]
        if c < 0.7:
            return [f"ys.append({self.vector()} * 0.5)"]
        if c < 0.76:
            place, other = (draw.choice(["0", "-1"]) for _ in range(2))
            return [f"ys[{place}] = ys[{other}] * 0.5 + {self.vector()} * 0.1"]
        if c < 0.8:
            return [f"v3 = ys[{draw.choice(['0', '-1'])}]"]
        if indent > 2:
            return [f"s1 = s1 * 0.9 + {self.number()} * 0.1"]
        if c < 0.9:
            lines = [f"if {self.number()} > {self.number()}:", *self.block(1, 2)]
            return [*lines, "else:", *self.block(1, 2)] if draw.random() < 0.6 else lines
        before, self.in_loop = self.in_loop, True
        lines = [f"for i in range({draw.choice([1, 2, 3])}):", *self.block(1, 2)]
        if draw.random() < 0.3:
            lines.append(f"    if {self.number()} > 0.4: {draw.choice(['break', 'continue'])}")
            lines += self.block(1, 1)
        self.in_loop = before
        return lines

    def function(self, name: str) -> Any:
        text = START + "\n".join(self.block(1, 7)) + "\n" + END + HELPER
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        namespace: dict[str, Any] = {"np": np}
        exec(compile(text, name, "exec"), namespace)
        return namespace["f"]


def same(mine: Any, theirs: Any) -> bool:
    """Whether two gradients are the same numbers."""
    if not isinstance(mine, float | np.ndarray):
        return all(same(a, b) for a, b in zip(mine, theirs, strict=True))
    a, b = np.asarray(mine), np.asarray(theirs)
    size = np.max(np.abs(b), initial=1.0, where=np.isfinite(b))
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-7, atol=1e-8 * size, equal_nan=True)


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.filterwarnings("ignore")
def test_both_programs_give_the_same(seed: int) -> None:
    f = Programs(seed).function(f"<specialised random program {seed}>")
    numbers = np.random.default_rng(seed)
    points = [
        (numbers.normal(size=4), float(numbers.normal()), (numbers.normal(size=4), float(numbers.normal())))
        for _ in range(3)
    ]
    argnums = (0, 1, 2, (0, 1, 2))[seed % 4]
    with np.errstate(all="ignore"):
        with specialised_after(10**9):
            right = [cr.value_and_grad(f, argnums)(*x) for x in points]
        with specialised_after(1):
            for x, y in [*zip(points, right, strict=True)] * 2:
                found = cr.value_and_grad(f, argnums)(*x)
                assert same(found[0], y[0])
                assert same(found[1], y[1])
