"""Lifting: a function with what it captured, as one of its arguments and of what it captured.

A closure is made anew whenever the program around it runs, with other values inside, while its code stays. So
its specialised programs belong to a function of the same text that captures nothing: the values that it
holds, and those held by the functions that it captured in turn, are arguments after its own. What comes out
for these becomes the closure's cotangent again.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from ....tangents import ZERO, Composite, is_zero
from ...source.reading.locate import NoSource, remember
from ...source.syntax.codes import ByCode
from ...source.syntax.quiet import quietly
from .capturing import Node, NotLifted, Seen, is_lasting, nodes_of
from .rewriting import Given, Members, given_to, globals_of, refuse_bound_again, renamed
from .templates import Template

NAME = "lifted_"
_MORE, _MANY = 0x0C, 16  # the flags of `*args` and `**kwargs`; how many shapes of one function


class Lifted(NamedTuple):
    """A function that captures nothing, what it takes after the arguments, and how to give that back.

    `tangents` puts those of what is held into a list, from that of the function.
    """

    f: FunctionType
    held: tuple[Any, ...]
    cotangent: Callable[[Sequence[Any]], Any]
    tangents: Callable[[Any, list[Any]], None]


def lifted(
    f: Any, count: int, around: str = "{}", size: int | None = None, *, anew: bool = False
) -> Lifted | None:
    """f as a function of so many arguments and of what it captured; None where that is not done.

    `size`: that of the first argument where it is a vector, so that f may hand its numbers on one by one.
    `around` is what is computed of f's value `{}`, of its arguments `given0_`, …, and of `weight_`, an
    argument before them where the text has one. `anew`: also where f captured nothing, since it is made
    again and again.
    """
    if type(f) is not FunctionType:
        return _of_owner(f, count, around, size)
    if (
        around == "{}"
        and not anew
        and is_lasting(f)
        and f.__code__.co_argcount == count
        and not f.__code__.co_flags & _MORE
    ):
        return Lifted(f, (), lambda cotangents: ZERO, lambda df, held: None)
    return _lifted(f, None, count, around, size, anew)


def _lifted(
    f: FunctionType, home: FunctionType | None, count: int, around: str, size: int | None, anew: bool
) -> Lifted | None:
    """The same; its texts are kept with those of `home`, or of the first function that is a user's."""
    try:
        seen = Seen(f, anew)
        home = home or _users(seen, f)
        shapes = _shapes_of(home)
        key = (count, around, size, anew, *seen.key)
        made = shapes.get(key)
        if made is None:
            if len(shapes) >= _MANY:
                return None
            made = shapes[key] = (
                _written(seen, f, Given(count, {0: size} if size else {}), around, anew),
                seen.kept(home),
            )
    except (NotLifted, NoSource):
        return None
    return Lifted(made[0], tuple(seen.held), seen.tree.cotangent, seen.tree.tangents)


def _of_owner(f: Any, count: int, around: str, size: int | None) -> Lifted | None:
    """An object that is called, a method or a partial, as a function that captured it."""
    call = getattr(type(f), "__call__", None)  # noqa: B004  # the method is wanted
    home = f.__func__ if type(f) is MethodType else f.func if type(f) is partial else call
    if type(home) is not FunctionType:
        return None
    made = _lifted(calling(f), home, count, around, size, False)
    if made is None:
        return None

    def cotangent(cotangents: Sequence[Any]) -> Any:
        of_f = made.cotangent(cotangents)
        return ZERO if is_zero(of_f) else of_f.owner

    def tangents(df: Any, held: list[Any]) -> None:
        made.tangents(ZERO if is_zero(df) else Composite[FunctionType](owner=df), held)

    return Lifted(made.f, made.held, cotangent, tangents)  # type: ignore[arg-type]  # a function


def calling(owner: Any) -> Any:
    """What calls an object."""
    return lambda *given: owner(*given)


_SHAPES = "__chainrules_lifted__"


