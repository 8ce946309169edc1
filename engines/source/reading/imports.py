"""Imports inside a function: what the names that they bind stand for, as far as that is known before it runs.

    def f(x):
        from heapq import heappush

Known are modules that were imported before, for names that nothing else binds. The import runs as written.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..syntax.kinds import IMPORTS
from ..syntax.scopes import binds, own_statements


def imported(body: list[ast.stmt], parameters: list[str], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """The values of such names, in the body of a function with these parameters and globals."""
    statements = own_statements(body)
    imports = [s for s in statements if isinstance(s, IMPORTS)]
    if not imports:
        return {}
    times = Counter(parameters)
    times.update(name for s in statements if not isinstance(s, IMPORTS) for name in binds(s))
    found: dict[str, Any] = {}
    for s in imports:
        for alias in s.names:
            name = alias.asname or alias.name.partition(".")[0]
            times[name] += 1
            value = _value(s, alias, namespace)
            if value is not None:
                found[name] = value
    return {name: value for name, value in found.items() if times[name] == 1}


def _value(s: ast.Import | ast.ImportFrom, alias: ast.alias, namespace: Mapping[str, Any]) -> Any:
    if isinstance(s, ast.ImportFrom):
        package = namespace.get("__package__")
        try:
            module = importlib.util.resolve_name("." * s.level + (s.module or ""), package)
        except ImportError:
            return None
        return getattr(sys.modules.get(module), alias.name, sys.modules.get(f"{module}.{alias.name}"))
    return sys.modules.get(alias.name if alias.asname else alias.name.partition(".")[0])
