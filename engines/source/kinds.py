"""Kinds of nodes that are asked for together.

They are tuples, since `isinstance(s, A | B)` would make the union anew each time, which takes several times
as long as asking.
"""

from __future__ import annotations

import ast

SEQUENCES = (ast.Tuple, ast.List)
PARTS = (ast.Subscript, ast.Attribute)
ATOMS = (ast.Constant, ast.Name)
YIELDS = (ast.Yield, ast.YieldFrom)
BINDINGS = (ast.Assign, ast.AnnAssign)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
OUTER = (ast.Nonlocal, ast.Global)
LOOPS = (ast.For, ast.While)
COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.TryStar)
JUMPS = (ast.Break, ast.Continue)
LEAVING = (ast.Return, ast.Raise)
TRIES = (ast.Try, ast.TryStar)

NAMED: dict[type[ast.expr], str] = {
    ast.ListComp: "a list comprehension over differentiated values",
    ast.SetComp: "a set comprehension over differentiated values",
    ast.DictComp: "a dict comprehension over differentiated values",
    ast.GeneratorExp: "a generator expression over differentiated values",
    ast.NamedExpr: "an assignment inside an expression (`:=`)",
    ast.Set: "a set of differentiated values",
    ast.Await: "`await`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield from`",
}
"""What an expression of a kind is called where it is refused."""
