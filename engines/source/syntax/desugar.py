"""Desugar: shorter forms of Python written out in longer ones, before anything is analysed.

A comprehension is the function that Python makes of it, with a loop that appends, defined just
before the statement and called in its place. A generator expression that a builtin consumes is the
list; one that a `for` runs over is a loop inside that loop; any other is a generator function. `any`,
`all` and `next` stop where they do. `yield from` is a loop that yields.
An assignment in an expression (`:=`) becomes a statement before it (assignments.py).
`match` is written out in patterns.py. What is left as it is, is refused where it would be active.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeGuard, TypeVar

from .assignments import assigned_before, assigns
from .kinds import ATOMS, DEFINITIONS, SEQUENCES
from .patterns import match_as_if
from .scopes import captured, copied, own, own_statements, remembered, stored, walk
from .sources import sources_of

Fresh = Callable[[str], str]
Node = TypeVar("Node", bound=ast.AST)

# fmt: off
_EAGER = frozenset((
    "array", "concatenate", "deque", "dict", "extend", "fmean", "fromiter", "frozenset", "fsum", "hstack",
    "join", "list", "max", "mean", "median", "min", "prod", "reduce", "set", "sorted", "stack", "sum",
    "tuple", "update", "vstack",
))
# fmt: on
"""Functions that take all items of a generator at once, by name."""
_LAZY = frozenset(("accumulate", "chain", "enumerate", "filter", "map", "zip"))
"""Functions that take one item after another."""
_STOPPING = frozenset({"any", "all", "next"})
_SUGAR = (ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Match, ast.YieldFrom)


def desugar(body: list[ast.stmt], fresh: Fresh) -> list[ast.stmt]:
    """The statements of a function body, written out; the body itself where nothing is to be done."""
    if not any(map(is_sweet, own_statements(body))):
        return body
    return _Writer(fresh).block(copied(body))


@remembered
def is_sweet(s: ast.stmt) -> bool:
    """Whether a statement is, or contains, a shorter form."""
    mine = own(s)
    if mine.comprehensions or mine.named or isinstance(s, ast.Match) or _is_chain(s) or _stores_between(s):
        return True
    if (isinstance(s, ast.FunctionDef) and s.decorator_list) or (
        isinstance(s, ast.For) and _is_enumerated(s)
    ):
        return True
    return bool(mine.yields and any(isinstance(e, ast.YieldFrom) for e in mine.yields)) or bool(
        mine.lambdas and any(isinstance(n, _SUGAR) for e in mine.lambdas for n in walk(e.body))
    )


class _Writer(ast.NodeTransformer):
    """Rewrites the expressions of one statement; `before` are the statements to run first."""

    def __init__(self, fresh: Fresh) -> None:
        self.fresh = fresh
        self.before: list[ast.stmt] = []

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for s in body for new in self._statement(s)]

    def _statement(self, s: ast.stmt) -> list[ast.stmt]:
        if isinstance(s, ast.FunctionDef) and s.decorator_list and s.name not in captured(s):
            return self.block(self._decorated(s))
        if isinstance(s, DEFINITIONS):
            return [s]
        if isinstance(s, ast.Match):
            return self.block(match_as_if(s, self.fresh))
        if isinstance(s, ast.For) and _is_single(s.iter):
            return self._statement(self._flattened(s))
        if isinstance(s, ast.For) and _is_enumerated(s):
            return self.block(self._enumerated(s))
        if isinstance(s, ast.Expr) and isinstance(s.value, ast.YieldFrom):
            return self._statement(self._yielding(s.value))
        if isinstance(s, ast.Assign) and isinstance(s.value, ast.GeneratorExp) and _unpacks(s):
            s.value = _at(ast.ListComp(s.value.elt, s.value.generators), s.value)
        if _is_chain(s):
            return self.block(self._unchained(s))
        if _stores_between(s):
            return self.block(self._stored_after(s))
        outer, self.before = self.before, []
        for field, value in ast.iter_fields(s):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(s, field, self.block(value))
            elif isinstance(value, list):
                setattr(s, field, [self._part(v) for v in value])
            elif isinstance(value, ast.AST):
                setattr(s, field, self._part(value))
        written = self._assigning_first(s)
        before, self.before = self.before, outer
        return [*before, *written]

    def _part(self, node: Any) -> Any:
        if isinstance(node, ast.ExceptHandler | ast.withitem):
            for field, value in ast.iter_fields(node):
                if isinstance(value, list):
                    setattr(node, field, self.block(value))
                elif isinstance(value, ast.expr):
                    setattr(node, field, self.visit(value))
            return node
        return self.visit(node) if isinstance(node, ast.expr) else node

    def _decorated(self, s: ast.FunctionDef) -> list[ast.stmt]:
        """`@d` above `def f` as `d1 = d; def f1: …; f = d1(f1)`."""
        decorators = [self.fresh("decorator") for _ in s.decorator_list]
        made: list[ast.stmt] = [
            _placed(ast.Assign([ast.Name(n, ast.Store())], d), d)
            for n, d in zip(decorators, s.decorator_list, strict=True)
        ]
        name, s.name, s.decorator_list = s.name, self.fresh(s.name), []
        value: ast.expr = ast.Name(s.name, ast.Load())
        for decorator in reversed(decorators):
            value = ast.Call(ast.Name(decorator, ast.Load()), [value], [])
        return [*made, s, _placed(ast.Assign([ast.Name(name, ast.Store())], value), s)]

    def _unchained(self, s: ast.Assign) -> list[ast.stmt]:
        """`a = b = v` as `t = v; a = t; b = t`."""
        name = self.fresh("value")
        values = [s.value, *(ast.Name(name, ast.Load()) for _ in s.targets)]
        targets = [ast.Name(name, ast.Store()), *s.targets]
        return [_placed(ast.Assign([t], v), s) for t, v in zip(targets, values, strict=True)]

    def _stored_after(self, s: ast.Assign) -> list[ast.stmt]:
        """`a[i], b = v` as `t, u = v; a[i] = t; b = u`, so that u has a name, which may be a view of a."""
        (target,) = s.targets
        stores = []
        for i, item in enumerate(target.elts):  # type: ignore[attr-defined]  # a tuple or list
            name, inner = self.fresh("value"), item.value if isinstance(item, ast.Starred) else item
            new: ast.expr = _at(ast.Name(name, ast.Store()), item)
            target.elts[i] = _at(ast.Starred(new, ast.Store()), item) if inner is not item else new  # type: ignore[attr-defined]  # the same
            stores.append(_placed(ast.Assign([inner], ast.Name(name, ast.Load())), s))
        return [s, *stores]

    # ---------------------------------------------------------------- comprehensions

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        if not any(isinstance(n, _SUGAR) for n in walk(node.body)):
            return node
        made = ast.FunctionDef(
            self.fresh("function"), node.args, [_at(ast.Return(node.body), node)], [], None
        )
        return self._defined(made, node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._comprehension(node, ast.List([], ast.Load()), lambda out: _append(out, node.elt))

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        def store(out: str) -> ast.stmt:
            target = ast.Subscript(ast.Name(out, ast.Load()), node.key, ast.Store())
            return ast.Assign([target], node.value)

        return self._comprehension(node, ast.Dict([], []), store)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        if _assigned_outside(node) or _is_async(node):
            return node
        loop = self._loops(node.generators, [ast.Expr(ast.Yield(node.elt))])
        return self._called("genexpr", loop, node, [])

    def _yielding(self, node: ast.YieldFrom) -> ast.stmt:
        item = self.fresh("item")
        body: list[ast.stmt] = [ast.Expr(ast.Yield(ast.Name(item, ast.Load())))]
        loop = ast.For(ast.Name(item, ast.Store()), node.value, body, [], None)
        return _placed(loop, node)  # type: ignore[no-any-return]  # the statement

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        first = node.args[0] if node.args else None
        if isinstance(first, ast.GeneratorExp) and not _is_async(first):
            if name in _STOPPING and isinstance(node.func, ast.Name) and not node.keywords:
                return self._stopping(name, first, node)
            if name in _EAGER or (name in _LAZY and all(map(_ends, first.generators))):
                node.args[0] = _at(ast.ListComp(first.elt, first.generators), first)
        node.args = [
            _at(ast.Starred(_at(ast.ListComp(a.value.elt, a.value.generators), a), a.ctx), a)
            if isinstance(a, ast.Starred) and isinstance(a.value, ast.GeneratorExp)
            else a
            for a in node.args
        ]
        return self.generic_visit(node)  # type: ignore[return-value]  # a call stays one

    def _comprehension(self, node: Any, empty: ast.expr, put: Callable[[str], ast.stmt]) -> ast.expr:
        if _is_async(node):
            return node  # type: ignore[no-any-return]  # an expression
        out = self.fresh("items")
        loop = self._loops(node.generators, [put(out)])
        made = [ast.Assign([ast.Name(out, ast.Store())], empty), *loop, ast.Return(ast.Name(out, ast.Load()))]
        return self._called(type(node).__name__.lower(), made, node, [])

    def _stopping(self, name: str, node: ast.GeneratorExp, call: ast.Call) -> ast.expr:
        """`any`, `all` or `next` of a generator: a function that returns at the first that decides."""
        default = self.fresh("default")
        if name == "next":
            found: ast.stmt = ast.Return(node.elt)
            more = call.args[1:]
            end: ast.stmt = ast.Return(ast.Name(default, ast.Load()))
            if not more:
                end = ast.Raise(ast.Name("StopIteration", ast.Load()), None)
        else:
            test = node.elt if name == "any" else ast.UnaryOp(ast.Not(), node.elt)
            found = ast.If(test, [ast.Return(ast.Constant(name == "any"))], [])
            more, end = [], ast.Return(ast.Constant(name == "all"))
        body = [*self._loops(node.generators, [found]), end]
        return self._called(name, body, node, [(default, m) for m in more])

    def _loops(self, generators: list[ast.comprehension], inner: list[ast.stmt]) -> list[ast.stmt]:
        """The nested loops of a comprehension; the outermost runs over the first arguments."""
        outermost, self.sources = sources_of(generators[0].iter, self.fresh)
        body = inner
        for i, g in reversed(list(enumerate(generators))):
            for test in reversed(g.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(g.target, outermost if i == 0 else g.iter, body, [], None)]
        return body

    def _called(
        self, name: str, body: list[ast.stmt], node: Any, more: list[tuple[str, ast.expr]]
    ) -> ast.expr:
        given = [*self.sources, *more]
        parameters = [ast.arg(n) for n, _ in given]
        arguments = ast.arguments([], parameters, None, [], [], None, [])
        if names := sorted(_assigned_outside(node)):  # variables of the function around it
            never: list[ast.stmt] = [
                ast.Assign([ast.Name(n, ast.Store())], ast.Constant(None)) for n in names
            ]
            self.before.append(_placed(ast.If(ast.Constant(False), never, []), node))
            placed = [_placed(s, node) for s in body]
            body = [ast.Nonlocal(names), *_Writer(self.fresh).block(placed)]
        made = ast.FunctionDef(self.fresh(name), arguments, body, [], None)
        operands = [self.visit(e) for _, e in given]
        return _at(ast.Call(self._defined(made, node), operands, []), node)

    def _defined(self, made: ast.FunctionDef, node: ast.expr) -> ast.Name:
        if "type_params" in ast.FunctionDef._fields:
            made.type_params = []  # type: ignore[attr-defined]  # from Python 3.12 on
        self.before.append(_placed(made, node))
        return _at(ast.Name(made.name, ast.Load()), node)

    def _flattened(self, s: ast.For) -> ast.For:
        """`for v in (e for t in source if c): …` as a loop over source; the generator's names are renamed."""
        generator = s.iter.generators[0]  # type: ignore[attr-defined]  # a generator expression
        names = {n.id for n in walk(generator.target) if isinstance(n, ast.Name)}
        renamed = {n: self.fresh(n) for n in names}
        for part in (generator.target, *generator.ifs, s.iter.elt):  # type: ignore[attr-defined]  # the same
            for n in walk(part):
                if isinstance(n, ast.Name) and n.id in renamed:
                    n.id = renamed[n.id]
        bind = _placed(ast.Assign([s.target], s.iter.elt), s.target)  # type: ignore[attr-defined]  # the same
        body: list[ast.stmt] = [bind, *s.body]
        for test in reversed(generator.ifs):
            body = [_placed(ast.If(test, body, []), test)]
        return _at(ast.For(generator.target, generator.iter, body, s.orelse, None), s)

    def _enumerated(self, s: Any) -> list[ast.stmt]:
        """`for i, v in np.ndenumerate(a): …` as `for i in np.ndindex(np.shape(a)): v = a[i]; …`."""
        array, place, module = self.fresh("array"), self.fresh("place"), s.iter.func.value

        def of(name: str, given: ast.expr) -> ast.expr:
            return ast.Call(ast.Attribute(copied(module), name, ast.Load()), [given], [])

        read = ast.Subscript(ast.Name(array, ast.Load()), ast.Name(place, ast.Load()), ast.Load())
        bound: list[ast.stmt] = [
            ast.Assign([s.target.elts[0]], ast.Name(place, ast.Load())),
            ast.Assign([s.target.elts[1]], read),
        ]
        body = [*(_placed(b, s.target) for b in bound), *s.body]
        indices = of("ndindex", of("shape", ast.Name(array, ast.Load())))
        made = ast.Assign([ast.Name(array, ast.Store())], of("asarray", s.iter.args[0]))
        loop = ast.For(ast.Name(place, ast.Store()), indices, body, s.orelse, None)
        return [_placed(made, s.iter), _placed(loop, s)]

    # ---------------------------------------------------------------- assignments in expressions

    def _assigning_first(self, s: ast.stmt) -> list[ast.stmt]:
        """A statement with the assignments that it evaluates first made statements before it."""
        field = {ast.If: "test", ast.Assert: "test", ast.While: "test"}.get(type(s), "value")
        value = getattr(s, field, None)
        if not isinstance(value, ast.expr) or not assigns(value):
            return [s]
        if isinstance(s, ast.AugAssign) and _names(s.target) & {
            n.target.id for n in ast.walk(value) if isinstance(n, ast.NamedExpr)
        }:
            return [s]  # the target is read first
        assigned, left = assigned_before(value, self.fresh, _placed)
        setattr(s, field, left)
        if not isinstance(s, ast.While):
            return [*assigned, s]
        leave: list[ast.stmt] = [*s.orelse, _placed(ast.Break(), s.test)]
        ends = _placed(ast.If(ast.UnaryOp(ast.Not(), s.test), leave, []), s.test)
        return [_at(ast.While(_at(ast.Constant(True), s.test), [*assigned, ends, *s.body], []), s)]


