"""The prologue: what a body gets before it is lowered.

Its shorter forms are written out, the objects it is given are kept under names of their own before
it binds anew the parameters that held them, and what its caller hands over for writing is returned
after its value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from ....core.errors import HigherOrderError
from ..analysis.effects_of import rebinds_captured
from ..analysis.forms import Form, Lent, Stale, captured_lent, parameter_count, parameters_lent
from ..analysis.lifting import lifted
from ..analysis.writers import with_getters_called, writes
from ..reading.computed import READER, computed
from ..reading.resolver import Resolver
from ..syntax import patterns
from ..syntax.codes import ByCode
from ..syntax.desugar import desugar, is_sweet
from ..syntax.scopes import binds, copied, own_statements, scoped
from ..syntax.trees import call, load, place
from ..syntax.where import call_chain, refusal, show_chain
from .defaults import defaulted
from .fields import fields_named
from .managers import Place, managed
from .memos import caches_written
from .names import Names
from .viewed import stores_through_view, views_named


def written_out(
    f: FunctionType,
    body: list[ast.stmt],
    ordered: list[str],
    names: Names,
    managers: frozenset[Place],
    resolving: Callable[[], Resolver],
) -> list[ast.stmt]:
    """The body without its shorter forms, and with the names of what a written-out `match` calls."""
    body = fields_named(f, body, names)
    if not managers and not any(map(_is_to_be_written_out, own_statements(body))):
        return body
    body = caches_written(f, body, names)
    given = defaulted(managed(body, managers, names), managers, names)
    written = views_named(desugar(given, names.fresh), names)
    if f.__code__ not in HANDING:  # of which those that can be lifted have been
        written = lifted(written, ordered, names.reserve, resolving)
    if written is body:
        return body
    if not any(isinstance(s, ast.Match) for s in own_statements(body)):
        return written
    for n in (n for s in written for n in ast.walk(s)):
        if isinstance(n, ast.Name) and n.id in patterns.HELPERS:
            found = patterns.HELPERS[n.id]
            n.id = names.bind(found.__name__, found)
    return written


def attributes_read(f: FunctionType, body: list[ast.stmt], names: Names) -> list[ast.stmt]:
    """The body with reading of attributes that change their objects written as calls."""
    new = with_getters_called(f, body)
    if new is not body:
        names.bind(READER, computed)
    return new


def _is_to_be_written_out(s: ast.stmt) -> bool:
    return isinstance(s, ast.FunctionDef) or is_sweet(s) or stores_through_view(s)


def check_kind(code: CodeType) -> None:
    """Refuse coroutines."""
    if code.co_flags & 0x380:  # also one that iterates, and an asynchronous generator
        line = ast.Pass(lineno=code.co_firstlineno, col_offset=0)
        what = f"the coroutine {code.co_name} is not differentiated"
        raise refusal(line, code.co_filename, what, "make it a plain function")


HANDING: ByCode[frozenset[str]] = ByCode()
"""The programs that hand on functions that change what they captured, and which variables are bound once."""
_REBINDING: ByCode[frozenset[str]] = ByCode()  # of functions' programs, the captured variables bound anew


def handing(code: CodeType, once: frozenset[str], anew: list[str]) -> None:
    """Take note of such a program."""
    HANDING[code] = once
    if anew:
        _REBINDING[code] = frozenset(anew)


def refuse_rebinding(f: FunctionType) -> None:
    """Raise for one that binds anew what it captured, and is differentiated again."""
    if f.__code__ in _REBINDING:
        raise higher_order(f"the derivative of {f.__qualname__}, which binds anew what it captured,")


def higher_order(what: str) -> HigherOrderError:
    """The error for what is differentiated once and no more."""
    return HigherOrderError(
        f"{what} is not differentiated again",
        where=show_chain(call_chain()),
        next="pass what changes as an argument, or differentiate once",
    )


_handed_over: ByCode[frozenset[str]] = ByCode()
"""Of each program, the parameters that hold what its caller hands over for writing."""


def hand_over(code: CodeType, f: FunctionType, form: Form, ordered: list[str]) -> None:
    """Remember that of a program made of f; those of f, where that is one, are its own too."""
    handed = (_handed_over.get(f.__code__) or frozenset()).union(ordered[i] for i in parameters_lent(form))
    if handed:
        _handed_over[code] = handed


Kept = dict[str | tuple[str, Any], str]
"""The names that keep parameters, by their own, or what `**kwargs` holds, by its name and the key."""


def keeps(
    f: FunctionType, form: Form, ordered: list[str], body: list[ast.stmt], names: Names
) -> tuple[Kept, dict[str, str]]:
    """Names that keep hold of parameters' objects: of those lent and bound anew, and of those not lent.

    The dict that `**kwargs` is belongs to the function; what it holds does not: of what is lent in it, each.
    """
    kept: Kept = {}
    guarded: dict[str, str] = {}
    handed = _handed_over.get(f.__code__) or ()
    lent = [*parameters_lent(form), *(i for i, name in enumerate(ordered) if name in handed)]
    changed = sorted({*writes(f, frozenset(form.held)), *lent})
    rebound = set().union(*(binds(s) for s in own_statements(body))) if changed else set()
    for i in changed:
        name = ordered[i]
        if i in lent and i == _words(f):
            words = [slot[1] for slot in form.lent if isinstance(slot, tuple) and slot[0] == i]
            kept |= {(name, word): names.reserve(f"{name}_{word}_given") for word in words}
        elif i not in lent or name in rebound:
            kept[name] = names.reserve(f"{name}_given")
        if i not in lent:
            guarded[kept[name]] = f"**{name}" if i == _words(f) else name
    return kept, guarded


def _words(f: FunctionType) -> int:
    """The place of `**kwargs` among the parameters; −1 where there is none."""
    return parameter_count(f) - 1 if f.__code__.co_flags & 0x08 else -1


def unsettled_in(f: FunctionType, form: Form, ordered: list[str]) -> list[str]:
    """The names whose objects the caller may change after the call."""
    names = [ordered[i] for i in (*form.unsettled, *parameters_lent(form)) if i >= 0]
    return [*names, *captured_lent(form), *(f.__code__.co_freevars if -1 in form.unsettled else ())]


def own_captured(f: FunctionType, captured: list[str], names: Names) -> tuple[dict[str, str], list[str]]:
    """Of the captured variables that are handed over, names of the program's own, and those bound anew."""
    anew = rebinds_captured(f).intersection(captured) if captured else frozenset[str]()
    own = {n: names.reserve(f"{n}_held") for n in captured if n not in anew}
    return own, sorted(anew)


