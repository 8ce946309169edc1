"""Random programs that write into arrays: specialised and ordinary programs give the same numbers."""

import linecache
import random
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

HELPERS = """

def read(u, w):
    return u * w + u[0]

def made(u):
    y = np.zeros(5)
    for j in range(1, 5):
        y[j] = y[j - 1] * 0.5 + u[j]
    return y

def exponential(u):
    y = np.exp(u * 0.2)
    return y
"""
START = """def f(x, s):
    a = x * 1.0
    b = np.zeros(5)
    c = a
    v = a[1:4]
    m = np.zeros((3, 5))
    n = np.arange(5)
    i = 1
    t = s
    ys = [x * 0.3, x * 2.0]
"""
END = "    return np.sum(a * a) + np.sum(b * c) + np.sum(v) * t + np.sum(m[1] * m[2]) + np.sum(m[:, 2])\n"
SLICES = ("1:4", ":3", "2:", "::2", "4:1:-1", "-3:", "2::-1", "i:i + 3")


class Programs:
    """Draws programs whose arrays are written into under several names."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def whole(self) -> str:
        return self.draw.choice(("a", "b", "c", "x", "m[1]", "m[i]"))

    def place(self) -> str:
        return self.draw.choice(("0", "-1", "i", "i + 1", "n[i]", "n[2]"))

    def number(self) -> str:
        c = self.draw.random()
        if c < 0.5:
            return f"{self.whole()}[{self.place()}]"
        if c < 0.6:
            return f"m[i, {self.place()}]"
        if c < 0.7:
            return f"np.sum({self.vector(1)})"
        return self.draw.choice(("t", "s", "0.7", "2", "np.sin(t)", "v[0]", "np.max(a)", "np.max(v)"))

    def part(self) -> str:
        """Three entries."""
        c = self.draw.random()
        if c < 0.2:
            return "v"
        if c < 0.3:
            return f"np.sin({self.part()})"
        if c < 0.4:
            return f"{self.part()} * {self.part()} * 0.5"
        return f"{self.whole()}[{self.draw.choice(SLICES)}]"

    def vector(self, depth: int = 0) -> str:
        c, draw = self.draw.random(), self.draw
        if c < 0.4 or depth > 2:
            return self.whole()
        if c < 0.5:
            return f"{self.whole()}[::-1]"
        if c < 0.6:
            return f"np.{draw.choice(('sin', 'tanh'))}({self.vector(depth + 1)})"
        if c < 0.7:
            return f"read({self.whole()}, {self.number()})"
        if c < 0.75:
            return f"{draw.choice(('made', 'exponential'))}({self.whole()})"
        if c < 0.8:
            texts = (
                f"np.where({self.whole()} > 0.3, {self.whole()}, 0.2)",
                f"{self.whole()}[n]",
                "m.T @ m[:, 3]",
                "ys[-1]",
                "ys[i]",
                f"np.concatenate(({self.whole()}[1:], v[:1]))",
            )
            return draw.choice(texts)
        return f"({self.vector(depth + 1)} {draw.choice('+-*')} {self.vector(depth + 1)}) * 0.5"

    def statement(self, indent: int) -> list[str]:
        c, draw = self.draw.random(), self.draw
        target = draw.choice(("a", "b", "c", "m[1]", "m[2]"))
        if c < 0.14:
            return [f"{target}[{self.place()}] = {self.number()} * 0.5"]
        if c < 0.3:
            return [f"{target}[{draw.choice(SLICES)}] = {self.part()} * 0.7"]
        if c < 0.36:
            return [f"{target}[{draw.choice(SLICES)}] = {draw.choice((self.number(), self.part()))}"]
        if c < 0.44:
            return [f"{target}[{draw.choice(SLICES)}] {draw.choice(('+=', '-=', '*='))} {self.part()}"]
        if c < 0.5:
            return [f"{target}[{self.place()}] {draw.choice(('+=', '*='))} {self.number()} * 0.5"]
        if c < 0.55:
            return [f"{draw.choice('abcv')} {draw.choice(('+=', '*='))} {self.number()} * 0.5"]
        if c < 0.6:
            i, j = self.place(), self.place()
            return [f"a[{i}], {draw.choice('ab')}[{j}] = {draw.choice('ac')}[{j}], a[{i}]"]
        if c < 0.64:
            return [f"m[{draw.choice(('i', ':', '1:', ':, 1:3', '0:2, ::-1'))}] = {self.number()}"]
        if c < 0.68:
            return [f"m[...] = {self.vector()}", "m[:, 1:4] *= m[:1, 0:3]"][: draw.choice((1, 2))]
        if c < 0.72:
            return [draw.choice(("c = b", "c = a", "v = b[1:4]", "v = c[::2]", "c = m[2]", "c = a[::-1]"))]
        if c < 0.76:
            return [f"{draw.choice('ab')} = {self.vector()} * 0.9"]
        if c < 0.79:
            return [f"b = {draw.choice(('made', 'exponential'))}(a)"]
        if c < 0.82:
            return [f"b[{draw.choice(('a > 0.3', 'n[:3]', 'n[1:4]'))}] {draw.choice(('=', '*='))} 0.4 * t"]
        if c < 0.85:
            return [f"n[{draw.choice('0123')}] = {draw.choice('01234')}"]
        if c < 0.88:
            row = ["for row in m:", "    row[1:] = row[:-1] * t", f"    {target} += row"]
            return draw.choice(([f"ys.append({self.vector()} * 0.5)"], ["ys[i] = a.copy()"], row))
        if c < 0.92 or indent > 1:
            return [f"t = t * 0.5 + {self.number()} * 0.3"]
        if c < 0.96:
            return [f"if {self.number()} > 0.3:", *self.block(1, 2, indent)]
        return [f"for i in range({draw.choice('23')}):", *self.block(1, 3, indent), "i = 1"]

    def block(self, depth: int, count: int, indent: int = 0) -> list[str]:
        lines = []
        for _ in range(count):
            lines += ["    " * depth + line for line in self.statement(indent + depth)]
        return lines

    def text(self) -> str:
        body = self.block(1, self.draw.randrange(3, 9), -1)
        at = self.draw.randrange(len(body) + 1)
        while at < len(body) and body[at].startswith("     "):
            at += 1
        loop = [
            "    for k in range(2):",
            *("    " + line for line in body[at:]),
            "        t = t * 0.9",
        ]
        start = (
            START
            if self.draw.random() < 0.6
            else START.replace("x * 1.0", self.draw.choice(("x", "x[::-1]")))
        )
        return start + "\n".join([*body[:at], *loop]) + "\n" + END + HELPERS


def function(text: str, name: str) -> Any:
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def run(f: Any, vector: Any, number: float) -> Any:
    """Value, gradients, and what the argument holds after the call."""
    x = vector.copy()
    y, gradients = cr.value_and_grad(f, (0, 1))(x, number)
    return y, *gradients, x


def agree(seed: int) -> str:
    """What became of a random program: "same", or why nothing was compared."""
    f = function(Programs(seed).text(), f"<random stores {seed}>")
    numbers = np.random.default_rng(seed)
    points = [(numbers.normal(size=5), float(numbers.normal())) for _ in range(2)]
    met: list[str] = []
    with np.errstate(all="ignore"):
        try:
            with specialised_after(10**9):
                right = [run(f, *x) for x in points]
        except Exception as refused:
            return f"refused: {type(refused).__name__}"
        with specialised_after(1, compared=True, met=met):
            for x in points * 2:
                run(f, *x)  # which raises where a text cannot be written
        if met:
            return f"declined: {met[0]}"
        with specialised_after(1):
            for x, answers in [*zip(points, right, strict=True)] * 2:
                for mine, theirs in zip(run(f, *x), answers, strict=True):
                    size = np.max(np.abs(theirs), initial=1.0, where=np.isfinite(theirs))
                    np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-8 * size)
    return "same" if text_of(f) else "without a text"


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.filterwarnings("ignore")
def test_both_programs_give_the_same(seed: int) -> None:
    for inner in range(seed * 4, seed * 4 + 4):
        agree(inner)
