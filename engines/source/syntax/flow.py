"""Flow: walking forward over the statements of a function, along every path.

A state is a set of names. Where paths meet, states are united; a loop's body is walked until its
state does not grow. What a walk follows is said by its subclass: `activity` the names that vary,
`stores` the names of values that a pullback keeps.
"""

from __future__ import annotations

import ast

from .kinds import JUMPS, LEAVING, LOOPS, TRIES

Names = frozenset[str]
# fmt: off
_CONTROL = frozenset((
    ast.Try, ast.TryStar, ast.If, ast.For, ast.While, ast.Return, ast.Raise, ast.Break, ast.Continue,
    ast.With,
))
# fmt: on


def _union(*states: Names | None) -> Names | None:
    reached = [s for s in states if s is not None]
    return frozenset().union(*reached) if reached else None


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
