"""Random programs that reach an object by one way, change it, and read it by others, as text.

A box holds three layers by several lists, a dictionary, a tuple and a child, so that each is there twice. A
program takes lists, dictionaries and objects out of one another by templates, whose places `O`, `L`, `D`
and `T` stand for an object, a list, a dictionary and a tuple of them.
"""

import collections
import copy
import functools
import itertools
import operator
import random
import re

import numpy as np


class Layer:
    def __init__(self, k):
        self.k, self.y, self.kept = k, np.array([0.1, 0.2, 0.3]) * k, [np.ones(3) * k]

    def forward(self, x):
        self.y = np.tanh(self.k * x) + self.y
        return self.y

    def __call__(self, x):
        self.y = np.sin(self.k * x)
        return self.y

    def keep(self, x):
        self.kept.append(x * self.k)
        self.kept[0] = self.kept[0] * x

    def add(self, x):
        self.y += x * self.k
        return self


class Child:
    def __init__(self, a, rows):
        self.a, self.rows = a, rows

    def first(self):
        return self.rows[0]


class Box:
    def __init__(self):
        a, b, c = Layer(0.5), Layer(0.8), Layer(0.3)
        self.a, self.rows, self.others = a, [a, b], [c, b]
        self.fixed, self.named, self.child = (b, c), {"k": a, "j": c}, Child(b, [c, a])

    def get(self):
        return self.rows

    @property
    def main(self):
        return self.a


def same(z):
    return z


def first(rows):
    return rows[0]


def rest(rows):
    return rows[1:]


def both(p, q):
    return [p, q]


def scale(o, x):
    o.y = o.y * x + o.k


def grow(rows, x):
    for o in rows:
        o.y = o.y + x * x


def rename(named, o):
    named["k"] = o


def total(b):
    found = 0.0
    for i, o in enumerate(b.rows):
        found = found + np.sum(o.y) * (i + 1)
    for o in b.others:
        found = found + np.sum(o.y * o.y)
    for o in b.fixed:
        found = found + np.sum(o.kept[0]) + np.sum(o.y)
    named = np.sum(b.named["k"].y) + np.sum(b.named["j"].y) * 2
    child = np.sum(b.child.a.y) + np.sum(b.child.rows[0].kept[-1])
    return found + named + child + np.sum(b.a.y * b.a.kept[-1])


NAMES = {
    **{f.__name__: f for f in (Layer, Child, Box, same, first, rest, both, scale, grow, rename, total)},
    **{m.__name__: m for m in (collections, copy, functools, itertools, operator)},
    "np": np,
}
WAYS = {
    "O": """b.a | L[0] | L[-1] | D["k"] | D.get("j") | T[0] | next(iter(L)) | same(O) | first(L) | [*L][0]
        max(L, key=lambda o: o.k) | (O if x[0] > 0 else O) | (O or O) | b.child.first() | b.main | {0: O}[0]
        both(O, O)[1] | L.copy().pop() | next(o for o in L if o.k > 0.1) | O.add(x) | getattr(b, "a")
        (lambda: O)() | functools.reduce(lambda p, q: q, L) | operator.itemgetter(0)(L)""",
    "L": """b.rows | b.others | [O, O] | list(L) | list(T) | list(D.values()) | L[1:] | L[::-1] | L[:]
        sorted(L, key=lambda o: o.k) | (L + L) | (L * 2) | (L * n) | [o for o in L] | L.copy() | copy.copy(L)
        ([o for o in L if o.k > 0.4] + [O]) | list(reversed(L)) | [*L, *T] | sum([L, L], []) | b.child.rows
        (L if x[0] > 0 else L) | list(map(same, L)) | [p[1] for p in zip(L, L)] | list(itertools.chain(L, L))
        [p for i, p in enumerate(L)] | both(O, O) | (rest(L) + [O]) | [L, L][0] | list(filter(None, L))
        same(L) | b.get()""",
    "D": """b.named | b.named | dict(D) | {**D} | {"k": O, "j": O} | (D | D) | collections.OrderedDict(D)
        dict(zip("kj", [O, O])) | D.copy() | {q: o for q, o in D.items()} | dict(k=O, j=O) | dict(D, k=O)""",
    "T": "b.fixed | (O, O) | tuple(L) | (T + T) | T[::-1]",
}
SHORT = {
    "O": ["b.a", "b.rows[0]", "b.fixed[1]"],
    "L": ["b.rows", "b.others"],
    "D": ["b.named"],
    "T": ["b.fixed"],
}
CHANGES = """it.forward(x) | it(x) | it.keep(x) | it.add(x) | scale(it, x) | it.y = x * 0.7 | it.y = O.y * x
    it.y[0] = x[1] | it.y += x | it.y *= x | it.kept.append(x * x) | it.kept[0] = x | it.kept[0][1:] = x[1:]
    x = x + 0.1 * it.forward(x) | scale(same(it), x) | setattr(it, "y", x + 1.0) | grow([it], x)
    it.kept, it.y = [x], x * 2"""
