"""Flow: walking forward over the statements of a function, along every path.

A state is a set of names. Where paths meet, states are united; a loop's body is walked until its
state does not grow. What a walk follows is said by its subclass: `activity` the names that vary,
`stores` the names of values that a pullback keeps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .kinds import JUMPS, LEAVING, LOOPS, TRIES

Names = frozenset[str]
# fmt: off
_CONTROL = frozenset((
    ast.Try, ast.TryStar, ast.If, ast.For, ast.While, ast.Return, ast.Raise, ast.Break, ast.Continue,
    ast.With,
))
# fmt: on


class ForwardWalk:
    """One walk; its methods take a state and give the one after, None where control cannot be."""

    def __init__(self) -> None:
        self.jumps: list[tuple[list[Names], list[Names]]] = []  # states at each loop's breaks and continues
        self.raising: list[list[Names]] = []  # the states in which each `try` may be left

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
            entered = self.before(s, state)
            state = self._statement(s, entered)
            if self.raising:
                self.raising[-1] += [entered] if state is None else [entered, state]
        return state

    def _statement(self, s: ast.stmt, state: Names) -> Names | None:
        if type(s) not in _CONTROL:
            return self.simple(s, state)
        if isinstance(s, TRIES):
            return self._try(s, state)
        if isinstance(s, ast.If):
            return _union(self.block(s.body, state), self.block(s.orelse, state))
        if isinstance(s, LOOPS):
            return self._loop(s, state)
        if isinstance(s, LEAVING):
            return None
        if isinstance(s, JUMPS):
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

    def _try(self, s: ast.Try | ast.TryStar, state: Names) -> Names | None:
        self.raising.append([state])
        end = self.block(s.orelse, self.block(s.body, state))
        left = _union(*self.raising.pop())
        if self.raising and left is not None:
            self.raising[-1].append(left)
        after = end
        for h in s.handlers:
            ended = self.block(h.body, left)
            after = _union(after, ended)
            if isinstance(s, ast.TryStar):  # of which several may run
                left = _union(left, ended)
        if not s.finalbody:
            return after
        final = self.block(s.finalbody, _union(after, left))
        return None if after is None else final


def _union(*states: Names | None) -> Names | None:
    reached = [s for s in states if s is not None]
    return frozenset().union(*reached) if reached else None


def with_names(state: Names, names: Iterable[str], included: bool) -> Names:
    """The state in which these names are in, or out."""
    names = frozenset(names)
    if included:
        return state if names <= state else state | names
    return state if names.isdisjoint(state) else state - names


class BackwardWalk:
    """The other way: what may happen after each statement. States are united where paths part."""

    def __init__(self) -> None:
        self.jumps: list[tuple[Names, Names]] = []  # the states after each loop, and at its head
        self.raised: list[Names] = []  # the states at the handlers of each `try`

    def after(self, s: ast.stmt, state: Names) -> Names:
        """Notice a statement and the state after it."""
        raise NotImplementedError

    def simple(self, s: ast.stmt, state: Names) -> Names:
        """The state before a statement that control passes through, from the one after."""
        raise NotImplementedError

    def ends(self, s: ast.Return | ast.Raise) -> Names:
        """The state before a statement that leaves the function."""
        raise NotImplementedError

    def head(self, s: ast.stmt, state: Names) -> Names:
        """The state before the test, iterable, subject or managers of a compound statement are evaluated."""
        raise NotImplementedError

    def bound(self, s: ast.stmt, state: Names) -> Names:
        """The state before a `for` or `with` binds its targets, from the one after."""
        raise NotImplementedError

    def block(self, body: list[ast.stmt], state: Names) -> Names:
        for s in reversed(body):
            state = self._statement(s, self.after(s, state))
            if self.raised:
                state |= self.raised[-1]
        return state

    def _statement(self, s: ast.stmt, state: Names) -> Names:
        if type(s) not in _CONTROL:
            return self.simple(s, state)
        if isinstance(s, ast.If):
            return self.head(s, self.block(s.body, state) | self.block(s.orelse, state))
        if isinstance(s, LOOPS):
            return self._loop(s, state)
        if isinstance(s, JUMPS):
            return self.jumps[-1][isinstance(s, ast.Continue)]
        if isinstance(s, LEAVING):
            return self.ends(s)
        if isinstance(s, ast.With):
            return self.head(s, self.bound(s, self.block(s.body, state) | state))
        if isinstance(s, TRIES):
            return self._try(s, state)
        return self.simple(s, state)

    def _loop(self, s: ast.For | ast.While, state: Names) -> Names:
        after = self.block(s.orelse, state)
        at_head = after
        while True:
            self.jumps.append((state, at_head))
            entered = self.block(s.body, self.head(s, at_head) if isinstance(s, ast.While) else at_head)
            self.jumps.pop()
            if isinstance(s, ast.For):
                entered = self.bound(s, entered)
            again = at_head | entered
            if again == at_head:
                return self.head(s, at_head)
            at_head = again

    def _try(self, s: ast.Try | ast.TryStar, state: Names) -> Names:
        end = self.block(s.finalbody, state)
        handled = end
        for h in reversed(s.handlers):
            handled |= self.block(h.body, handled if isinstance(s, ast.TryStar) else end)
        self.raised.append(handled)
        entered = self.block(s.body, self.block(s.orelse, end) | handled)
        self.raised.pop()
        return entered | handled
