"""Importing: what a function imports for itself, which is a constant of its text.

Python imports a module once; after the ordinary runs it is there, and to import it again has no effect.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from .declined import Declined


class Imported(NamedTuple):
    """What a name stands for, and how the text says it."""

    value: Any
    text: str


def imports_of(body: list[ast.stmt], package: str | None) -> dict[str, Imported]:
    """What the statements import, by the names that it gets; Declined where a name may be something else."""
    found: dict[str, Imported] = {}
    for s in _own(body):
        if isinstance(s, ast.Import | ast.ImportFrom):
            for name, made in _imported(s, package):
                if found.setdefault(name, made).text != made.text:
                    raise Declined(f"{name}, which is imported from one module or another")
    for s in _own(body) if found else ():
        if isinstance(s, ast.Name) and s.id in found and not isinstance(s.ctx, ast.Load):
            raise Declined(f"{s.id}, which is imported and assigned")
    return found


def _imported(s: ast.Import | ast.ImportFrom, package: str | None) -> Iterator[tuple[str, Imported]]:
    for alias in s.names:
        if isinstance(s, ast.Import):
            module = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or module, Imported(_module(module), _text(module))
            continue
        module = importlib.util.resolve_name("." * s.level + (s.module or ""), package)
        if alias.name == "*" or not hasattr(_module(module), alias.name):
            raise Declined(f"{alias.name}, which is imported from {module}")
        value = getattr(_module(module), alias.name)
        yield alias.asname or alias.name, Imported(value, f"{_text(module)}.{alias.name}")


def _module(name: str) -> Any:
    if name not in sys.modules:
        raise Declined(f"the module {name}, which is not imported yet")
    return sys.modules[name]


def _text(name: str) -> str:
    return f"__import__('sys').modules[{name!r}]"


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of statements that no function inside them has for itself."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        n = waiting.pop()
        yield n
        if not isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(n)
