"""Packing: objects in lists, as tuples of their fields.

    path.append(body)       path.append((body__pos, body__vel))
    b = path[i]             b__pos, b__vel = path[i]

That is done in lists of the text's own. The objects of one list are of one class, which its tuples do not
tell, and do not change: a field that is set belongs to an object of which it is known where it was made.
"""

from __future__ import annotations

from typing import Any

from .composed import Kind
from .declined import Declined
from .kinds import has_object, is_tuple, keys_of, made_of
from .levels import Levels
from .steps import Step, walk


def holds_packed(levels: Levels, name: str) -> bool:
    """Whether a list has objects as tuples."""
    put = levels.put(name)
    if not any(map(has_object, put)):
        return False
    if len(set(map(_form, put))) > 1 or levels.has_bare_lists(name):
        raise Declined("objects of several classes, or an object and something else, in a list")
    return True


def mark_packed(steps: list[Step], levels: Levels, records: bool) -> None:
    """Note which steps take an object out of a list that has it as a tuple.

    Declined where a list of objects is compared, or given to a function, which would compare their fields.
    `records`: whether lists in a list may be objects.
    """
    kind = levels.kind
    for s in walk(steps):
        if s.op == "get" and kind(s.args[0]) == "L" and has_object(kind(s.target)):
            s.facts["packed"] = holds_packed(levels, s.args[0])
        asked = s.op in ("call", "method") and s.facts.get("counts") != "len"
        asked = asked or (s.op == "compare" and s.text[:2] != "is")
        if asked and any(_has_objects(levels, a, records) for a in s.args):
            raise Declined("a list of objects that is compared, or given to a function")


def _has_objects(levels: Levels, name: str, records: bool) -> bool:
    """Whether a list has objects, or lists that may be or have some."""
    if levels.kind(name) != "L":
        return False
    if levels.holds_lists(name):
        return records or any(map(has_object, levels.everything()))
    return any(map(has_object, levels.put(name)))


def boxed(k: Kind) -> Kind:
    """The kind of the tuple in the place of an object, or of what has objects in it."""
    return ("T", *map(boxed, k[1:])) if has_object(k) else k


def _form(k: Kind) -> Any:
    """The class of an object, and those of what it holds."""
    return (made_of(k), keys_of(k), *map(_form, k[1:])) if is_tuple(k) else None
