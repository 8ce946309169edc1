"""The names that a generated program uses beside the user's own, and what they stand for.

They are free variables of the program, bound when it is made, so that nothing is put into the
user's module. A helper gives way where the user has a variable of the same name.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable
from typing import Any

from ....core.errors import ChainRulesError
from ....core.sequences import items
from ..analysis import changing
from ..locking import locks
from ..memory import augmented, detaching, earlier_views, endless, released, unexpected_changes, watching
from ..reading import explicit
from ..syntax import arguments, exits
from ..syntax.kinds import OPERATORS
from ..syntax.trees import own
from ..values import (
    aliases,
    grids,
    handed_out,
    namespaces,
    protocols,
    putting_back,
    reaching,
    streams,
    structures,
    texts,
    writing,
)

_OPERATOR_NAMES = {kind: (f"operator_{f.__name__.strip('_')}", f) for kind, f in OPERATORS.items()}

HELPERS: dict[str, Any] = {
    "super_function": explicit.super_function,
    "super_getter": explicit.super_getter,
    "make_tuple": structures.make_tuple,
    "make_list": structures.make_list,
    "make_dict": structures.make_dict,
    "regroup": structures.regroup,
    "no_closure": handed_out.no_closure,
    "none_handed_out": handed_out.none_handed_out,
    "put_item": writing.put_item,
    "drop_item": writing.drop_item,
    "put_attribute": writing.put_attribute,
    "refuse_within": namespaces.refuse_within,
    "put_back": putting_back.put_back,
    "put_field_back": putting_back.put_field_back,
    "reported": texts.reported,
    "operand": writing.operand,
    "snapshot": writing.snapshot,
    "detached": detaching.detached,
    "own_part": detaching.own_part,
    "taken": detaching.taken,
    "may_show": aliases.may_show,
    "changeable": reaching.changeable,
    "refreshed": aliases.refreshed,
    "held_twice": aliases.held_twice,
    "parts_held_twice": aliases.parts_held_twice,
    "seen_by": released.seen_by,
    "still_seen": released.still_seen,
    "ended_by": endless.ended_by,
    "changed_inside": aliases.changed_inside,
    "foreseen": unexpected_changes.foreseen,
    "apart": unexpected_changes.apart,
    "apart_or_still": unexpected_changes.apart_or_still,
    "holds_changer": changing.holds_changer,
    "sets_inside": protocols.sets_inside,
    "unshared": unexpected_changes.unshared,
    "whole": unexpected_changes.whole,
    "unkeyed": unexpected_changes.unkeyed,
    "unchanging": changing.unchanging,
    "not_kept": earlier_views.not_kept,
    "lock": locks.lock,
    "unlock": locks.unlock,
    "watch": watching.watch,
    "but_for": watching.but_for,
    "unchanged": watching.unchanged,
    "completed": structures.completed,
    "distinct": arguments.distinct,
    "undisturbed": structures.undisturbed,
    "left": exits.left,
    "ungrouped": structures.ungrouped,
    "ChainRulesError": ChainRulesError,
    "getitem": operator.getitem,
    "getattr_": getattr,
    "slice_": slice,
    "spanned": grids.spanned,
    "range_": range,
    "len_": len,
    "items": items,
    "steps": streams.steps,
    "places": streams.places,
    "ended": streams.ended,
    "steady": streams.steady,
    "steady_apart": streams.steady_apart,
    "steady_items": streams.steady_items,
    "own_items": streams.own_items,
    "iter_": iter,
}


class Names:
    """Fresh names for one program, and the objects that its free helper names are bound to."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self.bound: dict[str, Any] = {}
        self._alias: dict[str, str] = {}
        self._nodes: dict[str, ast.Name] = {}
        self._count = 0

    def fresh(self, stem: str) -> str:
        """A new variable: `t1`, `t2`, …"""
        while True:
            self._count += 1
            name = f"{stem}{self._count}"
            if name not in self.taken:
                self.taken.add(name)
                return name

    def companion(self, variable: str, suffix: str) -> str:
        """The variable that stands beside another: `x_bar`, `x_dot`."""
        key = f"{variable}{suffix}"
        if key not in self._alias:
            self._alias[key] = self.reserve(key)
        return self._alias[key]

    def reserve(self, name: str) -> str:
        """A variable by this name, or one like it where the user has it."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def bind(self, name: str, value: Any) -> str:
        """A helper name for this value; the same value under the same name is bound once."""
        while name in self.taken and self.bound.get(name) is not value:
            name = f"_{name}"
        self.taken.add(name)
        self.bound[name] = value
        return name

    def bound_name(self, name: str, value: Any) -> ast.Name:
        """The same as a node, one for all its uses."""
        known = self._nodes.get(name)
        if known is None or self.bound.get(known.id) is not value:
            known = self._nodes[name] = own(self.bind(name, value))
        return known

    def helper(self, name: str) -> ast.Name:
        return self.bound_name(name.rstrip("_"), HELPERS[name])

    def augmented(self, op: ast.AST) -> ast.Name:
        """What `x op= v` calls."""
        f = augmented.AUGMENTED[OPERATORS[type(op)]]
        return self.bound_name(f.__name__, f)

    def operator(self, op: ast.AST) -> ast.Name:
        return self.bound_name(*_OPERATOR_NAMES[type(op)])
