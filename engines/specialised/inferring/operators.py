"""Operators: the kind of what an operator makes, from the kinds of its operands."""

from __future__ import annotations

from ..reading.kinds import Kind, axes, is_array


def kind_of_operator(op: str, a: Kind, b: Kind) -> Kind | None:
    """The kind of an operator's value."""
    x, y = axes(a), axes(b)
    real = is_array(a) or is_array(b)
    if type(a) is not str or type(b) is not str or op in "&|^":
        return None
    if a == "Z":
        return "Z" if op == "%" or (op == "+" and b == "Z") else None
    if x or y:
        if op == "@" or not real or a[0] not in "ajmfdsibq" or b[0] not in "ajmfdsibq":
            return _product(x, y) if op == "@" and real and x and y else None
        return f"a{max(x, y)}"
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


def _product(x: int, y: int) -> Kind | None:
    if x <= 2 and y <= 2:
        n = x + y - 2
        return f"a{n}" if n else "d"
    return f"a{max(x, y)}" if x > 1 and y > 1 else None
