"""Loops over what they change: `for a in bodies: …` where the body may change what is in `bodies`.

Python's loop sees each item as it is when its turn comes, and the body may have changed it under
another name by then. So such a loop is written out with a variable for what it goes over, which a
store tells like any other name of the same objects: `for i in places_of(source): a = source[i]; …`.
`enumerate`, `zip`, `map` and `reversed` are seen through. A flag says whether there
is anything in the source that can change.
"""

from __future__ import annotations

import ast
import itertools
from collections import deque
from collections.abc import Iterator, KeysView
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from ....core import AliasedMutationError, non_differentiable
from ....core.sequences import View, items
from ..analysis.mutation import Mutation
from ..analysis.sharing import with_items
from ..reading.locate import locate
from ..reading.resolver import Resolver
from ..syntax.scopes import binds, captured, copied, own, own_statements, reads, walk
from ..syntax.trees import assign, call, like, load, place
from ..syntax.where import call_chain, show_chain
from ..values.streams import Stream, own_items, steady, steady_apart
from ..values.streams import places as running
from . import recipes
from .kept_lazies import function_run, steps_of
from .names import Names


def over_items(
    body: list[ast.stmt], mutation: Mutation, names: Names
) -> tuple[list[ast.stmt], dict[str, str]]:
    """The body with such loops written out, and for each variable that they go over its flag."""
    marked = [
        isinstance(s, ast.For) and changes_what_it_goes_over(s, s.iter, mutation) for s in mutation.statements
    ]
    if not any(marked):
        return body, {}
    body = copied(body)
    both = zip(own_statements(body), mutation.statements, marked, strict=True)
    loops = {new: _written_in(s, mutation) for new, s, mark in both if mark}
    writer = _Writer(loops, names, mutation)
    writer.changed = frozenset[str]().union(*map(mutation.affected, mutation.statements))
    return writer.visit(ast.Module(body, [])).body, writer.flags


def changes_what_it_goes_over(s: ast.For, e: ast.expr, mutation: Mutation) -> bool:
    """Whether a loop over an expression changes its items, or what it runs to give them."""
    gone_over = with_items(e, mutation.resolver)
    if gone_over and any(mutation.affected(inner) & gone_over for inner in own_statements(s.body)):
        return True
    runs = [f for step in steps_of(e, mutation.resolver) if (f := function_run(step, mutation.resolver))]
    if not runs:
        return False
    bound = binds(s.target).union(*(own(inner).binds for inner in own_statements(s.body)))
    return any(captured(f) & bound for run in runs for f in functions_in(run, mutation))


def functions_in(e: ast.expr, mutation: Mutation) -> list[ast.Lambda | ast.FunctionDef]:
    """The functions written in an expression, or that its names stand for."""
    named = reads(e)
    found: list[ast.Lambda | ast.FunctionDef] = [n for n in walk(e) if isinstance(n, ast.Lambda)]
    for s in mutation.statements:
        if isinstance(s, ast.FunctionDef) and s.name in named:
            found.append(s)
        elif isinstance(s, ast.Assign) and isinstance(s.value, ast.Lambda) and binds(s) & named:
            found.append(s.value)
    return found


def _written_in(s: ast.stmt, mutation: Mutation) -> frozenset[str]:
    """The names by which a loop's body writes into something."""
    written = (w for inner in own_statements([s])[1:] for w in mutation.written(inner))
    return frozenset[str]().union(*(mutation.shared(w.owner) for w in written))


