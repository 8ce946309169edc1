"""Activity: which values depend on the differentiated inputs (varied), which reach the output (useful).

Two walks over the statements, forward and backward, each following branches and running loops to
a fixed point, give for every statement the names that vary before it and those that are useful
after it. A statement needs a derivative only where a varied value enters a useful name; all
else runs as written. A nested function varies with what it captures, whenever that varies.

A call of something declared non-differentiable ends activity, as do truth tests; the program
checks at its start that those names still mean what they meant (see `assumptions`).
"""

from __future__ import annotations

import ast
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from ..reading.resolver import Resolver
from ..syntax.flow import BackwardWalk, ForwardWalk, Names, with_names
from ..syntax.kinds import ASSIGNMENTS, COMPREHENSIONS, IMPORTS
from ..syntax.scopes import base, binds, captured, children, default_reads, own, own_statements, reads, stored
from .mutation import Mutation

_NONE: Names = frozenset()
_NOTHING = (_NONE, _NONE)
_SENT: Names = frozenset(("yield",))  # stands for what a generator is sent: no variable has this name
_INERT = (ast.Assert, ast.Delete, ast.Pass, *IMPORTS)


@dataclass
class Activity:
    """The result: names by statement, and what was assumed of global names."""

    varied: dict[ast.stmt, Names] = field(default_factory=dict)
    useful: dict[ast.stmt, Names] = field(default_factory=dict)
    ever_varied: Names = frozenset()
    assumptions: dict[str, tuple[ast.expr, Any]] = field(default_factory=dict)


def varies(node: Any, varied: Set[str], resolver: Resolver) -> bool:
    """Whether the value of an expression may carry a derivative."""
    kind = type(node)
    if kind is ast.Name:
        return node.id in varied
    if kind is ast.Constant:
        return False
    now, ever = resolver.carried.get(node) or _carried(node, resolver)
    if not now.isdisjoint(varied):
        return True
    return bool(ever) and (not ever.isdisjoint(_SENT) or not ever.isdisjoint(resolver.ever_varied))


def _carried(node: ast.AST, resolver: Resolver) -> tuple[Names, Names]:
    """The names through which a derivative may come into a value, and those where it may at any time."""
    found = resolver.carried.get(node)
    if found is None:
        found = resolver.carried[node] = _names_carried(node, resolver)
    return found


def _names_carried(node: Any, resolver: Resolver) -> tuple[Names, Names]:
    kind = type(node)
    if kind is ast.Name:
        return frozenset((node.id,)), _NONE
    if (
        kind is ast.Compare
        or kind is ast.Constant
        or (kind is ast.UnaryOp and isinstance(node.op, ast.Not))
        or (kind is ast.Call and resolver.is_inert(node.func))
    ):
        return _NOTHING
    if kind is ast.Lambda or kind is ast.FunctionDef:  # what it holds is as it is when it is called
        held = reads(node)
        return held, held
    if kind is ast.Yield or kind is ast.YieldFrom:
        return _NONE, _SENT
    if kind in COMPREHENSIONS:
        return reads(node), _NONE
    names: set[str] = set()
    always = _NONE
    for part in [node.body, node.orelse] if kind is ast.IfExp else children(node):
        if type(part) is ast.Name:
            names.add(part.id)
        elif type(part) is not ast.Constant:
            now, ever = _carried(part, resolver)
            names |= now
            always |= ever
    return (frozenset(names), always) if names or always else _NOTHING


def acts(s: ast.stmt, varied: Set[str], resolver: Resolver) -> bool:
    """Whether a statement may do something with a varying value besides giving a result."""
    calls = own(s).calls
    return bool(calls) and any(varies(c, varied, resolver) and resolver.may_keep(c) for c in calls)


def analyse(
    body: list[ast.stmt],
    inputs: Names,
    resolver: Resolver,
    mutation: Mutation,
    outer_varied: Names = frozenset(),
) -> Activity:
    """Activity of a function body whose parameters `inputs` vary, and captured names `outer_varied`."""
    result = Activity()
    nested = any(isinstance(s, ast.FunctionDef) or own(s).lambdas for s in own_statements(body))
    while True:
        before = result.ever_varied
        _Varied(result, resolver, mutation).block(body, inputs | outer_varied)
        result.ever_varied |= inputs | outer_varied
        if result.ever_varied == before or not nested:
            break
    useful = _Useful(result, resolver, mutation)
    while True:
        size = len(useful.always)
        useful.block(body, frozenset())
        if len(useful.always) == size:
            break
    result.assumptions = resolver.assumptions
    return result


