"""Importing: what a function imports for itself, which is a constant of its text.

Python imports a module once; after the ordinary runs it is there, and to import it again has no effect.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...source.reading.imports import imported
from ...source.syntax.kinds import IMPORTS
from ...source.syntax.scopes import own_statements
from .declined import Declined


class Imported(NamedTuple):
    """What a name stands for, and how the text says it."""

    value: Any
    text: str


def imports_of(
    body: list[ast.stmt], parameters: list[str], namespace: Mapping[str, Any]
) -> dict[str, Imported]:
    """What the statements import, by the names that it gets; Declined where a name may be something else."""
    values, found = imported(body, parameters, namespace), dict[str, Imported]()
    for s in own_statements(body):
        for alias in s.names if isinstance(s, IMPORTS) else ():
            name = alias.asname or alias.name.partition(".")[0]
            if name not in values:
                raise Declined(f"{name}, which is imported, and may be something else")
            found[name] = Imported(values[name], _text(s, alias, namespace.get("__package__")))
    return found


def _text(s: ast.stmt, alias: ast.alias, package: str | None) -> str:
    module, inside = alias.name if alias.asname else alias.name.partition(".")[0], ""
    if isinstance(s, ast.ImportFrom):
        module = importlib.util.resolve_name("." * s.level + (s.module or ""), package)
        inside = f".{alias.name}"
    return f"__import__('sys').modules[{module!r}]{inside}"
