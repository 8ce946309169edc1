"""Writers: which parameters a Python function may change in place, told from its source.

Whoever runs a function more often has to know before. A global function is known then. Of a method, the
class is not; so a method counts as a writer when any class that the function can name, or whose
objects an engine was given, has one by that name that is.

Functions that call one another are found out together, in rounds, until nothing changes. Those of
installed libraries are asked for their own stores only. Those of this one write nothing unsaid, but in
rules: one that is called by a rule that mutates is looked into where it writes by itself.
"""

from __future__ import annotations

import ast
import inspect
import sysconfig
import threading
from collections.abc import Iterable
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from ....core.caches import emptied
from ....core.installed import is_followed
from ....tangents.own_dict import own_dict
from ..reading.callees import WRITING
from ..reading.generated import load_with_source, tell
from ..reading.imports import imported
from ..reading.locate import locate, names_in
from ..reading.resolver import CHANGING, SETTERS, Resolver
from ..syntax.codes import ByCode, content_of, stores
from ..syntax.scopes import binds, parameter_names, rebinds_outer
from ..syntax.trees import place
from .held_functions import NOWHERE, in_body, is_held
from .local_classes import local_methods
from .made_objects import classes_made
from .makers_of import made_by
from .mutation import Mutation
from .stored import bound_by, counts, in_full, positions_written

Positions = frozenset[int]

_known: ByCode[Positions] = emptied(ByCode())
_deep: ByCode[bool] = emptied(ByCode())  # whether something inside a parameter may change
OUTER: ByCode[frozenset[str]] = emptied(ByCode())  # the captured variables whose objects may change
REBOUND: ByCode[frozenset[str]] = emptied(ByCode())  # those that are bound anew
OWNERS: ByCode[frozenset[str]] = emptied(ByCode())  # the names of what may change, also outside
COUNTED: ByCode[frozenset[str]] = emptied(ByCode())  # those in which something is counted
_told: ByCode[dict[Positions, Positions]] = emptied(ByCode())  # where functions are held that change things
_Key = tuple[CodeType, Positions]
_finding = threading.RLock()  # held while what follows is read or written
_open: dict[_Key, Positions] = {}  # what is known so far, while a function and its callees are found out
_round: set[_Key] = set()
_running: set[_Key] = set()
_guessed: set[_Key] = set()  # those of a round that were asked while they were being found out
_methods: dict[str, list[FunctionType]] = {}
_met: set[type] = set()
INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_OWN = tuple(f"chainrules.{part}." for part in ("core", "engines", "tangents"))
_RULES = ("chainrules.rules.", "chainrules.core.ufuncs")


def writes(f: FunctionType, held: Positions = NOWHERE) -> Positions:
    """The parameters that f may change in place, counted as `parameter_names` orders them.

    `held`: the places at which functions that f may be given change what they are given (held.py).
    """
    held = held if held and is_users(f) else NOWHERE
    found = _known.get(f.__code__) if not held else (_told.get(f.__code__) or {}).get(held)
    if found is None:
        with _finding:  # one thread at a time: what is open is no answer to another
            found = _inside(f, held) if _round else _found_out(f, held)
    return found


def is_users(f: FunctionType) -> bool:
    """Whether a function is none of an installed library, nor of this one."""
    installed = f.__code__.co_filename.startswith(INSTALLED)
    return not (installed or (f.__module__ or "").startswith("chainrules."))


def users_writes(f: FunctionType) -> Positions:
    """What `writes` says of those."""
    return writes(f) if is_users(f) else NOWHERE


def _found_out(f: FunctionType, held: Positions) -> Positions:
    try:
        while True:
            before = dict(_open)
            _round.clear()
            _guessed.clear()
            _inside(f, held)
            if not _guessed or _open == before:
                break
        for (code, given), positions in _open.items():
            if not given:
                _known[code] = positions
            else:
                _told[code] = (_told.get(code) or {}) | {given: positions}
        return _open[f.__code__, held]
    finally:
        _open.clear()
        for state in (_round, _running, _guessed):
            state.clear()