class _Writer(ast.NodeTransformer):
    """Writes out the marked loops, given with the names that they write to.

    `setup` are the statements before a loop, `sources` what it goes over, `written` those names.
    """

    def __init__(self, marked: dict[ast.stmt, frozenset[str]], names: Names, mutation: Mutation) -> None:
        self.marked = marked
        self.written: frozenset[str] = frozenset()
        self.names = names
        self.mutation = mutation
        self.resolver = mutation.resolver
        self.flags: dict[str, str] = {}
        self.changed: frozenset[str] = frozenset()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node

    def visit_For(self, s: ast.For) -> Any:
        self.generic_visit(s)
        if s not in self.marked:
            return s
        self.written = self.marked[s]
        self.setup: list[ast.stmt] = []
        self.sources: list[ast.expr] = []
        self.strict: list[ast.keyword] = []
        index = self.names.fresh("i")
        item = self._item(s.iter, load(index))
        places = place(ast.Expr(ast.Call(self._helper(places_of), self.sources, self.strict)), s.iter)
        assert isinstance(places, ast.Expr)
        given = [ast.Tuple(self.sources, ast.Load()), *map(load, sorted(binds(s.target) & self.changed))]
        owned = [place(ast.Expr(call(self._helper(own_items), given)), s.iter)] if given[1:] else []
        body = [assign(s.target, item, s.iter), *owned, *s.body]
        return [*self.setup, place(ast.For(ast.Name(index, ast.Store()), places.value, body, s.orelse), s)]

    def _item(self, e: ast.expr, index: ast.expr) -> ast.expr:
        """The item of an iterable at an index."""
        if not isinstance(e, ast.Call):
            return self._read(iterated, e, index)
        f = self.resolver.value(e.func)[1]
        stars = [isinstance(a, ast.Starred) for a in e.args]
        if not self.sources and ((f is zip and stars == [True]) or (f is map and stars == [False, True])):
            return self._row(e, f, index)
        f = None if any(stars) else f
        if f is enumerate and len(e.args) + len(e.keywords) <= 2:
            return self._counted(e, index)
        if f is zip and e.args and not self.sources and all(k.arg == "strict" for k in e.keywords):
            self.strict = e.keywords
            return ast.Tuple([self._item(a, index) for a in e.args], ast.Load())
        if f is reversed and len(e.args) == 1:
            last = self.names.fresh("last")
            source = self._source(iterated, e.args[0])
            length = ast.Call(self.names.helper("len_"), [load(source)], [])
            self._set(last, ast.BinOp(length, ast.Sub(), ast.Constant(1)), e)
            return ast.Subscript(load(source), ast.BinOp(load(last), ast.Sub(), index), ast.Load())
        if f is map and e.args[1:] and not e.keywords and (not self.sources or len(e.args) == 2):
            return ast.Call(e.args[0], [self._item(a, index) for a in e.args[1:]], [])
        written = sorted(self.written & read_by(e, self.mutation))
        if written and isinstance(e.func, ast.Attribute) and viewed(e) is not None:
            owner = self.names.fresh("owner")
            self._set(owner, e.func.value, e)
            self._check(steady_apart, owner, ast.unparse(e.func.value), e)
            e = like(e, func=like(e.func, value=load(owner)))
        else:
            for name in written:
                self._check(steady, name, name, e)
        return self._read(iterated, e, index)

    def _row(self, e: ast.Call, f: Any, index: ast.expr) -> ast.expr:
        """What `zip(*rows)` and `map(f, *rows)` give at an index."""
        self.strict, rows = e.keywords, e.args[-1]
        assert isinstance(rows, ast.Starred)
        row = ast.Call(self._helper(row_at), [load(self._source(all_iterated, rows.value)), index], [])
        self.sources[-1] = ast.Starred(self.sources[-1], ast.Load())
        return row if f is zip else ast.Call(e.args[0], [ast.Starred(row, ast.Load())], [])

    def _check(self, helper: Any, name: str, shown: str, e: ast.expr) -> None:
        what = ast.Constant(f"`{shown}`, which is read step by step,")
        self.setup.append(place(ast.Expr(call(self._helper(helper), [load(name), what])), e))

    def _counted(self, e: ast.Call, index: ast.expr) -> ast.expr:
        """The pair that `enumerate` gives."""
        item = self._item(e.args[0], index)
        start = e.args[1] if len(e.args) == 2 else e.keywords[0].value if e.keywords else None
        if start is None:
            return ast.Tuple([index, item], ast.Load())
        first = self.names.fresh("first")
        self._set(first, start, e)
        return ast.Tuple([ast.BinOp(load(first), ast.Add(), index), item], ast.Load())

    def _read(self, helper: Any, e: ast.expr, index: ast.expr) -> ast.expr:
        return ast.Subscript(load(self._source(helper, e)), index, ast.Load())

    def _source(self, helper: Any, e: ast.expr) -> str:
        source, flag = self.names.fresh("source"), self.names.fresh("changeable")
        self._set(source, call(self._helper(helper), [e]), e)
        asked = ast.Call(self.names.helper("changeable"), [load(source)], [])
        self._set(flag, ast.Compare(asked, [ast.Is()], [ast.Constant(True)]), e)
        self.flags[source] = flag
        self.sources.append(load(source))
        return source

    def _set(self, name: str, value: ast.expr, origin: ast.expr) -> None:
        self.setup.append(assign(name, value, origin))

    def _helper(self, f: Any) -> ast.Name:
        return load(self.names.bind(f.__name__, f))


def iterated(x: Any) -> Any:
    """What a loop over x goes over, to be read by index: x itself where its items may change."""
    if isinstance(x, list | tuple | deque | np.ndarray | Stream):
        return x
    if field := field_gone_over(x):
        return iterated(getattr(x, field))
    finished(x)
    return keys_at_first(x) if isinstance(x, dict | KeysView) else items(x)


def all_iterated(rows: Any) -> Any:
    """What a loop over all rows at once goes over."""
    return tuple([iterated(row) for row in rows])


def row_at(rows: Any, i: Any) -> Any:
    """The items at a place."""
    return tuple([row[i] for row in rows])


class _Keys(tuple[Any, ...]):
    """The keys of a dict as a loop over them begins; `of` is the dict, or its `keys()`."""

    of: Any


def keys_at_first(x: Any) -> _Keys:
    """The keys that a loop over a dict, or over its `keys()`, goes over."""
    made = _Keys(x)
    made.of = x
    return made


