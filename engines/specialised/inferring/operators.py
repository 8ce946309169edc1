"""Operators and ufuncs: the kind of what they make, from the kinds of their operands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..reading.composed import Kind
from ..reading.kinds import REAL, axes, is_array, is_complex


def kind_of_operator(op: str, a: Kind, b: Kind) -> Kind | None:
    """The kind of an operator's value."""
    x, y = axes(a), axes(b)
    real = is_array(a) or is_array(b)
    if type(a) is not str or type(b) is not str:
        return None
    if op in "&|^":
        return f"m{max(x, y)}" if {a[0], b[0]} == {"m"} else None
    if {a[0], b[0]} <= {"j", "i"} and (x or y) and op in ("+", "-", "*", "//", "%"):
        return f"j{max(x, y)}"
    if a == "Z":
        return "Z" if op == "%" or (op == "+" and b == "Z") else None
    letter = "z" if is_complex(a) or is_complex(b) else "a"
    if x or y:
        if op == "@" or not (real or letter == "z") or a[0] not in _OPERANDS or b[0] not in _OPERANDS:
            return _product(x, y, letter) if op == "@" and real and x and y else None
        return f"{letter}{max(x, y)}"
    if letter == "z":
        return "c" if op in "+-**/" and a[0] in _OPERANDS and b[0] in _OPERANDS else None
    if a == "H" and b == "H" and op == "+":
        return "H"
    if "q" in (a, b) or op == "**" or not {a, b} <= {"f", "d", "s", "i", "b"}:
        return "d" if op == "**" and (a, b) in (("d", "i"), ("d", "d"), ("d", "f")) else None
    if "s" in (a, b):
        return "s" if op in "+-*/" else None
    if "d" in (a, b):
        return "d"
    if "f" in (a, b):
        return "f"
    return "f" if op == "/" else "i"


def _product(x: int, y: int, letter: str) -> Kind | None:
    if x <= 2 and y <= 2:
        n = x + y - 2
        return f"{letter}{n}" if n else {"a": "d", "z": "c"}[letter]
    return f"{letter}{max(x, y)}" if x > 1 and y > 1 else None


def kind_of_ufunc(f: np.ufunc, given: Sequence[Kind]) -> Kind | None:
    """The kind of what a ufunc makes, where NumPy says that of these kinds."""
    if f.nout != 1 or not all(x in REAL or x in ("i", "b", "q", "c") or is_array(x) for x in given):
        return None
    n = max(map(axes, given))
    if f"{'d' * f.nin}->?" in f.types:
        return f"m{n}" if n else "b"
    if any(map(is_complex, given)):
        made = {t[-1] for t in f.types if t.startswith(f"{'D' * f.nin}->")}
        return {"D": f"z{n}" if n else "c", "d": f"a{n}" if n else "d"}.get(made.pop()) if made else None
    if f"{'d' * f.nin}->d" in f.types and any(x in REAL or is_array(x) for x in given):
        return f"a{n}" if n else "d"
    return None


_OPERANDS = "ajmfdsibqzc"
