"""Random programs of forms: stars, parts of tuples and lists, generators, named tuples, several results.

The specialised program and the ordinary one give the same numbers; parameters lie in a list of pairs.
"""

import linecache
import os
import random
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

HELPERS = """

class Pair(NamedTuple):
    first: Any
    second: Any = 2.0


def total(*values):
    t = 0.0
    for v in values:
        t = t + np.sum(v) * 0.5
    return t


def weighted(a, *rest, k=0.5):
    return a * k + sum(np.sum(r) for r in rest)


def joined(*parts):
    return np.concatenate(parts + (np.ones(2),))


def pieces(v, n):
    for i in range(n):
        yield v[i] * 0.5
        if i == 1:
            yield v[i] * v[0]


def rows(pairs, scale):
    for v, s in pairs:
        if np.sum(v) > 40.0:
            return
        yield v * scale, s


def first_positive(xs):
    for x in xs:
        try:
            if x > 0.1:
                return x * x
        except ZeroDivisionError:
            pass
    return xs[0]
"""
START = """def f(layers, x, a):
    v1 = x * 0.5
    v2 = x
    s1 = a
    s2 = 0.3
    ys = [x, x * 2.0]
    t1 = (x, a, x * a)
    p = Pair(x, a)
    d = {"u": x, "w": x * a}
    i = 0
"""
END = """    return (
        np.sum(v1 * v2) + s1 + s2 * 0.1 + np.sum(ys[0] + ys[-1]) + np.sum(t1[0]) * t1[1]
        + np.sum(p.first) * p.second
    )
"""