def _shapes_of(f: FunctionType) -> dict[Any, Any]:
    """What is known of a function's code, kept by its module: the texts run there, and go when it goes."""
    table: ByCode[dict[Any, Any]] = f.__globals__.setdefault(_SHAPES, ByCode())
    known = table.get(f.__code__)
    if known is None:
        known = table[f.__code__] = {}
    return known


class _Text:
    """The definitions of a function and those that it captured, under names of their own."""

    def __init__(self, module: dict[str, Any], end: str) -> None:
        self.module, self.end = module, end  # the globals of the text, and how its own names end
        self.definitions: list[ast.stmt] = []
        self.known: dict[str, Any] = {}

    def constant(self, v: Any) -> str:
        """A name for what is known."""
        name = f"known{len(self.known)}{self.end}"
        self.known[name] = v
        return name

    def whole(self, t: Template, part: slice) -> str:
        """The name of an object that is made anew in the text."""
        name = f"whole{len(self.definitions)}{self.end}"
        held = iter([f"held{i}{self.end}" for i in range(part.start, part.stop)])
        self.definitions += ast.parse(f"{name} = {t.text(held, self.constant)}").body
        return name

    def define(self, node: Node, given: Given | None) -> str:
        """The name of a function that is defined in the text."""
        f = node.f
        names = {n: f"held{i}{self.end}" for n, i in node.places.items()}
        modules = {n: v for n, v in node.known.items() if isinstance(v, ModuleType)}
        names |= {n: self.constant(v) for n, v in node.known.items() if n not in modules}
        names |= {n: inner.name for n, inner in node.functions.items()}
        names |= {n: self.whole(t, part) for n, (t, part) in node.wholes.items()}
        if f.__globals__ is not self.module:
            others = {n: v for n, v in globals_of(f).items() if self.module.get(n) is not v}
            modules |= {n: v for n, v in others.items() if isinstance(v, ModuleType)}
            names |= {n: self.constant(v) for n, v in others.items() if n not in modules}
        refuse_bound_again(f.__code__, {*names, *modules})
        made, sizes = renamed(f, node.name, names, given)
        for inner in node.functions.values():
            self.define(inner, given_to(made, inner.name, sizes))
        self.definitions.append(Members(modules, self.constant).visit(made))
        return node.name


def _written(seen: Seen, f: FunctionType, arguments: Given, around: str, anew: bool) -> FunctionType:
    """The function that captures nothing."""
    module = _users(seen, f).__globals__
    end = seen.end
    text = _Text(module, end)
    name = text.constant(f) if is_lasting(f) and not anew else text.define(seen.tree, arguments)
    given = [f"given{i}{end}" for i in range(arguments.many)]
    weight = ["weight_"] if "weight_" in around else []
    held = [f"held{i}{end}" for i in range(len(seen.held))]
    numpy = text.constant(np)
    result = around.replace("np.", f"{numpy}.").replace("{}", f"{name}({', '.join(given)})")
    outline = ast.parse(f"def {NAME}({', '.join([*weight, *given, *held])}):\n    return {result}").body[0]
    assert isinstance(outline, ast.FunctionDef)
    outline.body = [*text.definitions, *outline.body]
    head = ast.parse(ast.unparse(ast.fix_missing_locations(outline))).body[0]  # with lines of its own
    assert isinstance(head, ast.FunctionDef)
    scope = ast.parse(f"def scope({', '.join(text.known)}): pass")
    scope.body[0].body = [head]  # type: ignore[attr-defined]  # a function
    code = quietly(compile, ast.fix_missing_locations(scope), f"<{f.__qualname__}, lifted>", "exec")
    while code.co_name != NAME:
        code = next(c for c in code.co_consts if isinstance(c, CodeType))
    cells = tuple([CellType(text.known[n]) for n in code.co_freevars])
    made = FunctionType(code, module, NAME, None, cells)
    remember(code, lambda: head)
    return made


def _users(seen: Seen, f: FunctionType) -> FunctionType:
    """The first function of all that are called that is none of this library's; f where all are."""
    every = (g for node in nodes_of(seen.tree) for g in (node.f, *node.known.values()))
    users = (g for g in every if type(g) is FunctionType)
    return next((g for g in users if not (g.__module__ or "").startswith("chainrules.")), f)