def rebinding(
    body: list[ast.stmt], own: dict[str, str], anew: list[str], node: ast.FunctionDef | ast.Lambda
) -> list[ast.stmt]:
    """A body that may bind captured variables: under names of its own, or anew."""
    if anew:
        body = [place(ast.Nonlocal(anew), body[0]), *body]
    if not own:
        return body
    body = copied(body)
    for n, hidden in (found for s in body for found in scoped(s)):
        if isinstance(n, ast.Name) and n.id in own and n.id not in hidden:
            n.id = own[n.id]
    body = copied(body)  # without what the nodes remember of their old names
    held = [place(ast.Assign([ast.Name(new, ast.Store())], load(n)), node) for n, new in own.items()]
    for n in (n for s in held for n in ast.walk(s)):
        if isinstance(n, ast.stmt | ast.expr):  # before all that the function does
            n.end_lineno, n.end_col_offset = n.lineno, n.col_offset
    return [*held, *body]


def returning(
    form: Form,
    ordered: list[str],
    kept: Kept,
    body: list[ast.stmt],
    node: ast.AST,
) -> list[ast.stmt]:
    """A body that returns, after its value, the objects that the caller handed over."""
    body = [*copied(body), place(ast.Return(ast.Constant(None)), node)]
    for s in own_statements(body):
        if isinstance(s, ast.Return):
            states = [_state(lent, ordered, kept) for lent in form.lent]
            s.value = ast.Tuple([s.value or ast.Constant(None), *states], ast.Load())
            place(s, s)
    return body


def _state(lent: Lent, ordered: list[str], kept: Kept) -> ast.expr:
    """An object that was handed over, as the function has it in the end."""
    if isinstance(lent, str):
        return load(lent)
    slot = lent if isinstance(lent, int) else lent[0]
    name = ordered[slot]
    if not isinstance(lent, int) and (name, lent[1]) in kept:
        return load(kept[name, lent[1]])
    held = load(kept.get(name, name))
    return held if isinstance(lent, int) else _item(held, lent[1])


def _item(held: ast.expr, key: Any) -> ast.expr:
    return ast.Subscript(held, ast.Constant(key), ast.Load())


def copies_of(kept: Kept, guarded: dict[str, str], node: ast.AST) -> list[ast.stmt]:
    """`x_given = x` for each of these names; of a guarded `**kwargs` what it holds."""
    made: list[ast.stmt] = []
    for name, copy in kept.items():
        held: ast.expr = load(name) if isinstance(name, str) else _item(load(name[0]), name[1])
        if guarded.get(copy) == f"**{name}":
            values = call(ast.Attribute(held, "values", ast.Load()), [])
            held = ast.Tuple([ast.Starred(values, ast.Load())], ast.Load())
        made.append(place(ast.Assign([ast.Name(copy, ast.Store())], held), node))
    return made


def guards(resolver: Resolver, names: Names) -> list[ast.stmt]:
    """The program's first statement: the global names taken as known still mean the same."""
    if not resolver.assumptions:
        return []
    tests: list[ast.expr] = []
    for text, (expression, value) in resolver.assumptions.items():
        known = names.bind(f"known_{text.replace('.', '_')}", value)
        tests.append(ast.Compare(expression, [ast.IsNot()], [load(known)]))
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)
    stale = load(names.bind("Stale", Stale))
    guard = ast.If(test, [ast.Raise(stale, None)], [])
    return [place(guard, next(iter(resolver.assumptions.values()))[0])]
