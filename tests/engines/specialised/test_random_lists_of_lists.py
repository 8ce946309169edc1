"""Random programs with lists in lists, which have several names and are changed by each of them.

Gradients of specialised programs are held to differences, where the signs of the numbers decide which
branches are taken.
"""

import math

import pytest
from tests.engines.fuzzing import function_of
from tests.engines.specialised.random_statements import Statements, hold_program, seeds

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


class Programs(Statements):
    """The statements of one program."""

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

    def simple(self) -> list[str]:
        row, table, name, whole = self.row(), self.table(), self.pick("r", "q"), self.pick("T", "U")
        at, i = self.place(table), self.place(row)
        return [
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
            f"{table}.insert({self.pick('0', at, '-2', '9')}, {row})",
            f"{row}.insert({self.pick(i, '-1', '7')}, {self.number()})",
            f"{table}.extend([{row}, [{self.number()}]])",
            f"{name}.extend({row}[:2])",
        ]

    def several(self) -> list[list[str]]:
        row, table, name = self.row(), self.table(), self.pick("r", "q")
        return [
            [f"if len({table}) > 1:", f"    {name} = {table}.pop({self.pick('', '0')})"],
            [f"if len({row}) > 1:", f"    s = s + {row}.pop({self.pick('', '0')})"],
            [f"for row in {table}:", f"    row[0] = row[0] * 0.5 + {self.pick('s', 'x[0]')}"],
            [f"for row in {table}[:]:", "    row.append(math.sin(row[-1]))"],
            [f"for v in {row}:", "    s = math.cos(s) + v"],
        ]

    def test(self) -> str:
        row = self.row()
        return self.pick("s > 0.3", "x[1] > 0.0", f"{row}[0] > {self.pick('0.0', 's')}")

    def text(self) -> str:
        return START + "\n".join(self.block(1, 9)) + END


@pytest.mark.parametrize("seed", seeds(30))
def test_a_program(seed: int) -> None:
    hold_program(function_of(Programs(seed).text(), {"math": math}), seed)
