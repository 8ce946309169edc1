"""What `profile` found, and how it is shown: as text, and as a page with a bar for every line."""

from __future__ import annotations

import html
import linecache
import os
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

FORWARD, BACKWARD, BOTH = "forward", "backward", "both"
ENGINE, OUTSIDE = "engine", "outside"
_LINES = 40  # of the program, those that took most, are shown as text
_COLOURS = {FORWARD: "#4c78a8", BACKWARD: "#e45756", BOTH: "#72559b", ENGINE: "#999"}
_STYLE = (
    ".cr-profile td,.cr-profile th{padding:1px 8px;text-align:left;font:13px monospace;white-space:pre}"
    ".cr-profile td.n{text-align:right}.cr-profile span.bar{display:inline-block;height:11px}"
)


class Place(NamedTuple):
    """What ran at one look: a direction, a line of the user's, and the name of what a rule is of."""

    kind: str
    filename: str
    line: int
    rule: str


@dataclass
class Profile:
    """Seconds by place, and bytes by line at the peak.

    `forward` and `backward` are seconds in the lines of differentiated functions; `both` those of specialised
    programs, which have value and gradient in one text; `engine` is what making programs, finding rules and
    entering took; `outside` is everything else in the block.
    """

    interval: float
    seconds: float = 0.0
    looks: int = 0
    times: dict[Place, float] = field(default_factory=dict)
    held: Counter[tuple[str, int]] = field(default_factory=Counter)
    peak: int = 0

    def total(self, kind: str) -> float:
        """The seconds of one kind: "forward", "backward", "both", "engine" or "outside"."""
        return sum(t for place, t in self.times.items() if place.kind == kind)

    def lines(self) -> list[tuple[str, int, dict[str, float], dict[str, float]]]:
        """Each line of the user's with its seconds by kind and by rule, those that took most first."""
        kinds: dict[tuple[str, int], dict[str, float]] = {}
        rules: dict[tuple[str, int], dict[str, float]] = {}
        for place, t in self.times.items():
            if place.kind != OUTSIDE:
                key = place.filename, place.line
                _count(kinds.setdefault(key, {}), place.kind, t)
                if place.rule:
                    _count(rules.setdefault(key, {}), place.rule, t)
        for key in self.held:
            kinds.setdefault(key, {})
        first = sorted(kinds, key=lambda key: (-sum(kinds[key].values()), -self.held[key]))
        return [(*key, kinds[key], _ordered(rules.get(key, {}))) for key in first]

    def rules(self) -> dict[str, float]:
        """Seconds by what a rule is of, the greatest first."""
        found: dict[str, float] = {}
        for place, t in self.times.items():
            if place.rule:
                _count(found, place.rule, t)
        return _ordered(found)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page into a file, for a browser.

        Example: >>> import os
                 >>> Profile(1e-3).save(os.devnull)
        """
        page = f"<!doctype html><meta charset='utf-8'><title>profile</title>{self._repr_html_()}"
        Path(path).write_text(page, encoding="utf-8")

    def __str__(self) -> str:
        text = [self._head(), ""]
        text.append(f"{'forward':>9} {'backward':>9} {'both':>9} {'engine':>9} {'held':>9}  line")
        for filename, line, kinds, rules in self.lines()[:_LINES]:
            figures = [_seconds(kinds.get(k, 0.0)) for k in (FORWARD, BACKWARD, BOTH, ENGINE)]
            figures.append(_bytes(self.held[filename, line]))
            place = f"{os.path.basename(filename)}:{line}"
            source = linecache.getline(filename, line).strip()
            text.append("".join(f"{f:>9} " for f in figures) + f" {place}  {source}")
            if rules:
                text.append(f"{'':51}    {_shares(rules)}")
        if self.rules():
            text += ["", f"rules: {_shares(self.rules())}"]
        return "\n".join(text)

    def _head(self) -> str:
        kinds = (FORWARD, BACKWARD, BOTH, ENGINE, OUTSIDE)
        shares = ", ".join(f"{kind} {_seconds(self.total(kind))}" for kind in kinds if self.total(kind))
        peak = f"; {_bytes(self.peak)} held at the peak" if self.peak else ""
        return f"{_seconds(self.seconds)}, {self.looks} looks: {shares or 'no derivative was seen'}{peak}"

    def _repr_html_(self) -> str:
        lines = self.lines()[:_LINES]
        most = max((sum(kinds.values()) for *_, kinds, _ in lines), default=0.0) or 1.0
        heavy = max(self.held.values(), default=0) or 1
        rows = []
        for filename, line, kinds, rules in lines:
            bars = "".join(
                f'<span class="bar" title="{kind} {_seconds(t)}" '
                f'style="width:{300 * t / most:.1f}px;background:{_COLOURS[kind]}"></span>'
                for kind, t in kinds.items()
            )
            held = self.held[filename, line]
            weight = f'<span class="bar" style="width:{80 * held / heavy:.1f}px;background:#59a14f"></span>'
            cells = (bars, _seconds(sum(kinds.values())), weight if held else "", _bytes(held))
            source = html.escape(linecache.getline(filename, line).rstrip())
            place = html.escape(f"{os.path.basename(filename)}:{line}")
            tip = html.escape(_shares(rules))
            rows.append(
                "<tr>"
                + "".join(f"<td{' class=n' if i % 2 else ''}>{c}</td>" for i, c in enumerate(cells))
                + f'<td>{place}</td><td title="{tip}">{source}</td><td>{tip}</td></tr>'
            )
        keys = " ".join(f'<span style="color:{c}">■ {kind}</span>' for kind, c in _COLOURS.items())
        heads = "".join(f"<th>{h}</th>" for h in ("time", "", "held", "", "line", "source", "rules"))
        return (
            f'<style>{_STYLE}</style><div class="cr-profile"><p>{html.escape(self._head())}<br>{keys}</p>'
            f"<table><tr>{heads}</tr>{''.join(rows)}</table></div>"
        )


def _count(times: dict[str, float], name: str, t: float) -> None:
    times[name] = times.get(name, 0.0) + t


def _ordered(times: dict[str, float]) -> dict[str, float]:
    return dict(sorted(times.items(), key=lambda item: -item[1]))


def _shares(rules: dict[str, float]) -> str:
    whole = sum(rules.values())
    return ", ".join(f"{name} {t / whole:.0%}" for name, t in islice(rules.items(), 6))


def _seconds(t: float) -> str:
    if not t:
        return ""
    return f"{t * 1e3:.1f} ms" if t < 1 else f"{t:.2f} s"


def _bytes(n: int) -> str:
    if not n:
        return ""
    return f"{n / 1e3:.1f} kB" if n < 1_000_000 else f"{n / 1e6:.1f} MB"
