"""Passed: which arguments of a call get to which parameters, as far as the call itself tells.

Of a function written in Python by its code; of what has rules by the places that they say it changes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import FunctionType

from ....core.caches import new_cache
from ....core.registry import Rules
from ....core.signatures import bind

_STAR = 0x04  # the flag of code with *args


def given_to(call: ast.Call, f: FunctionType, positions: Iterable[int], before: int) -> list[ast.expr]:
    """The arguments that a call gives to these parameters of f, of which `before` are bound already."""
    names = f.__code__.co_varnames[: f.__code__.co_argcount + f.__code__.co_kwonlyargcount]
    found: list[ast.expr] = []
    for i in positions:
        place = i - before
        if i == len(names) + bool(f.__code__.co_flags & _STAR):  # of **kwargs
            found += [k.value for k in call.keywords if k.arg not in names]
        elif any(isinstance(a, ast.Starred) for a in call.args[: place + 1]) or i >= len(names):
            found += [a.value if isinstance(a, ast.Starred) else a for a in call.args]
        elif i < f.__code__.co_argcount and 0 <= place < len(call.args):
            found.append(call.args[place])
        else:
            found += [k.value for k in call.keywords if k.arg in (names[i], None)]
    return found


_slots: dict[tuple[Rules, int, tuple[str, ...]], list[int]] = new_cache()
"""For a form of call of what has rules: where the arguments stand that it changes."""


def mutated(rules: Rules) -> set[int]:
    """The data arguments that rules say they change."""
    return {i for m in rules.every for i in m.mutates}


def slots_changed(rules: Rules, positional: int, words: tuple[str, ...]) -> list[int]:
    """Where the arguments stand, of a call with so many and these keywords, that the rules change."""
    form = rules, positional, words
    found = _slots.get(form)
    if found is None:
        found = _slots[form] = _changed(*form)
    return found


def _changed(rules: Rules, positional: int, words: tuple[str, ...]) -> list[int]:
    changed = mutated(rules)
    if not changed or rules.split is None:
        return []
    data = bind(rules.split, positional, words).data
    return [slot for i in sorted(changed) if i < len(data) and isinstance(slot := data[i], int)]


ITSELF = -1
"""The place of what is called, where that may be an object which changes itself."""


def at_places(call: ast.Call, places: Iterable[int]) -> list[ast.expr]:
    """The positional arguments of a call at these places; all of them where a star comes before."""
    first = next((i for i, a in enumerate(call.args) if isinstance(a, ast.Starred)), len(call.args))
    if any(i >= first for i in places) and first < len(call.args):
        return [a.value if isinstance(a, ast.Starred) else a for a in call.args]
    return [call.args[i] for i in places if i < len(call.args)]