def _inside(f: FunctionType, held: Positions) -> Positions:
    """The answer so far, found anew once in each round."""
    key = f.__code__, held
    if key in _running:
        _guessed.add(key)
    elif key not in _round:
        _round.add(key)
        _running.add(key)
        _open[key] = _find(f, held) | _open.get(key, NOWHERE)
        _running.discard(key)
    return _open.get(key, NOWHERE)


def _find(f: FunctionType, held: Positions) -> Positions:
    installed, module = f.__code__.co_filename.startswith(INSTALLED), f.__module__ or ""
    if module.startswith(_RULES):
        if not (WRITING | CHANGING).isdisjoint(f.__code__.co_names) or stores(f.__code__):
            installed = False
        else:
            return frozenset()
    elif module.startswith(_OWN) or (installed and not stores(f.__code__)):
        return frozenset()
    try:
        node = locate(f.__code__).node
    except Exception:  # no source: making a program of it says why
        return frozenset()
    body: list[ast.stmt] = (
        [place(ast.Return(node.body), node.body)] if isinstance(node, ast.Lambda) else node.body
    )
    ordered = parameter_names(node.args)
    whole, body = body, in_full(body)
    mutation = Mutation(body, resolver_of(f, ordered, body, alone=installed, held=held))
    changed = frozenset[str]().union(*map(mutation.affected, mutation.statements))
    OWNERS[f.__code__] = mutation.owners(frozenset(f.__code__.co_freevars)) | (
        OWNERS.get(f.__code__) or frozenset()
    )
    REBOUND[f.__code__] = rebound = frozenset[str]().union(*map(rebinds_outer, whole))
    if f.__code__.co_freevars:
        counting = frozenset[str]().union(*map(mutation.affected, filter(counts, mutation.statements)))
        COUNTED[f.__code__] = counting.intersection(f.__code__.co_freevars)
        telling = [s for s in mutation.statements if not counts(s)]
        new = rebound & frozenset[str]().union(*map(bound_by, telling))
        outer = new.union(*map(mutation.affected, telling))
        told = OUTER.get(f.__code__) or frozenset()
        OUTER[f.__code__] = told | outer.intersection(f.__code__.co_freevars)
    inside = _changed_inside(mutation)
    _deep[f.__code__] = not inside.isdisjoint(ordered) or _deep.get(f.__code__) is True
    if node.args.kwarg is not None:  # a dict of the function's own
        changed -= {node.args.kwarg.arg} - inside
    return frozenset(i for i, n in enumerate(ordered) if n in changed)


def _changed_inside(mutation: Mutation) -> frozenset[str]:
    """The names in whose objects something may change, not they themselves alone."""
    sharing, found = mutation.sharing, frozenset[str]()
    for w in (w for s in mutation.statements for w in mutation.written(s)):
        deep = [n for n in mutation.shared(w.owner) if w.deep or sharing.is_part(n)]
        found = found.union(*(sharing.reached(n, True) for n in deep))
    return found


def deeply(f: FunctionType, held: Positions = NOWHERE) -> bool:
    """Whether f may change what its parameters hold, such as arrays and lists, not themselves alone."""
    if not writes(f, held):
        return False
    with _finding:
        return (f.__code__, held) in _running or _deep.get(f.__code__) is not False


def resolver_of(
    f: FunctionType,
    parameters: list[str],
    body: list[ast.stmt],
    *,
    alone: bool = False,
    held: Positions = NOWHERE,
) -> Resolver:
    """What can be told of the calls in a function's body; `alone`: without looking into them.

    `held`: see `writes`.
    """
    bound = frozenset[str]().union(*(binds(s) for s in body))
    local = {*parameters, *f.__code__.co_freevars, *bound}
    asked, inside = _asking(held) if not alone else (lambda _: NOWHERE, lambda _: True)
    methods = _Namespace(f, alone).methods
    resolver = Resolver(f.__globals__, local, load_with_source, asked, methods, inside)
    resolver.imported = imported(body, parameters, f.__globals__)
    resolver.made = classes_made(body, {*parameters, *f.__code__.co_freevars}, resolver)
    if f.__code__.co_flags & inspect.CO_VARKEYWORDS and parameters[-1] not in bound:
        resolver.words = parameters[-1]
    if (P := _class_of(f)) is not None and parameters:
        resolver.own = parameters[0], P
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        inner = content_of(cell)
        if type(inner) is FunctionType:
            resolver.cells[name] = inner
    resolver.defined = positions_written(body, resolver)
    if not alone and is_users(f):
        own = in_body(resolver, body, names_in(f.__code__), made_by(f, is_users)) | held
        if own:
            resolver.held, (resolver.writes, resolver.deeply) = own, _asking(own)
            resolver.is_held = lambda e: is_held(e, resolver)
            resolver.changing.clear()
            resolver.defined = positions_written(body, resolver)
    resolver.changing.clear()
    return resolver


