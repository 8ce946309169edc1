"""Sharing: which functions have to be part of their caller's text.

Those that are given or return a list or an object, or a dictionary of which entries may be set, those that
may write into what they were given, and those that take items whose place only the caller tells. Read off the
text, with the kinds that were seen; where it is not clear, a function counts as one that writes.
"""

from __future__ import annotations

from typing import Any

from ..reading.arguments import defaults_of, is_literal, is_plain, takes_names, takes_rest
from ..reading.calls import is_users
from ..reading.composed import Keyed, Kind, Made
from ..reading.kinds import MIXED, has_list, has_object, is_array, is_tuple
from ..reading.steps import RESIZES, Step, is_name
from .freshness import is_fresh
from .recording import Profile

_PASSES = frozenset({"copy", "iter", "get", "attr", "tuple", "list", "setattr", "closure"})
_CHANGES = frozenset({"set", "setkey", "setattr"}) | RESIZES


def needed(session: Any, callee: tuple[Any, ...]) -> bool:
    """Whether a function has to be part of the text of whoever calls it."""
    profile = session.profiles[callee]
    kinds = (*profile.kinds, profile.result)
    if takes_rest(profile.f) or takes_names(profile.f) or tells(profile):
        return True
    if any(k is not None and (has_list(k) or has_object(k)) for k in kinds):
        return True
    if any(type(k) is Keyed for k in kinds) and _sets_keys(session):
        return True
    defaults = defaults_of(profile.f)
    if all(map(is_plain, defaults)) and not all(map(is_literal, defaults)):
        return True
    return writes(profile) or _chooses(profile)


def stands_alone(profile: Profile) -> bool:
    """Whether a function that calls itself can have a text of its own, which gets objects as tuples."""
    kinds = (*profile.kinds, profile.result)
    if tells(profile):
        return False
    if takes_rest(profile.f) or takes_names(profile.f) or any(k is not None and has_list(k) for k in kinds):
        return False
    if profile.result is not None and has_object(profile.result):
        return False
    return not any(type(k) is Keyed for k in kinds) and not writes(profile) and not _chooses(profile)


def _sets_keys(session: Any) -> bool:
    """Whether a function of the call tree sets an entry of a dictionary."""
    profiles = session.profiles.values()
    by_name = any(way in ("entry", "update") for p in profiles for way in p.ways.values())
    return by_name or any(s.op == "setkey" for p in profiles for s in p.reading.every)


def _chooses(profile: Profile) -> bool:
    """Whether a function takes an item of a tuple or dictionary that its caller may know by its place."""
    kinds = dict(zip(profile.reading.parameters, profile.kinds, strict=True))
    kinds.update({s.target: profile.seen.get(s.number) for s in profile.reading.every if s.target})
    return any(s.op == "get" and s.names and is_tuple(kinds.get(s.args[0])) for s in profile.reading.every)


def _in_order(profile: Profile, number: int) -> list[Any]:
    """Whom a step called, one after the other; a method of a dictionary calls none."""
    return [c for way, c in profile.callees_in_order.get(number, ()) if way != "dictionary"]


def all_callees(profile: Profile) -> set[Any]:
    """Whom a function calls."""
    in_order = (c for number in profile.callees_in_order for c in _in_order(profile, number))
    return {*profile.callees.values(), *in_order} - {None}


def calls_itself(profile: Profile) -> bool:
    """Whether a function calls itself, or one that calls it."""
    return profile in _called_by(profile)


def tells(profile: Profile) -> bool:
    """Whether a function prints, or puts something into a list from outside, or one that it calls."""
    every = (profile, *_called_by(profile)) if profile.session.manner.tells else ()
    return any("tells" in s.facts for p in every for s in p.reading.every)


def _called_by(profile: Profile) -> list[Profile]:
    """The functions that one calls, and those that they call."""
    found: dict[Any, Profile] = {}
    left = [profile]
    while left:
        for key in all_callees(left.pop()) - found.keys():
            if not isinstance(key[0], type):
                found[key] = profile.session.profiles[key]
                left.append(found[key])
    return [*found.values()]


def writes(profile: Profile, open_: tuple[Profile, ...] = (), holding: bool = False) -> bool:
    """Whether a function may write into what it was given, or what it reads from outside.

    `holding`: whether the object that it is given to set its fields holds what was given already.
    """
    known: bool | None = None if holding else profile.writes
    if known is None:
        known = profile not in open_ and _writes(profile, (*open_, profile), holding)
        if not open_ and not holding:
            profile.writes = known
    return known


def _writes(profile: Profile, open_: tuple[Profile, ...], holding: bool) -> bool:
    every = profile.reading.every
    given = {p for p, k in zip(profile.reading.parameters, profile.kinds, strict=True) if _holds(k)}
    given -= {p for p in given if _is_new(profile, p) and not holding}  # until it holds what was given
    before = -1
    while len(given) != before:
        before = len(given)
        for s in every:
            if s.op == "setattr" and s.args[1] in given and _is_new(profile, s.args[0]):
                given.add(s.args[0])
            passes = s.op in _PASSES or (s.op in ("call", "method") and _hands_on(profile, s))
            if passes and s.target and any(a in given for a in s.args) and _holds(profile.seen.get(s.number)):
                given.add(s.target)
    for s in every:
        in_place = s.op == "binary" and s.facts.get("in place") and _holds(profile.seen.get(s.number))
        outside = bool(s.args) and (s.args[0] in given or not is_name(s.args[0]))
        own = s.op == "setattr" and _is_new(profile, s.args[0])
        changes = in_place or s.op in _CHANGES or s.number in profile.changes
        if changes and outside and not own:
            return True
        callees = {profile.callees.get(s.number)}
        callees |= {*_in_order(profile, s.number)}
        for callee in callees:
            if callee is None or isinstance(callee[0], type):
                continue
            inner = profile.session.profiles[callee]
            held = any(a in given and _is_new(profile, a) for a in s.args)
            if writes(inner, open_, held) and any(a in given or not is_name(a) for a in s.args):
                return True
    return False


def _holds(k: Kind) -> bool:
    """Whether what is of this kind can be written into."""
    if isinstance(k, tuple):
        return k[0] == "O" or type(k) in (Made, Keyed) or (is_tuple(k) and any(map(_holds, k[1:])))
    return k in ("L", MIXED) or is_array(k) or (type(k) is str and k[0] in "jm")


def _is_new(profile: Profile, name: str) -> bool:
    """Whether this is the object that a constructor makes."""
    k = profile.kinds[0] if profile.kinds else None
    return isinstance(k, tuple) and k[0] == "O" and name == profile.reading.parameters[0]


def _hands_on(profile: Profile, s: Step) -> bool:
    """Whether a call may return what it was given."""
    f = profile.called.get(s.number) if s.number not in profile.several else None
    return f is None or is_users(f) or not is_fresh(f, s)
