"""Flow: walking forward over the statements of a function, along every path.

A state is a set of names. Where paths meet, states are united; a loop's body is walked until its
state does not grow. What a walk follows is said by its subclass: `activity` the names that vary,
`stores` the names of values that a pullback keeps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

Names = frozenset[str]


class ForwardWalk:
    """One walk; its methods take a state and give the one after, None where control cannot be."""

    def __init__(self) -> None:
        self.jumps: list[tuple[list[Names], list[Names]]] = []  # states at each loop's breaks and continues

    def before(self, s: ast.stmt, state: Names) -> Names:
        """Notice a statement and the state before it."""
        raise NotImplementedError

    def simple(self, s: ast.stmt, state: Names) -> Names:
        """A statement that control passes through."""
        raise NotImplementedError

    def bound(self, target: ast.expr, value: ast.expr, at: Names, state: Names) -> Names:
        """A `for` or `with` binds its target; the value was evaluated in the state `at`."""
        raise NotImplementedError

    def block(self, body: list[ast.stmt], state: Names | None) -> Names | None:
        for s in body:
            if state is None:
                return None
            state = self._statement(s, self.before(s, state))
        return state

    def _statement(self, s: ast.stmt, state: Names) -> Names | None:
        if isinstance(s, ast.If):
            return _union(self.block(s.body, state), self.block(s.orelse, state))
        if isinstance(s, ast.For | ast.While):
            return self._loop(s, state)
        if isinstance(s, ast.Return | ast.Raise):
            return None
        if isinstance(s, ast.Break | ast.Continue):
            self.jumps[-1][isinstance(s, ast.Continue)].append(state)
            return None
        if isinstance(s, ast.With):
            for item in s.items:
                if item.optional_vars is not None:
                    state = self.bound(item.optional_vars, item.context_expr, state, state)
            end = self.block(s.body, state)
            return state if end is None else end  # the exception by which it ended may be suppressed
        return self.simple(s, state)

    def _loop(self, s: ast.For | ast.While, state: Names) -> Names | None:
        head = state
        while True:
            self.jumps.append(([], []))
            entered = self.bound(s.target, s.iter, state, head) if isinstance(s, ast.For) else head
            end = self.block(s.body, entered)
            breaks, continues = self.jumps.pop()
            again = _union(head, end, *continues) or frozenset()
            if again == head:
                return _union(self.block(s.orelse, head), *breaks)
            head = again


def _union(*states: Names | None) -> Names | None:
    reached = [s for s in states if s is not None]
    return frozenset().union(*reached) if reached else None


def with_names(state: Names, names: Iterable[str], included: bool) -> Names:
    """The state in which these names are in, or out."""
    return state | frozenset(names) if included else state - frozenset(names)
