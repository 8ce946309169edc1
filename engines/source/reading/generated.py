"""Generated: the methods that Python writes for a dataclass, and the source of its `__init__`.

The one that goes on to a `__post_init__` is followed:

    def __init__(self, a, l):
        self.a = a
        self.l = l
        self.__post_init__()

It is the source that the `dataclasses` module compiled and threw away. So such a class is made like any other
whose `__init__` is written in Python, and what `__post_init__` changes is seen.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any

from ....core.loading import load_for
from ..syntax.codes import ByCode
from ..syntax.quiet import quietly
from .locate import remember

_told: ByCode[bool] = ByCode()


def is_generated(method: Any) -> bool:
    """Whether a method was written by `dataclasses` or `collections` rather than by a person."""
    return isinstance(method, FunctionType) and method.__code__.co_filename == "<string>"


def is_of_python(f: FunctionType, x: Any) -> bool:
    """Whether Python wrote a method of x that only sets, compares or shows its fields, as for a NamedTuple.

    The `__init__` that goes on to a `__post_init__` is none, and its source is told.
    """
    if not is_generated(f):
        return False
    if f.__globals__.get("__name__", "").startswith("namedtuple_"):
        return True
    if not f.__code__.co_qualname.startswith("__create_fn__."):
        return False
    if "__post_init__" in f.__code__.co_names:
        tell(Q for Q in type(x).__mro__ if vars(Q).get("__init__") is f)
        return False
    return True


def generated_initialiser(P: Any) -> FunctionType | None:
    """The generated `__init__` of a dataclass that goes on to a `__post_init__`, once its source is told."""
    init = getattr(P, "__init__", None)
    if not dataclasses.is_dataclass(P) or not isinstance(init, FunctionType) or not is_generated(init):
        return None
    order: Any = getattr(P, "__mro__", ())
    Q: Any = next(Q for Q in order if "__init__" in vars(Q))
    if not dataclasses.is_dataclass(Q) or "__post_init__" not in init.__code__.co_names:
        return None
    if _told.get(init.__code__) is None:
        try:
            text = _source(Q, init.__code__)
        except LookupError:  # a Python that writes it in another way: it stays without a source
            return None
        _told[init.__code__] = True
        remember(init.__code__, lambda: _tree(text))
    return init


def load_with_source(values: Iterable[Any]) -> bool:
    """See to it that the rules of what is called are there, and the source of what makes its objects."""
    values = tuple(values)
    tell(values)
    return load_for(values)


def tell(values: Iterable[Any]) -> None:
    """Tell the source of what makes the objects of these classes."""
    for value in values:
        generated_initialiser(value)


def _tree(text: str) -> ast.FunctionDef:
    (tree,) = quietly(ast.parse, text).body
    assert isinstance(tree, ast.FunctionDef)
    return tree


def _source(Q: Any, code: CodeType) -> str:
    """The text of the `__init__` of a dataclass."""
    positional = code.co_varnames[: code.co_argcount]
    named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    parameters = [*positional, *(["*", *named] if named else [])]
    owner, fields = positional[0], Q.__dataclass_fields__.values()
    also = [f.name for f in fields if f._field_type is dataclasses._FIELD_INITVAR]  # type: ignore[attr-defined]
    frozen = Q.__dataclass_params__.frozen
    lines = [f"def __init__({', '.join(parameters)}):"]
    for name, value in _values(Q, code, owner):
        plain, by_object = f"{owner}.{name} = {value}", f"object.__setattr__({owner}, {name!r}, {value})"
        lines.append(f"    {by_object if frozen else plain}")
    return "\n".join([*lines, f"    {owner}.__post_init__({', '.join(also)})"]) + "\n"


def _values(Q: Any, code: CodeType, owner: str) -> Iterator[tuple[str, str]]:
    """The fields that are set, and the text of what each gets."""

    def captured(stem: str) -> str:
        """The variable that the class gives its default or its marker, by whatever name this Python has."""
        found = [n for n in code.co_freevars if n.strip("_").removeprefix("dataclass_") == stem]
        return found[0]

    for f in Q.__dataclass_fields__.values():
        if f._field_type is not dataclasses._FIELD:  # type: ignore[attr-defined]  # no public name
            continue
        made = None if f.default_factory is dataclasses.MISSING else f"{captured(f'dflt_{f.name}')}()"
        if made is not None and f.init:
            yield f.name, f"{made} if {f.name} is {captured('HAS_DEFAULT_FACTORY')} else {f.name}"
        elif made is not None:
            yield f.name, made
        elif f.init:
            yield f.name, f.name
        elif f.default is not dataclasses.MISSING and "__slots__" in vars(Q):
            yield f.name, captured(f"dflt_{f.name}")
