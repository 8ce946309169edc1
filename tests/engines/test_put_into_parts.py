"""What is put into a part of something is held by every name of that part, and seen there once it changes."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import Compared


class Node:
    """An object with any fields, some of them lists."""

    def __init__(self) -> None:
        self.rows: list[Any] = []

    def add(self, v: Any) -> None:
        self.rows.append(v)

    def add_below(self, v: Any) -> None:
        self.below: Any
        self.below.rows.append(v)


def put(rows: list[Any], v: Any) -> None:
    rows.append(v)


NAMES = {"np": np, "Node": Node, "put": put, "defaultdict": defaultdict}
LISTS = [
    "d[0].append(q)",
    "d[0].insert(1, q)",
    "d[0].extend([q])",
    "d[0] += [q]",
    "d[0][1:] = [q]",
    "t = d[0]; t.append(q)",
    "put(d[0], q)",
    "m = d[0].append; m(q)",
    "h = lambda: d[0].append(q); h()",
    "[d[0].append(v) for v in [q]]",
    "for t in d: t.append(q)",
    "h = Node(); h.d = d; h.d[0].append(q)",
    "h = Node(); h.rows = g; e = h; e.rows.append(q)",
    "h = Node(); h.rows = g; h.add(q)",
    "h = Node(); h.below = Node(); h.below.rows = g; h.add_below(q)",
    "h = Node(); h.below = Node(); h.below.rows = g; h.below.add(q)",
    "h = {'k': g}; h['k'].append(q)",
    "h = defaultdict(list); h['k'] = g; h['k'].append(q)",
    "def h(): d[0].append(q)\n    h()",
]
PARTS = [
    ("g = {}", "d[0]['m'] = q", "g['m']"),
    ("g = {}", "d[0].setdefault('m', q)", "g['m']"),
    ("g = {}", "d[0].update(m=q)", "g['m']"),
    ("g = Node()", "d[0].m = q", "g.m"),
    ("g = Node()", "setattr(d[0], 'm', q)", "g.m"),
    ("g = Node()", "vars(d[0])['m'] = q", "g.m"),
    ("g = [1.0, 2.0]", "d[0][1] = q", "g[1]"),
    ("g = [1.0, 2.0]", "d[0][1], k = q, 1", "g[1]"),
    ("g = []", "d[0].append((q, 1))", "g[0][0]"),
]


def compare(made: str, put_there: str, read: str) -> None:
    text = f"""\
def program(x):
    {made}
    d = [g]
    q = [x[1], x[2]]
    {put_there}
    q[0] = x[0] * x[2]
    return {read}[0] * {read}[1] + q[0] * x[1]
"""
    Compared(text, NAMES).first_order()


@pytest.mark.parametrize("put_there", LISTS)
def test_into_a_list(put_there: str) -> None:
    compare("g = [x[0]]", put_there, "g[1]")


@pytest.mark.parametrize(("made", "put_there", "read"), PARTS)
def test_into_other_parts(made: str, put_there: str, read: str) -> None:
    compare(made, put_there, read)
