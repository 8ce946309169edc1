"""Kinds of nodes that are asked for together.

They are tuples, since `isinstance(s, A | B)` would make the union anew each time, which takes several times
as long as asking.
"""

from __future__ import annotations

import ast
import operator
from typing import Any

SEQUENCES = (ast.Tuple, ast.List)
PARTS = (ast.Subscript, ast.Attribute)
ATOMS = (ast.Constant, ast.Name)
BINDINGS = (ast.Assign, ast.AnnAssign)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
OUTER = (ast.Nonlocal, ast.Global)
COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.TryStar)
OPERATORS: dict[type[ast.AST], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
"""The function that an operator calls."""
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
