"""Unseen changes: methods that Python runs by itself, for a test or a length, and that change their object.

`if box:` runs `__bool__` where nothing is differentiated, so what it stores would have no derivative. A class
with such a method is refused where an object of it is made. One that only counts is none.
"""

from __future__ import annotations

import ast
from types import FunctionType
from weakref import WeakKeyDictionary

from ....core.errors import AliasedMutationError
from ..reading.locate import locate
from ..syntax.scopes import own, own_statements, reads
from ..syntax.where import call_chain, show_chain
from .writers import INSTALLED, writes

# fmt: off
_BY_ITSELF = (
    "__bool__", "__len__", "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__",
    "__float__", "__int__", "__index__", "__getattr__", "__getattribute__",
)
# fmt: on
_known: WeakKeyDictionary[type, str] = WeakKeyDictionary()


def refuse_unseen(P: type) -> None:
    """Raise for a class with a method that Python runs by itself and that changes its object."""
    name = _known.get(P)
    if name is None:
        name = _known[P] = next((n for n in _BY_ITSELF if _changes(getattr(P, n, None))), "")
    if name:
        raise AliasedMutationError(
            f"`{name}` of {P.__qualname__} changes its object, and Python runs it without a derivative",
            where=show_chain(call_chain()),
            next="change the object in a method that is called by its name",
        )


def _changes(method: object) -> bool:
    if not isinstance(method, FunctionType) or method.__code__.co_filename.startswith(INSTALLED):
        return False
    if 0 not in writes(method):
        return False
    body = getattr(locate(method.__code__).node, "body", [])
    storing = [s for s in own_statements(body) if own(s).stores or isinstance(s, ast.AugAssign)]
    return not (storing and all(map(_only_counts, storing)))


def _only_counts(s: ast.stmt) -> bool:
    """Whether a statement adds a number, or notes what is none: no derivative changes by that."""
    value = getattr(s, "value", None)
    if isinstance(s, ast.AugAssign) and isinstance(s.op, ast.Add | ast.Sub):
        return not (own(s).calls or reads(s.value))
    return isinstance(value, ast.Constant) and type(value.value) not in (int, float, complex)
