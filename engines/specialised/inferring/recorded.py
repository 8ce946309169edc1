"""Recorded: the text of a function whose every step shows what it computes to `_see`, a Profile."""

from __future__ import annotations

from collections.abc import Sequence

from ..reading.declined import RECORDED
from ..reading.spelling import expression, positional
from ..reading.statements import RESULT
from ..reading.steps import Step, plain


def text_of(parameters: Sequence[str], steps: list[Step], first: int) -> tuple[list[str], list[int]]:
    """The lines of the function, and the user's line for each; `first`: that of the function."""
    lines = [(f"def {RECORDED}({', '.join(parameters)}):", first)]
    _lines(steps, lines, 1)
    lines.append((f"    return {RESULT}", first))
    return [text for text, _ in lines], [line or first for _, line in lines]


def _lines(steps: list[Step], out: list[tuple[str, int]], depth: int) -> None:
    indent = "    " * depth
    for s in steps:
        out += [(indent + text, s.line) for text in _one(s)]
        if s.op == "if" and "filters" in s.facts:
            head = f"{indent}with _see.filters({s.number}):"
            out += [(head, s.line), (f"{indent}    _see.arm({s.number}, True)", s.line)]
            _lines(s.body, out, depth + 1)
        elif s.op == "if":
            for which, arm in ((True, s.body), (False, s.orelse)):
                out.append((indent + (f"if {plain(s.args[0])}:" if which else "else:"), s.line))
                out.append((f"{indent}    _see.arm({s.number}, {which})", s.line))
                _lines(arm, out, depth + 1)
        elif s.op == "loop":
            head = "while True:" if s.text == "while" else f"for {s.target} in {plain(s.args[0])}:"
            out.append((indent + head, s.line))
            if s.target:
                out.append((f"{indent}    _see.value({s.number}, {s.target})", s.line))
            _lines(s.body, out, depth + 1)
            out.append((f"{indent}    pass", s.line))


def _one(s: Step) -> list[str]:
    a = [plain(x) for x in s.args]
    n = s.number
    if s.op == "binary":
        if s.facts.get("in place"):
            return [f"{s.target} = _see.in_place({n}, _see.operators[{s.text!r}], {a[0]}, {a[1]})"]
        return [f"{s.target} = _see.binary({n}, _see.operators[{s.text!r}], {a[0]}, {a[1]})"]
    if s.op == "unary":
        return [f"{s.target} = _see.unary({n}, {s.text!r}, {a[0]})"]
    if s.op == "closure":
        return [f"{s.target} = _see.closure({n}, ({', '.join(a)}{',' if a else ''}))"]
    if s.op == "setattr":
        return [f"_see.set_field({n}, {a[0]}, {s.text!r}, {a[1]})"]
    if s.op == "setkey":
        return [f"_see.set_key({n}, {a[0]}, {s.text}, {a[1]})"]
    if s.op in ("call", "method"):
        given = positional(a[1:] if s.op == "call" else a, s)
        first = a[0] if s.op == "call" else repr(s.text)
        way = "call_above" if "above" in s.facts else s.op
        return [f"{s.target} = _see.{way}({', '.join([str(n), first, *given])})"]
    if s.op == "attr":
        return [f"{s.target} = _see.attribute({n}, {s.text!r}, {a[0]})"]
    if s.op == "iter":
        return [f"{s.target} = _see.iterated({n}, {a[0]})"]
    if s.op == "star":
        return [f"{s.target} = _see.star({n}, {a[0]})"]
    if s.op in ("append", "extend"):
        return [f"_see.value({n}, {a[1]})", f"_see.appended({a[0]}).{s.op}({a[1]})"]
    if s.op == "set":
        return [f"_see.set_item({n}, {a[0]}, _see.key[{s.text}], {a[1]})"]
    if s.op == "get" and "rest" not in s.facts:
        return [f"{s.target} = _see.item({n}, {a[0]}, _see.key[{s.text}])"]
    if s.op == "compare" and s.text in ("in", "not in"):
        return [f"{s.target} = _see.contains({n}, {s.text == 'in'}, {a[0]}, {a[1]})"]
    if s.op == "tell":
        return [f"_see.tell({', '.join([str(n), *a])})"]
    if s.op == "deopt":
        return ["raise _see.declined('a run that raises')"]
    if s.op == "break":
        return ["break"]
    if s.op in ("if", "loop"):
        return []
    if "rest" in s.facts:
        return [f"{s.target} = _see.rest({n}, {expression(s)})"]
    return [f"{s.target} = _see.value({n}, {expression(s)})"]
