"""Forward: a run that moves tangents along, each kept by which leaf it is of."""

from __future__ import annotations

import operator
import sys
from typing import Any

import numpy as np

from ...core.holdings import note_varying
from ...tangents import ZERO, NotImplementedTangent, is_zero, unthunk
from ..leaves import Layout
from ..source.reading import opaque
from .changed import about_to_change_in, changed_in
from .giving import on_copies
from .here import below
from .keeping import kept_by, may_be_apart, of_users
from .leaves import is_foreign, is_leaf, is_result
from .looking import QUICK_FORWARD, quick_rule, rule_forward
from .memory import owner_of, shadow_of, window
from .putting import noted
from .runs import ALONE, Mark, Run

_FEW = 250  # leaves that are not looked through for those to forget


class _Probe:
    """A table with one entry that nothing else holds."""

    def __init__(self) -> None:
        self.live = {0: object()}

    def references(self) -> int:
        """How many references to such an entry Python counts, where it is asked as below."""
        return sys.getrefcount(self.live[0])


_OURS = _Probe().references()


class Missing(NotImplementedTangent):
    """The tangent of what an opaque function gave, with the error that says so."""

    __slots__ = ("error",)

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class ForwardRun(Run):
    """A run forward."""

    forward = True

    def __init__(self, engine: Any) -> None:
        super().__init__(engine)
        self.tangents: dict[int, Any] = {}
        self.shadows: dict[int, Any] = {}  # the tangents of memory that was written into, by owner
        self.limit = _FEW

    def tangent(self, leaf: Any) -> Any:
        """The tangent of a leaf; of memory that was written into it is a window, which stores change."""
        if isinstance(leaf, np.ndarray):
            owner = owner_of(leaf)
            shadow = self.shadows.get(id(owner))
            if shadow is None and id(leaf) not in self.tangents:
                shadow = self._shadow(leaf)
            if shadow is not None:
                return window(shadow, owner, leaf)
        return self.tangents.get(id(leaf), ZERO)

    def _shadow(self, a: Any) -> Any:
        """The tangent of all the memory of a, in one array."""
        owner = owner_of(a)
        shadow = self.shadows.get(id(owner))
        if shadow is None:
            shadow = shadow_of(owner)
            for i, x in list(self.live.items()):
                if isinstance(x, np.ndarray) and i in self.tangents and owner_of(x) is owner:
                    t = below(self.outer, unthunk, self.tangents[i])
                    if not is_zero(t):
                        self._store(window(shadow, owner, x), Ellipsis, t)
            self.shadows[id(owner)] = shadow
        return shadow

    def _store(self, a: Any, index: Any, t: Any) -> None:
        if self.outer:
            below(self.outer, operator.setitem, a, index, t)
        else:
            a[index] = t

    def _own_tangent(self, leaf: Any) -> Any:
        """A leaf's tangent, which no later store changes."""
        t = self.tangent(leaf)
        if isinstance(leaf, np.ndarray) and id(owner_of(leaf)) in self.shadows:
            return below(self.outer, np.copy, t)
        return t

    def _moving(self, x: Any, mark: Mark) -> Any:
        """The tangent of an argument."""
        if mark is None:
            return ZERO
        if mark is ALONE:
            return self._own_tangent(x)
        layout, leaves = mark
        parts = [self._own_tangent(v) for v in leaves]
        missing = next((t for t in parts if type(t) is Missing), None)
        return layout.tangent(parts) if missing is None else missing

    def of_one(self, f: Any, a: Any) -> Any:
        if not self.is_live(a):
            return NotImplemented
        t = self._own_tangent(a)
        key = f, type(a)
        rule = QUICK_FORWARD.get(key) or quick_rule(self, key, (a,), ())
        if not rule or type(t) is Missing:
            return NotImplemented
        y, dy = rule((t,), a)
        return self._quickly(y, dy, (a,))

    def of_two(self, f: Any, a: Any, b: Any) -> Any:
        ta, tb = self._tangent_if_live(a), self._tangent_if_live(b)
        if ta is None and tb is None:
            return NotImplemented
        ta, tb = ZERO if ta is None else ta, ZERO if tb is None else tb
        key = f, type(a), type(b)
        rule = QUICK_FORWARD.get(key) or quick_rule(self, key, (a, b), ())
        if not rule or type(ta) is Missing or type(tb) is Missing:
            return NotImplemented
        y, dy = rule((ta, tb), a, b)
        return self._quickly(y, dy, (a, b))

    def item(self, x: np.ndarray[Any, Any], i: Any) -> Any:
        if not self.is_live(x):
            return x[i]
        t = self.tangent(x)
        key = operator.getitem, np.ndarray, type(i)
        rule = QUICK_FORWARD.get(key) or quick_rule(self, key, (x, i), ())
        if not rule or type(t) is Missing:
            return NotImplemented
        y, dy = rule((t, ZERO), x, i)
        return self._with_tangent(y, dy, (x, i))

    def _tangent_if_live(self, x: Any) -> Any:
        """The tangent of an argument of a quick call; None where it does not vary."""
        if type(x) is float:
            return self.tangents.get(id(x))
        return self._own_tangent(x) if self.is_live(x) else None

    def _quickly(self, y: Any, dy: Any, values: tuple[Any, ...]) -> Any:
        """The result of a quick call, with its tangent."""
        if type(y) is float and type(dy) is float:
            y = y - 0.0
        elif not self.is_own(y) or type(dy) is not type(y):
            return self._with_tangent(y, dy, values)
        self.tangents[id(y)] = dy
        self.live[id(y)] = y
        if len(self.live) > self.limit:
            self._forget()
        return y

    def step(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: list[Mark]) -> Any:
        found = rule_forward(f, args, kwargs, self.engine)
        if found is None:
            return NotImplemented
        rule, mutates = found
        values = (*args, *kwargs.values()) if kwargs else args
        tangents = tuple([self._moving(x, m) for x, m in zip(values, marks, strict=True)])
        missing = next((t for t in tangents if type(t) is Missing), None)
        if missing is not None:
            return self.opaque(f, args, kwargs, missing.error)
        if mutates:
            return self._changing(rule, tangents, args, kwargs, values)
        kind = kept_by(f, rule, args, kwargs, False) if any(map(may_be_apart, values)) else None
        if kind is None:
            with noted(self, values, rule):
                y, dy = below(self.outer, rule, tangents, *args, **kwargs)
        else:
            y, dy = on_copies(self, kind(), rule, (tangents,), args, kwargs)
        if of_users(rule):
            return self.doubled(y, self._with_tangent(y, dy, values, True), values)
        self.hold(y, values)
        return self._with_tangent(y, dy, values)

    def _with_tangent(self, y: Any, dy: Any, values: tuple[Any, ...], is_users: bool = False) -> Any:
        if is_zero(dy):
            return self._still(y, values)
        y, out = self.result(y, values, is_users)
        if out is not None:
            self._spread(out, dy)
            if len(self.live) > self.limit:
                self._forget()
        return y

    def _still(self, y: Any, values: tuple[Any, ...]) -> Any:
        """A result that does not move: a view of what may move later is one of its windows all the same."""
        if isinstance(y, np.ndarray):
            owner = owner_of(y)
            if any(isinstance(x, np.ndarray) and owner_of(x) is owner and self.varies(x) for x in values):
                self.live[id(y)] = y
        return y

    def _changing(self, rule: Any, tangents: Any, args: Any, kwargs: Any, values: tuple[Any, ...]) -> Any:
        """A call of a rule that changes arguments."""
        given = list(tangents)
        for i in rule.method.mutates:
            place = rule.slots[i]
            x = values[place]
            self.about_to_change(x)
            if of_users(rule):
                about_to_change_in(x)
            if isinstance(x, np.ndarray):
                given[place] = below(self.outer, np.copy, window(self._shadow(x), owner_of(x), x))
        y, dy, states = below(self.outer, rule, tuple(given), *args, **kwargs)
        for i, t in states.items():
            x = values[rule.slots[i]]
            if is_leaf(x) and not isinstance(x, np.ndarray):
                self.tangents[id(x)] = below(self.outer, unthunk, t)
                self.live[id(x)] = x
            elif is_leaf(x):
                self.written[id(owner_of(x))] = owner_of(x)
                self.becomes_live(x)
                self._store(self.tangent(x), Ellipsis, 0.0 if is_zero(t) else below(self.outer, unthunk, t))
            elif of_users(rule):
                self._spread_changed(changed_in(x, self.outer), t)
            else:
                self._spread(Layout.of(x, is_result), t)
        if any(y is values[rule.slots[i]] for i in states):
            return y
        return self._with_tangent(y, dy, values)

    def _spread(self, out: Any, dy: Any) -> None:
        """Give the leaves of a value the parts of its tangent."""
        layout, leaves = out
        if layout is None:
            parts = [dy]
        else:
            parts = [ZERO] * len(leaves) if is_zero(dy) else below(self.outer, layout.entries, dy)
        for v, t in zip(leaves, parts, strict=True):
            if is_zero(t) and not isinstance(v, np.ndarray):  # a count or a setting
                self.live.pop(id(v), None)
                continue
            self.tangents[id(v)] = below(self.outer, unthunk, t)
            self.live[id(v)] = v

    def _spread_changed(self, out: tuple[Layout, list[Any]], t: Any) -> None:
        """Give the leaves of an object that a rule has changed their tangents; its arrays may have views."""
        layout, leaves = out
        parts = [ZERO] * len(leaves) if is_zero(t) else below(self.outer, layout.entries, t)
        for v, part in zip(leaves, parts, strict=True):
            if isinstance(v, np.ndarray) and is_leaf(v):
                self.written[id(owner_of(v))] = owner_of(v)
                self.becomes_live(v)
                part = 0.0 if is_zero(part) else below(self.outer, unthunk, part)
                self._store(self.tangent(v), Ellipsis, part)
            else:
                self._spread((None, [v]), part)

    def becomes_live(self, a: Any) -> None:
        super().becomes_live(a)
        if isinstance(a, np.ndarray):
            self._shadow(a)

    def write(self, a: Any, index: Any, v: Any, varies: bool) -> None:
        self.written[id(owner_of(a))] = owner_of(a)
        self.becomes_live(a)
        t = self.tangent(v) if varies else ZERO
        self._store(self.tangent(a), index, 0.0 if is_zero(t) else t)

    def promised(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], marks: list[Mark]) -> Any:
        values = (*args, *kwargs.values())
        y, out = self.result(self._text(below(self.outer, f, *args, **kwargs)), values)
        for v in out[1] if out is not None else ():
            self.tangents[id(v)] = NotImplementedTangent(opaque.reason(f, args))
        return y

    def refuse_through(self, leaves: list[Any], error: Exception) -> None:
        for v in leaves:
            self.live[id(v)] = v
            if is_foreign(v):
                note_varying(v)
            self.tangents[id(v)] = Missing(error)

    def _forget(self) -> None:
        """Forget the leaves that nothing else holds any longer, so that a long loop needs no more memory."""
        for i in list(self.live):
            if sys.getrefcount(self.live[i]) <= _OURS:
                del self.live[i]
                self.tangents.pop(i, None)
                self.shadows.pop(i, None)
        self.limit = 2 * len(self.live) + _FEW
