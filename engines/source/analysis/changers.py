"""Changers: functions that change what they captured, as values.

A function that appends to a captured list, or rebinds what `nonlocal` names, is an object that its calls
change: what it captured are its fields. Where it is only called by its name it is lifted (lifting.py). Where
it is handed on, this says which variables may hold it. A call of one, or one that is given one, may change
it, and returns it after its value as any other object (lending.py). A caller that does not know what it is
given is told as it runs, by the form of the call (forms.py), and only where one is handed over.
"""

from __future__ import annotations

import ast
import dis
from types import CodeType, FunctionType

from ....core.registry import rules_of
from ..reading.callers import caller_of, is_eager, is_lazy
from ..reading.resolver import CHANGING, Resolver
from ..syntax.codes import ByCode
from ..syntax.scopes import (
    binds,
    blocks,
    captured,
    children,
    own,
    own_statements,
    rebinds_outer,
    walk,
    yields,
)
from .stored import counts, stored_by

Names = frozenset[str]
Span = tuple[int, int, int | None, int | None]
_WRITTEN = (FunctionType, type)
_FUNCTIONS = (ast.Lambda, ast.Attribute)
_SIMPLE = (ast.Constant, ast.Compare, ast.JoinedStr)
_HOLDING = (ast.Attribute, ast.Tuple, ast.List, ast.Dict, ast.IfExp)
SETTERS: ByCode[bool] = ByCode()
"""The functions that set properties, which reading the property does not give."""
_CHANGING_OPERATIONS = frozenset(
    ("STORE_DEREF", "STORE_SUBSCR", "STORE_ATTR", "DELETE_SUBSCR", "STORE_SLICE")
)


class Changers:
    """The variables of a body that may hold such a function, and what else is told of them."""

    def __init__(self, resolver: Resolver) -> None:
        self.names: Names = frozenset()
        self.resolver = resolver
        self.local = resolver.local
        self.value = resolver.value
        self.changing = resolver.changing
        self.makers: set[str] = set()  # local functions that make one
        self.taken: frozenset[Span] = frozenset()  # where what takes all items at once takes them from
        self._lambdas: dict[ast.Lambda, bool] = {}

    def find(self, body: list[ast.stmt], given: Names) -> None:
        """Find the names, with those that are `given`."""
        statements = own_statements(body)
        if not given and not any(map(self._may_begin, statements)):
            return
        self.names = given
        while True:
            before = len(self.names) + len(self.makers)
            for s in statements:
                if isinstance(s, ast.FunctionDef):
                    self._define(s)
                else:
                    self.names |= self._bound(s) & self.local
            self._lambdas.clear()
            self.changing.clear()
            if len(self.names) + len(self.makers) == before:
                return

    def taken_at_once(self, body: list[ast.stmt]) -> frozenset[Span]:
        """Where that stands of which a call takes all items at once, before anything else is computed."""
        eager = (c for s in own_statements(body) for c in own(s).calls if is_eager(self.value(c.func)[1]))
        return frozenset(span_of(c.args[0]) for c in eager if c.args and _ready(c))

    def _may_begin(self, s: ast.stmt) -> bool:
        mine = own(s)
        value = s.value if isinstance(s, ast.Assign) else s.iter if isinstance(s, ast.For) else None
        if isinstance(value, _HOLDING) and self.holds(value):  # a method
            return True
        return isinstance(s, ast.FunctionDef) or bool(mine.lambdas) or any(map(self._returned, mine.calls))

    def _is_maker(self, f: ast.expr) -> bool:
        if isinstance(f, ast.Name) and f.id in self.makers:
            return True
        value = self.value(f)[1] if isinstance(f, ast.Name | ast.Attribute) else None
        if type(value) is not FunctionType:
            return False
        self.resolver.load(value)
        return rules_of(value) is None and makes_changers(value.__code__)

    def _define(self, s: ast.FunctionDef) -> None:
        inner = [n for n in walk(s) if isinstance(n, ast.FunctionDef | ast.Lambda) and n is not s]
        if any(self._stored(n) for n in inner):
            self.makers.add(s.name)
        if not yields(s.body) and (self._stored(s) & self.local or captured(s) & self.names):
            self.names |= {s.name}

    def _stored(self, node: ast.FunctionDef | ast.Lambda) -> Names:
        """The outer variables that a function changes, otherwise than by counting."""
        rebound = rebinds_outer(node)
        return stored_by(node, self.resolver, counts) | (rebound & bound_by(node) if rebound else rebound)

    def _bound(self, s: ast.stmt) -> Names:
        """The names that may hold one once a statement has run."""
        found: Names = frozenset()
        if isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign) and s.value is not None:
            targets = s.targets if isinstance(s, ast.Assign) else [s.target]
            if self._is_maker(s.value):
                self.makers.update(*map(binds, targets))
            if self.holds(s.value):
                found = found.union(*(binds(t) | _owners(t) for t in targets))
        elif isinstance(s, ast.For) and self.holds(s.iter):
            found |= binds(s.target)
        elif isinstance(s, ast.With):
            held = (i.optional_vars for i in s.items if i.optional_vars and self.holds(i.context_expr))
            found = found.union(*map(binds, held))
        for call in own(s).calls:  # which may put it into what it is called on
            if isinstance(call.func, ast.Attribute) and any(map(self.holds, _given(call))):
                found |= _owners(call.func)
        return found

    def holds(self, e: ast.expr) -> bool:
        """Whether the value of an expression may be, or hold, such a function."""
        if isinstance(e, ast.Name):
            return e.id in self.names
        if isinstance(e, _SIMPLE):
            return False
        if isinstance(e, ast.Lambda):
            if e not in self._lambdas:
                self._lambdas[e] = bool(self._stored(e) & self.local or captured(e) & self.names)
            return self._lambdas[e]
        if isinstance(e, ast.Call):
            return self._returned(e)
        if isinstance(e, ast.Attribute):
            return self.holds(e.value) or self._is_method(e)
        if isinstance(e, ast.Subscript | ast.Starred):
            return self.holds(e.value)
        if isinstance(e, ast.IfExp):
            return self.holds(e.body) or self.holds(e.orelse)
        return any(isinstance(c, ast.expr) and self.holds(c) for c in children(e))

    def _returned(self, call: ast.Call) -> bool:
        known, value = self.value(call.func)
        if self._is_maker(call.func) or (isinstance(value, type) and 0 in self._changed_by_calling(value)):
            return True
        if known and not isinstance(value, _WRITTEN):
            return False
        if isinstance(call.func, ast.Attribute) and not known and self.holds(call.func.value):
            return True
        return any(map(self.holds, _given(call)))

    def _changed_by_calling(self, P: type) -> frozenset[int]:
        """What calling an object of P changes."""
        call = getattr(P, "__call__", None)  # noqa: B004  # the method is wanted, not whether there is one
        return self.resolver.writes(call) if isinstance(call, FunctionType) else frozenset()

    def _is_method(self, e: ast.Attribute) -> bool:
        """Whether this may be a method that changes its object."""
        resolver = self.resolver
        return not self.value(e)[0] and any(
            m.__code__ not in SETTERS and 0 in resolver.writes(m) for m in resolver.methods(e.attr, resolver)
        )

    def handed(self, call: ast.Call) -> list[ast.expr]:
        """What of a call may be, or hold, such a function that the call may call."""
        if not self.names and not any(isinstance(a, _FUNCTIONS) for a in _given(call)):
            return []
        known, value = self.value(call.func)
        written = (
            known and caller_of(value) is not None and (not is_lazy(value) or span_of(call) in self.taken)
        )
        if known and type(value) is not FunctionType and not written:
            return []
        found = [a for a in _given(call) if self.holds(a)]
        f = call.func
        if isinstance(f, ast.Attribute) and not known:
            if f.attr in CHANGING:
                return []  # a container's, which calls nothing
            owner = f.value if any(True for _ in self.resolver.methods_of(f)) else f  # or one of its fields
            return [owner, *found] if self.holds(f.value) else found
        return found if known or not self.holds(f) else [f, *found]


