"""Docstrings of the house as reStructuredText: labelled sections, examples, mathematics as it stands.

A docstring is a line, paragraphs, then sections `Shapes:`, `Raises:`, `Example:` whose text hangs beside the
label. Between backticks stands code; everything else is text, in which no character is markup.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

_LABEL = re.compile(r"(Shapes|Units|Raises|Returns|Source|Examples?):\s*(.*)")
_CODE = re.compile(r"(`[^`]*`)")


def as_rest(lines: list[str]) -> list[str]:
    """The lines of a docstring as reStructuredText.

    Example: >>> as_rest(["Shapes:  x is (n,)."])
             ['**Shapes.** x is (n,).', '']
    """
    return [line for label, block in _sections(lines) for line in _section(label, block)]


def _sections(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The text before the first label, then each label with its lines, hanging text brought to the margin."""
    label, block = "", []
    for line in lines:
        found = _LABEL.fullmatch(line)
        if found is None:
            block.append(line)
            continue
        yield label, block
        label, block = found[1], [" " * found.start(2) + found[2]]
    yield label, block


def _section(label: str, block: list[str]) -> list[str]:
    text = textwrap.dedent("\n".join(block)).strip("\n")
    if not text:
        return []
    if label.startswith("Example"):
        return [
            "**Example.**",
            "",
            ".. code-block:: pycon",
            "",
            *textwrap.indent(text, "   ").splitlines(),
            "",
        ]
    paragraphs = [p for paragraph in re.split(r"\n\s*\n", text) for p in _paragraph(paragraph)]
    if label and paragraphs:
        paragraphs[0] = f"**{label}.** {paragraphs[0]}"
    return paragraphs


def _paragraph(text: str) -> list[str]:
    """A paragraph as text, or as a block of code where it is indented."""
    if text.startswith("    "):
        body = textwrap.indent(textwrap.dedent(text), "   ").splitlines()
        return [".. code-block:: text", "", *body, ""]
    lines = (line.strip() for line in text.splitlines())
    return [*(_escaped(line) for line in lines), ""]


def _escaped(line: str) -> str:
    """A line whose code is code and whose other characters stand for themselves."""
    parts = (part if part[:1] == "`" else re.sub(r"([\\*_|`])", r"\\\1", part) for part in _CODE.split(line))
    return r"\ ".join(filter(None, parts))  # an escaped space shows nothing, and lets code touch text


def process(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Sphinx's `autodoc-process-docstring`: change the lines in place."""
    lines[:] = as_rest(lines)
