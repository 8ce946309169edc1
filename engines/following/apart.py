"""Apart: what a rule calls more often than the program does has for itself what it changes.

A function gets what it captured and changes, an object is copied whole, so that the program sees what the
calls of the solver itself did. Where functions write into what they are given, the further arguments are
copied, too.
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType, GeneratorType, MethodType
from typing import Any

from ...core.errors import AliasedMutationError
from ...core.handed import Standing, hand_on, stand_in
from ...tangents.functions import FUNCTIONS
from ..source.analysis.effects_of import changes_by_name, changes_captured, counts_captured
from ..source.syntax.codes import content_of
from .leaves import IMMUTABLE_TYPE, holders, is_foreign, is_leaf
from .module_variables import with_variables
from .owning import Copies, Renewed, Variables, is_object, is_renewed

_STORES = frozenset({"STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR"})
_CHANGING = frozenset({
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft",
    "remove", "setdefault", "update",
})  # fmt: skip
_MAKING = ("__init__", "__post_init__", "__new__")


class Apart(Variables):
    """Functions with variables of their own, also of what they change; methods and objects of copies.

    A function or partial that is copied is the attribute `HANDED` of its copy.
    """

    def __init__(self) -> None:
        super().__init__()
        self.standing = Standing()

    def made(self, x: Any) -> Any:
        if isinstance(x, GeneratorType):
            raise _refused("takes from a generator")
        if is_renewed(x):
            made = Renewed().of(x)
            if made is not x:
                stand_in(made, x, self.standing)
            return made
        if type(x) is MethodType:
            if type(x.__func__) is FunctionType:
                refuse_classes(x.__func__)
            owner = self.of(x.__self__)
            return x if owner is x.__self__ else MethodType(x.__func__, owner)
        return self.object(x) if is_object(x) and remembers(x) else super().made(x)

    def object(self, x: Any) -> Any:
        """A copy of an object, with the very values that vary in it."""
        for f in _called(type(x)):
            refuse_classes(f)
        made = Still(self.varies).of(x)
        if made is not x:
            stand_in(made, x, self.standing)
        return made

    def called(self, f: Any) -> Any:
        made = super().called(f)
        if made is not f and isinstance(f, functools.partial):
            hand_on(made, f, self.standing)
        return made

    def captured(self, f: FunctionType, name: str, x: Any) -> Any:
        if isinstance(x, FUNCTIONS):
            return self.of(x)
        changed = name in counts_captured(f) or name in changes_captured(f)
        return Renewed().of(x) if changed else self.of(x)

    def shared(self, f: FunctionType) -> frozenset[str]:
        return frozenset()

    def function(self, f: FunctionType) -> FunctionType:
        refuse_classes(f)
        made = with_variables(super().function(f), Still(self.varies).of, prints=False)
        if made is not f:
            hand_on(made, f, self.standing)
        return made


class AllApart(Apart):
    """The same, with containers and objects of their own, into which functions write that are called.

    Arrays stay themselves, and the very values that vary.
    """

    def of(self, x: Any) -> Any:
        return x if is_leaf(x) or (is_foreign(x) and not is_renewed(x)) else super().of(x)

    def made(self, x: Any) -> Any:
        if isinstance(x, (tuple, *FUNCTIONS)):
            return super().made(x)
        made = Copies.made(self, x)
        if made is not x:
            stand_in(made, x, self.standing)
        return made


class Still(Renewed):
    """Copies that hold the very numbers and arrays that vary, and objects of libraries."""

    def __init__(self, varies: Callable[[Any], bool] | None) -> None:
        super().__init__()
        self.varies = varies

    def of(self, x: Any) -> Any:
        if is_foreign(x) and not is_renewed(x):
            return x
        return x if is_leaf(x) and (self.varies is None or self.varies(x)) else super().of(x)


def remembers(x: Any) -> bool:
    """Whether calls of an object of a user's, or of its method, may change it, or an object that it holds."""
    owner = x.__self__ if type(x) is MethodType else x
    if not is_object(owner) or isinstance(owner, FUNCTIONS):
        return False
    held: Any = map(type, filter(is_object, holders(owner)))
    return any(map(_may_change, held))


@functools.lru_cache(maxsize=1024)
def _may_change(P: type) -> bool:
    """Whether a method of a class stores something, but for those that make an object."""
    return any(_stores(c) for f in _methods(P) for c in _codes(f.__code__))


def _methods(P: type) -> Iterator[FunctionType]:
    """The functions of a class, but for those that make an object."""
    return _functions(f for Q in P.__mro__ for name, f in vars(Q).items() if name not in _MAKING)


def _called(P: type) -> Iterator[FunctionType]:
    """What a call of an object runs: `__call__`, and the methods that it names, and those in turn."""
    pending, seen = ["__call__"], {"__call__"}
    while pending:
        f = getattr(P, pending.pop(), None)
        if type(f) is FunctionType:
            yield f
            new = [n for n in f.__code__.co_names if n not in seen]
            seen.update(new)
            pending += new


def refuse_classes(f: FunctionType) -> None:
    """Raise where a function changes a class, of which nobody has a copy."""
    names = changes_by_name(f)
    if not names:
        return
    cells = zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
    captured = {name: content_of(c) for name, c in cells}
    for name in names:
        P = captured.get(name, f.__globals__.get(name))
        if isinstance(P, type) and not P.__flags__ & IMMUTABLE_TYPE:
            raise _refused(f"changes the class {name}")


def _refused(what: str) -> Exception:
    return AliasedMutationError(
        f"a function that a rule calls {what}, and the derivative calls it more often than the program does",
        next="let it count, or take numbers, in a list, a dictionary or an object that it captures",
    )


def _functions(members: Iterable[Any]) -> Iterator[FunctionType]:
    """The functions of members of a class, those of properties among them."""
    for f in members:
        if type(f) is FunctionType:
            yield f
        elif isinstance(f, property):
            yield from _functions((f.fget, f.fset, f.fdel))
        elif isinstance(f, staticmethod | classmethod):
            yield from _functions((f.__func__,))


def _stores(code: CodeType) -> bool:
    return not _CHANGING.isdisjoint(code.co_names) or any(
        i.opname in _STORES for i in dis.get_instructions(code)
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for c in code.co_consts:
        if type(c) is CodeType:
            yield from _codes(c)