def bound_by(node: ast.AST) -> Names:
    """What a function, or one nested in it, binds otherwise than by counting."""
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        body = node.body if isinstance(node.body, list) else []
        return frozenset[str]().union(*(bound_by(s) for s in own_statements(body)))
    if not isinstance(node, ast.stmt) or counts(node):
        return frozenset()
    return binds(node) if not blocks(node) else own(node).binds


def _ready(call: ast.Call) -> bool:
    """Whether nothing is computed after the first argument of a call."""
    after = (*call.args[1:], *(k.value for k in call.keywords))
    return all(isinstance(a, ast.Name | ast.Constant | ast.Lambda) for a in after)


def span_of(e: ast.expr) -> Span:
    """Where an expression stands."""
    return e.lineno, e.col_offset, e.end_lineno, e.end_col_offset


def _given(call: ast.Call) -> list[ast.expr]:
    named = [a for a in call.args if not isinstance(a, ast.Starred)]
    return named + [k.value for k in call.keywords if k.arg is not None]


def _owners(target: ast.expr) -> Names:
    """The variables in whose objects something is stored."""
    if isinstance(target, ast.Tuple | ast.List):
        return frozenset[str]().union(*map(_owners, target.elts))
    if not isinstance(target, ast.Subscript | ast.Attribute):
        return frozenset()
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return frozenset((target.id,)) if isinstance(target, ast.Name) else frozenset()


_making: ByCode[bool] = ByCode()


def makes_changers(code: CodeType) -> bool:
    """Whether a function makes functions that seem to change what they captured, as far as its code tells."""
    found = _making.get(code)
    if found is None:
        inner = [c for c in code.co_consts if isinstance(c, CodeType) and not c.co_name.startswith("<")]
        found = _making[code] = any(c.co_freevars and _changes_something(c) for c in inner)
    return found


def _changes_something(code: CodeType) -> bool:
    operations = {i.opname for i in dis.get_instructions(code)}
    return not (operations.isdisjoint(_CHANGING_OPERATIONS) and CHANGING.isdisjoint(code.co_names))
