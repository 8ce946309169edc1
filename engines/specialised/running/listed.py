"""Listed: the slope of a small state and of its sensitivities, by one text of Python's own numbers.

    y′ = f(t, y, θ), and S′ = f_y S + F        as one list, of z = (y, S)

Arrays of two or three numbers cost more than the numbers. So the state is a list where the text of f takes
single numbers of it, and the products are written out. Where a number is not finite, or something does not
fit, an exception is raised, and the arrays answer.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from ..reading.compiling import compiled
from ..reading.steps import walk

MOST = 256
"""How many products are written out at most."""


def listable(inferred: Any, p: str) -> bool:
    """Whether a vector is read number by number alone."""
    if inferred.kinds[p] != "a1":
        return False
    uses = [s for s in walk(inferred.steps) if p in s.args or p in s.names]
    return all(s.op == "get" and s.args[0] == p and re.fullmatch(r"-?\d+", s.text) for s in uses)


def listed(rows: Any, count: int, n: int) -> Any:
    """What makes the slopes, a function of t and z, of the arguments after the state, which stay as they are.

    `rows` are the texts, of so many arguments, and the state has n numbers. None where there is too much to
    write out.
    """
    if n * n * rows.size > MOST or rows.moving[0] != 1 or not rows.reuses:
        return None
    text = _Text(rows, count, n)
    lines = ["def slopes(t, z):", *[f"    {line}" for line in text.lines], "return slopes"]
    head = f"def made({', '.join(f'x{i}' for i in range(2, count))}):"
    lines = [head, *[f"    {line}" for line in lines]]
    made = compiled(listed, "made", lines, text.known)  # type: ignore[arg-type]  # a function

    def slopes_with(x: tuple[Any, ...]) -> Any:
        return made(*[text.argument(i, v) for i, v in enumerate(x) if i > 1])

    return slopes_with


class _Text:
    """The lines of the function, and what they know by name."""

    def __init__(self, rows: Any, count: int, n: int) -> None:
        self.rows, self.n, self.lines = rows, n, ["z = z.tolist()"]
        self.known: dict[str, Any] = {"ahead": rows.forward, "back": rows.backward, "array": np.array}
        self.known |= {"isfinite": math.isfinite, "zeros": np.zeros}
        self.lines += rows.tests(self.known)
        state = f"z[:{n}]" if 1 in rows.listable else f"array(z[:{n}])"
        given = ["t", state, *[f"x{i}" for i in range(2, count)]]
        self.lines += [f"y, kept = ahead({', '.join(given)})"]
        self.lines += ["y = y.tolist()"] if not rows.listed else []
        self.lines.append(f"{', '.join(f'y{i}' for i in range(n))}, = y")
        for k in range(n):
            self.row(k)
        self.products()

    def argument(self, i: int, v: Any) -> Any:
        """An argument as the texts take it here."""
        return (v.made,) if i in self.rows.raw else v.tolist() if i in self.rows.listable else v

    def row(self, k: int) -> None:
        """One row of the Jacobian, as names for its numbers."""
        rows, unit = self.rows, [float(i == k) for i in range(self.n)]
        seeds = [*map(repr, unit)] if rows.listed else [f"array({unit})"]
        names = [f"j{k}_{i}" for i in range(rows.size)]
        buffers: list[Any] = []
        for i, place, shape in rows.buffers:
            size = place.stop - place.start
            made = f"[0.0] * {size}" if i in rows.listable else f"zeros({shape})"
            self.lines.append(f"b{len(buffers)} = {made}")
            buffers.append((i, place))
        self.lines_of_call(seeds, len(buffers), names)
        for j, (i, place) in enumerate(buffers):
            inside = ", ".join(names[place])
            self.lines.append(f"{inside}, = b{j}{'' if i in rows.listable else '.reshape(-1).tolist()'}")

    def lines_of_call(self, seeds: list[str], buffers: int, names: list[str]) -> None:
        """The backward run for one row."""
        places = self.rows.places
        answers = [names[p] if type(p) is int else f"a{p.start}" for p in places]
        call = f"back({', '.join(['kept', *seeds, *[f'b{i}' for i in range(buffers)]])})"
        self.lines.append(f"{', '.join(answers)}, = {call}" if answers else call)
        for p, name in zip(places, answers, strict=True):
            if type(p) is not int:
                self.lines.append(f"{', '.join(names[p])}, = array({name}).reshape(-1).tolist()")

    def products(self) -> None:
        """What comes out: the slope, and f_y S + F."""
        n, made = self.n, [f"y{i}" for i in range(self.n)]
        still = {i for i in range(self.rows.size) if not self.moves(i)}
        for r in range(self.rows.size):
            for i in range(n):
                terms = [f"j{i}_{j} * z[{n + r * n + j}]" for j in range(n)]
                made.append(" + ".join([*terms, f"j{i}_{r}"] if r >= n and r not in still else terms))
        self.lines += [f"made = [{', '.join(made)}]", "if not isfinite(sum(made)):"]
        self.lines += ["    raise ValueError('a number that is not finite')", "return made"]

    def moves(self, i: int) -> bool:
        """Whether a text gives the entries of this column."""
        given = [*self.rows.places, *[place for _, place, _ in self.rows.buffers]]
        return any(p == i if type(p) is int else p.start <= i < p.stop for p in given)
