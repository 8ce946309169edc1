"""Random programs whose functions share lists, objects and arrays with their callers: both texts agree."""

import linecache
import random
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

HELPERS = """
class Pair:
    unit = 2.0

    def __init__(self, u, k, tag=3):
        self.u = u
        if k > 0.5:
            self.k = k * 2.0
        else:
            self.k = k
        self.size = tag + len(u)

    def __add__(self, other):
        return Pair(self.u + other.u, self.k - other.k, tag=self.size)

    def __mul__(self, s):
        return Pair(self.u * s, self.k * s)

    __rmul__ = __mul__

    def __neg__(self):
        return Pair(-self.u, self.k)

    @property
    def total(self):
        return np.sum(self.u) * self.k / self.unit

    def __call__(self, v):
        return self.u * v + self.k

    def store(self, v, *, at=0):
        self.u[at] = v
        return self

    def swapped(self, other):
        return Pair(other.u, self.k), Pair(self.u, other.k)

class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    def dot(self, other):
        return self.x * other.x + self.y * other.y

@dataclass
class Plain:
    u: object
    k: float = 0.3

    def value(self):
        return self.k * self.u[1]

def scale(u, k):
    u *= k

def fill(u, w):
    u[1:4] = w[:3]
    return u

def push(ys, u):
    ys.append(u * 0.5)
    return ys

def last(ys):
    return ys[-1]

def change(ys, i, u):
    ys[i] = u * ys[0]
    fill(ys[i], u) if u[0] > 5.0 else None

def through(f, u, k):
    for _ in range(2):
        u = f(u, k) * 0.5
    return u

def twice(u, k):
    return u * k

def window(u):
    return u[1:4]

def early(u, k):
    if k > 0.2:
        u[0] = k
        return u
    for j in range(3):
        u[j] = u[j + 1] * k
        if u[j] > 0.7:
            return u * 2.0
    return u

class Box:
    def __init__(self, v, w):
        self.v, self.w, self.n = v, w, 0

    def move(self, k):
        self.v = self.v * k + self.w[1]
        self.n += 1
        return self

    def hit(self, u):
        self.w[1:3] = u[:2] * self.v
        if self.v > 0.3:
            self.w = self.w * 0.5
        return self.w

    def __call__(self, u):
        self.move(0.5)
        return u * self.v + self.w

class Chain:
    def __init__(self, boxes):
        self.boxes = boxes

    def run(self, u):
        for box in self.boxes:
            u = box(u) * 0.5
        return u

def late(ys, u, k):
    if k > 0.1:
        w = u * k
    else:
        w = u
    ys.append(w)
    for j in range(2):
        y = w[j] * k
    return y

def maker(k):
    def inner(u, j=1):
        return u * k + u[j]
    return inner

def pairs(zs, u, k):
    zs.append((u, k))
    return zs[-1][1] * zs[0][0]
"""
START = """def f(x, s):
    a = x * 1.0
    b = np.zeros(5)
    c = a
    v = a[1:4]
    i = 1
    t = s
    ys = [x * 0.3, x * 2.0]
    zs = [(x * 0.3, s)]
    p = Pair(x * 0.5, s)
    q = Pair(b, 0.3, tag=1)
    r = Plain(x)
    d = Point(x[0], s)
    e = Box(s, x * 0.2)
    g = Chain([Box(0.4, x * 0.1), e])
    m = maker(s)
"""
END = """    d = d - Point(t, x[2])
    return (np.sum(a * a) + np.sum(b * c) + np.sum(v) * t + p.total + q.total * q.k + p(a)[2] + np.sum(ys[-1])
            + r.value() + d.dot(d) * d.x + np.sum(q.u) + zs[-1][1] * zs[-1][0][1]
            + e.v * e.n + np.sum(e.w) + g.boxes[0].v + m(x)[1])
"""


