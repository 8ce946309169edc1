"""`explain` as a picture: the calls of a program that carry a derivative, and which value goes into which.

A box is a call on a line, over all its runs: what was called, the shape that it gave, its times. Rows go down
with the program. What a later call hands to an earlier one, as loops do, goes up, dashed.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any

import numpy as np

WIDTH, HEIGHT, ACROSS, DOWN = 172, 46, 24, 30
"""Of a box, and of the gaps between two, in pixels."""
_STYLE = (
    "text{font:12px monospace}.small{font-size:10px;fill:#555}rect{stroke:#555;rx:5px}"
    "path{fill:none;stroke:#888;stroke-width:1.2}path.up{stroke-dasharray:4 3}"
)
_TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" '
    'markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0L8 4L0 8z" style="fill:#888;stroke:none"/></marker></defs>'
)
_INPUT = "#dfe8f3"


@dataclass(eq=False)
class Node:
    """A box: an argument, or a call with the line it stands on."""

    label: str
    place: str
    shape: str = ""
    forward: float = 0.0
    backward: float = 0.0
    into: dict[int, None] = field(default_factory=dict)
    """The numbers of the nodes whose values go into this one, in the order they were met."""


@dataclass
class Graph:
    """The nodes in the order in which they first ran, and where the values that are known came from."""

    nodes: list[Node] = field(default_factory=list)
    made: dict[int, tuple[int, Any]] = field(default_factory=dict)

    def add(self, node: Node) -> int:
        """The number of a new node."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def gives(self, number: int, value: Any) -> None:
        """Say which node a value, or what a list or tuple has in it, came from last."""
        self.nodes[number].shape = shape_of(value)
        for part in (value, *(value if type(value) in (list, tuple) else ())):
            self.made[id(part)] = number, part

    def takes(self, number: int, values: tuple[Any, ...]) -> None:
        """Draw what goes into a node."""
        for value in values:
            for part in (value, *(value if type(value) in (list, tuple) else ())):
                found = self.made.get(id(part))
                if found is not None and found[0] != number:
                    self.nodes[number].into[found[0]] = None
                    break

    def rows(self) -> list[list[int]]:
        """The numbers of the nodes, row by row: each below all that ran before it and go into it."""
        row: list[int] = []
        for i, node in enumerate(self.nodes):
            row.append(max((row[j] + 1 for j in node.into if j < i), default=0))
        found: list[list[int]] = [[] for _ in range(max(row, default=-1) + 1)]
        place: dict[int, float] = {}
        for i in sorted(range(len(row)), key=lambda i: row[i]):
            found[row[i]].append(i)
        for members in found:  # each below the middle of what goes into it
            middle = {i: [place[j] for j in self.nodes[i].into if j in place] for i in members}
            members.sort(key=lambda i: sum(middle[i]) / len(middle[i]) if middle[i] else i)
            place |= {i: k - len(members) / 2 for k, i in enumerate(members)}
        return found

    def svg(self, inside: bool = False) -> str:
        """The picture, as a file of its own or to stand inside a page."""
        rows = self.rows()
        if not rows:
            return ""
        wide = max(map(len, rows)) * (WIDTH + ACROSS) + 2 * ACROSS
        tall = len(rows) * (HEIGHT + DOWN) + DOWN
        at: dict[int, tuple[float, float]] = {}
        for r, members in enumerate(rows):
            left = (wide - len(members) * (WIDTH + ACROSS) + ACROSS) / 2
            top = DOWN + r * (HEIGHT + DOWN)
            at |= {i: (left + k * (WIDTH + ACROSS), top) for k, i in enumerate(members)}
        most = max((n.forward + n.backward for n in self.nodes), default=0.0) or 1.0
        lines = [_line(at[j], at[i]) for i, node in enumerate(self.nodes) for j in node.into]
        boxes = [_box(node, *at[i], most) for i, node in enumerate(self.nodes)]
        space = "" if inside else ' xmlns="http://www.w3.org/2000/svg"'
        head = (
            f'<svg{space} width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}"><style>{_STYLE}</style>'
        )
        return f"{head}{_TIP}{''.join(lines)}{''.join(boxes)}</svg>"


def shape_of(value: Any) -> str:
    """What a value looks like, in a word: `300 × 200`, `number`, `list of 3`."""
    if isinstance(value, np.ndarray) and value.ndim:
        return " × ".join(map(str, value.shape)) if value.ndim > 1 else f"vector of {value.size}"
    if isinstance(value, int | float | complex | np.number | np.ndarray):
        return "number"
    return f"{type(value).__name__} of {len(value)}" if hasattr(value, "__len__") else type(value).__name__


def _line(a: tuple[float, float], b: tuple[float, float]) -> str:
    """From the foot of one box to the head of another; to one that is no lower, around the side."""
    x, y, u, v = a[0] + WIDTH / 2, a[1] + HEIGHT, b[0] + WIDTH / 2, b[1]
    if v > y:
        bend = (v - y) / 2
        return f'<path marker-end="url(#tip)" d="M{x} {y}C{x} {y + bend} {u} {v - bend} {u} {v}"/>'
    x, y, u, v = a[0] + WIDTH, a[1] + HEIGHT / 2, b[0] + WIDTH, b[1] + HEIGHT / 2
    side = max(x, u) + ACROSS
    return f'<path class="up" marker-end="url(#tip)" d="M{x} {y}C{side} {y} {side} {v} {u} {v}"/>'


def _box(node: Node, x: float, y: float, most: float) -> str:
    spent = node.forward + node.backward
    heat = round(100 - 40 * spent / most)
    fill = f"hsl(24 90% {heat}%)" if node.place else _INPUT
    times = f"{_seconds(node.forward)} → {_seconds(node.backward)} ←" if spent else ""
    texts = (
        (x + 8, y + 15, "", _short(node.label, 22)),
        (x + 8, y + 28, "small", node.shape),
        (x + 8, y + 40, "small", times),
        (x + WIDTH - 48, y + 40, "small", node.place),
    )
    shown = "".join(f'<text x="{a}" y="{b}" class="{c}">{html.escape(t)}</text>' for a, b, c, t in texts if t)
    title = f"<title>{html.escape(f'{node.label} {node.place}')}</title>"
    box = f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="{fill}"/>'
    return f"<g>{title}{box}{shown}</g>"


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"…{text[1 - most :]}"


def _seconds(t: float) -> str:
    return f"{t * 1e6:.0f} µs" if t < 1e-3 else f"{t * 1e3:.1f} ms"
