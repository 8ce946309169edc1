"""Unused: steps whose value nobody reads, and that can do nothing else.

They come from loops that were unrolled, from tuples of which only the items are asked for, and from what
rules give on beside what is asked for.
"""

from __future__ import annotations

from collections import Counter

from .statements import RESULT
from .steps import Step, walk

_PURE = frozenset({"pack", "tuple", "copy"})


def without_unused(steps: list[Step], results: set[str]) -> list[Step]:
    """The steps without those that are of no use; `results` are variables that are read in the end."""
    while True:
        uses = Counter(n for s in walk(steps) for n in (*s.args, *s.names))
        uses.update(n for s in walk(steps) for n in s.facts.get("names", ()))
        uses.update([RESULT, *results])
        before = sum(1 for _ in walk(steps))
        steps = _cleaned(steps, uses)
        if sum(1 for _ in walk(steps)) == before:
            return steps


def _cleaned(steps: list[Step], uses: Counter[str]) -> list[Step]:
    out = []
    for s in steps:
        s.body, s.orelse = _cleaned(s.body, uses), _cleaned(s.orelse, uses)
        pure = s.op in _PURE or (s.op == "call" and "counts" in s.facts and s.facts["counts"] != "min")
        pure = pure or "given on" in s.facts
        if not (pure and s.target and not uses[s.target]):
            out.append(s)
    return out
