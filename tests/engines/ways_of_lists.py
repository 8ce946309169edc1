"""Ways in which a program holds a list or a deque under another name, and ways in which it changes one.

As those of arrays (ways.py): some hundred thousand programs of ten lines.
"""

import contextlib
import functools
import operator
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np


class Bag:
    def __init__(self, q: Any) -> None:
        self.q = q

    @property
    def inside(self) -> Any:
        return self.q

    def add(self, v: Any) -> None:
        self.q.append(v)

    def take(self) -> Any:
        return self.q.pop()

    def get(self) -> Any:
        return self.q

    def __iter__(self) -> Iterator[Any]:
        return iter(self.q)

    def __getitem__(self, k: Any) -> Any:
        return self.q[k]

    def __setitem__(self, k: Any, v: Any) -> None:
        self.q[k] = v

    def __len__(self) -> int:
        return len(self.q)


def add(q: Any, v: Any) -> None:
    q.append(v)


def same(q: Any) -> Any:
    return q


def double(q: Any) -> None:
    for i in range(len(q)):
        q[i] = q[i] * 2.0


def drop(q: Any) -> Any:
    return q.pop(0)


NAMES: dict[str, Any] = {
    "np": np, "operator": operator, "functools": functools, "deque": deque,
    "nothing": contextlib.nullcontext, "Bag": Bag, "add": add, "same": same, "double": double, "drop": drop,
}  # fmt: skip
LEAST_TOLD, MOST_REFUSED, SECOND = 1 / 2, 1 / 6, 40
MADE = {
    "list": "a = [x[0], x[1] * x[0], x[2]]",
    "later": "a = [1.0, 2.0, 3.0]; a[1] = x[1]",
    "constants": "a = [1.0, 2.0, 3.0]",
    "deque": "a = deque([x[0], x[1] * x[0], x[2]])",
    "built": "a = []; a.append(x[0]); a.append(x[1] * x[1]); a.append(2.0)",
    "comprehension": "a = [v * v for v in x]",
    "listed": "a = list(x * 2.0)",
    "tolist": "a = list(map(float, [1.0, 2.0])) + [x[2]]",
    "arrays": "a = [x * 2.0, x * x, x]",
}
"""What makes the list `a`."""
HELD = {
    "name": ("b = a", "b"),
    "list": ("b = [a]", "b[0]"),
    "tuple": ("b = (a, 1)", "b[0]"),
    "dict": ("b = {'k': a}", "b['k']"),
    "bag": ("b = Bag(a)", "b.q"),
    "method": ("b = Bag(a)", "b.get()"),
    "property": ("b = Bag(a)", "b.inside"),
    "lambda": ("b = lambda: a", "b()"),
    "function": ("def b(): return a", "b()"),
    "default": ("b = lambda q=a: q", "b()"),
    "returned": ("b = same(a)", "b"),
    "loop": ("for b in [a]: pass", "b"),
    "unpacked": ("b, c = a, 2.0", "b"),
    "set among": ("b = Bag(1); b.q, c = a, 2.0", "b.q"),
    "chosen": ("b = a if x[0] < 9.0 else []", "b"),
    "copied": ("b = list(a)", "b"),
    "sliced": ("b = [*a]", "b"),
    "popped": ("c = [a]; b = c.pop()", "b"),
    "iterator": ("b = Bag(a)", "list(b)"),
    "zipped": ("for b, _ in zip([a], [1]): pass", "b"),
    "appended": ("b = []; b.append(a)", "b[0]"),
    "with": ("with nothing(a) as b: pass", "b"),
    "partial": ("b = functools.partial(same, a)", "b()"),
    "twice": ("b = [a] * 2", "b[1]"),
    "bound": ("b = a.append", "a"),
    "values": ("b = list({'k': a}.values())", "b[0]"),
    "reversed": ("b = list(reversed(a))", "b"),
    "sorted": ("b = [a, a]; c, b = b", "b"),
    "setdefault": ("b = {}; b.setdefault('k', a)", "b['k']"),
}
"""What makes `b` hold it, and what reads it there."""
CHANGED = {
    "append": "{t}.append(x[1])",
    "constant": "{t}.append(2.0)",
    "extend": "{t}.extend([x[1], 2.0])",
    "added": "{t} += [x[1]]",
    "insert": "{t}.insert(0, x[2])",
    "pop": "{t}.pop()",
    "popped": "y = y + np.sum({t}.pop())",
    "item": "{t}[0] = x[2] * x[2]",
    "item constant": "{t}[0] = 4.0",
    "item added": "{t}[1] += x[0]",
    "item scaled": "{t}[0] *= 2.0",
    "deleted": "del {t}[0]",
    "slice": "{t}[:1] = [x[1], x[2]]",
    "slice deleted": "del {t}[1:]",
    "reverse": "{t}.reverse()",
    "clear": "{t}.clear()",
    "helper": "add({t}, x[1])",
    "double": "double({t})",
    "drop": "y = y + np.sum(drop({t}))",
    "method": "Bag({t}).add(x[0])",
    "take": "y = y + np.sum(Bag({t}).take())",
    "set": "Bag({t})[0] = x[1]",
    "variable": "h = add; h({t}, x[1])",
    "lambda": "h = lambda q: q.append(x[1]); h({t})",
    "bound": "h = {t}.append; h(x[1])",
    "local": "def h(q): q.append(x[1])\n{i}h({t})",
    "captured": "def h(): {t}.append(x[1])\n{i}h()",
    "mapped": "list(map({t}.append, [x[1]]))",
    "comprehension": "[{t}.append(v) for v in [x[1]]]",
    "loop": "for v in [x[0], x[1]]: {t}.append(v * v)",
    "while": "while len({t}) > 1: y = y + np.sum({t}.pop())",
    "swapped": "{t}[0], {t}[1] = {t}[1], {t}[0]",
    "alias": "q = {t}; q[0] = x[1]",
    "enumerate": "for i, v in enumerate({t}): {t}[i] = v * v",
    "star": "add(*[{t}, x[1]])",
    "partial": "functools.partial(add, {t})(x[1])",
    "setitem": "operator.setitem({t}, 0, x[1])",
    "iadd": "operator.iadd({t}, [x[1]])",
    "slice all": "{t}[:] = [v * 2.0 for v in {t}]",
    "sort": "{t}.sort(key=lambda v: -np.sum(v))",
    "inside": "for q in [{t}]: q += [x[2]]",
    "unpacked": "{t}[0], *c = [x[2], x[1]]",
    "walrus": "(q := {t}).append(x[1])",
    "deque": "{t}.appendleft(x[0])",
    "rotate": "{t}.rotate(1)",
}
"""What changes a list in place."""
PLACES = {
    "here": "{c}",
    "branch": "if x[0] < 9.0:\n        {c}",
    "loop": "for _ in range(2):\n        {c}\n        y = y * sum(map(np.sum, {r}))",
    "function": "def g():\n        {c}\n    g()",
    "handed": "def g(a):\n        {c}\n        return a\n    g(a)",
    "try": "try:\n        {c}\n    finally:\n        y = y + 1.0",
}
"""Where that stands."""


