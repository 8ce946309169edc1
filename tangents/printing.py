"""How composites print: on one line where that is short, else one field a line; and as a table in notebooks.

Nothing is computed to print: a thunk shows that it is one. Long arrays are shortened by NumPy, and a
sparse array says its kind, shape and number of entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

import numpy as np

from .sparse import is_sparse

WIDTH = 100
"""The longest line that a composite of several fields prints on."""


def on_lines(name: str, fields: Iterable[tuple[str, Any]], brackets: str = "()") -> str:
    """The text of a composite: its name, and each field with what stands before it.

    Example: >>> on_lines("Composite[tuple]", [("", 1.0), ("", np.zeros(2))])
             'Composite[tuple](1.0, array([0., 0.]))'
    """
    half = len(brackets) // 2
    first, last = brackets[:half], brackets[half:]
    texts = [label + shown(value) for label, value in fields]
    line = f"{name}{first}{', '.join(texts)}{last}"
    if len(line) <= WIDTH and "\n" not in line:
        return line
    body = "".join(f"    {text},\n".replace("\n", "\n    ").removesuffix("    ") for text in texts)
    return f"{name}{first}\n{body}{last}"


def shown(value: Any) -> str:
    """The text of one tangent."""
    if is_sparse(value):
        return f"<{type(value).__name__} {value.shape} of {value.dtype}, {value.nnz} stored>"
    return repr(value)


def as_table(name: str, fields: Iterable[tuple[str, Any]]) -> str:
    """The composite as an HTML table: field, tangent, kind; composites in it are tables that fold away."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(label)}</th><td style='text-align:left'>{_cell(value)}</td>"
        f"<td style='text-align:left'><small>{escape(_kind(value))}</small></td></tr>"
        for label, value in fields
    )
    table = f"<table>{rows}</table>" if rows else "<p>zero in every field</p>"
    return f"<details open><summary><b>{escape(name)}</b></summary>{table}</details>"


def _cell(value: Any) -> str:
    table = getattr(type(value), "_repr_html_", None)
    return str(table(value)) if table is not None else f"<pre>{escape(shown(value))}</pre>"


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray) or is_sparse(value):
        return f"{value.dtype} {value.shape}"
    return type(value).__name__