def field_gone_over(x: Any) -> str:
    """The field whose items an object gives, by an `__iter__` that is `return iter(self.field)`; or empty."""
    method = getattr(type(x), "__iter__", None)
    if not isinstance(method, FunctionType) or "iter" not in method.__code__.co_names:
        return ""
    node = locate(method.__code__).node
    if not isinstance(node, ast.FunctionDef):
        return ""
    *before, last = node.body
    if any(not isinstance(getattr(s, "value", None), ast.Constant) for s in before):  # more than a docstring
        return ""
    found = getattr(last, "value", None) if isinstance(last, ast.Return) else None
    given = found.args[0] if isinstance(found, ast.Call) and len(found.args) == 1 else None
    if not isinstance(given, ast.Attribute) or given.attr not in getattr(x, "__dict__", {}):
        return ""
    plain = ast.unparse(last) == f"return iter({method.__code__.co_varnames[0]}.{given.attr})"
    return given.attr if plain and "iter" not in method.__globals__ else ""


_LAZY = (
    *(zip, map, filter, enumerate, reversed, itertools.accumulate, itertools.starmap, itertools.filterfalse),
    *recipes.OF_CONTAINERS,
)
LAZY = frozenset(map(id, _LAZY))
"""What reads its arguments when it is asked for an item, and gives a tuple in a derivative.

By identity, since what a program calls may have no hash.
"""
_AT_ONCE = (
    *(itertools.product, itertools.permutations),
    *(itertools.combinations, itertools.combinations_with_replacement),
)


_OTHERS = (iter, itertools.tee, itertools.zip_longest)
_STEPPING = frozenset(map(id, (*_OTHERS, *_LAZY, *recipes.ALWAYS))).difference(map(id, _AT_ONCE))
_FLATTENING = itertools.chain.from_iterable  # made anew whenever it is asked for


def read_by(e: ast.expr, mutation: Mutation) -> frozenset[str]:
    """The names of what such a call reads: also what a function captured that it runs."""
    if not is_lazy(e, mutation.resolver) or not isinstance(e, ast.Call):
        return frozenset()
    if not e.args and isinstance(e.func, ast.Attribute):
        return frozenset(reads(e.func.value))
    run = function_run(e, mutation.resolver)
    found = frozenset[str]().union(*(reads(a) for a in e.args if a is not run))
    if run is None:
        return found
    functions = functions_in(run, mutation)
    named = {f.name for f in functions if isinstance(f, ast.FunctionDef)}
    return found.union(reads(run), *map(captured, functions)) - named


def is_lazy(e: ast.expr, resolver: Resolver) -> bool:
    """Whether an expression gives what reads something when it is asked for an item."""
    if not isinstance(e, ast.Call):
        return False
    if viewed(e) is not None:
        return True
    f = resolver.value(e.func)[1]
    return id(f) in _STEPPING or (type(f) is BuiltinFunctionType and f == _FLATTENING)


def viewed(e: ast.expr) -> ast.expr | None:
    """What an expression is a view of: `d` of `d.items()` and its kin; None for another."""
    f = e.func if isinstance(e, ast.Call) else None
    return f.value if isinstance(f, ast.Attribute) and f.attr in ("items", "keys", "values") else None


def finished(x: Any) -> None:
    """Refuse an iterator, of which nobody but the loop may take, and one that a class makes anew."""
    if isinstance(x, Iterator) or isinstance(getattr(type(x), "__iter__", None), FunctionType):
        raise AliasedMutationError(
            f"a loop over a {type(x).__name__} changes what that goes over",
            where=show_chain(call_chain()),
            next="go over a list of it",
        )


def places_of(*sources: Any, strict: bool = False) -> Iterator[Any]:
    """The indices or keys of what a loop goes over, each when its turn comes."""
    if len(sources) == 1:
        return iter(running(sources[0])) if isinstance(sources[0], Stream) else _places(sources[0])
    for source in sources:
        if isinstance(source, Stream):
            finished(source)
    return (places[0] for places in zip(*map(_places, sources), strict=strict))


def _places(source: Any) -> Iterator[Any]:
    if type(source) is View or type(source) is _Keys:
        yield from _places_in(source.of, source)
        return
    if isinstance(source, deque):
        yield from (i for i, _ in enumerate(source))  # which raises what Python does where it grows
        return
    i = 0
    while i < len(source):
        yield i
        i += 1


def _places_in(keys: Any, source: Any) -> Iterator[int]:
    """Those of a dict or a view of it, which raises what Python does where the dict grows meanwhile."""
    for i, key in enumerate(keys):
        if next(itertools.islice(keys if type(source) is View else source, i, None), None) is not key:
            raise AliasedMutationError(
                "a loop over a dict deletes some of its keys and puts in others",
                where=show_chain(call_chain()),
                next="go over a list of it",
            )
        yield i


non_differentiable(places_of, finished, keys_at_first, field_gone_over, why="give indices and names")
