"""Random programs with objects that change, in lists, in one another and under several names.

Gradients of specialised programs are held to differences, where the signs of the numbers decide which
branches are taken.
"""

import math

import pytest
from tests.engines.fuzzing import function_of
from tests.engines.specialised.random_statements import Statements, hold_program, seeds

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


class Programs(Statements):
    """The statements of one program."""

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

    def simple(self) -> list[str]:
        cell, other, name, table = self.cell(), self.other(), self.pick("a", "b"), self.pick("T", "U")
        return [
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

    def several(self) -> list[list[str]]:
        cell, table, name = self.cell(), self.pick("T", "U"), self.pick("a", "b")
        return [
            [f"if len({table}) > 1:", f"    {name} = {table}.pop({self.pick('', '0')})"],
            [f"for c in {table}:", f"    c.v = c.v * 0.5 + {self.pick('s', 'x[0]', 'c.w')}"],
            [f"for c in {table}:", f"    s = math.cos(s) + c.run({self.pick('s', 'x[1]')})"],
            ["for p in O:", f"    p.cell.v = p.z * 0.5 + {self.pick('s', 'a.v')}"],
            [f"if {cell} is {self.cell()}:", f"    s = s + {self.number()}"],
        ]

    def test(self) -> str:
        cell = self.cell()
        return self.pick("s > 0.3", "x[1] > 0.0", f"{cell}.v > {self.pick('0.0', 's')}")

    def text(self) -> str:
        return START + "\n".join(self.block(1, 8)) + END


@pytest.mark.parametrize("seed", seeds(30))
def test_a_program(seed: int) -> None:
    hold_program(function_of(Programs(seed).text(), {"math": math}), seed)
