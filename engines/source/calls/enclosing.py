"""Enclosing: a function that changes variables of its module, as one that captured them.

    model = Network()                                 def around(model):
                                                          def score(x):
    def score(x):                                             return np.sum(model.forward(x) ** 2)
        return np.sum(model.forward(x) ** 2)              return score

What a function captured has a derivative while the function runs, a variable of a module has none. So a
function that is called from outside is enclosed by those variables of its module that it changes, or that
hold what it is given to change, and the functions of the module that name these stand inside it. Where a
method or a function elsewhere names them too, the function stays as it is, and a change that varies is
refused when it happens.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterable, Iterator, Mapping
from types import CellType, CodeType, FunctionType
from typing import Any, NamedTuple

from ....core.caches import emptied
from ....core.registry import rules_of
from ..analysis.effects_of import changes_by_name
from ..analysis.held_functions import given as held_by
from ..analysis.writers import is_users, users_writes
from ..memory.owning import CONSTANT
from ..reading.locate import NoSource, locate, names_in, recompile, remember, without_defaults
from ..syntax.codes import ByCode, content_of
from ..syntax.scopes import captured, copied, own_variables, rebinds_outer, yields
from ..syntax.trees import place
from ..values.aliases import overlap
from ..values.reaching import changeable, variables
from .readers import first_of, readers_of


class _Names(NamedTuple):
    """The names that a function reads from around it, and those of what it changes."""

    read: frozenset[str]
    changed: frozenset[str]


_names: ByCode[_Names] = emptied(ByCode())
_staying: ByCode[tuple[tuple[str, weakref.ref[CodeType]], ...]] = emptied(ByCode())
_made: ByCode[dict[Any, CodeType]] = emptied(ByCode())
_opened: ByCode[dict[Any, CodeType]] = emptied(ByCode())


def enclosed(f: FunctionType, given: tuple[Any, ...], changed: tuple[Any, ...] = ()) -> FunctionType:
    """f; where it changes variables of its module, or those hold what is `changed`, it with them captured."""
    if not changed and _is_known_to_stay(f):
        return f
    try:
        inside = dict(_functions(f))
        found = _variables(f, inside, changed)
        if not any(_names_of(g).changed for g in (f, *inside.values())):
            _staying[f.__code__] = tuple((n, weakref.ref(g.__code__)) for n, g in inside.items())
        return _around(f, found, inside, given) if found else f
    except NoSource:  # which is said where it is differentiated
        return f


def _is_known_to_stay(f: FunctionType) -> bool:
    """Whether neither f nor the functions that it named before, if they are the same, change a variable."""
    functions = _staying.get(f.__code__)
    if functions is None:
        return False
    named = f.__globals__
    return all(getattr(named.get(n), "__code__", None) is code() for n, code in functions)


def _names_of(f: FunctionType) -> _Names:
    known = _names.get(f.__code__)
    if known is None:
        read = captured(locate(f.__code__).node).difference(f.__code__.co_freevars)
        known = _names[f.__code__] = _Names(read, read & changes_by_name(f))
    return known


def _functions(f: FunctionType) -> Iterator[tuple[str, FunctionType]]:
    """The functions of f's module that it names, and those that they name."""
    pending, seen = [f], {*f.__code__.co_freevars}
    while pending:
        for name in _names_of(pending.pop()).read:
            g = f.__globals__.get(name)
            if name not in seen and type(g) is FunctionType and _is_of(g, f):
                seen.add(name)
                pending.append(g)
                yield name, g


def _is_of(g: FunctionType, f: FunctionType) -> bool:
    """Whether g is another function of f's module, not made inside of one."""
    same = g.__globals__ is f.__globals__ and not g.__closure__
    return same and g.__code__ is not f.__code__ and is_users(g) and rules_of(g) is None


def _variables(f: FunctionType, inside: dict[str, FunctionType], changed: tuple[Any, ...]) -> dict[str, Any]:
    """The variables that enclose f: what it changes itself, and the objects that those functions change."""
    functions = (f, *inside.values())
    found: dict[str, Any] = {}
    for g in functions:
        for n in _names_of(g).changed:
            value = f.__globals__.get(n)
            if _is_own(value) and (g is f or type(value).__module__ != "builtins"):
                found[n] = value
    known = [*changed, *found.values()]
    if known:
        read = {n: f.__globals__.get(n) for g in functions for n in _names_of(g).read}
        found |= {n: v for n, v in read.items() if _is_own(v) and _meets(v, known)}
    return found


def _meets(v: Any, known: Iterable[Any]) -> bool:
    """Whether what a variable holds is, or has a part in, one of these."""
    seen = first_of(v)
    return any(v is x or overlap(seen, x) for x in known)


def _is_own(v: Any) -> bool:
    """Whether a value is an object that a program changes, no function, class or module."""
    return not isinstance(v, (FunctionType, *CONSTANT)) and changeable(v)


