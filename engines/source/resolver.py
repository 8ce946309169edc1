"""Resolver: what can be told of a function's calls before it runs.

A global name such as `np.argmax` or `len` is taken for what it is now; where something is built on
that, the program checks at its start that it still is.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ...core.registry import rules_of

# fmt: off
_CHANGING = frozenset((
    "add", "append", "byteswap", "clear", "difference_update", "discard", "extend", "fill", "insert",
    "intersection_update", "itemset", "partition", "pop", "popitem", "put", "remove", "resize",
    "reverse", "setdefault", "setfield", "sort", "update",
))
# fmt: on
"""Methods that change their object."""

# fmt: off
_WRITING = frozenset((
    "at", "copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "shuffle",
))
# fmt: on
"""Functions of modules, and `at` of ufuncs, that write into their first argument."""


class Resolver:
    """What a global expression such as `np.argmax` or `len` means, where it can be told before running."""

    def __init__(
        self, namespace: Mapping[str, Any], local: Iterable[str], load: Callable[[Iterable[Any]], bool]
    ) -> None:
        self.namespace = namespace
        self.local = frozenset(local)
        self.load = load
        self.ever_varied: frozenset[str] = frozenset()  # a function varies with what it captures, at any time
        self.assumptions: dict[str, tuple[ast.expr, Any]] = {}

    def is_inert(self, function: ast.expr) -> bool:
        """Whether this callee is declared non-differentiable; remembered as an assumption if so."""
        found, value = self._value(function)
        if not found or not callable(value):
            return False
        self.load((value,))
        rules = rules_of(value)
        inert = value is int or (rules is not None and rules.non_differentiable is not None)
        if inert:
            self.assumptions.setdefault(ast.unparse(function), (function, value))
        return inert

    def reads_everything(self, call: ast.Call) -> str:
        """The name of a builtin that reads variables without naming them; empty for other calls."""
        if not isinstance(call.func, ast.Name) or call.func.id not in ("eval", "exec", "locals", "vars"):
            return ""
        _, value = self._value(call.func)
        all_of_them = value in (eval, exec, locals) or (value is vars and not call.args)
        return call.func.id if all_of_them else ""

    def changed(self, value: ast.AST) -> list[ast.expr]:
        """What the calls in an expression change in place, by the names that Python and NumPy use."""
        found = []
        for n in ast.walk(value):
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
                owner = self._value(n.func.value)[1]
                if isinstance(owner, ModuleType | np.ufunc):
                    found += n.args[:1] if n.func.attr in _WRITING else []
                elif n.func.attr in _CHANGING:
                    found.append(n.func.value)
            if isinstance(n, ast.Call):
                found += [k.value for k in n.keywords if k.arg == "out"]
        return found

    def may_keep(self, call: ast.Call) -> bool:
        """Whether a call might keep what it is given, so that it matters though its value is not used.

        Functions that are known and not written in Python do not, unless they change an argument.
        """
        found, value = self._value(call.func)
        return not found or isinstance(value, FunctionType) or bool(self.changed(call))

    def may_write(self, call: ast.Call) -> bool:
        """Whether a call might write into its arguments, as far as is known of what is called."""
        found, value = self._value(call.func)
        return not found or isinstance(value, FunctionType) or not callable(value)

    def is_value(self, name: str) -> bool:
        """Whether a name may stand for data: it is not a module, class or function as far as can be told."""
        _, value = self._value(ast.Name(name, ast.Load()))
        return not (isinstance(value, ModuleType) or callable(value))

    def _value(self, node: ast.expr) -> tuple[bool, Any]:
        if isinstance(node, ast.Name):
            if node.id in self.local:
                return False, None
            if node.id in self.namespace:
                return True, self.namespace[node.id]
            return hasattr(builtins, node.id), getattr(builtins, node.id, None)
        if isinstance(node, ast.Attribute):
            found, owner = self._value(node.value)
            if found and type(owner).__name__ in ("module", "type"):
                return hasattr(owner, node.attr), getattr(owner, node.attr, None)
        return False, None
