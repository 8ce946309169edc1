"""Random programs with lists in lists, which have several names and are changed by each of them.

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
def program(x):
    s = x[0]
    r, q = [x[0], x[1]], [x[2]]
    T, U = [r, [x[1], s]], [q, [s], r]
    C = [T, U]
"""
END = """
    for k, rows in enumerate(C):
        for j, row in enumerate(rows):
            s = s + sum(row) * (1.0 + 0.3 * k - 0.2 * j)
    return s + sum(r) * 0.7 - q[0] + T[0][0] * 0.1 + U[-1][-1]
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
        count = self.pick("0", "1", "2", "3", *self.loops, *self.loops)
        return f"{count} % len({of})"

    def row(self) -> str:
        table = self.table()
        return self.pick("r", "q", f"{table}[{self.place(table)}]")

    def table(self) -> str:
        return self.pick("T", "U", "T", "U", f"C[{self.place('C')}]")

    def number(self) -> str:
        row = self.row()
        items = f"{row}[{self.place(row)}]", f"{row}[-1]"
        one = self.pick("s", f"x[{self.random.randrange(3)}]", "0.5", *items)
        other = self.pick("s", "x[1]", "1.5", f"{self.row()}[0]")
        return self.pick(one, f"math.sin({one})", f"0.5 * ({one} - {other})", f"math.cos({one} * {other})")

    def statement(self, indent: int) -> list[str]:
        row, table, name, whole = self.row(), self.table(), self.pick("r", "q"), self.pick("T", "U")
        at, i = self.place(table), self.place(row)
        simple = [
            f"s = {self.number()}",
            f"s = s * 0.5 + {self.number()}",
            f"s = math.sin(sum({row})) + min({row}) - 0.3 * max({row})",
            f"{row}.append({self.number()})",
            f"{row}[{i}] = {self.number()}",
            f"{row}[{i}] *= 0.8",
            f"{name} = {table}[{at}]",
            f"{table}[{at}] = {row}",
            f"{table}.append({row})",
            f"{table}.append([{self.number()}, {self.number()}])",
            f"{table}[{at}] = [v * 0.7 + {self.pick('s', 'x[2]')} for v in {row}]",
            f"{table}[0], {table}[-1] = {table}[-1], {table}[0]",
            f"{name} = {row}[:]",
            f"{name} = {row}[-2:]",
            f"{whole} = {table}[:]",
            f"{whole} = C[{self.place('C')}]",
            f"C[{self.place('C')}] = {table}",
            f"{table}.insert(0, {row})",
            f"{table}.extend([{row}, [{self.number()}]])",
            f"{name}.extend({row}[:2])",
        ]
        several = [
            [f"if len({table}) > 1:", f"    {name} = {table}.pop({self.pick('', '0')})"],
            [f"if len({row}) > 1:", f"    s = s + {row}.pop({self.pick('', '0')})"],
            [f"for row in {table}:", f"    row[0] = row[0] * 0.5 + {self.pick('s', 'x[0]')}"],
            [f"for row in {table}[:]:", "    row.append(math.sin(row[-1]))"],
            [f"for v in {row}:", "    s = math.cos(s) + v"],
        ]
        kind = self.random.random()
        if kind < 0.15 and indent < 3:
            counter = f"k{len(self.loops)}"
            self.loops.append(counter)
            body = self.block(indent + 1, self.random.randint(1, 3))
            self.loops.pop()
            return [f"for {counter} in range({self.random.randint(1, 3)}):", *body]
        if kind < 0.28 and indent < 3:
            test = self.pick("s > 0.3", "x[1] > 0.0", f"{row}[0] > {self.pick('0.0', 's')}")
            return [f"if {test}:", *self.block(indent + 1, 2), "else:", *self.block(indent + 1, 1)]
        return self.random.choice(several) if kind < 0.45 else [self.random.choice(simple)]

    def block(self, indent: int, count: int) -> list[str]:
        return ["    " + line for _ in range(count) for line in self.statement(indent)]

    def text(self) -> str:
        return START + "\n".join(self.block(1, 9)) + END


COUNT = 40 * int(os.environ.get("CHAINRULES_FUZZ", "1"))
FIRST = int(os.environ.get("CHAINRULES_FUZZ_FIRST", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_a_program(seed: int) -> None:
    text = Programs(seed).text()
    f = function_of(text, {"math": math, "np": np})
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
    v, e = np.array([0.3, -0.5, 0.7]), 1e-5
    with specialised_after(1, compared=True):
        for _ in range(3):
            _, dy = cr.jvp(f, (points[0],), (v,))
            hv = cr.hvp(f, points[0], v)
    np.testing.assert_allclose(dy, differences(f, points[0]) @ v, rtol=1e-5, atol=1e-5)
    slope = (cr.grad(f)(points[0] + e * v) - cr.grad(f)(points[0] - e * v)) / (2 * e)
    np.testing.assert_allclose(hv, slope, rtol=1e-3, atol=1e-4 * np.max(np.abs(slope), initial=1.0))
