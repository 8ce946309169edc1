"""Compiling: a text in the user's module and captured cells, with helpers that nobody else sees."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any

from ...source.syntax.quiet import quietly
from .literals import settle


def compiled(
    f: FunctionType,
    name: str,
    lines: Sequence[str],
    helpers: dict[str, Any],
    kinds: Mapping[str, Any] | None = None,
    at: Sequence[int] | None = None,
) -> FunctionType:
    """The function `name` that the lines define, with the globals and cells of f.

    `kinds`: of its variables, where they are known. `at` has the user's line for each line of the text: the
    function then stands in the user's file.
    """
    text = "\n".join(lines) + "\n"
    tree = quietly(ast.parse, text)
    nodes = [*ast.walk(tree)] if kinds is not None or at is not None else []
    file = f.__code__.co_filename
    if at is None:
        file = f"<{name} of {f.__name__}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    else:
        for node in nodes:
            if isinstance(node, ast.expr | ast.stmt | ast.arg | ast.keyword):
                node.lineno = node.end_lineno = at[node.lineno - 1]
    if kinds is not None:
        helpers = {**helpers, **settle(nodes, kinds, helpers)}
    free = dict.fromkeys((*f.__code__.co_freevars, *helpers))
    scope = ast.parse(f"def scope({', '.join(free)}): pass")
    outer = scope.body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = tree.body
    code = quietly(compile, scope, file, "exec")
    while code.co_name != name:
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name in (name, "scope"))
    own = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    cells = {n: CellType(helpers[n]) if n in helpers else own[n] for n in code.co_freevars}
    made = FunctionType(code, f.__globals__, name, None, tuple(cells[n] for n in code.co_freevars))
    made.cells = cells  # type: ignore[attr-defined]  # so that programs can be joined later
    return made
