"""Spreading: calls with stars, `f(x, *rest, **options)`, and functions of any number of arguments.

How many items a star stands for was seen in the recorded runs. In the texts they are arguments like any
other, each an item that is taken by its place; where there is another number of them the run is given up.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

from .composed import Keyed, Kind
from .declined import Declined
from .kinds import is_tuple, join
from .steps import Step

_MOST = 64


def joined(old: tuple[Kind, ...] | None, found: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """The kinds of what a star stands for, where that was met before."""
    if len(found) > _MOST:
        raise Declined("a star before many items")
    if old is not None and len(old) != len(found):
        raise Declined("a star before one number of items or another")
    return found if old is None else tuple(map(join, old, found))


def written_out(
    s: Step,
    stars: dict[str, tuple[Kind, Kind]],
    fresh: Callable[[str], str],
    number: Callable[[Kind], int],
) -> list[Step]:
    """A call without stars, behind the steps that take the items; `stars` has the kinds of what they are."""
    out: list[Step] = []
    args: list[str] = []
    keywords: list[str] = []
    count = len(s.args) - len(s.keywords)
    for i, a in enumerate(s.args):
        if i not in s.facts["stars"]:
            args.append(a)
            keywords += s.keywords[i - count : i - count + 1] if i >= count else ()
            continue
        whole, kinds = stars[a]
        if i >= count:
            if not isinstance(whole, Keyed):
                raise Declined("two stars before dictionaries of other keys")
            for key, k in zip(whole.keys, kinds, strict=True):
                item = Step("get", fresh("item"), (a,), s.line, repr(key))
                item.number = number(k)
                out.append(item)
                args.append(item.target)
                keywords.append(key)
            continue
        if not kinds and not is_tuple(whole) and whole != "H":
            raise Declined("a star before nothing")
        for place, k in enumerate(kinds):
            item = Step("get", fresh("item"), (a,), s.line, str(place))
            item.number = number(k)
            item.facts["of"] = len(kinds)
            out.append(item)
            args.append(item.target)
    call = copy.copy(s)
    call.keywords = tuple(keywords)
    call.args, call.facts = tuple(args), {k: v for k, v in s.facts.items() if k != "stars"}
    return [*out, call]
