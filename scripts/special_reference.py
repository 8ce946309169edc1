"""Write the tables of reference derivatives of `scipy.special`, family by family, with mpmath at 50 digits.

    python scripts/special_reference.py             every family, which takes minutes; needs mpmath
    python scripts/special_reference.py gamma       one of them

What to differentiate, and where, stands in `scripts/special_points/<family>.py`, a list `ROWS`; the table is
`tests/rules/scipy/special/reference/<family>.csv`, and the suite holds the rules to it. Each derivative is a
central difference in twice the digits, which shares nothing with a rule.
"""

from __future__ import annotations

import argparse
import csv
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import mpmath

sys.path.insert(0, str(Path(__file__).parents[1]))
from scripts.special_points import Row

DIGITS = 50
SHOWN = 25
ROOT = Path(__file__).parents[1]
POINTS = ROOT / "scripts" / "special_points"
TABLES = ROOT / "tests" / "rules" / "scipy" / "special" / "reference"
HEAD = ("function", "arguments", "partial", "value", "derivative", "tolerance")


def partial(row: Row, x: tuple[Any, ...], i: int) -> tuple[Any, Any]:
    """The value at x and its derivative by argument i, the error of the difference being h² = 10⁻⁶⁰."""
    with mpmath.workdps(2 * DIGITS + 10):
        exact = [mpmath.mpmathify(v) for v in x]
        small = mpmath.mpf(10) ** (20 - DIGITS)
        h = small * (abs(exact[i]) or small)
        ends = [row.exact(*exact[:i], exact[i] + s * h, *exact[i + 1 :]) for s in (1, -1)]
        return row.exact(*exact), (ends[0] - ends[1]) / (2 * h)


def shown(value: Any) -> str:
    """A number as the table has it."""
    return str(mpmath.nstr(value, SHOWN)).replace(" ", "").strip("()")


def lines(row: Row) -> list[tuple[str, ...]]:
    """The lines of the table for one function."""
    made: list[tuple[str, ...]] = []
    for x in row.points:
        for i in row.partials:
            value, slope = partial(row, x, i)
            where = " ".join(repr(v).strip("()") for v in x)
            made.append((row.name, where, str(i), shown(value), shown(slope), f"{row.tolerance:g}"))
    return made


def write(family: str) -> int:
    """Write the table of a family; returns how many derivatives it has."""
    rows = import_module(f"scripts.special_points.{family}").ROWS
    table = [line for row in rows for line in lines(row)]
    with (TABLES / f"{family}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([HEAD, *table])
    return len(table)


def main() -> None:
    """Write the tables asked for."""
    every = sorted(file.stem for file in POINTS.glob("*.py") if file.stem != "__init__")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="family", help=", ".join(every))
    for family in parser.parse_args().families or every:
        print(f"{family}: {write(family)} derivatives")


if __name__ == "__main__":
    main()
