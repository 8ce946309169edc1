"""The notes of `explain`, and how they are shown: as text, and as a page that needs nothing else."""

from __future__ import annotations

import ast
import html
import linecache
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .pictured import Graph

_STYLE = (
    "table{border-collapse:collapse;font-family:monospace;font-size:13px}"
    "td,th{padding:1px 10px;text-align:left;vertical-align:top;white-space:pre}"
    "td.n{text-align:right}tr.call td{color:#555}tr.quiet td{color:#999}"
)


@dataclass
class Noted:
    """What one line did with one callable by one rule, over all its runs."""

    line: int
    callee: str
    rule: str
    runs: int = 0
    forward: float = 0.0
    backward: float = 0.0
    bytes: int = 0
    remarks: list[str] = field(default_factory=list)

    def say(self, remark: str) -> None:
        """Add a remark, once."""
        if remark not in self.remarks:
            self.remarks.append(remark)


@dataclass
class Walked:
    """One function: its notes, and its calls."""

    name: str
    filename: str
    first: int
    last: int
    notes: list[Noted] = field(default_factory=list)
    calls: list[ast.Call] = field(default_factory=list)
    active: set[Any] = field(default_factory=set)  # where calls begin that carry a derivative

    @property
    def inactive(self) -> dict[int, list[str]]:
        """By line, the calls that carry none."""
        found: dict[int, list[str]] = {}
        for n in self.calls:
            if (n.lineno, n.col_offset) not in self.active:
                found.setdefault(n.lineno, []).append(ast.unparse(n.func))
        return found

    def note(self, line: int, callee: str, rule: str) -> Noted:
        """The note of this line, callable and rule."""
        for noted in self.notes:
            if (noted.line, noted.callee, noted.rule) == (line, callee, rule):
                return noted
        self.notes.append(Noted(line, callee, rule))
        return self.notes[-1]

    def rows(self) -> list[tuple[str, ...]]:
        """Kind, line, text, forward, backward and memory, for each line and each of its calls."""
        rows: list[tuple[str, ...]] = []
        inactive = self.inactive
        for line in range(self.first, self.last + 1):
            notes = [n for n in self.notes if n.line == line]
            figures: tuple[str, ...] = ("", "", "")
            if notes:
                totals = (sum(n.forward for n in notes), sum(n.backward for n in notes))
                figures = (*map(_seconds, totals), _bytes(sum(n.bytes for n in notes)))
            rows.append(("line", str(line), linecache.getline(self.filename, line).rstrip(), *figures))
            for n in notes:
                times = f" ×{n.runs}" if n.runs > 1 else ""
                rows.append(("call", "", f"{n.callee}{times}: {n.rule}", "", "", ""))
                rows += [("call", "", f"  {remark}", "", "", "") for remark in n.remarks]
            quiet = ", ".join(dict.fromkeys(inactive.get(line, [])))
            if quiet:
                rows.append(("quiet", "", f"no derivative passes: {quiet}", "", "", ""))
        return rows


@dataclass
class Explanation:
    """What `explain` found: the value, the times in seconds, and the functions that were followed.

    `compiling` is what making the program and finding its rules took, once for each form of call. `text` is
    the specialised text that `grad` runs after a few calls, and `why` says why there is none.
    """

    name: str
    value: Any
    forward: float
    backward: float
    functions: list[Walked]
    compiling: float = 0.0
    graph: Graph = field(default_factory=Graph)
    text: str = ""
    why: str = ""

    def picture(self) -> str:
        """An SVG: the calls that carry a derivative, with shapes and times, and arrows for values."""
        return self.graph.svg()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write picture and tables into a page for a browser."""
        page = f"<!doctype html><meta charset='utf-8'><title>explain</title>{self._repr_html_()}"
        Path(path).write_text(page, encoding="utf-8")

    def __str__(self) -> str:
        lines = [line for line in (self._head(), self._of_text()) if line]
        for walked in self.functions:
            lines += ["", f"{walked.name}  {walked.filename}:{walked.first}"]
            lines.append(f"{'line':>5}  {'source':<60} {'forward':>9} {'backward':>9} {'kept':>9}")
            for kind, line, text, *figures in walked.rows():
                shown = text if kind == "line" else f"      · {text}"
                tail = "".join(f" {f:>9}" for f in figures) if any(figures) else ""
                lines.append(f"{line:>5}  {shown:<60}{tail}".rstrip())
        return "\n".join(lines)

    def _head(self) -> str:
        taken = f"forward {_seconds(self.forward)}, backward {_seconds(self.backward)}"
        return f"the derivative of {self.name}: {taken}; compiled before in {_seconds(self.compiling)}"

    def _of_text(self) -> str:
        if not self.text:
            return f"no specialised text: {self.why}" if self.why else ""
        count = len(self.text.splitlines())
        return f'a specialised text of {count} lines: derivative_source(…, mode="specialised")'

    def _repr_html_(self) -> str:
        parts = [
            f"<style>{_STYLE}</style>",
            f"<p>{html.escape(self._head())}<br>{html.escape(self._of_text())}</p>",
            self.graph.svg(inside=True),
        ]
        for walked in self.functions:
            title = html.escape(f"{walked.name}  {walked.filename}:{walked.first}")
            heads = "".join(f"<th>{h}</th>" for h in ("line", "source", "forward", "backward", "kept"))
            parts.append(f"<p><b>{title}</b></p><table><tr>{heads}</tr>")
            for kind, line, text, *figures in walked.rows():
                cells = (
                    f'<td class="n">{line}</td><td>{"" if kind == "line" else "    "}{html.escape(text)}</td>'
                )
                cells += "".join(f'<td class="n">{html.escape(f)}</td>' for f in figures)
                parts.append(f'<tr class="{kind}">{cells}</tr>')
            parts.append("</table>")
        return f"<div>{''.join(parts)}</div>"


def _seconds(t: float) -> str:
    return f"{t * 1e6:.0f} µs" if t < 1e-3 else f"{t * 1e3:.1f} ms" if t < 1 else f"{t:.2f} s"


def _bytes(n: int) -> str:
    return f"{n} B" if n < 1000 else f"{n / 1e3:.1f} kB" if n < 1_000_000 else f"{n / 1e6:.1f} MB"