class _Varied(ForwardWalk):
    """The forward walk. A state is the set of varied names."""

    def __init__(self, result: Activity, resolver: Resolver, mutation: Mutation) -> None:
        super().__init__()
        self.result = result
        self.resolver = resolver
        self.mutation = mutation
        self.noted: Names = _NONE

    def before(self, s: ast.stmt, state: Names) -> Names:
        known = self.result.varied.get(s)
        if known is not None and not known <= state:
            state |= known
        self._note(state)
        self.result.varied[s] = state
        return state

    def bound(self, target: ast.expr, value: ast.expr, at: Names, state: Names) -> Names:
        return with_names(state, binds(target), varies(value, at, self.resolver))

    def simple(self, s: ast.stmt, state: Names) -> Names:
        if isinstance(s, ASSIGNMENTS):
            state = self._assign(s, state)
        elif isinstance(s, ast.FunctionDef):
            seen = captured(s) | default_reads(s)
            state = with_names(state, {s.name}, bool(seen & (self.result.ever_varied | state)))
        else:
            state = self._other(s, state)
        if self.mutation.written(s):
            state |= self._written(s, state)
        self._note(state)
        return state

    def _written(self, s: ast.stmt, state: Names) -> Names:
        """What varies since a varying value may have been put into it, or into something that it shares."""
        names: Names = frozenset()
        for written in self.mutation.written(s):
            reached = self.mutation.reached(written, s)
            if not reached <= state and any(
                varies(e, state, self.resolver) for e in _given(s, self.resolver)
            ):
                names |= reached
        return frozenset(filter(self.resolver.is_local, names))  # others are asked as the program runs

    def _note(self, state: Names) -> None:
        if state is not self.noted and not state <= self.result.ever_varied:
            self.result.ever_varied |= state
            self.resolver.ever_varied = self.result.ever_varied
        self.noted = state

    def _assign(self, s: ast.Assign | ast.AnnAssign | ast.AugAssign, state: Names) -> Names:
        active = s.value is not None and varies(s.value, state, self.resolver)
        if isinstance(s, ast.AugAssign):
            active = active or varies(_loaded(s.target), state, self.resolver)
        for target in _targets(s):
            if type(target) is not ast.Name:
                state = with_names(state, binds(target), active)
            elif active != (target.id in state):
                state = state | {target.id} if active else state - {target.id}
        return state

    def _other(self, s: ast.stmt, state: Names) -> Names:
        """A statement that is not looked into: what it binds varies if anything it reads does."""
        inner = list(own_statements([s]))
        active = any(varies(child, state, self.resolver) for child in children(s))
        for nested in inner[1:]:
            self.result.varied[nested] = state
        return with_names(state, binds(s), active) | state


class _Useful(BackwardWalk):
    """The backward walk. A state is the set of names whose values reach the output."""

    def __init__(self, result: Activity, resolver: Resolver, mutation: Mutation) -> None:
        super().__init__()
        self.result = result
        self.resolver = resolver
        self.mutation = mutation
        self.always: Names = frozenset()  # captured by useful nested functions

    def after(self, s: ast.stmt, state: Names) -> Names:
        if self.always:
            state |= self.always
        known = self.result.useful.get(s)
        if known is not None and not known <= state:
            state |= known
        self.result.useful[s] = state
        return state

    def ends(self, s: ast.Return | ast.Raise) -> Names:
        return frozenset() if isinstance(s, ast.Raise) else frozenset(reads(s))

    def head(self, s: ast.stmt, state: Names) -> Names:
        return state

    def bound(self, s: ast.stmt, state: Names) -> Names:
        if isinstance(s, ast.For):
            bound = binds(s.target)
            return (state - bound) | (reads(s.iter) if bound & state else set())
        assert isinstance(s, ast.With)
        return state.union(*(reads(i.context_expr) for i in s.items if i.optional_vars is not None))

    def simple(self, s: ast.stmt, state: Names) -> Names:
        if isinstance(s, ASSIGNMENTS):
            return self._assign(s, state)
        if isinstance(s, ast.FunctionDef):
            if s.name in state:
                self.always |= captured(s)
            return (state - {s.name}) | self.always
        if isinstance(s, ast.Expr):
            inert = isinstance(s.value, ast.Call) and self.resolver.is_inert(s.value.func)
            return state if inert else state | reads(s)
        if isinstance(s, _INERT) and not (isinstance(s, ast.Delete) and own(s).stores):
            return state
        return state | reads(s)

    def _assign(self, s: ast.Assign | ast.AnnAssign | ast.AugAssign, state: Names) -> Names:
        if s.value is None:
            return state
        mine, augmented = own(s), isinstance(s, ast.AugAssign)
        bound = binds(s) if not mine.named else _NONE.union(*map(binds, _targets(s)))
        if augmented and self.mutation.affected(s) & state:
            return state | bound | reads(s)  # an array that changes may be a view of another
        lost = bound.isdisjoint(state) and not mine.stores
        if lost and not acts(s, self.result.varied.get(s, _NONE), self.resolver):
            return state
        if mine.lambdas:
            self.always = self.always.union(*map(captured, mine.lambdas))
        return (state if augmented else state - bound) | reads(s)


def _given(s: ast.stmt, resolver: Resolver) -> list[ast.expr]:
    """What a statement may put into what it changes: a stored value, or what a call was given."""
    if isinstance(s, ASSIGNMENTS) and s.value is not None:
        return [s.value, *_keys(_targets(s), "__setitem__", resolver)]
    if isinstance(s, ast.Delete):
        return [*_keys(s.targets, "__delitem__", resolver), *own(s).calls]
    if isinstance(s, ast.For):
        return [s.iter]
    return list(own(s).calls)


def _keys(targets: list[ast.expr], method: str, resolver: Resolver) -> list[ast.expr]:
    """The keys of stores, where a class that may be meant computes with them by a method in Python."""
    if not any(True for _ in resolver.methods(method, resolver)):
        return []
    every = [t for target in targets for t in stored(target)]
    return [t.slice for t in every if isinstance(t, ast.Subscript)]


def puts(target: ast.expr, varied: Set[str], resolver: Resolver, method: str = "__setitem__") -> bool:
    """Whether something that varies is stored into, or a class of the user is given a key that varies."""
    if base(target) & varied:
        return True
    return any(varies(key, varied, resolver) for key in _keys([target], method, resolver))


def _targets(s: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[ast.expr]:
    return s.targets if isinstance(s, ast.Assign) else [s.target]


def _loaded(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment, as the expression that it reads."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target
