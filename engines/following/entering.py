"""Entering: a run's arguments with leaves of its own, and its results as the user knows them."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from ...tangents.functions import FUNCTIONS
from ..leaves import Layout
from ..returned import Returned
from .calls import call
from .here import below, here
from .leaves import Integer, is_argument, is_whole
from .memory import owner_of
from .runs import Run


class Entered:
    """The arguments of a run: those that vary with leaves that nothing else is, in containers of their own.

    A global variable, or another argument, may be the same number or array. What the run changes in these
    containers is changed in the user's when it ends.
    """

    def __init__(self, run: Run, x: tuple[Any, ...], varies: tuple[bool, ...]) -> None:
        self.varies = varies
        chosen = tuple(a for a, v in zip(x, varies, strict=True) if v)
        self.layout, given = Layout.of(chosen, is_argument, into_functions=True)
        self.leaves = [fresh(v) for v in given]
        self.owns = {id(new): old for new, old in zip(self.leaves, given, strict=True)}
        for leaf in self.leaves:
            run.live[id(leaf)] = leaf
            if isinstance(leaf, np.ndarray):
                run.entered[id(owner_of(leaf))] = owner_of(leaf)
        filled = iter(self.layout.filled(self.leaves))
        self.args = tuple(next(filled) if v else a for a, v in zip(x, varies, strict=True))
        self.returned = Returned(self.plain)
        for own, made in zip(x, self.args, strict=True):
            if not is_argument(own):
                self.returned.note(own, made)
        for pair in self.returned.pairs.values():
            if pair.copy is not pair.own:
                _compute_anew(pair.copy)

    def plain(self, v: Any) -> Any:
        """A value of the run as the user knows it."""
        own = self.owns.get(id(v))
        if own is not None:
            return own
        return int(v) if type(v) is Integer else v

    def run(self, run: Run, f: Any, kwargs: dict[str, Any]) -> tuple[Any, Layout, list[Any]]:
        """f's value, and the leaves in it that vary with their layout."""
        before = here.runs
        here.runs = (*before, run)
        try:
            y = call(f, *self.args, **kwargs)
        finally:
            here.runs = before
            self.returned.bring()
        layout, leaves = Layout.of(y, run.varies, into_functions=True)
        if leaves:
            y = layout.filled([self.plain(v) for v in leaves])
        return self.returned.of(y), layout, leaves


def fresh(x: Any) -> Any:
    """The same leaf as an object that nothing else is."""
    if isinstance(x, np.ndarray):
        return below(here.runs, operator.getitem, x, Ellipsis)
    if isinstance(x, np.generic) and is_whole(x):
        return x.copy()
    if type(x) is int or type(x) is Integer:
        return Integer(x)
    return below(here.runs, operator.mul, x, 1.0) if isinstance(x, float | complex | np.generic) else x


def _compute_anew(x: Any) -> None:
    """Let a copied object compute what its class keeps once it is computed."""
    held = getattr(x, "__dict__", None)
    if type(held) is dict and not isinstance(x, FUNCTIONS):
        for name in [n for n in held if isinstance(getattr(type(x), n, None), functools.cached_property)]:
            del held[name]