def program(made: str, held: str, changed: str, place: str, through: bool) -> str:
    """The text of a program, empty if there is none; `through`: what changes is reached by the other name."""
    hold, read = HELD[held]
    target = read if through else "a"
    change = CHANGED[changed]
    if through and (
        held == "iterator" or place == "handed" or ("(" in target and change.startswith("{t} +="))
    ):
        return ""
    inside = "    " if place == "here" else "        "
    change = change.replace("{t}", target).replace("{i}", inside)
    body = PLACES[place].replace("{c}", change).replace("{r}", read)
    bound = [name for name in ("a", "b") if change.startswith(f"{name} +=") and place == "function"]
    bound += ["y"] if "y = y" in change and place in ("function", "handed") else []
    if bound:
        body = body.replace(":\n", f":\n        nonlocal {', '.join(bound)}\n", 1)
    lines = [MADE[made], *hold.split("\n"), "y = sum(map(np.sum, a)) * x[0] * 0.3", body, f"z = {read}"]
    result = "sum([np.sum(v) * np.sum(v) * 0.3 * k for k, v in enumerate(z, 1)]) + sum(map(np.sum, a))"
    text = "def program(x):\n" + "".join(f"    {line}\n" for line in lines)
    return text + f"    return np.sum(y * y) + {result}\n"
