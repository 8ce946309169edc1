"""The source of a rule, where it has one: its function as a tree, and what its comments excuse."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import textwrap
from typing import Any

from ..registry import Method


def tree_of(rule: Any) -> ast.FunctionDef | None:
    """The definition of a rule; None where it is made by a program, as a row of `scalar_rule` is."""
    if getattr(rule, "written_at", ""):
        return None
    try:
        text = textwrap.dedent(inspect.getsource(rule))
        body = ast.parse(text).body
    except (OSError, TypeError, SyntaxError):
        return None
    first = body[0] if body else None
    return first if isinstance(first, ast.FunctionDef) and first.name == rule.__name__ else None


def excuses(method: Method, code: str) -> bool:
    """Whether a comment beside the rule says `# lint: <code> …` with a reason."""
    file, _, line = str(getattr(method.rule, "written_at", "")).rpartition(":")
    try:
        if file:  # the rule is made of what stands there
            lines = inspect.getblock(linecache.getlines(file)[int(line) - 1 :])
        else:
            lines, _ = inspect.getsourcelines(method.rule)  # type: ignore[arg-type]  # None raises TypeError
    except (OSError, TypeError):
        return False
    return any(re.search(rf"# lint: {re.escape(code)}\b\W*\w", line) for line in lines)
