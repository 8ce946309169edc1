"""The derivatives of `scipy.special` against tables made with mpmath.

`scripts/special_reference.py` writes them. A derivative may be off by its row's tolerance, and by
ten times what the function itself loses there.
"""

import csv
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special
from tests.rules.cases import frule_of

from chainrules.tangents import Zero

FAMILIES = sorted((Path(__file__).parent / "reference").glob("*.csv"))
LOSS = 10
SMALLEST = 1e-290


def number(text: str) -> Any:
    """A whole number, a float or a complex number, as it is written."""
    if "j" in text:
        return complex(text)
    return int(text) if text.lstrip("-").isdigit() else float(text)


def groups(file: Path) -> list[tuple[str, int, list[dict[str, str]]]]:
    """The lines of a table by function, partial, number of arguments and kind of number."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))

    def key(row: dict[str, str]) -> tuple[str, int, int, bool]:
        return row["function"], int(row["partial"]), len(row["arguments"].split()), "j" in row["arguments"]

    return [(k[0], k[1], list(found)) for k, found in groupby(sorted(rows, key=key), key)]


def wrong(name: str, i: int, rows: list[dict[str, str]]) -> list[str]:
    """The lines at which a rule is off."""
    f = getattr(special, name)
    x = tuple(
        np.array(column) for column in zip(*(map(number, r["arguments"].split()) for r in rows), strict=True)
    )
    value, slope = (np.array([number(r[c]) for r in rows]) for c in ("value", "derivative"))
    tangents = tuple(np.ones_like(v) if i == j else Zero() for j, v in enumerate(x))
    with np.errstate(all="ignore"):
        y, dy = frule_of(f, x, tangents)
        own = np.abs(y - value) / np.maximum(np.abs(value), SMALLEST)
        off = np.abs(dy - slope) / np.maximum(np.abs(slope), SMALLEST)
    allowed = np.maximum([float(r["tolerance"]) for r in rows], LOSS * own)
    return [
        f"{name}({row['arguments']}) by argument {i}: {got!r}, mpmath {row['derivative']}, off by {error:.1e}"
        for row, got, error, most in zip(rows, dy, off, allowed, strict=True)
        if not error <= most
    ]


@pytest.mark.parametrize("file", FAMILIES, ids=lambda file: file.stem)
def test_derivatives_are_those_of_mpmath(file):
    found = [line for name, i, rows in groups(file) for line in wrong(name, i, rows)]
    assert found == [], f"{len(found)} wrong"


def test_a_wrong_number_is_found():
    row = {
        "function": "expm1",
        "arguments": "1.0",
        "partial": "0",
        "value": "1.718281828459045",
        "tolerance": "1e-8",
    }
    assert wrong("expm1", 0, [row | {"derivative": "2.718281828459045"}]) == []
    assert len(wrong("expm1", 0, [row | {"derivative": "2.7182819"}])) == 1
