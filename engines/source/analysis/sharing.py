"""Sharing: which names of a function may stand for the same object, or for what another holds.

Names that may share memory are one group, wherever they are bound; a group may hold another, as
a list holds what was put into it. Changing an object changes what holds it, not what it holds;
changing something deep inside it may change either. Groups are decided from the syntax and err on the
side of sharing; whether two objects really share anything is asked as the program runs (see aliases.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ..reading.resolver import Resolver
from ..syntax.kinds import ASSIGNMENTS, BINDINGS, COMPREHENSIONS, SEQUENCES
from ..syntax.scopes import (
    Names,
    assigned,
    base,
    binds,
    captured,
    children,
    default_reads,
    own,
    rebinds_outer,
)
from .buffers import arrays_of_numbers
from .numbers import floats, is_number

_NONE: Names = frozenset()
_CONTAINERS = frozenset((ast.List, ast.Tuple, ast.ListComp, ast.Dict, ast.DictComp))
_MAKING = _CONTAINERS | {ast.Set, ast.SetComp}
_NUMBERS = frozenset((ast.Constant, ast.UnaryOp, ast.Compare, ast.JoinedStr))


class Sharing:
    """Which names may share memory, and which may hold which: told from every statement of a body."""

    def __init__(self, resolver: Resolver, body: list[ast.stmt], statements: list[ast.stmt]) -> None:
        self.resolver = resolver
        resolver.containers, resolver.floats = _containers(statements, resolver), floats(statements)
        self.same: dict[str, Names] = {}
        numbers = arrays_of_numbers(body, statements, resolver)
        held: list[tuple[str, str]] = []  # (holder, what it holds)
        self.summed: dict[str, set[str]] = {}  # what lists have the items of, as c of a and b in `c = a + b`
        self.sums: dict[str, set[str]] = {}  # the other way round
        self.parts: set[str] = set()  # names of what was read out of something, which may hold it
        handed: list[tuple[Names, Names]] = []  # what is bound to what names
        keeping: list[ast.Call] = []  # the calls after which one argument may hold another
        for s in statements:
            may_keep = [e for e in own(s).calls if resolver.may_hold(e)]
            keeping += may_keep
            links = [self._kept(e) for e in may_keep]
            if isinstance(s, BINDINGS):
                for target, value in pairs(s):
                    links += self._assigned(target, value, handed)
            elif isinstance(s, ast.FunctionDef):
                links.append(frozenset({s.name}).union(captured(s), default_reads(s), rebinds_outer(s)))
            elif isinstance(s, ast.For):
                self.parts |= assigned(s.target)
                links.append(with_items(s.iter, resolver) | assigned(s.target))
            elif isinstance(s, ast.With):
                named = [(i.context_expr, i.optional_vars) for i in s.items if i.optional_vars is not None]
                for e, v in named:  # what a manager was given may be read out of something
                    self.parts |= assigned(v)
                    links.append(shared(e, resolver) | assigned(v))
            for linked in links:
                if len(linked) > 1:
                    self._link(linked)
            held += self._held(s)
            self._join(s)
        while more := {n for to, of in handed if not self.parts.isdisjoint(of) for n in to} - self.parts:
            self.parts |= more
        self.holders: dict[str, set[str]] = {}
        self.holding: dict[str, set[str]] = {}
        self._reached: dict[tuple[str, bool], Names] = {}
        for holder, name in held:
            if holder in numbers:
                continue
            self.holders.setdefault(name, set()).add(holder)
            self.holding.setdefault(holder, set()).add(name)
        put = [*map(self._put_into_parts, statements), *map(self._put_by, keeping)]
        self._through_parts([(h, n) for pairs in put for h, n in pairs if h not in numbers])

    def _through_parts(self, put: list[tuple[str, str]]) -> None:
        """What is put into a part of something is held by all that may be that part."""
        while put:
            names = ((m, n) for holder, n in put for m in self.reached(holder, True) if m != n)
            new = [(m, n) for m, n in names if m not in self.holders.get(n, ())]
            self._reached.clear()
            if not new:
                return
            for m, n in new:
                self.holders.setdefault(n, set()).add(m)
                self.holding.setdefault(m, set()).add(n)

    def _put_into_parts(self, s: ast.stmt) -> list[tuple[str, str]]:
        """Of what a statement puts into what, that which goes into a part of something."""
        into = [p.value for p in own(s).stores if isinstance(p.ctx, ast.Store)]
        if isinstance(s, ast.AugAssign):
            into.append(s.target)
        into += [c for e in own(s).calls if (c := self.resolver.put_into(e)) is not None]
        return self._held(s) if any(map(self._is_inside, into)) else []

    def _put_by(self, call: ast.Call) -> list[tuple[str, str]]:
        """What a call of a function of the user's may put into parts of what it changes."""
        found: list[tuple[str, str]] = []
        every = (call.func, *call.args, *(k.value for k in call.keywords))
        for changed in self.resolver.changed(call):
            if changed is call.func:  # what it captured
                captured = self.same.get(getattr(changed, "id", ""), _NONE)
                found += [(o, n) for o in captured for n in captured if o != n]
            elif self._is_inside(changed) or self.resolver.is_deep(call):
                put = _all_shared([a for a in every if a is not changed], self.resolver)
                found += [(o, n) for o in base(changed) for n in put]
        return found

    def _is_inside(self, e: ast.expr) -> bool:
        """Whether an expression may be a part of something."""
        return not isinstance(e, ast.Name) or self.is_part(e.id)

    def reached(self, name: str, deep: bool) -> Names:
        """The names that may see a change of an object, or, if it is deep, of something inside it."""
        deep = deep or self.is_part(name)
        known = self._reached.get((name, deep))
        if known is not None:
            return known
        # by name and whether it holds the object: whether what it is a sum of may see the change, too
        reached: dict[tuple[str, bool], bool] = {}
        pending = [(name, False, True)]
        while pending:
            met, holds, summed = pending.pop()
            for n in self.same.get(met, frozenset()) | {met}:
                if (n, holds) in reached and reached[n, holds] >= summed:
                    continue
                reached[n, holds] = summed
                pending += [(x, True, summed) for x in self.holders.get(n, ())]
                if holds or deep:
                    pending += [(x, True, False) for x in self.sums.get(n, ())]
                if deep:
                    pending += [(x, holds, summed) for x in self.holding.get(n, ())]
                    pending += [(x, holds, True) for x in self.summed.get(n, ()) if summed]
        found = self._reached[name, deep] = frozenset(n for n, _ in reached)
        return found

    def is_part(self, name: str) -> bool:
        """Whether a name may stand for what something else holds."""
        return name in self.parts

    def _join(self, s: ast.stmt) -> None:
        """Note what may be, or get, a list that has the items of others, as in `c = a + b`."""
        given: list[tuple[ast.expr, ast.expr]] = []  # what gets it, and what that may be
        if isinstance(s, BINDINGS):
            given += pairs(s)
        elif isinstance(s, ast.AugAssign) and isinstance(s.op, ast.Add | ast.BitOr):
            given.append((s.target, ast.copy_location(ast.BinOp(s.target, s.op, s.value), s)))
        for e in own(s).calls:
            if (changed := self.resolver.put_into(e)) is not None:
                given += [(changed, a) for a in (*e.args, *(k.value for k in e.keywords)) if a is not changed]
        for owner, value in given:
            others = _all_shared([*_joined_in(value, self.resolver)], self.resolver)
            self.parts |= assigned(owner) if others and isinstance(owner, SEQUENCES) else _NONE
            for name in assigned(owner) | base(owner) if others else ():
                for other in others - {name}:
                    self.summed.setdefault(name, set()).add(other)
                    self.sums.setdefault(other, set()).add(name)

    def _link(self, linked: Names) -> None:
        """These names may share memory."""
        linked = frozenset(filter(self.resolver.is_value, linked))
        united = linked.union(*(self.same.get(n, _NONE) for n in linked))
        self.same.update(dict.fromkeys(united, united))

    def _assigned(self, target: ast.expr, value: ast.expr, handed: list[tuple[Names, Names]]) -> list[Names]:
        """What an assignment links: a target with its own value where both are written out."""
        bound, of = binds(target), shared(value, self.resolver)
        several = isinstance(target, SEQUENCES)
        makes, items = _makes(value, self.resolver), with_items(value, self.resolver)
        if not items and not several:
            return []
        if items and (several or not (makes or isinstance(value, ast.Name | ast.BinOp))):
            self.parts |= bound  # read out of something
        if of and not makes:
            handed.append((bound, of))
        return [of | bound] if several or (of and not makes) else []

    def _held(self, s: ast.stmt) -> list[tuple[str, str]]:
        """What a statement puts into what: pairs of the holder and what it holds."""
        held: list[tuple[str, str]] = []
        if isinstance(s, ASSIGNMENTS) and s.value is not None:
            numbers = isinstance(s, ast.AugAssign) and not any(
                _is_container(e, self.resolver) for e in (s.value, s.target)
            )
            value = _NONE if numbers else shared(s.value, self.resolver)
            if value:
                held += [(owner, n) for t in _targets(s) for owner in assigned(t) for n in value]
        for e in own(s).calls:
            if (changed := self.resolver.put_into(e)) is not None:
                given = (a for a in (*e.args, *(k.value for k in e.keywords)) if a is not changed)
                put = _all_shared([*given], self.resolver)
                held += [(owner, n) for owner in base(changed) for n in put]
        return [(owner, n) for owner, n in held if owner != n and self.resolver.is_value(owner)]

    def _kept(self, call: ast.Call) -> Names:
        """What a call that may keep its arguments anywhere links: its owner and all that it is given."""
        return _all_shared([call.func, *call.args, *(k.value for k in call.keywords)], self.resolver)


