"""Normalise, the functions that a function defines: each is known with the varying variables it captures.

Where those are rebound, its cotangent belongs to what they were at each use (closures.py); where that cannot
be told, the definition is refused.
"""

from __future__ import annotations

import ast

from ..rewriting.managers import Unwritten, place_of
from ..rewriting.prologue import higher_order
from ..syntax.ir import Define, Plain
from ..syntax.scopes import captured, default_reads, reads, rebinds_outer, yields
from .yielding import Yielding


class Defining(Yielding):
    """Lowers definitions of functions."""

    def _on_functiondef(self, s: ast.FunctionDef) -> None:
        decorators = frozenset[str]().union(*map(reads, s.decorator_list))
        seen = (captured(s) | default_reads(s) | decorators) & self.activity.ever_varied
        rebound = rebinds_outer(s)
        if rebound and (seen or rebound & self.activity.ever_varied):
            self.refuse(
                s, "a nested function that rebinds variables of the function around it", "return the value"
            )
        if not seen or s.name not in self.useful:
            self.out.append(Plain(s, (s.name,)))
            return
        self.define(s.name, s, s)

    def define(self, target: str, node: ast.FunctionDef | ast.Lambda, origin: ast.AST) -> None:
        names = tuple(sorted((captured(node) & self.activity.ever_varied) - {target}))
        if getattr(node, "decorator_list", []):
            self.refuse(node, "a decorated function that calls itself", "decorate it under another name")
        if default_reads(node) & self.activity.ever_varied:
            raise Unwritten(place_of(node))
        if other := self.closures.cycle_with(target, node):
            self.refuse(node, f"{target} and {other} capture each other", "define them outside this function")
        by_use = self.closures.by_use(target, node, names)
        if by_use and self.closures.again is not None:
            raise higher_order(f"a program that hands on {target}, which captured what is bound anew,")
        if by_use and isinstance(node, ast.FunctionDef) and yields(node.body):
            self.refuse(
                node,
                f"the generator {target}, while variables that it captures ({', '.join(names)}) are rebound,",
                "bind them once before it, or pass them as arguments",
            )
        if by_use and isinstance(node, ast.FunctionDef) and not self.closures.only_defined(target):
            self.refuse(
                node, f"{target} is sometimes this function and sometimes another value", "use two names"
            )
        self.out.append(Define(target, node, names, by_use, origin))
