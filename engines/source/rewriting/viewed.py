"""Stores through views: `a.T[0] = v`, `a.reshape(2, 3)[1] += v`, as stores into a variable for the view.

What is stored into is the value of a call, or an attribute by which NumPy gives a view. It gets a name, so
that the other names of the same memory are told of the change as they are for any variable. Values are
computed before the view, as Python does; in `op=` the view comes first. `a.flat[k]` is `a` at those places.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ....core import non_differentiable
from ..syntax.kinds import PARTS
from ..syntax.scopes import Scope, copied, own, own_statements
from ..syntax.trees import assign, call, load
from .names import Names

_VIEWS = frozenset(("T", "mT", "real", "imag", "flat", "base"))
"""Attributes of arrays that look at their memory."""


def flat_places(x: Any, key: Any) -> Any:
    """The index of the entries `x.flat[key]`."""
    if not isinstance(x, np.ndarray):
        raise TypeError(f"a store into `.flat` of a {type(x).__name__}, which is no array")
    return np.unravel_index(np.arange(x.size)[key], x.shape)


non_differentiable(flat_places, why="returns indices")


def views_named(body: list[ast.stmt], names: Names) -> list[ast.stmt]:
    """The body with a variable for each view that a statement stores into; itself where there is none."""
    if not any(map(stores_through_view, own_statements(body))):
        return body
    return _Writer(names).visit(ast.Module(copied(body), [])).body  # type: ignore[no-any-return]  # statements


def stores_through_view(s: ast.stmt) -> bool:
    """Whether a statement stores into a view that has no name."""
    return bool(own(s).stores) and any(_view(t) is not None for t in _targets(s))


def _targets(s: ast.stmt) -> list[ast.expr]:
    if isinstance(s, ast.Assign | ast.Delete):
        return s.targets
    return [s.target] if isinstance(s, ast.AugAssign | ast.AnnAssign) else []


def _view(target: ast.expr) -> ast.expr | None:
    """The part of a target that is a view to be named: the outermost call or view in it."""
    if not isinstance(target, PARTS):
        return None
    e = target.value
    while isinstance(e, PARTS):
        if isinstance(e, ast.Attribute) and e.attr in _VIEWS:
            return e
        e = e.value
    return e if isinstance(e, ast.Call) else None


class _Writer(ast.NodeTransformer):
    def __init__(self, names: Names) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, Scope | ast.expr) else super().visit(node)

    def visit_Assign(self, s: ast.Assign) -> Any:
        if not any(_view(t) is not None for t in s.targets):
            return s
        value = self.names.fresh("value")
        out = [assign(value, s.value, s)]
        for t in s.targets:
            out += [*self._named(t), assign(t, load(value), s)]
        return out

    def visit_AnnAssign(self, s: ast.AnnAssign) -> Any:
        if s.value is None or _view(s.target) is None:
            return s
        return self.visit_Assign(ast.copy_location(ast.Assign([s.target], s.value), s))

    def visit_AugAssign(self, s: ast.AugAssign) -> Any:
        return [*self._named(s.target), s]

    def visit_Delete(self, s: ast.Delete) -> Any:
        return [*(new for t in s.targets for new in self._named(t)), s]

    def _named(self, target: Any) -> list[ast.stmt]:
        """The statement that names the view in a target, which uses the name from now on."""
        view = _view(target)
        if view is None:
            return []
        while target.value is not view:
            target = target.value
        name = self.names.fresh("view")
        target.value = ast.copy_location(load(name), view)
        if not (
            isinstance(view, ast.Attribute) and view.attr == "flat" and isinstance(target, ast.Subscript)
        ):
            return [assign(name, view, view)]
        helper, key = self.names.bind("flat_places", flat_places), self.names.fresh("places")
        found = [
            assign(name, view.value, view),
            assign(key, call(load(helper), [load(name), target.slice]), view),
        ]
        target.slice = ast.copy_location(load(key), view)
        return found