def _is_enumerated(s: ast.For) -> bool:
    """Whether this is `for i, v in np.ndenumerate(a)`."""
    f = s.iter.func if isinstance(s.iter, ast.Call) and len(s.iter.args) == 1 else None
    pair = isinstance(s.target, ast.Tuple) and len(s.target.elts) == 2
    return pair and isinstance(f, ast.Attribute) and f.attr == "ndenumerate" and isinstance(f.value, ast.Name)


def _names(e: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(e) if isinstance(n, ast.Name)}


def _ends(g: ast.comprehension) -> bool:
    """Whether this part of a generator runs over a range or a display."""
    called = isinstance(g.iter, ast.Call) and getattr(g.iter.func, "id", "") == "range"
    return called or isinstance(g.iter, SEQUENCES)


def _stores_between(s: ast.stmt) -> TypeGuard[ast.Assign]:
    """Whether an assignment takes its value apart, and stores a part before it binds or stores another."""
    return isinstance(s, ast.Assign) and len(s.targets) == 1 and _between(s.targets[0])


def _between(target: ast.expr) -> bool:
    if not isinstance(target, SEQUENCES):
        return isinstance(target, ast.Starred) and _between(target.value)
    return any(map(stored, target.elts[:-1])) or any(map(_between, target.elts[-1:]))


