"""The report in Markdown: ratios to the hand-written gradient, so that a faster computer changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import geometric_mean

from benchmarks.engines import TITLES
from benchmarks.latency import Latency

RANKS = ("dearest of them", "second", "third", "fourth")


@dataclass
class Row:
    """One case: seconds by hand, of each engine, and of compiling where there is any."""

    name: str
    by_hand: float
    engines: dict[str, float]
    compiling: float | None = None


@dataclass
class Report:
    """All that a run found out, and its text."""

    engines: list[str]
    circumstances: str
    rows: list[Row] = field(default_factory=list)
    directions: str = ""
    pairs: list[tuple[str, str, float, float]] = field(default_factory=list)
    special: str = ""
    linear: str = ""
    latencies: list[tuple[str, Latency]] = field(default_factory=list)
    imports: tuple[float, float] | None = None
    notes: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """The whole report."""
        parts = ["# What a gradient costs", self.circumstances, *self.notes, self.summary(), "All programs:"]
        parts.append(self._gradients())
        if self.directions:
            parts += [
                "## What directions and Hessians cost",
                "A derivative along a direction beside the value, a Hessian's product with one beside "
                "the gradient by hand, and a Hessian beside central differences of that gradient.",
                self.directions,
            ]
        if self.pairs:
            parts += ["## What a rule costs", self._dispatch()]
        if self.special:
            parts += [
                "## What a derivative of a special function costs",
                "On vectors of 1,000.",
                self.special,
            ]
        if self.linear:
            parts += [
                "## What a derivative of a transform, a filter or a warp costs",
                "On 131,072 samples, or images of as many.",
                self.linear,
            ]
        if self.latencies:
            parts += [
                "## What the first gradient costs",
                "Of a program of a hundred lines, its file read: processor time of one `compile` of its "
                "source, of another right after it (the fastest of five), of the first gradient, of the "
                "second, of the one that writes the specialised text, and of each one later. Warm: in a "
                "process that has differentiated other programs; cold: in a fresh one, which imports the "
                "rules too.",
                self._firsts(),
            ]
        if self.imports is not None:
            ours, base = self.imports
            parts += [
                "## What importing costs",
                f"`import numpy, plum`: {base:.2f} s. `import chainrules` after that: {ours:.2f} s more.",
            ]
        return "\n\n".join(parts) + "\n"

    def summary(self) -> str:
        """The geometric mean of the programs that each engine runs, and the rows where ours costs most."""
        ours = self.engines[0]
        means = [self._mean(e) for e in self.engines]
        worst = sorted((r for r in self.rows if ours in r.engines), key=lambda r: -self._ratio(r, ours))
        body = [[f"geometric mean of the {len(self.rows)} programs, or of those it runs", *means]]
        body += [[f"{r.name}, the {rank}", *self._cells(r)] for rank, r in zip(RANKS, worst, strict=False)]
        return table(["value and gradient of", *(TITLES[e] for e in self.engines)], body)

    def _mean(self, engine: str) -> str:
        ratios = [self._ratio(r, engine) for r in self.rows if engine in r.engines]
        return f"{geometric_mean(ratios):.2f}× ({len(ratios)})" if ratios else "–"

    def _ratio(self, row: Row, engine: str) -> float:
        return row.engines[engine] / row.by_hand

    def _cells(self, row: Row) -> list[str]:
        return [f"{self._ratio(row, e):.2f}×" if e in row.engines else "–" for e in self.engines]

    def _gradients(self) -> str:
        jit = any(row.compiling is not None for row in self.rows)
        head = ["value and gradient of", "by hand", *(TITLES[e] for e in self.engines)]
        body = []
        for row in self.rows:
            last = [] if not jit else ["–" if row.compiling is None else f"{row.compiling:.2f} s"]
            body.append([row.name, duration(row.by_hand), *self._cells(row), *last])
        return table([*head, "JAX compiling"] if jit else head, body)

    def _dispatch(self) -> str:
        body = [
            [name, bare_name, duration(bare), f"{ours / bare:.2f}×"]
            for name, bare_name, ours, bare in self.pairs
        ]
        return table(["on vectors of 10", "beside", "which takes", "ratio"], body)

    def _firsts(self) -> str:
        body = [
            [name, *map(duration, t), *(f"{r:.0f}×" for r in (t.ratio, t.repeated))]
            for name, t in self.latencies
        ]
        heads = ["`compile`", "again", "first", "second", "writing", "later"]
        heads += ["first over `compile`", "over `compile` again"]
        return table(["", *heads], body)


def table(head: list[str], body: list[list[str]]) -> str:
    """A Markdown table, numbers to the right."""
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, rule, *body))


def duration(seconds: float) -> str:
    """Seconds in the unit in which they are readable."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
