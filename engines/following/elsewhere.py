"""Elsewhere: what a function knows by names that do not show in what it holds.

A run has copies of the containers and objects that it is given, since their leaves are its own. What it does
to one, it would not see in the other. And a rule that is given a function answers for what that holds, not
for what its code finds in its module or in a class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ...core.callables import describe, name_of
from ...core.errors import AliasedMutationError, NotDifferentiableError
from ..returned import Returned
from ..source.analysis.writers import is_users
from ..source.syntax.codes import content_of
from .leaves import IMMUTABLE_TYPE, PLAIN, holds, is_leaf, leaves_in
from .memory import owner_of

_OURS = "__chainrules_"  # before the names of what this library keeps with a function


def refuse_elsewhere(returned: Returned, f: Any, given: Iterable[Any], others: Iterable[Any]) -> None:
    """Raise where a run changed what it was given twice, or what f knows beside.

    `given` are the arguments that vary, as the run has them, `others` the rest.
    """
    changed = {}
    for pair, _, now in returned.changed():
        if (
            pair.own is not pair.copy
            and not isinstance(now, np.ndarray)
            and type(pair.own) is not FunctionType
        ):
            changed[id(pair.own)] = pair.own
    if not changed:
        return
    copies = [id(p.own) for p in returned.pairs.values() if p.own is not p.copy]
    twice = (x for i, x in changed.items() if copies.count(i) > 1)
    classes = (type(x) for x in given)
    known = (x for x in _Walk(f, *others, *classes) if id(x) in changed)
    for x in (*twice, *known):
        raise AliasedMutationError(
            f"{describe(x)} is an argument that is changed, and the function knows it by another name too",
            next="use it by one name alone, or give a copy",
        )


def refuse_hidden(runs: Iterable[Any], calling: Iterable[Any]) -> None:
    """Raise where code that a rule or C code may call finds what varies elsewhere than in what it holds."""
    for x in calling:
        shown = {id(v) for v in leaves_in(x, defaults=False)}  # a function's tangent has none of its defaults
        for v in _Walk(x):
            if is_leaf(v) and id(v) not in shown and any(_is_live(run, v) for run in runs):
                raise NotDifferentiableError(
                    f"a differentiated value is in what {name_of(x)} finds in its module, a class, or a"
                    " function's defaults or attributes, and a rule or C code calls it",
                    next="pass the value as an argument, or capture it in a variable of the function around",
                )


def _is_live(run: Any, v: Any) -> bool:
    return id(v) in run.live or (isinstance(v, np.ndarray) and id(owner_of(v)) in run.written)


class _Walk:
    """What functions and objects lead to: what they hold, and what code names in modules and classes."""

    def __init__(self, *roots: Any) -> None:
        self.pending = list(roots)
        self.seen: set[int] = set()
        self.names: set[str] = set()  # those that code has, of attributes too
        self.members: list[tuple[str, Any]] = []  # of classes, which count once their name is met

    def __iter__(self) -> Iterator[Any]:
        while self.pending:
            x = self.pending.pop()
            if id(x) not in self.seen and type(x) not in PLAIN - {type}:
                self.seen.add(id(x))
                yield x
                if not is_leaf(x):
                    self._enter(x)
            if not self.pending:
                met = [(n, v) for n, v in self.members if n in self.names or n.startswith("__")]
                self.members = [
                    (n, v) for n, v in self.members if not (n in self.names or n.startswith("__"))
                ]
                self.pending += [v for _, v in met]

    def _enter(self, x: Any) -> None:
        if isinstance(x, FunctionType):
            self.pending += map(content_of, x.__closure__ or ())
            if is_users(x):
                self.names.update(_names(x.__code__))
                self.pending += [*(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values(), *_named(x)]
                self.pending += [v for name, v in vars(x).items() if not name.startswith(_OURS)]
        elif isinstance(x, MethodType):
            self.pending += (x.__func__, x.__self__)
        elif isinstance(x, type):
            for C in x.__mro__:
                if not C.__flags__ & IMMUTABLE_TYPE:
                    self.members += [(name, _inside(v)) for name, v in vars(C).items()]
        elif not isinstance(x, ModuleType):
            self.pending += [*holds(x), type(x)]


def _inside(member: Any) -> Any:
    """The function in a property, class method or static method."""
    return getattr(member, "fget", None) or getattr(member, "__func__", member)


def _named(f: FunctionType) -> Iterator[Any]:
    """What the names stand for that a function's code has, of its module and in the modules that it names."""
    names = {*_names(f.__code__)}
    for name in names:
        v = f.__globals__.get(name)
        if isinstance(v, ModuleType):
            yield from (vars(v)[n] for n in names if n in vars(v))
        else:
            yield v


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for c in code.co_consts:
        if isinstance(c, CodeType):
            yield from _names(c)
        elif isinstance(c, str):  # as `getattr` is given one
            yield c
