"""Random programs that change arrays, lists, dicts and objects under several names, as text with a seed."""

import random

import numpy as np

HEAD = """\
def program(x):
    a = x.copy()
    b = np.zeros(3)
    r = [x[0], x[1] * 2]
    d = {"k": x[2]}
    s = x[0] * 1.0
    v = a[1:]
    c = a
    o = Box(x[1])
    boxes = [Box(x[0]), o, Box(x[2])]
    rows = [a, x * 2.0, b]
"""
TAIL = """\
    whole = np.sum(a * 0.3) + np.sum(b) + np.sum(c * v[0]) + o.w * np.sum(o.arr)
    objects = sum(p.w * p.arr[0] for p in boxes) + sum(np.sum(row) for row in rows)
    return s + whole + sum(r) + d["k"] + 0.1 * objects
"""
NUMBERS = ["s", "x[0]", "x[1]", "x[2]", "a[0]", "a[2]", "b[1]", "r[0]", "r[-1]", "d['k']", "v[0]", "c[1]"]
NUMBERS += ["o.w", "o.arr[0]", "np.sum(a)", "np.sum(b * x)", "float(len(r)) * s"]
ARRAYS = ["a", "b", "x", "np.sin(a)", "b * 2", "c", "x * a", "np.tanh(b)", "o.arr", "np.exp(-a * a)"]
CHANGES = [
    "a[{i}] = {e}",
    "b[{i}] += {e}",
    "r.append({e})",
    "d['k'] = {e}",
    "v[{j}] = {e}",
    "a *= {n} * 0.1 + 1",
    "b += {v} * 0.5",
    "s = {e}",
    "o.w = {e}",
    "o.arr[{i}] = {e}",
    "o.grow({n})",
    "bump(b, {n})",
    "c[:2] = ({v})[1:] * 0.7",
    "s += sum([q * q for q in r]) * 0.1",
    "r[0], r[1] = r[1], {e}",
    "c = {v} * 1.0",
    "b = {v} * 1.0",
    "o.arr = {v} * 1.1",
    "s *= r.pop() if len(r) > 2 else 1.1",
    "d.update({{'k': {e}, 'm': s}})",
    "for row in [b, a]: row[{i}] = row[{j}] * 0.5 + {n}",
    "for p in boxes: p.w = p.w * 0.5 + boxes[{i}].w",
    "for k, p in enumerate(boxes): boxes[{i}].arr += p.arr * 0.1 * k",
    "for p, row in zip(boxes, rows): row[{j}] += p.total * 0.1",
    "for k, q in enumerate(r): r[-1] = r[-1] + q * 0.1 * k",
    "for q in a: a[2] = a[2] * 0.5 + q * 0.1",
    "for row in reversed(rows): row *= 0.5 + 0.1 * rows[{i}][{j}]",
    "row = rows[{i}]; row += {v} * 0.1",
    "p = boxes[{i}]; p.grow({n}); s += p.total",
    "s += (boxes[{i}] + o).total",
    "boxes[{i}] = boxes[{j}] + o",
    "s += o(x) * 0.1",
    "r += [{e}, s]",
    "r.insert({j}, {e}); r.reverse()",
    "first, *rest = r; r = [first * 0.5, *rest]",
    "s += sum([v * {n} for v in r if v > 0.1])",
    "d = {{**d, 'k': {e}, 'z': {n}}}",
    "s += max(r, key=lambda q: q * q)",
    "top = max(boxes, key=lambda p: p.w); top.w = top.w * 0.9",
    "match r:\n    {pad}    case [one, *_]: s += one\n    {pad}    case _: s *= 0.5",
    "try:\n    {pad}    s += r[len(r) + {i} - 2]\n    {pad}except IndexError:\n    {pad}    s *= 0.5",
    "local = lambda q: q * s + a[{i}]; s = local({n}) * 0.3",
    "swap = a; a = b; b = swap",
]


class Box:
    """An object with state, which its method changes."""

    def __init__(self, w):
        self.w = w * w
        self.arr = np.array([w, w * 2, 1.0])

    @property
    def total(self):
        return np.sum(self.arr * self.arr) * 0.1

    def __add__(self, other):
        made = Box(self.w * 0.5 + other.w)
        made.arr[:] = self.arr * other.arr
        return made

    def __call__(self, z):
        return np.sum(self.arr * z)

    def grow(self, k):
        self.w = self.w + k * 0.5
        self.arr[1] *= k * 0.2 + 1


def bump(z, k):
    """A function that changes its argument."""
    z[1] = z[1] * 0.5 + k
    z += 0.1


NAMES = {"np": np, "Box": Box, "bump": bump}


def text_of(seed: int) -> str:
    """A program of three to nine statements, some of them in branches and loops."""
    rng = random.Random(seed)
    lines = [line for _ in range(rng.randrange(3, 10)) for line in _statement(rng, 1)]
    return HEAD + "".join(f"{line}\n" for line in lines) + TAIL


def _statement(rng: random.Random, depth: int) -> list[str]:
    pad, kind = "    " * depth, rng.random()
    if depth < 3 and kind < 0.08:
        return [f"{pad}for _ in range({rng.randrange(1, 4)}):", *_statement(rng, depth + 1)]
    if depth < 3 and kind < 0.16:
        test = f"{pad}if {rng.choice(NUMBERS)} > 0.5:"
        return [test, *_statement(rng, depth + 1), f"{pad}else:", *_statement(rng, depth + 1)]
    e, n, v = _expression(rng), rng.choice(NUMBERS), rng.choice(ARRAYS)
    change = rng.choice(CHANGES)
    return [pad + change.format(e=e, n=n, v=v, i=rng.randrange(3), j=rng.randrange(2), pad=pad[4:])]


def _expression(rng: random.Random) -> str:
    one, two = rng.choice(NUMBERS), rng.choice(NUMBERS)
    return rng.choice([one, f"{one} * {two}", f"np.sin({one}) + {two}", f"np.tanh({one} * 0.3)"])
