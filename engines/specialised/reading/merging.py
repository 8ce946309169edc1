"""Merging: dictionaries that are made of pairs or of others.

    {k: v for k, v in it}       dict_of([(k, v) for k, v in it])
    {**a, "k": v}, a | b        merged(a, {"k": v}), merged(a, b)
    dict(a), a.copy()           merged(a)

Their keys are seen in the recorded run, and held to in the text where it does not tell them.
"""

from __future__ import annotations

import ast
from typing import Any

from .declined import Declined, Unkeyed
from .quoted import expression
from .reader import Reader
from .steps import Step
from .tables import DefaultTable, ListTable, Members, Table, TableOfLists, table_of, table_of_lists


def dict_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The dictionary of some pairs of a key and a value."""
    return dict(pairs)


def merged(*parts: dict[str, Any]) -> dict[str, Any]:
    """A dictionary of the entries of several, where the last counts."""
    made: dict[str, Any] = {}
    for part in parts:
        made.update(part)
    return made


class Merging(Reader):
    """Reads what makes dictionaries; Expressions reads what is in them."""

    def _dict(self, e: ast.Dict, out: list[Step]) -> str:
        if self.manner.tables and self._is_table(e):
            return self._table(e, out)
        parts: list[str] = []
        plain: list[tuple[str, ast.expr]] = []
        for k, v in zip(e.keys, e.values, strict=True):
            if k is None:
                parts += self._entries_of(plain, e, out) if plain else []
                plain = []
                parts.append(self.value(v, out))
            elif not isinstance(k, ast.Constant) or type(k.value) is not str or k.value in dict(plain):
                raise Unkeyed("a dictionary whose keys are no texts, or the same")
            else:
                plain.append((k.value, v))
        if plain or not parts:
            parts += self._entries_of(plain, e, out)
        return parts[0] if len(parts) == 1 and None not in e.keys else self.merge(parts, e, out)

    def _is_table(self, e: ast.Dict) -> bool:
        """Whether a dictionary that is written out has keys that only a run knows."""
        if None in e.keys:
            return False
        if not all(isinstance(k, ast.Constant) and type(k.value) is str for k in e.keys):
            return True
        s = self.statement_read
        if not isinstance(s, ast.Assign | ast.AnnAssign) or s.value is not e:
            return not e.keys
        name = _target(s)
        inside = (n for x in self.body for n in ast.walk(x))
        return any(_is_computed(n, name) or _is_left(n, name) for n in inside) if name else not e.keys

    def _has_lists(self, e: ast.Dict) -> bool:
        """Whether the entries of a dictionary are lists, as far as the program says so."""
        if e.values:
            return all(isinstance(v, _LISTS) for v in e.values)
        name = _target(self.statement_read)
        return bool(name) and any(_sets_list(n, name) for x in self.body for n in ast.walk(x))

    def _table(self, e: ast.Dict, out: list[Step]) -> str:
        target = self._helped(TableOfLists if self._has_lists(e) else Table, (), e, out)
        for k, v in zip(e.keys, e.values, strict=True):
            assert k is not None
            key, names = self.key(k, out)
            out.append(Step("set", "", (target, self.value(v, out)), e.lineno, key, names=names))
        return target

    def set_of(self, items: list[ast.expr], e: ast.expr, out: list[Step]) -> str:
        """`set()`, `set(items)` and a set that is written out."""
        if not self.manner.tables:
            raise Unkeyed("a set")
        given = (
            self.consumed(items[0], out) if items else self._step(out, "tuple", self.fresh(), (), e.lineno)
        )
        return self._helped(Members, (given,), e, out)

    def _set(self, e: ast.Set, out: list[Step]) -> str:
        return self.set_of([expression("[items]", e, items=e.elts)], e, out)

    def _setcomp(self, e: ast.SetComp, out: list[Step]) -> str:
        return self.set_of([ast.copy_location(ast.ListComp(e.elt, e.generators), e)], e, out)

    def default_table(self, e: ast.Call, out: list[Step]) -> str:
        """`defaultdict(float)`, and what gives another number."""
        if not self.manner.tables:
            raise Unkeyed("a dictionary that has defaults")
        factory = self.constant(e.args[0]) if len(e.args) == 1 and not e.keywords else None
        if factory is list:
            return self._helped(ListTable, (), e, out)
        value = e.args[0].body if e.args and isinstance(e.args[0], ast.Lambda) else None
        if factory is float or factory is int:
            value = ast.Constant(factory())
        if value is None:
            raise Declined("a defaultdict of something else than numbers or lists")
        return self._helped(DefaultTable, (self.value(value, out),), e, out)

    def _entries_of(self, plain: list[tuple[str, ast.expr]], e: ast.expr, out: list[Step]) -> list[str]:
        args = tuple(self.value(v, out) for _, v in plain)
        facts = {"keys": tuple(k for k, _ in plain)}
        out.append(Step("tuple", self.fresh(), args, e.lineno, facts=facts))
        return [out[-1].target]

    def _dictcomp(self, e: ast.DictComp, out: list[Step]) -> str:
        pair = expression("(k, v)", e, k=e.key, v=e.value)
        pairs = self._listcomp(ast.copy_location(ast.ListComp(pair, e.generators), e), out)
        note(pairs, "by place", out)
        made = table_of_lists if isinstance(e.value, _LISTS) else table_of
        return self._helped(made if self.manner.tables else dict_of, (pairs,), e, out)

    def merge(self, parts: list[str], e: ast.expr, out: list[Step]) -> str:
        """The dictionary of the entries of others."""
        return self._helped(merged, tuple(parts), e, out)


def note(made: str, fact: str, out: list[Step]) -> None:
    """Note a fact of a list: each of its items is to be known "by place", or Python makes them "lazily"."""
    for s in out:
        if s.op == "list" and s.target == made:
            s.facts[fact] = True


_LISTS = (ast.List, ast.ListComp)


def _target(s: ast.stmt) -> str:
    """The variable that a statement gives a value to."""
    target = s.target if isinstance(s, ast.AnnAssign) else s.targets[0] if isinstance(s, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def _sets_list(n: ast.AST, name: str) -> bool:
    """Whether an entry of this dictionary is set to a list."""
    match n:
        case ast.Assign([ast.Subscript(ast.Name(id=other))], value) | ast.Call(
            ast.Attribute(ast.Name(id=other), "setdefault"), [_, value]
        ):
            return other == name and isinstance(value, _LISTS)
    return False


def _is_left(n: ast.AST, name: str) -> bool:
    """Whether an entry of this dictionary is taken out."""
    match n:
        case ast.Call(ast.Attribute(ast.Name(id=other), "pop"), [_]):
            return other == name
        case ast.Delete([ast.Subscript(ast.Name(id=other))]):
            return other == name
    return False


def _is_computed(n: ast.AST, name: str) -> bool:
    """Whether an entry of this dictionary is asked for by a key that is no text."""
    match n:
        case (
            ast.Subscript(ast.Name(id=other), key)
            | ast.Compare(key, [ast.In() | ast.NotIn()], [ast.Name(id=other)])
            | ast.Call(ast.Attribute(ast.Name(id=other), "setdefault" | "get" | "pop"), [key, *_])
        ):
            return other == name and not (isinstance(key, ast.Constant) and type(key.value) is str)
    return False