def _asking(held: Positions) -> tuple[Any, Any]:
    """What a resolver asks of functions, with what they may be given."""
    if not held:
        return writes, deeply
    return (lambda f: writes(f, held)), (lambda f: deeply(f, held))


class _Namespace:
    """The methods of the classes that a function can name, by name; our own functions call no others."""

    def __init__(self, f: FunctionType, alone: bool) -> None:
        self.f, self.ours = f, (f.__module__ or "").startswith("chainrules.")
        self.named: dict[str, list[FunctionType]] | None = {} if alone else None

    def methods(self, name: str, resolver: Resolver) -> Iterable[FunctionType]:
        """The methods by this name of classes that f can name, or that were met."""
        if self.named is None:
            self.named = self._named()
        met = () if self.ours else _methods.get(name, ())
        return {id(m): m for m in (*met, *self.named.get(name, ()))}.values()

    def _named(self) -> dict[str, list[FunctionType]]:
        values = *self.f.__globals__.values(), *(content_of(cell) for cell in self.f.__closure__ or ())
        members = [m for P in values if isinstance(P, type) for m in _members(P)]
        called = map(self.f.__globals__.get, names_in(self.f.__code__))
        makers = self.f, *(g for g in called if type(g) is FunctionType and is_users(g))
        named: dict[str, list[FunctionType]] = {}
        for name, method in (*members, *(m for g in makers for m in local_methods(g))):
            named.setdefault(name, []).append(method)
        return named


def _class_of(f: FunctionType) -> type | None:
    """The class that f is a method of, where its name tells."""
    *outer, name = f.__qualname__.split(".")
    P = f.__globals__.get(outer[0]) if len(outer) == 1 else None
    return P if isinstance(P, type) and vars(P).get(name) is f else None


def _is_by_users(P: type) -> bool:
    return P.__module__.partition(".")[0] not in ("builtins", "numpy", "chainrules")


def _members(P: type) -> list[tuple[str, FunctionType]]:
    """The methods of a class and its bases that are followed; of properties, what gets and sets them."""
    own = [c for c in P.__mro__ if _is_by_users(c)]
    tell(own)
    members = [(name, m) for cls in own for name, m in vars(cls).items()]
    properties = [(name, m) for name, m in members if isinstance(m, property)]
    for _, p in properties:
        if isinstance(p.fset, FunctionType):
            SETTERS[p.fset.__code__] = True
    computed = [(name, f) for name, p in properties for f in (p.fget, p.fset)]
    return [(n, m) for n, m in (*members, *computed) if isinstance(m, FunctionType) and is_followed(m)]


def meet(x: Any) -> None:
    """Take note of the methods of an object that is differentiated, and of what it holds."""
    P = type(x)
    if isinstance(x, list | tuple):
        for item in x[:1]:
            meet(item)
    elif isinstance(x, dict):
        for item in x.values():
            meet(item)
    if P in _met or P.__module__ in ("builtins", "numpy"):
        return
    with _finding:
        for name, member in _members(P):
            if member not in _methods.get(name, ()):
                _methods.setdefault(name, []).append(member)
        _met.add(P)  # last, so that nobody who finds it here misses its methods
    for value in own_dict(x).values():
        if not isinstance(value, np.ndarray | float | int | str):
            meet(value)