PUTS = """b.rows = L | b.a = O | b.rows.append(O) | b.named["k"] = O | b.others.insert(0, O) | b.fixed = T
    b.others.reverse() | rename(b.named, O) | b.others.extend(L) | b.rows[0] = O | b.named.update(j=O)
    b.child.rows = L | b.child.a = O | b.named = D | b.others += L | b.rows[1:] = L | grow(L, x)
    ys = [o.forward(x) for o in L]"""
LOOPS = """for v in L: | for v in T: | for i, v in enumerate(L): | for v, _ in zip(L, L): | for v in L:
    for v in D.values(): | for _, v in D.items(): | for v in reversed(L):"""


def _choices(table):
    return [t for line in table.split("\n") for t in re.split(r" \| (?!D\))", line.strip())]


_WAYS = {kind: _choices(table) for kind, table in WAYS.items()}


class Writer:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.names: dict[str, list[str]] = {kind: [] for kind in WAYS}
        self.count = itertools.count()

    def way(self, kind, depth=0):
        """An expression of a kind: a variable that has one, or a template filled in."""
        names = self.names[kind]
        if names and self.draw.random() < 0.35:
            return self.draw.choice(names)
        return self.filled(self.draw.choice(SHORT[kind] if depth > 2 else _WAYS[kind]), depth + 1)

    def filled(self, template, depth=1):
        return re.sub(r"\b[OLDT]\b", lambda m: self.way(m.group(), depth), template)

    def change(self, o):
        template = self.draw.choice(_choices(CHANGES))
        return self.filled(re.sub(r"\bit\b", lambda _: o, template), 2)

    def block(self, size, inner=False):
        lines = []
        for _ in range(self.draw.randint(1, size)):
            kind = self.draw.choices(["name", "change", "loop", "put", "if", "def"], [7, 4, 4, 2, 1, 1])[0]
            v = f"v{next(self.count)}"
            if kind == "name":
                made = self.draw.choice("OOLLDT")
                lines.append(f"{v} = {self.way(made)}")
                if not inner:
                    self.names[made].append(v)
            elif kind == "change":
                lines.append(self.change(self.way("O", 1)))
            elif kind == "loop":
                head = self.filled(self.draw.choice(_choices(LOOPS)))
                lines += [re.sub(r"\bv\b", v, head, count=1), f"    {self.change(v)}"]
            elif kind == "put":
                lines.append(self.filled(self.draw.choice(_choices(PUTS))))
            elif kind == "def":
                lines += [f"def {v}(o):", f"    {self.change('o')}", f"{v}({self.way('O', 1)})"]
            elif not inner:
                head = self.draw.choice(["if x[0] > 0:", "if x[1] > 5:", "for _ in range(2):"])
                lines += [head, *(f"    {line}" for line in self.block(3, inner=True))]
        return lines


def text_of(seed):
    """The text of `program(x)`; the box is made in it, or given to what it calls."""
    writer = Writer(seed)
    lines = writer.block(6)
    read = [f"np.sum({o}.y)" for o in writer.names["O"][-2:]]
    read += [f"np.sum({rows}[0].y)" for rows in writer.names["L"][-1:]]
    result = " + ".join(["total(b)", *read])
    given = seed % 2 == 0
    head = ["def run(x, b, n):"] if given else ["def program(x):", "    b, n = Box(), 2"]
    call = ["def program(x):", "    return run(x, Box(), 2)"] if given else []
    return "\n".join([*head, *(f"    {line}" for line in lines), f"    return {result}", *call, ""])