class Forms:
    """Draws programs of these forms."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def pick(self, *texts: str) -> str:
        return self.draw.choice(texts)

    def vector(self, depth: int = 0) -> str:
        if depth > 1:
            return self.pick(
                "x", "v1", "v2", "t1[0]", "p.first", "d['u']", "layers[0][0]", "layers[-1][0]", "ys[-1]"
            )
        v = lambda: self.vector(depth + 1)  # noqa: E731
        s = lambda: self.number(depth + 1)  # noqa: E731
        return self.pick(
            v(),
            v(),
            f"np.tanh({v()})",
            f"({v()} + {v()} * {s()})",
            f"joined({v()}, {v()})[{self.pick('0', '1', '2')}:][:4]",
            f"np.stack([{v()}, {v()}], axis={self.pick('0', '1', '-1')}).sum(axis=0)[:2].repeat(2)",
            f"np.vstack(({v()}, {v()}))[{self.pick('0', '1')}]",
            f"np.hstack([{v()}, {v()}])[1:5]",
            f"np.split(np.concatenate([{v()}, {v()}]), 2)[{self.pick('0', '1')}]",
            f"np.array([w * {s()} for w in {v()}])",
            f"np.array([*{v()}]) * 0.5",
            f"np.array(list(map(lambda w: w * 0.5 + s2, {v()})))",
            f"functools.reduce(lambda u, w: u * 0.5 + w, [{v()}, {v()}, {v()}])",
            f"functools.reduce(np.maximum, [{v()}, {v()}], {v()})",
            f"np.linalg.qr(np.outer({v()}, {v()}) + 3.0 * np.eye(4))[{self.pick('0', '1')}][0]",
            f"np.diagonal(np.outer({v()}, {v()}))",
            f"np.diag(np.outer({v()}, {v()}) + 1.0)",
            f"{v()}[[0, 2, 1, {self.pick('0', '3')}]]",
            f"{v()}.reshape(2, 2).swapaxes(0, 1).ravel()",
            f"np.clip({v()}, -0.5, abs({s()}) + 1.5)",
            f"({v()} if {s()} > 0.2 else {v()})",
        )

    def number(self, depth: int = 0) -> str:
        if depth > 1:
            return self.pick(
                "a", "s1", "s2", "t1[1]", "p.second", "layers[0][1]", "layers[1][1]", "0.7", "x[1]"
            )
        v = lambda: self.vector(depth + 1)  # noqa: E731
        s = lambda: self.number(depth + 1)  # noqa: E731
        return self.pick(
            s(),
            f"({s()} * {s()} + 0.1)",
            f"total({v()}, {s()}, *t1)",
            f"total(*layers[0], *{self.pick('t1[:2]', 't1[1:]', 'p', '(a, s1)')})",
            f"weighted({s()}, *t1, k={s()})",
            f"weighted({s()})",
            f"weighted(*layers[{self.pick('0', '-1')}][::-1])",
            f"sum(u * w for u, w in zip({v()}, {v()}))",
            f"sum(u * w for u in {v()} for w in {v()} if u > w) * 0.1",
            f"sum([k * u for k, u in enumerate({v()}, start={self.pick('1', 'i')})])",
            f"sum(pieces({v()}, {self.pick('2', '3')}))",
            f"max(pieces({v()}, 3))",
            f"min({s()}, {s()}, 0.4)",
            f"first_positive({v()})",
            f"sum(map(lambda u: u * s1, {v()}))",
            f"(s2 or {s()})",
            f"np.linalg.slogdet(np.outer({v()}, {v()}) + 5.0 * np.eye(4))[1]",
            f"np.linalg.norm({v()} + 0.1)",
            f"np.linalg.svd(np.outer({v()}, np.arange(4.0)) + np.diag([1.0, 2.0, 3.0, 4.0]))[1][0]",
            f"np.var({v()})",
            f"{v()}.std()",
            "sum(W @ W * b for W, b in layers)",
            f"Pair({v()}, {s()}).second",
            f"np.sum(Pair({v()})[0]) * Pair(1.0).second",
            f"len({self.pick('layers', 't1', 'ys')}) * {s()}",
            f"(wal * wal + wal if (wal := {self.pick('a', 's1', 's2')} * 0.7) > 0.1 else wal)",
        )

    def statement(self, indent: int) -> list[str]:
        draw, s, v = self.draw, self.number, self.vector
        c = draw.random()
        simple = (
            f"v1 = {v()} * 0.5",
            f"v2 = {v()} * 0.5",
            f"s1 = {s()} * 0.5",
            f"s2 = {s()} * 0.3",
            f"v1, s1 = {self.pick('layers[0]', 'layers[-1]', '(v2, s2)', 'p', 't1[:2]')}",
            f"v1, *others = {self.pick('t1', '(x, a)', 'layers[1]')}",
            f"t1 = ({v()}, {s()}) + ({v()} * 0.5,)",
            "t1 = (v2, s1) + t1[2:]",
            f"t1 = (*t1[:2], {v()} * 0.5)",
            f"p = Pair({v()} * 0.5, second={s()} * 0.5)",
            f"v1, v2 = (w * {s()} for w in ({v()}, {v()}))",
            f"ys += [{v()} * 0.5]",
            f"ys += [{v()} * 0.3, v1]",
            f"ys.extend([{v()}, {v()} * 0.5])",
            "ys.extend(u * 0.5 for u in ys[:2])",
            f"ys = ys[{self.pick('1:', ':2', '-2:', '::-1')}] + [{v()} * 0.2]",
            "ys = list(ys) + ys[:1]",
            f"ys[-1] = ys[0] * 0.5 + {v()} * 0.1",
            "v2 = sum(ys[:2])",
            f"d = {{'u': {v()} * 0.5, 'w': {v()}}}",
            "v2 = sum(d.values()) * 0.3",
            "v1 = sum(u * len(k) for k, u in d.items()) * 0.2",
            "v1 = sum(d[k] for k in d) * 0.2",
            "v1 = np.mean(np.stack(ys[-2:]), axis=0)",
            "v1 = np.vstack(ys)[-1] * 0.5",
        )
        if c < 0.6 or indent > 2:
            return [draw.choice(simple)]
        block = lambda n: self.block(1, n)  # noqa: E731
        if c < 0.68:
            return [
                f"for W, b in layers{self.pick('', '[:-1]', '[::-1]')}:",
                "    v1 = np.tanh(v1 * b + W)",
                *block(1),
            ]
        if c < 0.73:
            return [
                "for k, (W, b) in enumerate(layers):",
                f"    if k < {self.pick('1', 'len(layers) - 1')}:",
                "        s1 = s1 * 0.5 + np.sum(W) * b * k",
                *block(1),
            ]
        if c < 0.78:
            return [
                f"for k in range(len(layers){self.pick('', ' - 1')}):",
                "    W, b = layers[k]",
                "    v2 = v2 * b + W * 0.2",
                *block(1),
            ]
        if c < 0.82:
            return [f"for W, b in rows(layers, {s()}):", "    s1 = s1 * 0.5 + np.sum(W) * b"]
        if c < 0.86:
            return [f"for w in pieces({v()}, 2):", "    s2 = s2 * 0.5 + w * s1", *block(1)]
        if c < 0.9:
            return [
                f"for w, u in zip(({v()}, {v()}), {self.pick('ys', 't1[:1] + t1[2:]')}):",
                "    v1 = v1 * 0.5 + w * u",
            ]
        if c < 0.94:
            return ["try:", *block(2), "except ValueError:", "    s1 = 3.0"]
        lines = [f"if {s()} > {s()}:", *block(2)]
        return [*lines, "else:", *block(1)] if draw.random() < 0.6 else lines

    def block(self, indent: int, count: int) -> list[str]:
        lines = []
        for _ in range(count):
            lines += ["    " * indent + line for line in self.statement(indent)]
        return lines

    def function(self, name: str) -> Any:
        text = START + "\n".join(self.block(1, 6)) + "\n" + END + HELPERS
        text = "import functools\nfrom typing import Any, NamedTuple\nimport numpy as np\n\n\n" + text
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        namespace: dict[str, Any] = {"__name__": name}
        try:
            exec(compile(text, name, "exec"), namespace)
        except SyntaxError as error:  # as of `:=` in what a comprehension goes over
            pytest.skip(str(error))
        return namespace["f"]


def same(mine: Any, theirs: Any) -> bool:
    """Whether two gradients are the same numbers."""
    if not isinstance(mine, float | np.ndarray):
        return all(same(a, b) for a, b in zip(mine, theirs, strict=True))
    a, b = np.asarray(mine), np.asarray(theirs)
    size = np.max(np.abs(b), initial=1.0, where=np.isfinite(b))
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-7, atol=1e-8 * size, equal_nan=True)


COUNT = 24 * int(os.environ.get("CHAINRULES_FUZZ", "1"))
FIRST = int(os.environ.get("CHAINRULES_FUZZ_FIRST", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
@pytest.mark.filterwarnings("ignore")
def test_both_programs_give_the_same(seed: int) -> None:
    f = Forms(seed).function(f"<specialised random forms {seed}>")
    numbers = np.random.default_rng(seed)

    def point() -> Any:
        layers = [(numbers.normal(size=4), float(numbers.normal())) for _ in range(3)]
        return layers, numbers.normal(size=4), float(numbers.normal())

    points = [point() for _ in range(3)]
    argnums = (0, 1, (0, 1, 2), (0, 2))[seed % 4]
    with np.errstate(all="ignore"):
        with specialised_after(10**9):
            right = [answer_of(f, argnums, x) for x in points]
        with specialised_after(1):
            for x, y in [*zip(points, right, strict=True)] * 2:
                found = answer_of(f, argnums, x)
                assert type(found) is type(y)
                if isinstance(y, tuple):
                    assert same(found[0], y[0])
                    assert same(found[1], y[1])


def answer_of(f: Any, argnums: Any, x: Any) -> Any:
    """Value and gradient, or the error that there is."""
    try:
        return cr.value_and_grad(f, argnums)(*x)
    except Exception as error:
        return str(type(error).__name__)
