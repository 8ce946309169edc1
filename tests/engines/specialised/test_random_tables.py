"""Random programs with dictionaries of numbers and of lists, sets, and loops that change them.

Gradients of specialised programs are held to differences, where the signs of the numbers decide which
branches are taken.
"""

import math
from collections import defaultdict

import pytest
from tests.engines.fuzzing import function_of
from tests.engines.specialised.random_statements import Statements, hold_program, seeds

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


class Programs(Statements):
    """The statements of one program."""

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

    def simple(self) -> list[str]:
        k, n = self.key(), self.number()
        return [
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

    def several(self) -> list[list[str]]:
        k, n = self.key(), self.number()
        return [
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

    def test(self) -> str:
        return self.pick("s > 0.3", "x[1] > 0.0", "d[0] > s")

    def text(self) -> str:
        return START + "\n".join(self.block(1, 9)) + END


@pytest.mark.parametrize("seed", seeds(24))
def test_a_program(seed: int) -> None:
    hold_program(function_of(Programs(seed).text(), {"math": math, "defaultdict": defaultdict}), seed)
