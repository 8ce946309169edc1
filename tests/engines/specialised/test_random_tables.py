"""Random programs with dictionaries of numbers and of lists, sets, and loops that change them.

Gradients of specialised programs are held to differences, where the signs of the numbers decide which
branches are taken.
"""

import math
import os
import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import function_of
from tests.engines.specialised.compared import differences

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

START = """
def program(x):
    s = x[0]
    d = {0: x[0], 1: x[1] * 2.0}
    g = {0: [x[2], s], 1: [x[1]]}
    h, q, seen, r = defaultdict(list), {}, set(), [x[1], 0.3]
    q[9] = [x[0]]
"""
END = """
    for k, v in d.items():
        s = s + v * (k + 1)
    for k in sorted(q):
        s = s + sum(q[k]) * 0.1
    return s + sum(g[0]) - g[1][0] + sum(r) * 0.2 + sum(sum(vs) for vs in h.values())
"""


class Programs:
    """The statements of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops: list[str] = []

    def pick(self, *given: str) -> str:
        return self.random.choice(given)

    def key(self) -> str:
        return self.pick("0", "1", "2", "3", *self.loops, *self.loops) + " % 4"

    def number(self) -> str:
        k = self.key()
        entries = (
            f"d.get({k}, s)",
            "d[0]",
            "sum(g[1])",
            "g[0][-1]",
            f"h[{k}][0] if {k} in h and h[{k}] else 0.5",
        )
        one = self.pick("s", f"x[{self.random.randrange(3)}]", *entries)
        return self.pick(one, f"math.sin({one})", f"0.5 * ({one} - s)")

    def statement(self, indent: int) -> list[str]:
        k, n = self.key(), self.number()
        simple = [
            f"s = {n}",
            f"s = s * 0.5 + {n}",
            f"d[{k}] = {n}",
            f"d[{k}] = d.get({k}, 0.0) + {n}",
            f"g[{self.pick('0', '1')}].append({n})",
            f"h[{k}].append({n})",
            f"q.setdefault({k}, []).append({n})",
            f"g[{self.pick('0', '1')}] = [{n}, {n}]",
            "g[1] = g[0]",
            f"r = g[{self.pick('0', '1')}]",
            f"r.append({n})",
            f"r[0] = {n}",
            f"q[{k}] = r",
            f"q[{k}] = [v * 0.5 for v in r]",
            f"seen.add({k})",
            "s = s + len(seen) * 0.1 * x[0]",
            "d = {i: v * 0.5 for i, v in d.items()}",
            "d[0] *= 0.9",
        ]
        several = [
            ["for k, v in d.items():", f"    d[k] = v * 0.7 + {self.pick('s', 'x[1]')}"],
            ["for v in d.values():", "    s = math.cos(s) + v"],
            ["for k, v in d.items():", "    d[0] = d[0] * 0.5 + v * 0.1"],
            ["for k, vs in g.items():", f"    vs.append({self.pick('s', 'x[0]')} * k)"],
            ["for k in sorted(q):", "    s = s + sum(q[k]) * 0.1 * (k + 1)"],
            ["for k, vs in q.items():", "    s = s + max(vs) * 0.2 - vs[0] * k * 0.1"],
            ["for k, vs in sorted(h.items()):", "    s = s + len(vs) * 0.1 * x[1]"],
            ["for k in seen:", f"    s = s + k * {self.pick('x[2]', 's')} * 0.1"],
            [f"if {k} in d:", f"    s = s + d[{k}]"],
            [f"if {k} not in seen:", f"    seen.add({k})", f"    s = s * 0.5 + {n}"],
        ]
        kind = self.random.random()
        if kind < 0.15 and indent < 3:
            counter = f"k{len(self.loops)}"
            self.loops.append(counter)
            body = self.block(indent + 1, self.random.randint(1, 3))
            self.loops.pop()
            return [f"for {counter} in range({self.random.randint(1, 3)}):", *body]
        if kind < 0.27 and indent < 3:
            test = self.pick("s > 0.3", "x[1] > 0.0", "d[0] > s")
            return [f"if {test}:", *self.block(indent + 1, 2), "else:", *self.block(indent + 1, 1)]
        return self.random.choice(several) if kind < 0.5 else [self.random.choice(simple)]

    def block(self, indent: int, count: int) -> list[str]:
        return ["    " + line for _ in range(count) for line in self.statement(indent)]

    def text(self) -> str:
        return START + "\n".join(self.block(1, 9)) + END


COUNT = 24 * int(os.environ.get("CHAINRULES_FUZZ", "1"))
FIRST = int(os.environ.get("CHAINRULES_FUZZ_FIRST", "0"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_a_program(seed: int) -> None:
    f = function_of(Programs(seed).text(), {"math": math, "defaultdict": defaultdict})
    numbers = np.random.default_rng(seed)
    points = [numbers.normal(size=3) for _ in range(3)]
    with specialised_after(1, compared=True):
        for x in [*points, *points[:2]]:
            try:
                found: Any = cr.grad(f)(x)
            except cr.core.ChainRulesError:
                return  # the ordinary program refuses it by name
            slopes = differences(f, x)
            size = np.max(np.abs(slopes), initial=1.0)
            if size > 1e3:
                return  # too steep for differences
            np.testing.assert_allclose(found, slopes, rtol=1e-5, atol=1e-6 * size)
    v = np.array([0.3, -0.5, 0.7])
    with specialised_after(1, compared=True):
        for _ in range(3):
            _, dy = cr.jvp(f, (points[0],), (v,))
    np.testing.assert_allclose(dy, differences(f, points[0]) @ v, rtol=1e-5, atol=1e-5)