class Programs:
    """Draws programs that hand things on."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def whole(self) -> str:
        return self.draw.choice(
            ("a", "b", "c", "x", "p.u", "q.u", "ys[-1]", "ys[0]", "last(ys)", "r.u", "zs[-1][0]")
        )

    def number(self) -> str:
        texts = (
            "t",
            "s",
            "0.7",
            "p.k",
            "q.k",
            "p.total",
            "np.sin(t)",
            "v[0]",
            "d.x",
            "d.dot(d)",
            "r.k",
            "zs[0][1]",
            "e.v",
            "g.boxes[0].v",
        )
        return self.draw.choice((*texts, f"{self.whole()}[{self.draw.choice('0124')}]"))

    def vector(self) -> str:
        a, k = self.whole(), self.number()
        texts = (a, f"{a} * {k}", f"np.tanh({a})", f"p({a})", f"through(twice, {a}, {k})", f"(p + q).u * {k}")
        more = (f"early({a} * 1.0, {k})", f"fill({a} * 1.0, x)", "(2.0 * p).u", "(-q).u", "e.w", f"e({a})")
        calls = (f"g.run({a})", f"m({a})", f"through(lambda u, j: u * s + j, {a}, {k})")
        return self.draw.choice((*texts, *more, *calls))

    def statement(self, depth: int) -> list[str]:
        c, draw = self.draw.random(), self.draw
        target = draw.choice(("a", "b", "c", "v", "q.u", "p.u"))
        if draw.random() < 0.2:
            changes = (
                "e.move(t)",
                "e.hit(a)",
                "e.v = t * 0.5",
                "e.w = b",
                "b = e.hit(x)",
                "e.v *= t",
                "e.w *= 0.5",
            )
            more = (
                "a = g.run(a)",
                "t = late(ys, a, t) * 0.5",
                "e.w[1] = t",
                "c = e.w",
                "e.move(t).move(0.5)",
            )
            return [draw.choice((*changes, *more))]
        if c < 0.08:
            return [f"scale({target}, {self.number()})"]
        if c < 0.16:
            return [f"fill({draw.choice(('a', 'b', 'c', 'q.u'))}, {self.whole()})"]
        if c < 0.24:
            maker = draw.choice(("fill", "early"))
            return [f"{draw.choice('abc')} = {maker}({draw.choice('abc')}, {self.vector()})"]
        if c < 0.3:
            return [f"{draw.choice('abc')} = early({draw.choice('abc')}, {self.number()})"]
        if c < 0.36:
            return [f"ys = push(ys, {self.vector()})"]
        if c < 0.4:
            return [f"push(ys, {self.vector()})"]
        if c < 0.44:
            return [f"change(ys, {draw.choice(('0', '-1', 'i'))}, {self.vector()})"]
        if c < 0.48:
            return [f"t = t * 0.5 + np.sum(pairs(zs, {self.vector()}, {self.number()})) * 0.1"]
        if c < 0.54:
            return [f"{draw.choice('pq')}.store({self.number()} * 0.5, at={draw.choice('0123')})"]
        if c < 0.6:
            made = draw.choice(("p + q", "p * 0.5", "t * q", "-p", "q.store(t)", "q", "p"))
            return [f"{draw.choice('pq')} = {made}"]
        if c < 0.64:
            return ["p, q = p.swapped(q)"]
        if c < 0.68:
            return [f"p = Pair({self.vector()}, {self.number()})", "d = Point(d.y, t) - d"][
                : draw.choice((1, 2))
            ]
        if c < 0.72:
            return [f"r = Plain({self.vector()}, {self.number()})"]
        if c < 0.76:
            return [
                draw.choice(
                    ("v = window(a)", "v = window(b)", "v = window(q.u)", "c = b", "c = a", "c = q.u")
                )
            ]
        if c < 0.8:
            return [f"a[{draw.choice('012')}], t = {self.number()} * 0.3, {self.number()} * 0.5"]
        if c < 0.84:
            return [f"{draw.choice('abc')}[1:4] {draw.choice(('+=', '=', '*='))} {self.whole()}[:3] * 0.5"]
        if c < 0.9 or depth > 1:
            return [f"t = t * 0.5 + {self.number()} * 0.3"]
        if c < 0.95:
            return [f"if {self.number()} > 0.3:", *self.block(1, 2, depth)]
        return [f"for i in range({draw.choice('23')}):", *self.block(1, 3, depth), "i = 1"]

    def block(self, indent: int, count: int, depth: int = 0) -> list[str]:
        lines = []
        for _ in range(count):
            lines += ["    " * indent + line for line in self.statement(depth + indent)]
        return lines

    def text(self) -> str:
        body = self.block(1, self.draw.randrange(3, 9), -1)
        return HELPERS + "\n" + START + "\n".join(body) + "\n" + END


def function(text: str, name: str) -> Any:
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"np": np, "__name__": "programs"}
    exec(compile("from dataclasses import dataclass\n", name, "exec"), namespace)
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def run(f: Any, vector: Any, number: float) -> Any:
    """Value, gradients, and what the argument holds after the call."""
    x = vector.copy()
    y, gradients = cr.value_and_grad(f, (0, 1))(x, number)
    return y, *gradients, x


def differences(f: Any, x: Any, s: float) -> Any:
    """The gradients by central differences."""
    step = 1e-6
    dx = [(f(x + step * e, s) - f(x - step * e, s)) / (2 * step) for e in np.eye(len(x))]
    return np.array(dx), (f(x.copy(), s + step) - f(x.copy(), s - step)) / (2 * step)


def agree(seed: int) -> str:
    """What became of a random program: "same", or why nothing was compared."""
    f = function(Programs(seed).text(), f"<random calls {seed}>")
    numbers = np.random.default_rng(seed)
    points = [(numbers.normal(size=5), float(numbers.normal())) for _ in range(2)]
    met: list[str] = []
    with np.errstate(all="ignore"):
        try:
            with specialised_after(10**9):
                right = [run(f, *x) for x in points]
        except Exception as refused:
            return f"refused: {type(refused).__name__}"
        with specialised_after(1, compared=True, met=met):
            for x in points * 2:
                run(f, *x)  # which raises where a text cannot be written
        if met:
            return f"declined: {met[0]}"
        with specialised_after(1):
            for x, answers in [*zip(points, right, strict=True)] * 2:
                for mine, theirs in zip(run(f, *x), answers, strict=True):
                    size = np.max(np.abs(theirs), initial=1.0, where=np.isfinite(theirs))
                    np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-8 * size)
    return "same" if text_of(f) else "without a text"


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.filterwarnings("ignore")
def test_both_programs_give_the_same(seed: int) -> None:
    for inner in range(seed * 3, seed * 3 + 3):
        agree(inner)
