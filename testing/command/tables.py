"""Reports as a person reads them: a bar while it runs, a table at the end."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Any, TypeVar

from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ...core.linting import Finding
from ..coverage import Coverage

T = TypeVar("T")
WIDE = 120  # where the output is no terminal


def console(stream: Any = None) -> Console:
    """Where reports go; a file or a pipe gets lines of a fixed width."""
    stream = stream or sys.stdout
    return Console(file=stream, width=None if stream.isatty() else WIDE, highlight=False)


def progress(items: Iterable[T], count: int, what: str) -> list[T]:
    """All items, with a bar on the stream for errors while they come."""
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        console=console(sys.stderr), transient=True,
    )  # fmt: skip
    with bar:
        return list(bar.track(items, total=count, description=what))


def check(report: dict[str, Any]) -> None:
    """Rule, modes, cases, worst error, time; then every failure in full."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("rule", "modes"):
        table.add_column(title)
    for title in ("cases", "worst error", "seconds"):
        table.add_column(title, justify="right")
    table.add_column("")
    for row in report["rules"]:
        modes = "+".join(mode[:3] for mode in row["modes"])
        worst = "" if row["worst"] is None else f"{row['worst']:.1e}"
        result = "ok" if row["passed"] else f"[red]{len(row['failures'])} failed[/red]"
        if row["passed"] and not row["cases"]:
            result = f"exempt: {escape(row['exempt'][0])}"
        elif row["passed"] and row["refused"]:
            result = f"ok; of second order refused: {escape(row['refused'][0])}"
        table.add_row(escape(row["name"]), modes, str(row["cases"]), worst, f"{row['seconds']:.2f}", result)
    out = console()
    out.print(table)
    for row in report["rules"]:
        for failure in row["failures"]:
            out.print(f"\n{failure}", markup=False, soft_wrap=True)
    if report["variations"]:
        left = ", ".join(f"{n} {how}" for how, n in sorted(report["variations"].items(), key=_last))
        out.print(f"\nvariations: {left}", markup=False)
    out.print(
        f"\n{report['target']}: {len(report['rules'])} callables, {report['cases']} cases, "
        f"{report['failed']} failed, {_of_second_order(report)}{report['seconds']:.1f} s"
    )


def _of_second_order(report: dict[str, Any]) -> str:
    return f"{report['refused']} whose rules refuse a second derivative, " if report["refused"] else ""


def _last(count: tuple[str, int]) -> int:
    return -count[1]


def coverage(found: Coverage, every: bool) -> None:
    """How many functions have rules, module by module, and the names of those that have not."""
    out = console()
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("module")
    for title in ("differentiable", "both modes", "one mode", "none", "no derivative"):
        table.add_column(title, justify="right")
    for module, rows in groupby(found.rows, key=lambda row: row.module):
        group = list(rows)
        known = [row for row in group if row in found.differentiable]
        both, none = (sum(row.status == s for row in known) for s in ("both", "none"))
        counts = (len(known), both, len(known) - both - none, none, len(group) - len(known))
        table.add_row(module, *map(str, counts))
    out.print(table)
    shown = found.differentiable if every else found.missing
    for status in sorted({row.status for row in shown}):
        names = [row.name for row in shown if row.status == status]
        title = {"both": "with rules in both modes", "none": "without rules"}.get(status, f"{status} mode")
        out.print(f"\n[bold]{title}[/bold] ({len(names)})")
        out.print(Columns(map(escape, names), padding=(0, 2)))
    for name, why in found.gaps.items():
        out.print(f"\n[bold]declared gap[/bold] {escape(name)}: {escape(why)}")


def findings(found: list[Finding], count: int, target: str) -> None:
    """Every finding in its four lines, and how many there are of each kind."""
    out = console()
    for finding in found:
        out.print(f"{finding}\n", markup=False, soft_wrap=True)
    kinds = Counter(finding.code for finding in found)
    listed = ", ".join(f"{n} {code}" for code, n in sorted(kinds.items())) or "no findings"
    out.print(f"{target}: {count} rules, {listed}", markup=False)
