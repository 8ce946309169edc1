"""Entering: a run's arguments with leaves of its own, and its results as the user knows them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from types import FunctionType
from typing import Any

import numpy as np

from ...core.callables import describe
from ...core.errors import NoRuleError
from ...core.handed import copied_on
from ...core.holdings import is_for_all, note_varying
from ...core.installed import array_advice
from ...tangents import Composite
from ...tangents.functions import FUNCTIONS
from ...tangents.own_dict import own_dict
from ...tangents.sparse import is_sparse
from ..leaves import ALONE, Layout
from ..returned import Returned
from .another import another, bring_back
from .calls import call
from .elsewhere import refuse_elsewhere
from .here import below, here
from .leaves import Integer, is_argument, is_foreign
from .memory import owner_of
from .quick import QUICK
from .runs import Run


class Entered:
    """The arguments of a run: those that vary with leaves that nothing else is, in containers of their own.

    A global variable, or another argument, may be the same number or array. What the run changes in these
    containers is changed in the user's when it ends.
    """

    layout: Layout | None = None  # of the arguments that vary; None where each is a leaf
    returned: Returned | None = None
    others: Any = ()
    sparse: Any = ()

    def __init__(self, run: Run, x: tuple[Any, ...], varies: tuple[bool, ...]) -> None:
        self.varies = varies
        for v in x:
            if type(v) is not float and not _is_number(v):
                self._take_apart(run, x)
                break
        else:
            self.leaves, self.owns = [], run.given
            args: list[Any] = [*x]
            for i, v in enumerate(x):
                if varies[i]:
                    args[i] = leaf = fresh(v)
                    self.leaves.append(leaf)
                    self.owns[id(leaf)] = v
            self.args = tuple(args)
        for leaf in self.leaves:
            run.live[id(leaf)] = leaf
            if isinstance(leaf, np.ndarray):
                run.entered[id(owner_of(leaf))] = owner_of(leaf)

    def _take_apart(self, run: Run, x: tuple[Any, ...]) -> None:
        """Arguments with leaves inside of them."""
        varies = self.varies
        chosen = tuple(a for a, v in zip(x, varies, strict=True) if v)
        for a in chosen:
            if said := array_advice(a):
                raise NoRuleError(f"{describe(a)} is no array of NumPy's", next=said)
        self.layout, given = Layout.of(chosen, is_argument, into_functions=True)
        self.leaves = [fresh(v) for v in given]
        self.owns = {id(new): old for new, old in zip(self.leaves, given, strict=True)}
        self.sparse = [v for v in self.leaves if is_sparse(v)]
        self.others = [a for a, v in zip(x, varies, strict=True) if not v]
        run.given |= self.owns
        filled = iter(self.layout.filled(self.leaves))
        self.args = tuple(next(filled) if v else a for a, v in zip(x, varies, strict=True))
        self.returned = Returned(self.plain)
        for own, made in zip(x, self.args, strict=True):
            if not is_argument(own):
                self.returned.note(own, made)
        for pair in self.returned.pairs.values():
            run.given[id(pair.copy)] = pair.own
            if pair.copy is not pair.own:
                copied_on(pair.own, pair.copy)
                _compute_anew(run, pair.copy)

    def plain(self, v: Any) -> Any:
        """A value of the run as the user knows it."""
        own = self.owns.get(id(v))
        if own is not None:
            return own
        return int(v) if type(v) is Integer else v

    def run(
        self, run: Run, f: Any, kwargs: dict[str, Any], twin: Any = None
    ) -> tuple[Any, Layout, list[Any]]:
        """f's value, and the leaves in it that vary with their layout; `twin` is f's, where it is known."""
        before = here.runs
        note_asked(f, self.leaves)
        here.runs = (*before, run)
        try:
            y = call(f, *self.args, **kwargs) if twin is None else twin(*self.args)
            if "doubles" in run.__dict__:
                run.refuse_changed_doubles()
        finally:
            here.runs = before
            if self.returned is not None:
                self._bring(self.returned, before, f, kwargs)
        if type(y) is float and id(y) in run.live:
            return self.owns.get(id(y), y), ALONE, [y]
        if type(y) in QUICK and run.is_live(y):
            return self.plain(y), ALONE, [y]
        layout, leaves = Layout.of(y, run.varies, into_functions=True)
        if leaves:
            y = layout.filled([self.plain(v) for v in leaves])
        return y if self.returned is None else self.returned.of(y), layout, leaves

    def _bring(self, returned: Returned, outer: tuple[Run, ...], f: Any, kwargs: dict[str, Any]) -> None:
        """Let the user's containers be as those of the run are now."""
        for leaf in self.sparse:
            bring_back(self.owns[id(leaf)], leaf)
            for other in outer:
                other.let_go(leaf)
        for pair in returned.pairs.values():
            if pair.copy is not pair.own:
                _keep_computed(pair.own, pair.copy)
        try:
            refuse_elsewhere(returned, f, self.args, (*self.others, *kwargs.values()))
        finally:
            returned.bring()

    def tangent(self, parts: list[Any]) -> Any:
        """The tangents of the arguments that vary, of those of their leaves."""
        return parts if self.layout is None else self.layout.tangent(parts) if parts else ()

    def entries(self, tangents: list[Any]) -> Any:
        """The tangents of the leaves, of those of the arguments that vary."""
        given = Composite[tuple](*tangents)
        return tangents if self.layout is None else below(here.runs, self.layout.entries, given)


def note_asked(f: Any, leaves: Iterable[Any]) -> None:
    """Note that the objects of libraries vary by which f is differentiated."""
    found = [*filter(is_foreign, leaves)]
    if found and not is_for_all(f):
        for v in found:
            note_varying(v)


def _is_number(x: Any) -> bool:
    """Whether an argument is a number in floating point, or an array of such."""
    kind = type(x)
    return kind is float or kind is np.float64 or (kind is np.ndarray and x.dtype.kind == "f")


def fresh(x: Any) -> Any:
    """The same leaf as an object that nothing else is."""
    if not here.runs and type(x) in (float, np.ndarray):
        return x - 0.0 if type(x) is float else x[...]
    if isinstance(x, np.ndarray) and isinstance(type(x).__getitem__, FunctionType):
        return below(here.runs, np.ndarray.view, x)  # its class says what `x[…]` is
    if isinstance(x, np.ndarray):
        return below(here.runs, operator.getitem, x, Ellipsis)
    if type(x) in (float, complex) or (isinstance(x, np.generic) and x.dtype.kind in "fc"):
        return below(here.runs, operator.sub, x, 0.0)
    return x if is_foreign(x) else below(here.runs, another, x)


def _computed(x: Any) -> list[str]:
    """The names under which an object keeps what its class computes once."""
    held = own_dict(x)
    if type(held) is not dict or isinstance(x, FUNCTIONS):
        return []
    return [n for n in held if isinstance(getattr(type(x), n, None), functools.cached_property)]


def _keep_computed(own: Any, copy: Any) -> None:
    """Let an object have computed what it had: what a run computed is of values of its own."""
    for name in _computed(copy):
        del copy.__dict__[name]
    for name in _computed(own):
        copy.__dict__[name] = own.__dict__[name]


def _compute_anew(run: Run, x: Any) -> None:
    """Let a copied object compute what its class keeps once it is computed."""
    for name in _computed(x):
        run.anew[id(x), name] = x.__dict__.pop(name)
