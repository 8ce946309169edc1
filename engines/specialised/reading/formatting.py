"""Formatting: texts that are written with values in them: `f"w{i}"` as `"w%s" % i`."""

from __future__ import annotations

import ast
import functools
import operator
import string

from ...source.syntax.trees import place
from .declined import Declined
from .reader import Reader
from .steps import Step
from .wording import in_form


def as_text(e: ast.expr) -> ast.BinOp:
    """`str(e)` as `"%s" % e`, which is the same of anything but a tuple."""
    made = ast.BinOp(ast.Constant("%s"), ast.Mod(), e)
    made.of_one = True  # type: ignore[attr-defined]  # a mark of this package's
    return made


def _values(text: str, args: list[ast.expr], named: dict[str | None, ast.expr]) -> list[ast.expr] | None:
    """The parts of a text with fields, and what goes into them; None where that is not told by the text."""
    given: dict[str | None, ast.expr] = {**{str(i): a for i, a in enumerate(args)}, **named}
    parts: list[ast.expr] = []
    count = 0
    for literal, field, spec, conversion in string.Formatter().parse(text):
        if literal:
            parts.append(ast.Constant(literal))
        if field is None:
            continue
        name = field or str(count)
        count += not field
        if name not in given or "{" in (spec or "") or isinstance(given[name], ast.Starred):
            return None
        form = ast.JoinedStr([ast.Constant(spec)]) if spec else None
        parts.append(ast.FormattedValue(given[name], ord(conversion) if conversion else -1, form))
    used = [p.value for p in parts if isinstance(p, ast.FormattedValue)]
    simple = len(used) == len(given) and all(map(operator.is_, used, given.values()))
    return parts if simple else None  # each is evaluated once, in the order in which it stands


class Formatting(Reader):
    """Reads these texts; Expressions reads the values in them."""

    def _joinedstr(self, e: ast.JoinedStr, out: list[Step]) -> str:
        values = [v for v in e.values if isinstance(v, ast.FormattedValue)]
        plain = all(v.conversion == -1 and v.format_spec is None for v in values)
        parts: list[ast.expr] = []
        for v in e.values:
            if isinstance(v, ast.FormattedValue):
                v = as_text(v.value) if plain else self._in_form(v, out)
            parts.append(v)
        whole = functools.reduce(lambda a, b: ast.BinOp(a, ast.Add(), b), parts or [ast.Constant("")])
        return self.value(place(whole, e), out)

    def of_literal(self, e: ast.Call) -> ast.expr | None:
        """What `split` of a text that is written out gives, or its `format`; None of another call."""
        match e:
            case ast.Call(
                ast.Attribute(ast.Constant(str() as text), "split" | "splitlines" as name), args, []
            ):
                given = [a.value for a in args if isinstance(a, ast.Constant)]
                if len(given) < len(args):
                    return None
                parts = getattr(text, name)(*given)
                made: ast.expr = ast.List([ast.Constant(part) for part in parts], ast.Load())
            case ast.Call(ast.Attribute(ast.Constant(str() as text), "format"), args, keywords):
                values = _values(text, args, {k.arg: k.value for k in keywords})
                if values is None:
                    return None
                made = ast.JoinedStr(values)
            case _:
                return None
        return place(made, e)

    def _in_form(self, e: ast.FormattedValue, out: list[Step]) -> ast.expr:
        """The text of a value in a form of its own, such as `{loss:.3f}`; values are read in their order."""
        specified = getattr(e.format_spec, "values", ())
        if not all(isinstance(v, ast.Constant) for v in specified):
            raise Declined("a value that is written in a form that varies")
        form, conversion = "".join(v.value for v in specified), chr(e.conversion) if e.conversion > 0 else ""
        given = (self.value(e.value, out), f"={conversion!r}", f"={form!r}")
        return self.tree(self._helped(in_form, given, e, out), e)
