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
from .leaves import PLAIN, holds, is_leaf, leaves_in
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
    known = (x for x in _known(f, *others, *classes) if id(x) in changed)
    for x in (*twice, *known):
        raise AliasedMutationError(
            f"{describe(x)} is an argument that is changed, and the function knows it by another name too",
            next="use it by one name alone, or give a copy",
        )


def refuse_hidden(runs: Iterable[Any], calling: Iterable[Any]) -> None:
    """Raise where code that a rule or C code may call finds what varies elsewhere than in what it holds."""
    for x in calling:
        shown = {id(v) for v in leaves_in(x)}
        for v in _known(x):
            if is_leaf(v) and id(v) not in shown and any(_is_live(run, v) for run in runs):
                raise NotDifferentiableError(
                    f"a differentiated value is in what {name_of(x)} finds in its module, a class or a"
                    " function's attributes, and a rule or C code calls it",
                    next="pass the value as an argument, or capture it in a variable of the function around",
                )


def _is_live(run: Any, v: Any) -> bool:
    return id(v) in run.live or (isinstance(v, np.ndarray) and id(owner_of(v)) in run.written)


def _known(*roots: Any) -> Iterator[Any]:
    """What functions and objects lead to: what they hold, and variables that their code names."""
    pending, seen = list(roots), set[int]()
    while pending:
        x = pending.pop()
        if id(x) in seen or type(x) in PLAIN - {type}:
            continue
        seen.add(id(x))
        yield x
        if is_leaf(x):
            continue
        if isinstance(x, FunctionType):
            pending += map(content_of, x.__closure__ or ())
            if is_users(x):
                pending += [*(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values()]
                pending += [*_named(x), *(v for name, v in vars(x).items() if not name.startswith(_OURS))]
        elif isinstance(x, MethodType):
            pending += (x.__func__, x.__self__)
        elif isinstance(x, type):
            inside = [
                getattr(v, "fget", None) or getattr(v, "__func__", v)
                for c in x.__mro__
                for v in vars(c).values()
            ]
            pending += [v for v in inside if is_leaf(v) or (isinstance(v, FunctionType) and is_users(v))]
        elif not isinstance(x, ModuleType):
            pending += [*holds(x), type(x)]


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