def _targets(s: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[ast.expr]:
    return s.targets if isinstance(s, ast.Assign) else [s.target]


def pairs(s: ast.Assign | ast.AnnAssign) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment with their values, one by one where both are written out."""
    if type(s) is ast.Assign and len(s.targets) == 1 and type(s.targets[0]) is ast.Name:
        return [(s.targets[0], s.value)]
    return [] if s.value is None else [p for t in _targets(s) for p in _paired(t, s.value)]


def _paired(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(target, SEQUENCES) and isinstance(value, SEQUENCES):
        starred = any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts))
        if len(target.elts) == len(value.elts) and not starred:
            pairs = zip(target.elts, value.elts, strict=True)
            return [found for t, v in pairs for found in _paired(t, v)]
    return [(target, value)]


def _makes(e: ast.expr, resolver: Resolver) -> bool:
    """Whether the value of an expression is a new object that only holds what it was made of."""
    if isinstance(e, ast.Call):
        f = e.func
        copying = isinstance(f, ast.Attribute) and f.attr == "copy" and not any(resolver.methods_of(f))
        return copying or isinstance(resolver.value(e.func)[1], type)
    return type(e) in _MAKING


def shared(e: ast.expr, resolver: Resolver) -> Names:
    """The variables with whose objects the value of an expression may share memory, or that it may hold."""
    if type(e) is ast.Name:
        return resolver.as_value(e.id)
    found = resolver.shared.get(e)
    if found is None:
        found = resolver.shared[e] = _names_shared(e, resolver)
    return found


def with_items(e: ast.expr, resolver: Resolver) -> Names:
    """The same, with the variables whose items it has where sums and products in it are of lists."""
    return shared(e, resolver).union(*(shared(x, resolver) for x in _joined_in(e, resolver)))


def _joined_in(e: Any, resolver: Resolver) -> Iterator[ast.expr]:
    """What is added or repeated in what an expression gives, or takes an item of, if that is no number."""
    kind = type(e)
    if kind in _NUMBERS or (kind is ast.Call and resolver.is_fresh(e) and not _joins_lists(e, resolver)):
        return
    if kind is ast.Lambda:  # with the names that it captured
        yield from [e] if any(True for _ in _joined_in(e.body, resolver)) else []
        return
    if kind is ast.BinOp:
        if is_number(e, resolver):
            return
        yield e.left
        yield e.right
    parts = [e.value] if kind is ast.Subscript else [e.body, e.orelse] if kind is ast.IfExp else children(e)
    for part in parts:
        yield from _joined_in(part, resolver)


def _is_container(e: Any, resolver: Resolver) -> bool:
    """Whether an expression is seen to be a list, a tuple or a dict."""
    kind = type(e)
    if kind is ast.Name:
        return e.id in resolver.containers
    if kind is ast.BinOp:
        return _is_container(e.left, resolver) or _is_container(e.right, resolver)
    if kind is ast.Call:
        made = resolver.value(e.func)[1]
        return made is list or made is tuple or made is dict or made is sorted
    return kind in _CONTAINERS


def _containers(statements: list[ast.stmt], resolver: Resolver) -> Names:
    """The names that are bound to what is seen to be one."""
    assigned = [s for s in statements if isinstance(s, ast.Assign)]
    return frozenset[str]().union(*(binds(s) for s in assigned if _is_container(s.value, resolver)))


def _names_shared(e: Any, resolver: Resolver) -> Names:
    kind = type(e)
    if kind is ast.BinOp:
        if not (_is_container(e.left, resolver) or _is_container(e.right, resolver)):
            return _NONE
        return shared(e.left, resolver) | shared(e.right, resolver)  # what is joined shares its items
    if kind in _NUMBERS:
        return _NONE
    if kind is ast.Call:
        if resolver.is_fresh(e) and not _joins_lists(e, resolver):
            return _NONE
        return _all_shared([e.func, *e.args, *(k.value for k in e.keywords)], resolver)
    if kind is ast.Subscript:
        return shared(e.value, resolver)
    if kind is ast.IfExp:
        return shared(e.body, resolver) | shared(e.orelse, resolver)
    if kind is ast.Lambda:
        return frozenset(filter(resolver.is_value, captured(e) | default_reads(e)))
    if kind in COMPREHENSIONS:
        items = [e.key, e.value] if kind is ast.DictComp else [e.elt]
        return _all_shared([*items, *(g.iter for g in e.generators)], resolver)
    return _all_shared([n for n in children(e) if isinstance(n, ast.expr)], resolver)


def _joins_lists(e: ast.Call, resolver: Resolver) -> bool:
    """Whether this is `sum(lists, [])`."""
    start = [*e.args[1:], *(k.value for k in e.keywords)]
    return bool(start) and resolver.value(e.func)[1] is sum and not isinstance(start[0], ast.Constant)


def _all_shared(expressions: list[ast.expr], resolver: Resolver) -> Names:
    return _NONE.union(*[shared(e, resolver) for e in expressions])
