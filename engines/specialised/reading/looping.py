"""Looping: loops that others stand in the place of.

for k, v in d.items(): …            n = len(d)
                                    for k in d.keys(): v = d[k]; …
                                    assert len(d) == n

for i in count(a, b): …             n = a
                                    while True: i = n; n += b; …

for v in xs:                        left = False
    if v > 1:                       for v in xs:
        break                           if v > 1:
else:                                       left = True; break
    v = 0                           if not left: v = 0

An entry that a loop over a dictionary sets is what it is when its turn comes. Where the loop changes how many
there are, Python raises: then the ordinary program runs.
"""

from __future__ import annotations

import ast
from typing import Any

from .declined import Declined
from .quoted import statements
from .reader import Reader

_OVER_KEYS = """
size_ = len(d)
for key_ in d.keys():
    target = {entry}
    body
assert len(d) == size_
"""
_WITHOUT_END = """
count_ = start
while True:
    target = count_
    count_ += step
    body
"""
_WITH_BRANCH = """
left = False
loop
if not left:
    behind
"""


def is_view(e: ast.expr) -> bool:
    """Whether this is `d.items()` or `d.values()`."""
    match e:
        case ast.Call(ast.Attribute(ast.Name() | ast.Attribute(), "items" | "values"), [], []):
            return True
    return False


class Looping(Reader):
    """Writes these loops; Iterating reads them."""

    def over_keys(self, s: Any) -> list[ast.stmt]:
        """The statements for a loop over the entries of a dictionary."""
        owner, name = s.iter.func.value, s.iter.func.attr
        text = _OVER_KEYS.format(entry="(key_, d[key_])" if name == "items" else "d[key_]")
        return self.quoted(text, s, d=owner, target=s.target, body=s.body)

    def without_end(self, s: Any) -> list[ast.stmt]:
        """The statements for a loop over `itertools.count`, which somebody leaves."""
        start, step = [*s.iter.args, *[ast.Constant(0), ast.Constant(1)][len(s.iter.args) :]][:2]
        if s.iter.keywords or len(s.iter.args) > 2 or not isinstance(step, ast.Constant):
            raise Declined("a count with other arguments")
        return self.quoted(_WITHOUT_END, s, start=start, step=step, target=s.target, body=s.body)


def with_branch(loop: ast.For | ast.While, left: str) -> list[ast.stmt]:
    """The statements for a loop with an `else`; `left` is the variable that tells whether it was left."""
    found = _Breaks(left)
    loop.body = found.block(loop.body)
    behind, loop.orelse = loop.orelse, []
    if not found.count:
        return [loop, *behind]
    return statements(_WITH_BRANCH, loop, left=left, loop=[loop], behind=behind)


class _Breaks:
    """Notes in a variable where a loop is left."""

    def __init__(self, left: str) -> None:
        self.left = left
        self.count = 0

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of a block."""
        made: list[ast.stmt] = []
        for s in body:
            if isinstance(s, ast.Break):
                self.count += 1
                made += statements("left = True", s, left=self.left)
            for name in ("body", "orelse", "finalbody"):
                inside = getattr(s, name, None)
                if isinstance(inside, list) and not (name == "body" and isinstance(s, ast.For | ast.While)):
                    setattr(s, name, self.block(inside))
            for case in getattr(s, "cases", ()):
                case.body = self.block(case.body)
            made.append(s)
        return made
