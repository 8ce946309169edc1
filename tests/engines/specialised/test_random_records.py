"""Random programs with objects that change, in lists, in one another and under several names.

Gradients of specialised programs are held to differences, where the signs of the numbers decide which
branches are taken.
"""

import math
import os
import random
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import function_of
from tests.engines.specialised.compared import differences

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

START = """
class Cell:
    def __init__(self, v, w):
        self.v, self.w, self.log = v, w, []

    def run(self, h):
        self.v = self.v * 0.5 + h * self.w
        self.log.append(self.v)
        return self.w

    @property
    def size(self):
        return self.v * self.v - self.w


class Other:
    def __init__(self, cell, z):
        self.cell, self.z = cell, z

    def run(self, h):
        self.z = math.sin(self.z + h)
        self.cell.v = self.cell.v + self.z
        return self.z


def program(x):
    s = x[0]
    a, b = Cell(x[0], 0.5), Cell(x[1], x[2])
    T = [a, b, Cell(s, 1.0)]
    U = [b, a]
    o = Other(a, x[2])
    O = [o, Other(T[-1], 0.3)]
"""
END = """
    for k, c in enumerate(T + U):
        s = s + c.v * (1.0 + 0.2 * k) - c.w * 0.3 + sum(c.log) * 0.1
    for p in O:
        s = s + p.z * p.cell.v
    return s + a.v * 0.7 - b.size + o.cell.w
"""


class Programs:
    """The statements of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops: list[str] = []

    def pick(self, *given: str) -> str:
        return self.random.choice(given)

    def place(self, of: str) -> str:
        """An index of a list that is not empty."""
        count = self.pick("0", "1", "2", *self.loops, *self.loops)
        return f"{count} % len({of})"

    def cell(self) -> str:
        table, other = self.pick("T", "U"), self.pick("o", f"O[{self.place('O')}]")
        return self.pick("a", "b", f"{table}[{self.place(table)}]", f"{table}[-1]", f"{other}.cell")

    def other(self) -> str:
        return self.pick("o", f"O[{self.place('O')}]")

    def number(self) -> str:
        cell, other = self.cell(), self.other()
        one = self.pick(
            "s", f"x[{self.random.randrange(3)}]", f"{cell}.v", f"{cell}.w", f"{cell}.size", f"{other}.z"
        )
        two = self.pick("s", "1.5", f"{self.cell()}.v")
        return self.pick(one, f"math.sin({one})", f"0.5 * ({one} - {two})", f"math.cos({one} * {two})")

    def statement(self, indent: int) -> list[str]:
        cell, other, name, table = self.cell(), self.other(), self.pick("a", "b"), self.pick("T", "U")
        simple = [
            f"s = {self.number()}",
            f"s = s * 0.5 + {self.number()}",
            f"{cell}.v = {self.number()}",
            f"{cell}.w = {self.number()}",
            f"{cell}.v *= 0.8",
            f"{name} = {cell}",
            f"{table}[{self.place(table)}] = {cell}",
            f"{table}.append({cell})",
            f"{table}.append(Cell({self.number()}, {self.number()}))",
            f"s = s + {cell}.run({self.number()})",
            f"{cell}.run({self.number()})",
            f"{other}.run({self.number()})",
            f"{other}.z = {self.number()}",
            f"{other}.cell = {cell}",
            f"o = {other}",
            f"O[{self.place('O')}] = {other}",
            f"O.append(Other({cell}, {self.number()}))",
            f"T, U = U[:], {self.pick('T', 'U')}",
            f"{cell}.log.append({self.number()})",
            f"s = s + sum({cell}.log)",
        ]
        several = [
            [f"if len({table}) > 1:", f"    {name} = {table}.pop({self.pick('', '0')})"],
            [f"for c in {table}:", f"    c.v = c.v * 0.5 + {self.pick('s', 'x[0]', 'c.w')}"],
            [f"for c in {table}:", f"    s = math.cos(s) + c.run({self.pick('s', 'x[1]')})"],
            ["for p in O:", f"    p.cell.v = p.z * 0.5 + {self.pick('s', 'a.v')}"],
            [f"if {cell} is {self.cell()}:", f"    s = s + {self.number()}"],
        ]
        kind = self.random.random()
        if kind < 0.15 and indent < 3:
            counter = f"k{len(self.loops)}"
            self.loops.append(counter)
            body = self.block(indent + 1, self.random.randint(1, 3))
            self.loops.pop()
            return [f"for {counter} in range({self.random.randint(1, 3)}):", *body]
        if kind < 0.28 and indent < 3:
            test = self.pick("s > 0.3", "x[1] > 0.0", f"{cell}.v > {self.pick('0.0', 's')}")
            return [f"if {test}:", *self.block(indent + 1, 2), "else:", *self.block(indent + 1, 1)]
        return self.random.choice(several) if kind < 0.45 else [self.random.choice(simple)]

    def block(self, indent: int, count: int) -> list[str]:
        return ["    " + line for _ in range(count) for line in self.statement(indent)]

    def text(self) -> str:
        return START + "\n".join(self.block(1, 8)) + END


COUNT = 40 * int(os.environ.get("CHAINRULES_FUZZ", "1"))
FIRST = int(os.environ.get("CHAINRULES_FUZZ_FIRST", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_a_program(seed: int) -> None:
    f = function_of(Programs(seed).text(), {"math": math})
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
            if size > 1e3:
                return  # too steep for differences
            np.testing.assert_allclose(found, slopes, rtol=1e-5, atol=1e-6 * size)
    v = np.array([0.3, -0.5, 0.7])
    with specialised_after(1, compared=True):
        for _ in range(3):
            _, dy = cr.jvp(f, (points[0],), (v,))
    np.testing.assert_allclose(dy, differences(f, points[0]) @ v, rtol=1e-5, atol=1e-5)
