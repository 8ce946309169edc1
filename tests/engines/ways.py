"""Ways in which a program holds an array under another name, and ways in which it changes one in place.

Put together they are some ten thousand programs of ten lines. Random programs seldom meet two rare ways at
once; these are all of the pairs.
"""

import contextlib
import dataclasses
import functools
import itertools
import operator
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np


class Box:
    def __init__(self, w: Any) -> None:
        self.w = w

    @property
    def inside(self) -> Any:
        return self.w

    def get(self) -> Any:
        return self.w

    def put(self) -> None:
        self.w[0] = 5.0

    def __getitem__(self, k: Any) -> Any:
        return self.w

    def __iter__(self) -> Iterator[Any]:
        yield self.w

    def __iadd__(self, other: Any) -> Any:
        self.w += other
        return self


@dataclasses.dataclass
class Pair:
    w: Any
    n: int = 0


def put(a: Any) -> float:
    a[0] = 5.0
    return 1.0


def put_deep(box: Any) -> None:
    put(box.w)


def same(a: Any) -> Any:
    return a


def held(a: Any) -> Any:
    return Box(a)


def items(a: Any) -> Any:
    yield a


NAMES: dict[str, Any] = {
    "np": np, "operator": operator, "functools": functools, "itertools": itertools, "deque": deque,
    "nothing": contextlib.nullcontext, "Box": Box, "Pair": Pair, "put": put, "put_deep": put_deep,
    "same": same, "held": held, "items": items,
}  # fmt: skip
LEAST_TOLD, MOST_REFUSED, SECOND = 1 / 2, 1 / 6, 40
MADE = {
    "varying": "a = w * x",
    "constant": "a = w + 1.0",
    "filled": "a = np.zeros(3); a[1] = x[0]",
    "given": "a = x",
    "part": "a = (w * x)[::-1]",
    "field": "a = Box(w * x).w",
    "row": "m = np.outer(w, x); a = m[1]",
}
"""What makes the array `a`."""
HELD = {
    "name": ("b = a", "b"),
    "slice": ("b = a[:2]", "b"),
    "step": ("b = a[::2]", "b"),
    "reshaped": ("b = a.reshape(3, 1)", "b"),
    "transposed": ("b = a.T", "b"),
    "row": ("b = a[None][0]", "b"),
    "ravel": ("b = np.ravel(a)", "b"),
    "asarray": ("b = np.asarray(a)", "b"),
    "list": ("b = [a]", "b[0]"),
    "appended": ("b = []; b.append(a)", "b[0]"),
    "deque": ("b = deque([a])", "b[0]"),
    "tuple": ("b = (a, 1.0)", "b[0]"),
    "dict": ("b = {'k': a}", "b['k']"),
    "kept": ("b = {}; b['k'] = a", "b['k']"),
    "setdefault": ("b = {}; c = b.setdefault('k', a)", "c"),
    "box": ("b = Box(a)", "b.w"),
    "set": ("b = Box(1.0); b.w = a", "b.w"),
    "set among others": ("b = Box(1.0); b.w, c = a, 2.0", "b.w"),
    "set first": ("b = [1.0, 2.0]; b[0] = c = a", "b[0]"),
    "starred item": ("b = [1.0]; c, *b[:] = [2.0, a]", "b[0]"),
    "inserted": ("b = [1.0]; b[:0] = [a]", "b[0]"),
    "extended": ("b = []; b += [a]", "b[0]"),
    "updated": ("b = {}; b.update(k=a)", "b['k']"),
    "deep": ("b = Box(Box(a))", "b.w.w"),
    "listed": ("b = Box([a])", "b.w[0]"),
    "data": ("b = Pair(a)", "b.w"),
    "returned": ("b = same(a)", "b"),
    "made": ("b = held(a)", "b.w"),
    "method": ("b = Box(a)", "b.get()"),
    "property": ("b = Box(a)", "b.inside"),
    "item": ("b = Box(a)", "b[7]"),
    "lambda": ("b = lambda: a", "b()"),
    "default": ("b = lambda q=a: q", "b()"),
    "function": ("def b(): return a", "b()"),
    "partial": ("b = functools.partial(same, a)", "b()"),
    "iterator": ("b = iter([a])", "next(b)"),
    "loop": ("for b in [a]: pass", "b"),
    "generator": ("for b in items(a): pass", "b"),
    "object": ("for b in Box(a): pass", "b"),
    "zipped": ("for b, _ in zip([a], [1]): pass", "b"),
    "comprehension": ("b = [q for q in [a]]", "b[0]"),
    "unpacked": ("b, c = a, 2.0", "b"),
    "starred": ("b, *c = [2.0, a]", "c[0]"),
    "chosen": ("b = a if x[0] < 9.0 else x", "b"),
    "twice": ("b = [a] * 2", "b[1]"),
    "joined": ("b = [x] + [a]", "b[1]"),
    "merged": ("b = {**{'k': a}}", "b['k']"),
    "copied": ("b = [a].copy()", "b[0]"),
    "sorted": ("b = sorted([a], key=len)", "b[0]"),
    "largest": ("b = max([a, a], key=len)", "b"),
    "popped": ("c = [a]; b = c.pop()", "b"),
    "got": ("b = {'k': a}.get('k')", "b"),
    "attribute": ("b = getattr(Box(a), 'w')", "b"),
    "getter": ("b = operator.itemgetter(0)([a])", "b"),
    "with": ("with nothing(a) as b: pass", "b"),
    "chained": ("b = list(itertools.chain([a], [x]))", "b[0]"),
    "reduced": ("b = functools.reduce(lambda p, q: p, [a, x])", "b"),
    "mapped": ("b = list(map(same, [a]))", "b[0]"),
    "values": ("b = list({'k': a}.values())", "b[0]"),
    "vars": ("b = vars(Box(a))", "b['w']"),
    "object array": ("b = np.empty(1, object); b[0] = a", "b[0]"),
}
"""What makes `b` hold it, and what reads it there."""
CHANGED = {
    "item": "{t}[0] = 5.0",
    "varying": "{t}[0] = x[1] * x[1]",
    "slice": "{t}[:1] = 5.0",
    "all": "{t}[...] = {t} * x[0]",
    "added": "{t} += 1.0",
    "scaled": "{t} *= x[2]",
    "scaled item": "{t}[0] *= x[2]",
    "out": "np.add({t}, 1.0, out={t})",
    "varying out": "np.multiply({t}, x[0], out={t})",
    "fill": "{t}.fill(2.0)",
    "put": "np.put({t}, [0], [2.0])",
    "copyto": "np.copyto({t}, 3.0)",
    "at": "np.add.at({t}, 0, 2.0)",
    "dunder": "{t}.__setitem__(0, 5.0)",
    "setitem": "operator.setitem({t}, 0, 5.0)",
    "iadd": "operator.iadd({t}, 1.0)",
    "helper": "put({t})",
    "value": "c = put({t}) * 2.0",
    "nested": "put_deep(Box({t}))",
    "method": "Box({t}).put()",
    "operator": "c = Box({t}); c += 1.0",
    "mapped": "list(map(put, [{t}]))",
    "comprehension": "[put(q) for q in [{t}]]",
    "loop": "for q in [{t}]: q += 1.0",
    "part": "q = {t}[:1]; q += 1.0",
    "alias": "q = {t}; q[0] = 5.0",
    "variable": "h = put; h({t})",
    "lambda": "h = lambda q: put(q); h({t})",
    "local": "def h(q): q[0] = 5.0\n{i}h({t})",
    "partial": "functools.partial(put, {t})()",
    "star": "put(*[{t}])",
    "word": "put(a={t})",
    "key": "sorted([{t}], key=put)",
    "swapped": "{t}[0], {t}[1] = {t}[1], {t}[0]",
    "sorted": "{t}.sort()",
    "real": "{t}.real[0] = 5.0",
    "flat": "{t}.flat[0] = 5.0",
    "view": "{t}.view()[0] = 5.0",
    "deleted": "q = [{t}]; q[0][0] = 5.0; del q[0]",
    "walrus": "(q := {t})[0] = 5.0",
}
"""What changes an array in place."""
PLACES = {
    "here": "{c}",
    "branch": "if x[0] < 9.0:\n        {c}",
    "loop": "for _ in range(2):\n        {c}\n        y = y * {r}.sum()",
    "function": "def g():\n        {c}\n    g()",
    "handed": "def g(a):\n        {c}\n        return a\n    g(a)",
    "try": "try:\n        {c}\n    finally:\n        y = y + 1.0",
    "while": "k = 0\n    while k < 2:\n        y = y * {r}.sum(); k += 1\n        {c}",
}
"""Where that stands."""


def program(made: str, held: str, changed: str, place: str, through: bool) -> str:
    """The text of a program, empty if there is none; `through`: what changes is reached by the other name."""
    hold, read = HELD[held]
    target = read if through else "a"
    change = CHANGED[changed]
    once = "(" in target and ("next" in target or change.startswith("{t} "))
    if (
        once
        or (place == "handed" and through)
        or (place == "loop" and "next" in read)
        or ("(" in target and ("{t}[0], {t}" in change))
    ):
        return ""
    inside = "    " if place == "here" else "        "
    change = change.replace("{t}", target).replace("{i}", inside)
    body = PLACES[place].replace("{c}", change).replace("{r}", "a" if "next" in read else read)
    if place == "function" and (change.startswith(("a +=", "a *=", "b +=", "b *="))):
        body = body.replace("def g():\n", f"def g():\n        nonlocal {change[0]}\n")
    lines = ["w = np.array([1.0, 2.0, 3.0])", MADE[made], *hold.split("\n"), "y = a * x * 0.5", body]
    lines.append(f"z = {read}")
    text = "def program(x):\n" + "".join(f"    {line}\n" for line in lines)
    return text + "    return np.sum(y * y) + np.sum(z * z * 0.3) + np.sum(a * x)\n"
