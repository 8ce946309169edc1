"""Closures: when the cotangent of a nested function may wait for its definition, and when not.

A function object carries what it captured, by reference. Where a captured variable is settled
before the definition, the function's cotangent is worth the same at every later time and flows to
the definition. Where it is rebound, it belongs to the value that the variable had when the
function was called: it is distributed at each use, and a use through which the function could be
kept for later is refused.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from typing import Any

from ..reading.resolver import ORDERING, Resolver
from ..syntax.ir import Call
from ..syntax.kinds import COMPOUND, LOOPS
from ..syntax.scopes import binds, captured, own_statements
from ..syntax.site import Site

_COMPARING = ("detached", "lock", "own_part")
"""Helpers that look at what they are given, and keep none of it."""


class Closures:
    """What is known of the local functions of one function body."""

    def __init__(
        self,
        parameters: list[str],
        body: list[ast.stmt],
        outer: frozenset[str] = frozenset(),
        again: frozenset[str] | None = None,
    ) -> None:
        self.parameters = {*parameters, *outer}
        self.body = body
        self.again = again  # of a program that hands on functions, the captured variables bound once
        self.once: frozenset[str] = again or frozenset()  # those of this body
        self.captures: dict[str, tuple[str, ...]] = {}  # of functions distributed by use
        self.hands_out: dict[str, tuple[str, ...]] = {}  # what is rebound, in functions that these return
        self._returned: dict[str, Call] = {}  # the calls that may return such functions, by their targets
        self._by_name: dict[str, set[str]] = {}  # what all functions of a name capture
        self._anew: frozenset[str] = frozenset()

    @functools.cached_property
    def stores(self) -> dict[str, list[tuple[ast.stmt, bool]]]:
        """For each name, the statements that bind it, and whether in a loop."""
        found: dict[str, list[tuple[ast.stmt, bool]]] = {}
        self._collect(self.body, False, found)
        return found

    @functools.cached_property
    def defined(self) -> dict[str, ast.FunctionDef | ast.Lambda]:
        """The local functions by name."""
        return dict(_functions(self.body))

    def _collect(
        self, body: list[ast.stmt], in_loop: bool, found: dict[str, list[tuple[ast.stmt, bool]]]
    ) -> None:
        for s in body:
            compound = isinstance(s, COMPOUND)
            names = binds(s.target) if isinstance(s, ast.For) else set() if compound else binds(s)
            if isinstance(s, ast.With):
                names = set().union(*(binds(i.optional_vars) for i in s.items if i.optional_vars), set())
            looped = in_loop or isinstance(s, ast.For)
            for name in names:
                found.setdefault(name, []).append((s, looped))
            inner = in_loop or isinstance(s, LOOPS)
            for part in ("body", "orelse", "finalbody"):
                if compound:
                    self._collect(getattr(s, part, []), inner, found)
            for handler in getattr(s, "handlers", []):
                self._collect(handler.body, in_loop, found)

    def by_use(self, target: str, node: ast.FunctionDef | ast.Lambda, names: tuple[str, ...]) -> bool:
        """Whether this definition's captures are rebound, so that its uses carry the cotangent."""
        before = self.again or ()
        settled = {n for n in captured(node) if n in before or self.settled_before(n, node)}
        self._anew |= captured(node) - settled
        self.once = (self.once | settled) - self._anew
        unstable = not settled.issuperset(names)
        every = self._by_name[target] = {*names, *self._by_name.get(target, ())}
        if unstable or target in self.captures:
            self.captures[target] = tuple(sorted(every))
        self.hands_out[target] = tuple(sorted(self._handed_out(node, {*names} - settled)))
        return unstable

    def _handed_out(self, node: ast.FunctionDef | ast.Lambda, rebound: set[str]) -> set[str]:
        """The variables by which a function that this one may return is told to hold what is rebound."""
        inner = [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef | ast.Lambda) and n is not node]
        found = rebound & set[str]().union(*map(captured, inner))
        for name in captured(node) & self.captures.keys():
            found |= {name, *self.captures[name]}
        return found

    def settled_before(self, name: str, node: ast.FunctionDef | ast.Lambda) -> bool:
        """Whether nothing rebinds this name once the definition has run."""
        stores = self.stores.get(name, [])
        if not stores:
            return name in self.parameters
        place = (node.lineno, node.col_offset)
        return all(not in_loop and _end(s) <= place for s, in_loop in stores)

    def several(self, name: str) -> list[ast.FunctionDef]:
        """The functions of this name, if there are several."""
        nodes = [s for s, _ in self.stores.get(name, ()) if isinstance(s, ast.FunctionDef)]
        return nodes if len(nodes) > 1 else []

    def ambiguous(self, name: str) -> bool:
        """Whether several functions have this name, and a variable is rebound that one of them captured."""
        nodes = self.several(name)
        seen = [(n, s) for s in nodes for n in captured(s) if n in self.stores or n in self.parameters]
        return not all(self.settled_before(n, s) for n, s in seen)

    def given(self, call: Call, called: str, sites: Mapping[str, Site]) -> None:
        """Say of which operands of a call the captures are rebound, and whether one could be kept.

        `called` is the name of what is called; a `site` is given tangents if forward, a function, and values.
        """
        known, site = self.captures, sites.get(called)
        call.captures = {i: known[o.variable] for i, o in enumerate(call.operands) if o.variable in known}
        runs = 0 if call.callee != "plain" or (site and site.mode == "reverse") else 1 if site else -1
        if call.callee == "closure":
            callee = call.function.variable or ""
            if callee not in self.stores and callee in self._returned:  # called at once, by no name
                self._returned[callee].hands_out = ()
            call.hands_out = self.hands_out.get(callee, ())
        if call.hands_out:
            self._returned[call.target] = call
        call.may_keep = called not in _COMPARING and any(i != runs for i in call.captures)

    def cycle_with(self, target: str, node: ast.FunctionDef | ast.Lambda) -> str | None:
        """Another local function that this one and it capture each other, if there is one."""
        for name in sorted(captured(node) & set(self.defined)):
            if name != target and target in self._reach(name, set()):
                return name
        return None

    def _reach(self, name: str, seen: set[str]) -> frozenset[str]:
        if name in seen:
            return frozenset()
        seen.add(name)
        direct = captured(self.defined[name]) & set(self.defined)
        return direct.union(*(self._reach(n, seen) for n in direct))

    def only_defined(self, name: str) -> bool:
        """Whether every binding of this name is a `def`."""
        return name not in self.parameters and all(
            isinstance(s, ast.FunctionDef) for s, _ in self.stores.get(name, ())
        )


