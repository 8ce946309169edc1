"""Unset: variables of a function that may be read before they are set.

Python raises there. Where the function is part of a loop's text, the variable would still hold what the last
iteration left: it is cleared first, and tested where it is read.
"""

from __future__ import annotations

from .steps import Step, walk


class Unset:
    """What a variable holds that was not set."""


def unsure(steps: list[Step], known: set[str]) -> set[str]:
    """The variables of these steps that may be read before these steps set them; these are known before."""
    own = {s.target for s in walk(steps) if s.target}
    found: set[str] = set()
    _go(steps, set(known), own, found)
    return found


def _go(steps: list[Step], known: set[str], own: set[str], found: set[str]) -> bool:
    """Follow the steps; whether they go on to the next."""
    for s in steps:
        found |= {n for n in (*s.args, *s.names) if n in own and n not in known}
        if s.op == "if":
            arms = [(set(known), s.body), (set(known), s.orelse)]
            going = [k for k, arm in arms if _go(arm, k, own, found)]
            if not going:
                return False
            known |= set.intersection(*going)
        elif s.op == "loop":
            _go(s.body, {*known, s.target}, own, found)
        elif s.op in ("break", "deopt"):
            return False
        elif s.target:
            known.add(s.target)
    return True
