"""Merging: dictionaries that are made of pairs or of others.

    {k: v for k, v in it}       dict_of([(k, v) for k, v in it])
    {**a, "k": v}, a | b        merged(a, {"k": v}), merged(a, b)
    dict(a), a.copy()           merged(a)

Their keys are seen in the recorded run, and held to in the text where it does not tell them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from .declined import Declined
from .steps import Step

_HERE = f"__import__({__name__!r}, fromlist=['merged'])."


def dict_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The dictionary of some pairs of a key and a value."""
    return dict(pairs)


def merged(*parts: dict[str, Any]) -> dict[str, Any]:
    """A dictionary of the entries of several, where the last counts."""
    made: dict[str, Any] = {}
    for part in parts:
        made.update(part)
    return made


class Merging:
    """Reads what makes dictionaries; Expressions reads what is in them."""

    constants: dict[str, Any]
    fresh: Callable[..., str]
    value: Callable[..., str]
    _listcomp: Callable[..., str]

    def _dict(self, e: ast.Dict, out: list[Step]) -> str:
        parts: list[str] = []
        plain: list[tuple[str, ast.expr]] = []
        for k, v in zip(e.keys, e.values, strict=True):
            if k is None:
                parts += self._entries_of(plain, e, out) if plain else []
                plain = []
                parts.append(self.value(v, out))
            elif not isinstance(k, ast.Constant) or type(k.value) is not str or k.value in dict(plain):
                raise Declined("a dictionary whose keys are no texts, or the same")
            else:
                plain.append((k.value, v))
        if plain or not parts:
            parts += self._entries_of(plain, e, out)
        return parts[0] if len(parts) == 1 and None not in e.keys else self.merge(parts, e, out)

    def _entries_of(self, plain: list[tuple[str, ast.expr]], e: ast.expr, out: list[Step]) -> list[str]:
        args = tuple(self.value(v, out) for _, v in plain)
        facts = {"keys": tuple(k for k, _ in plain)}
        out.append(Step("tuple", self.fresh(), args, e.lineno, facts=facts))
        return [out[-1].target]

    def _dictcomp(self, e: ast.DictComp, out: list[Step]) -> str:
        pair = ast.copy_location(ast.Tuple([e.key, e.value], ast.Load()), e)
        first = len(out)
        pairs = self._listcomp(ast.copy_location(ast.ListComp(pair, e.generators), e), out)
        for s in out[first:]:
            if s.op == "list" and s.target == pairs:
                s.facts["pairs"] = True
        return self._made(dict_of, (pairs,), e, out)

    def merge(self, parts: list[str], e: ast.expr, out: list[Step]) -> str:
        """The dictionary of the entries of others."""
        return self._made(merged, tuple(parts), e, out)

    def _made(self, f: Any, args: tuple[str, ...], e: ast.expr, out: list[Step]) -> str:
        text = _HERE + f.__name__
        self.constants[text] = f
        out.append(Step("call", self.fresh(), (f"={text}", *args), e.lineno))
        return out[-1].target