def _is_chain(s: ast.stmt) -> TypeGuard[ast.Assign]:
    """Whether this is `a = b = v`, and v more than a number or a name."""
    return isinstance(s, ast.Assign) and len(s.targets) > 1 and not isinstance(s.value, ATOMS)


def _unpacks(s: ast.Assign) -> bool:
    """Whether an assignment takes all items of its value at once."""
    return all(isinstance(t, SEQUENCES) for t in s.targets[:1])


def _is_single(e: ast.expr) -> bool:
    """Whether this is a generator expression that one loop can run."""
    if not isinstance(e, ast.GeneratorExp) or len(e.generators) != 1 or _assigned_outside(e):
        return False
    bound = {n.id for n in ast.walk(e.generators[0].target) if isinstance(n, ast.Name)}
    return not bound & {n.arg for n in ast.walk(e) if isinstance(n, ast.arg)}  # which renaming would miss


def _is_async(node: Any) -> bool:
    return any(g.is_async for g in node.generators)


def _assigned_outside(node: ast.AST) -> set[str]:
    """The variables of the function around it to which a comprehension assigns."""
    return {n.target.id for n in walk(node) if isinstance(n, ast.NamedExpr)}


def _append(out: str, value: ast.expr) -> ast.stmt:
    method = ast.Attribute(ast.Name(out, ast.Load()), "append", ast.Load())
    return ast.Expr(ast.Call(method, [value], []))


def _at(new: Node, node: ast.AST) -> Node:
    return ast.copy_location(new, node)


def _placed(new: Any, node: ast.AST) -> Any:
    """A new statement at the place of a node; parts that have a place of their own keep it."""
    where = {n: getattr(node, n) for n in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
    for n in walk(new):
        if "lineno" in n._attributes and not hasattr(n, "lineno"):
            for name, value in where.items():
                setattr(n, name, value)
    return new
