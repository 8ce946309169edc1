"""Versions: one variable for each assignment among steps that run one after another.

    h = x @ w[0]                h_1 = x @ w[0]
    h = h @ w[1]                h = h_1 @ w[1]

The turns of a loop that is written out assign to one variable what may be of another kind each time. The last
assignment of a block keeps the name, under which it is read after the block, or by the next turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from .statements import RESULT
from .steps import Step, renamed, walk
from .turns import walk_outside_loops


def versioned(steps: list[Step], fresh: Callable[[str], str]) -> list[Step]:
    """The steps, changed so."""
    kept = {RESULT}
    for s in walk(steps):
        kept.update(s.facts.get("names", ()), s.facts.get("results", ()))
    _block(steps, fresh, kept)
    return steps


def _block(steps: list[Step], fresh: Callable[[str], str], kept: set[str]) -> None:
    for s in steps:
        _block(s.body, fresh, kept)
        _block(s.orelse, fresh, kept)
    if any(s.op == "break" for s in walk_outside_loops(steps)):
        return  # after which a name is read as it was then
    inside = {x.target for s in steps for x in walk([*s.body, *s.orelse])}
    inside |= {s.target for s in steps if s.op == "loop"}
    left = Counter(s.target for s in steps if s.target and s.target not in inside | kept)
    now: dict[str, str] = {}
    for s in steps:
        if now:
            for x in walk([s]):
                _read(x, now)
        if s.target in left:
            left[s.target] -= 1
            if left[s.target]:
                now[s.target] = fresh(f"{s.target}_")
                s.target = now[s.target]
            else:
                now.pop(s.target, None)


def _read(s: Step, now: dict[str, str]) -> None:
    """Let a step read the versions that there are now."""
    s.args = tuple(now.get(a, a) for a in s.args)
    s.text = renamed(s.text, {n: now[n] for n in s.names if n in now})
    s.names = tuple(now.get(n, n) for n in s.names)
    if isinstance(s.facts.get("of"), str):
        s.facts["of"] = now.get(s.facts["of"], s.facts["of"])