def _around(
    f: FunctionType, found: dict[str, Any], inside: dict[str, FunctionType], given: tuple[Any, ...]
) -> FunctionType:
    """The function that captured these variables; f itself where it cannot be made."""
    names = {*found}
    while more := {n for n, g in inside.items() if n not in names and _names_of(g).read & names}:
        names |= more
    nested = {n: g for n, g in inside.items() if n in names}
    node = locate(f.__code__).node
    local = own_variables(node).union(f.__code__.co_freevars)
    if not names.isdisjoint(local | rebinds_outer(node)) or any(map(_asks_for_all, (f, *nested.values()))):
        return f
    if not all(_can_stand_in(g, local) for g in nested.values()):
        return f
    if next(readers_of(f, nested, tuple(found.values()), given), None) is not None:
        return f
    key = (*sorted(found), *sorted((n, g.__code__) for n, g in nested.items()))
    known = _made.get(f.__code__)
    if known is None:
        known = _made[f.__code__] = {}
    if key not in known:
        known[key] = _compiled(f, nested, [*found])
    return _with_code(f, known[key], {n: CellType(v) for n, v in found.items()})


def _with_code(f: FunctionType, code: CodeType, more: Mapping[str, CellType]) -> FunctionType:
    """f with other code, which may have more captured variables, or fewer."""
    cells = {**variables(f), **more}
    closure = tuple(cells[n] for n in code.co_freevars)
    made = FunctionType(code, f.__globals__, f.__name__, f.__defaults__, closure)
    made.__kwdefaults__, made.__qualname__, made.__module__ = f.__kwdefaults__, f.__qualname__, f.__module__
    return made


def _asks_for_all(f: FunctionType) -> bool:
    """Whether a function gets at variables otherwise than by their names."""
    return not _names_of(f).read.isdisjoint(("vars", "globals", "locals")) or "__dict__" in names_in(
        f.__code__
    )


class Opened(NamedTuple):
    """A function that is given what it captured, as its first arguments, and what these are."""

    function: FunctionType
    values: tuple[Any, ...]


def opened(f: FunctionType, given: tuple[Any, ...], positions: Iterable[int]) -> Opened | None:
    """f as a function that is given what it captured and changes; None where there is none of that.

    `positions`: the places of what it is given and changes.
    """
    changed = tuple(given[i] for i in positions if i < len(given) and _is_own(given[i]))
    f = enclosed(f, given, changed)
    cells = variables(f)
    if not cells:
        return None
    own = changes_by_name(f, held_by(f, given, (), users_writes))
    values = {n: content_of(c) for n, c in cells.items() if _is_own(content_of(c))}
    known = [*changed, *(v for n, v in values.items() if n in own)]
    names = [n for n, v in values.items() if n in own or any(overlap(v, x) for x in known)]
    if not names:
        return None
    return Opened(_with_code(f, _with_parameters(f, names), {}), tuple(values[n] for n in names))


def _with_parameters(f: FunctionType, names: list[str]) -> CodeType:
    """The code of f with what it captured under these names as its first parameters."""
    known = _opened.get(f.__code__)
    if known is None:
        known = _opened[f.__code__] = {}
    key = tuple(names)
    if key not in known:
        source = locate(f.__code__)
        node = copied(source.node)
        first = node.args.posonlyargs or node.args.args
        first[:0] = [ast.arg(n) for n in names]
        known[key] = recompile(node, f.__code__, source.class_name)
        remember(known[key], lambda: node)
    return known[key]


def _can_stand_in(g: FunctionType, local: set[str]) -> bool:
    """Whether a function of the module means the same inside of another, whose variables these are."""
    node = locate(g.__code__).node
    if not isinstance(node, ast.FunctionDef) or yields(node.body) or rebinds_outer(node):
        return False
    defaults = [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
    return all(isinstance(d, ast.Constant) for d in defaults) and local.isdisjoint(_names_of(g).read)


def _compiled(f: FunctionType, nested: dict[str, FunctionType], captured_too: list[str]) -> CodeType:
    """The code of f with functions inside and more captured variables."""
    source = locate(f.__code__)
    node = copied(source.node)
    if nested:
        body = [place(ast.Return(node.body), node.body)] if isinstance(node, ast.Lambda) else node.body
        defs = [_inner(name, g, node, i) for i, (name, g) in enumerate(nested.items())]
        args = without_defaults(node.args)
        node = place(ast.FunctionDef(f.__name__, args, [*defs, *body], [], None), node)
    code = recompile(node, f.__code__, source.class_name, captured_too)
    remember(code, lambda: node)
    return code


def _inner(name: str, g: FunctionType, around: Any, i: int) -> ast.FunctionDef:
    """The definition of a function of the module, which stands before what the function around it does."""
    node: Any = copied(locate(g.__code__).node)
    bare = without_defaults(node.args)
    bare.defaults, bare.kw_defaults = node.args.defaults, node.args.kw_defaults
    made = ast.FunctionDef(name, bare, node.body, [], None)
    made.lineno = made.end_lineno = around.lineno
    made.col_offset = made.end_col_offset = around.col_offset + i
    return made
