"""Patterns: `match` written out as `if`, so that the parts of a subject keep their derivatives.

    case 0 | 1:            subject == 0 or subject == 1
    case None:             subject is None
    case [a, *b]:          a sequence of at least one item; a = subject[0], b = list(subject[1:])
    case {"k": v, **r}:    a mapping with that key; v = subject["k"]
    case P(a, name=b):     isinstance; a = subject's attribute in __match_args__, b = subject.name
    case p as n, case n:   n = subject

The tests of a case come first, then its bindings, then its guard; where the guard fails, the next
case is tried, with the names bound as Python leaves them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....core import non_differentiable
from .scopes import copied

Fresh = Callable[[str], str]


def is_sequence(x: Any, least: int, exact: bool) -> bool:
    """Whether a sequence pattern takes x, by its kind and length."""
    if isinstance(x, str | bytes | bytearray) or not isinstance(x, Sequence):
        return False
    return len(x) == least if exact else len(x) >= least


def is_mapping(x: Any, *keys: Any) -> bool:
    """Whether a mapping pattern takes x, by its kind and keys."""
    return isinstance(x, Mapping) and all(k in x for k in keys)


def has_attributes(x: Any, P: Any, count: int, *names: str) -> bool:
    """Whether a class pattern takes x, by its class and the attributes that it has."""
    if not isinstance(x, P):
        return False
    if (count > 1 and P in _SELVES) or count > len(getattr(P, "__match_args__", ())) + (P in _SELVES):
        raise TypeError(
            f"{P.__name__}() accepts {len(getattr(P, '__match_args__', ()))} positional sub-patterns"
        )
    return all(hasattr(x, n) for n in (*(_names(P, count)), *names))


def positional(x: Any, P: Any, index: int) -> Any:
    """What the positional sub-pattern of a class pattern is matched with."""
    return x if P in _SELVES else getattr(x, P.__match_args__[index])


def _names(P: Any, count: int) -> tuple[str, ...]:
    return () if P in _SELVES else tuple(getattr(P, "__match_args__", ())[:count])


_SELVES = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
non_differentiable(is_sequence, is_mapping, has_attributes, why="asks for the kind of a subject")


def match_as_if(s: ast.Match, fresh: Fresh) -> list[ast.stmt]:
    """The statements of a `match`."""
    subject, done = fresh("subject"), fresh("matched")
    out: list[ast.stmt] = [_place(ast.Assign([_store(subject)], s.subject), s)]
    guarded = any(c.guard is not None for c in s.cases)
    if guarded:
        out.append(_place(ast.Assign([_store(done)], ast.Constant(False)), s))
    chain: list[ast.stmt] = []
    for case in reversed(s.cases):
        writer = _Case()
        test = writer.test(case.pattern, _load(subject))
        binds = [_place(b, case.pattern) for b in writer.binds]
        if not guarded:
            chain = [_place(ast.If(test, [*binds, *case.body], chain), case.pattern)]
            continue
        finish = ast.Assign([_store(done)], ast.Constant(True))
        body: list[ast.stmt] = [_place(finish, case.pattern), *case.body]
        if case.guard is not None:
            body = [_place(ast.If(case.guard, body, []), case.guard)]
        both = ast.BoolOp(ast.And(), [ast.UnaryOp(ast.Not(), _load(done)), test])
        chain = [_place(ast.If(both, [*binds, *body], []), case.pattern), *chain]
    return [*out, *chain]


class _Case:
    """One case: its test, an expression of the subject, and what it binds."""

    def __init__(self) -> None:
        self.binds: list[ast.stmt] = []

    def test(self, p: ast.pattern, x: ast.expr) -> ast.expr:
        return getattr(self, f"_{type(p).__name__.lower()}")(p, x)  # type: ignore[no-any-return]  # an expression

    def _matchvalue(self, p: ast.MatchValue, x: ast.expr) -> ast.expr:
        return ast.Compare(_again(x), [ast.Eq()], [p.value])

    def _matchsingleton(self, p: ast.MatchSingleton, x: ast.expr) -> ast.expr:
        return ast.Compare(_again(x), [ast.Is()], [ast.Constant(p.value)])

    def _matchas(self, p: ast.MatchAs, x: ast.expr) -> ast.expr:
        test = ast.Constant(True) if p.pattern is None else self.test(p.pattern, _again(x))
        if p.name is not None:
            self.binds.append(ast.Assign([_store(p.name)], _again(x)))
        return test

    def _matchor(self, p: ast.MatchOr, x: ast.expr) -> ast.expr:
        tests = []
        before = len(self.binds)
        for option in p.patterns:
            inner = _Case()
            tests.append(inner.test(option, _again(x)))
            if inner.binds:
                self._choose(copied(tests[-1]), inner.binds, before)
        return ast.BoolOp(ast.Or(), tests)

    def _choose(self, test: ast.expr, binds: list[ast.stmt], before: int) -> None:
        """What the first of several alternatives that fits binds."""
        earlier = self.binds[before:]
        if earlier and isinstance(earlier[-1], ast.If):
            last = earlier[-1]
            while last.orelse and isinstance(last.orelse[0], ast.If):
                last = last.orelse[0]
            last.orelse = [ast.If(test, binds, [])]
        else:
            self.binds.append(ast.If(test, binds, []))

    def _matchsequence(self, p: ast.MatchSequence, x: ast.expr) -> ast.expr:
        stars = [i for i, q in enumerate(p.patterns) if isinstance(q, ast.MatchStar)]
        least = len(p.patterns) - len(stars)
        tests: list[ast.expr] = [
            _call("is_sequence", _again(x), ast.Constant(least), ast.Constant(not stars))
        ]
        for i, q in enumerate(p.patterns):
            after = len(p.patterns) - 1 - i
            if isinstance(q, ast.MatchStar):
                if q.name is not None:
                    stop = ast.UnaryOp(ast.USub(), ast.Constant(after)) if after else None
                    part = ast.Subscript(_again(x), ast.Slice(ast.Constant(i), stop), ast.Load())
                    listed = ast.Call(ast.Name("list", ast.Load()), [part], [])
                    self.binds.append(ast.Assign([_store(q.name)], listed))
                continue
            late = bool(stars) and i > stars[0]
            index: ast.expr = ast.UnaryOp(ast.USub(), ast.Constant(after + 1)) if late else ast.Constant(i)
            tests.append(self.test(q, ast.Subscript(_again(x), index, ast.Load())))
        return _all(tests)

    def _matchmapping(self, p: ast.MatchMapping, x: ast.expr) -> ast.expr:
        tests = [_call("is_mapping", _again(x), *p.keys)]
        for key, q in zip(p.keys, p.patterns, strict=True):
            tests.append(self.test(q, ast.Subscript(_again(x), key, ast.Load())))
        if p.rest is not None:
            copied = ast.Call(ast.Name("dict", ast.Load()), [_again(x)], [])
            self.binds.append(ast.Assign([_store(p.rest)], copied))
            for key in p.keys:
                self.binds.append(ast.Delete([ast.Subscript(_load(p.rest), key, ast.Del())]))
        return _all(tests)

    def _matchclass(self, p: ast.MatchClass, x: ast.expr) -> ast.expr:
        names = [ast.Constant(n) for n in p.kwd_attrs]
        tests = [_call("has_attributes", _again(x), p.cls, ast.Constant(len(p.patterns)), *names)]
        for i, q in enumerate(p.patterns):
            tests.append(self.test(q, _call("positional", _again(x), p.cls, ast.Constant(i))))
        for name, q in zip(p.kwd_attrs, p.kwd_patterns, strict=True):
            tests.append(self.test(q, ast.Attribute(_again(x), name, ast.Load())))
        return _all(tests)


def _all(tests: list[ast.expr]) -> ast.expr:
    kept = [t for t in tests if not (isinstance(t, ast.Constant) and t.value is True)]
    return ast.BoolOp(ast.And(), kept) if len(kept) > 1 else kept[0] if kept else ast.Constant(True)


def _again(x: Any) -> Any:
    return copied(x)


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _call(helper: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(f"{helper} of a pattern", ast.Load()), list(arguments), [])


HELPERS = {f"{f.__name__} of a pattern": f for f in (is_sequence, is_mapping, has_attributes, positional)}
"""What a written-out `match` calls, by names that no program has; they are bound when it is lowered."""


def _place(new: Any, node: ast.AST) -> Any:
    where = {n: getattr(node, n) for n in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
    for n in ast.walk(new):
        if "lineno" in n._attributes and not hasattr(n, "lineno"):
            for name, value in where.items():
                setattr(n, name, value)
    return new