def _functions(body: list[ast.stmt]) -> Iterator[tuple[str, ast.FunctionDef | ast.Lambda]]:
    """The local functions of a body by name, lambdas that are assigned to one too."""
    for s in own_statements(body):
        if isinstance(s, ast.FunctionDef):
            yield s.name, s
        elif isinstance(s, ast.Assign) and isinstance(s.value, ast.Lambda):
            yield from ((t.id, s.value) for t in s.targets if isinstance(t, ast.Name))


def _end(s: ast.stmt) -> tuple[int, int]:
    return s.end_lineno or s.lineno, s.end_col_offset or s.col_offset


def keys_among(call: ast.Call, resolver: Resolver) -> list[int]:
    """Where the arguments of a call stand that are functions by whose values it compares items.

    One that the call changes, with what it captured, has a derivative all the same.
    """
    words: list[Any] = [k.arg for k in call.keywords]
    f, attribute = call.func, getattr(call.func, "attr", "")
    if site := resolver.sites.get(getattr(f, "id", "")):
        words, f = list(site.keywords), call.args[int(site.mode == "forward")]
        if site.callee == "method":
            attribute = getattr(call.args[1 + (site.mode == "forward")], "value", "")
    if "key" not in words:
        return []
    if site and (site.callee != "plain") + site.layout.positional + words.index("key") in site.writes:
        return []
    ordering = attribute == "sort" or any(resolver.value(f)[1] is g for g in ORDERING)
    start = len(call.args) + len(call.keywords) - len(words)
    return [start + words.index("key")] if ordering else []
