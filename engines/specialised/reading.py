"""Reading: from the tree of a function to its steps.

What is read are the statements that most numerical functions are made of. The rest of a block that a
`return` or `break` may skip belongs to the other branch, so that a function ends, and an iteration ends,
in one place. Everything else is declined, and left to the ordinary program.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from types import FunctionType, ModuleType
from typing import Any

from ..source.locate import NoSource, locate
from .kinds import Declined
from .steps import Step, is_name, plain

_BINARY: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_UNARY: dict[type, str] = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not "}
_COMPARE: dict[type, str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_SKIPPED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_SKIPPED |= inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
RESULT = "result_"


class Reading:
    """The steps of one function, its parameters, and the constants that it reads."""

    def __init__(self, f: FunctionType) -> None:
        code = f.__code__
        if code.co_flags & _SKIPPED or code.co_kwonlyargcount:
            raise Declined("a generator, or a function of any number of arguments")
        try:
            node = locate(code).node
        except NoSource as missing:
            raise Declined(str(missing)) from missing
        self.f = f
        self.parameters = list(code.co_varnames[: code.co_argcount])
        self.locals = {*code.co_varnames, *code.co_cellvars}
        self.taken = self.locals | set(code.co_names) | set(code.co_freevars)
        self.constants: dict[str, Any] = {}
        self.captured = dict(zip(code.co_freevars, f.__closure__ or (), strict=True))
        self.now = {n: n for n in self.parameters}
        self.loops = 0
        self.depth = 0
        self.known: dict[Any, str] = {}
        body = node.body if isinstance(node, ast.FunctionDef) else [ast.copy_location(ast.Return(node.body), node.body)]
        self.steps: list[Step] = []
        if RESULT in self.taken:
            raise Declined("a variable of the name result_")
        self.block([*body, ast.copy_location(ast.Return(ast.Constant(None)), body[-1])], self.steps)
        self.every: list[Step] = []
        self._number(self.steps)

    def _number(self, steps: list[Step]) -> None:
        for s in steps:
            s.number = len(self.every)
            self.every.append(s)
            self._number(s.body)
            self._number(s.orelse)

    def fresh(self, stem: str = "t") -> str:
        """A name that nothing has."""
        n = 1
        while f"{stem}{n}_" in self.taken:
            n += 1
        self.taken.add(f"{stem}{n}_")
        return f"{stem}{n}_"

    # statements

    def block(self, statements: list[ast.stmt], out: list[Step]) -> None:
        """The steps of statements; what follows a branch that may leave belongs to the branches that stay."""
        for i, s in enumerate(statements):
            self.known = {}
            if isinstance(s, ast.If) and _leaves(s):
                test = self.value(s.test, out)
                rest = statements[i + 1 :]
                step = Step("if", args=(test,), line=s.lineno)
                now = self.now
                for arm, into in ((s.body, step.body), (s.orelse, step.orelse)):
                    self.now = dict(now)
                    self.block([*arm, *rest], into)
                out.append(step)
                return
            if isinstance(s, ast.Return):
                if self.loops:
                    raise Declined("a return in a loop")
                value = self.value(s.value or ast.Constant(None), out)
                out.append(Step("copy", RESULT, (value,), s.lineno))
                return
            if isinstance(s, ast.Continue):
                return
            if isinstance(s, ast.Break):
                out.append(Step("break", line=s.lineno))
                return
            if isinstance(s, ast.Raise):
                out.append(Step("deopt", line=s.lineno))
                return
            self.statement(s, out)

    def statement(self, s: ast.stmt, out: list[Step]) -> None:
        """The steps of one statement that goes on to the next."""
        if isinstance(s, ast.Assign):
            value = self.value(s.value, out)
            for t in s.targets:
                self.bind(t, value, out)
        elif isinstance(s, ast.AnnAssign) and s.value is not None:
            self.bind(s.target, self.value(s.value, out), out)
        elif isinstance(s, ast.AugAssign):
            self.augmented(s, out)
        elif isinstance(s, ast.If):
            self.branch(s, out)
        elif isinstance(s, ast.For | ast.While) and not s.orelse:
            self.loop(s, out)
        elif isinstance(s, ast.Assert):
            test = self.value(s.test, out)
            out.append(Step("if", args=(test,), line=s.lineno, orelse=[Step("deopt", line=s.lineno)]))
        elif isinstance(s, ast.Expr):
            self.expression(s.value, out)
        elif not isinstance(s, ast.Pass):
            raise Declined(f"a statement {type(s).__name__}")

    def expression(self, e: ast.expr, out: list[Step]) -> None:
        """A call for what it does; only `append` of a list does something."""
        if isinstance(e, ast.Constant):
            return
        if isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr == "append" and len(e.args) == 1:
            owner = self.value(e.func.value, out)
            if not is_name(owner):
                raise Declined("an append to what is no variable")
            out.append(Step("append", "", (owner, self.value(e.args[0], out)), e.lineno))
            return
        self.value(e, out)

    def augmented(self, s: ast.AugAssign, out: list[Step]) -> None:
        op = _BINARY.get(type(s.op))
        if op is None:
            raise Declined(f"the operator {type(s.op).__name__}")
        if isinstance(s.target, ast.Name):
            here = self.value(ast.copy_location(ast.Name(s.target.id, ast.Load()), s.target), out)
            value = self.value(s.value, out)
            step = Step("binary", self.fresh(), (here, value), s.lineno, op)
            step.facts["in place"] = True
            out.append(step)
            self.bind(s.target, step.target, out)
        elif isinstance(s.target, ast.Subscript):
            base = self.value(s.target.value, out)
            key, names = self.index(s.target.slice, out)
            old = Step("get", self.fresh(), (base,), s.lineno, key, names=names)
            out.append(old)
            step = Step("binary", self.fresh(), (old.target, self.value(s.value, out)), s.lineno, op)
            step.facts["in place"] = True
            out.append(step)
            out.append(Step("set", "", (base, step.target), s.lineno, key, names=names))
        else:
            raise Declined("an attribute that is set")

    def branch(self, s: ast.If, out: list[Step]) -> None:
        test = self.value(s.test, out)
        step = Step("if", args=(test,), line=s.lineno)
        out.append(step)
        self.depth += 1
        self.block(s.body, step.body)
        self.block(s.orelse, step.orelse)
        self.depth -= 1

    def loop(self, s: ast.For | ast.While, out: list[Step]) -> None:
        """A loop; one over the items of a sequence counts, and takes each by its index."""
        step = Step("loop", line=s.lineno)
        before: list[Step] = []
        self.loops += 1
        self.depth += 1
        if isinstance(s, ast.While):
            step.text = "while"
            test = self.value(s.test, step.body)
            inner = Step("if", args=(test,), line=s.lineno, orelse=[Step("break", line=s.lineno)])
            self.known = {}
            self.block(s.body, inner.body)
            step.body.append(inner)
        else:
            self.depth -= 1
            pairs = self.items(s, out)
            self.depth += 1
            if pairs is None:
                it = self.value(s.iter, out)
                name = self.named(s.target.id) if isinstance(s.target, ast.Name) else self.fresh()
                step.args, step.target = (it,), name
                if not isinstance(s.target, ast.Name):
                    self.bind(s.target, name, step.body)
            else:
                step.target, step.args, takes = pairs
                if any(_appends(n) for n in s.body):
                    raise Declined("a loop over items that may append to what it goes through")
                for target, base in takes:
                    if base == step.target:
                        self.bind(target, base, step.body)
                        continue
                    item = Step("get", self.fresh(), (base,), s.lineno, step.target, names=(step.target,))
                    item.facts["item"] = True
                    step.body.append(item)
                    self.bind(target, item.target, step.body)
            self.known = {}
            self.block(s.body, step.body)
        self.loops -= 1
        self.depth -= 1
        step.stops = any(x.op == "break" for x in _own(step.body))
        out.extend(before)
        out.append(step)

    def items(self, s: ast.For, out: list[Step]) -> Any:
        """How a loop over items counts: (counter, range, [(target, what it is an item of)])."""
        e, line = s.iter, s.lineno
        f = self.constant(e.func) if isinstance(e, ast.Call) and not e.keywords else None
        if f is range or f is reversed:
            return None
        count: str
        if f is enumerate or f is zip:
            assert isinstance(e, ast.Call)
            if any(isinstance(a, ast.Starred) for a in e.args) or not e.args or (f is enumerate and len(e.args) > 1):
                raise Declined("stars, or a count that starts elsewhere")
            bases = [self.value(a, out) for a in e.args]
            if not isinstance(s.target, ast.Tuple):
                raise Declined("a tuple of items")
            targets = s.target.elts
            if len(targets) != len(bases) + (f is enumerate):
                raise Declined("items that are not taken apart")
        else:
            bases, targets = [self.value(e, out)], [s.target]
        sizes = [self.call_step(len, "len", (b,), line, out) for b in bases]
        count = sizes[0] if len(sizes) == 1 else self.call_step(min, "min", tuple(sizes), line, out)
        over = self.call_step(range, "range", (count,), line, out)
        counter = self.fresh("i")
        pairs = list(zip(targets[f is enumerate :], bases, strict=True))
        if f is enumerate:
            pairs.insert(0, (targets[0], counter))
        return counter, (over,), pairs

    def call_step(self, f: Any, name: str, args: tuple[str, ...], line: int, out: list[Step]) -> str:
        if name in self.taken and self.constants.get(name, f) is not f:
            raise Declined(f"another {name}")
        if name in self.locals or name in self.captured or self.f.__globals__.get(name, f) is not f:
            raise Declined(f"another {name}")
        self.constants[name] = f
        step = Step("call", self.fresh(), (f"={name}", *args), line)
        out.append(step)
        return step.target

    # targets

    def named(self, name: str) -> str:
        """The variable for an assignment: a new one where nothing else can see the old one."""
        if name not in self.locals:
            raise Declined(f"the global {name} is set")
        if self.depth == 0 and name in self.now:
            self.now[name] = self.fresh(f"{name}_")
        else:
            self.now.setdefault(name, name)
        return self.now[name]

    def bind(self, t: ast.expr, value: str, out: list[Step]) -> None:
        """The steps that give a value to a target."""
        line = t.lineno
        if isinstance(t, ast.Name):
            out.append(Step("copy", self.named(t.id), (value,), line))
        elif isinstance(t, ast.Tuple | ast.List):
            parts = []
            for i, e in enumerate(t.elts):
                if isinstance(e, ast.Starred):
                    raise Declined("a starred target")
                part = Step("get", self.fresh(), (value,), line, str(i))
                part.facts["of"] = len(t.elts)
                out.append(part)
                parts.append((e, part.target))
            for e, name in parts:
                self.bind(e, name, out)
        elif isinstance(t, ast.Subscript):
            base = self.value(t.value, out)
            key, names = self.index(t.slice, out)
            out.append(Step("set", "", (base, value), line, key, names=names))
        else:
            raise Declined("an attribute that is set")

    # expressions

    def constant(self, e: ast.expr) -> Any:
        """What a path of names outside the function stands for; Reading itself where it is no such path."""
        if isinstance(e, ast.Name) and e.id not in self.locals:
            if e.id in self.captured:
                try:
                    return self.captured[e.id].cell_contents
                except ValueError:
                    raise Declined(f"{e.id} is not set") from None
            found = self.f.__globals__.get(e.id, getattr(builtins, e.id, Reading))
            if found is Reading:
                raise Declined(f"{e.id} is not set")
            return found
        if isinstance(e, ast.Attribute):
            owner = self.constant(e.value)
            if isinstance(owner, ModuleType):
                return getattr(owner, e.attr, Reading)
        return Reading

    def value(self, e: ast.expr, out: list[Step]) -> str:
        """The argument that stands for an expression, whose steps go into `out`."""
        if isinstance(e, ast.Constant):
            if isinstance(e.value, complex | bytes):
                raise Declined("a complex number")
            return "=" + repr(e.value)
        if isinstance(e, ast.Name) and e.id in self.locals:
            if e.id not in self.now:
                self.now[e.id] = e.id
            return self.now[e.id]
        found = self.constant(e)
        if found is not Reading:
            self.constants[ast.unparse(e)] = found
            return "=" + ast.unparse(e)
        maker = getattr(self, f"_{type(e).__name__.lower()}", None)
        if maker is None:
            raise Declined(f"an expression {type(e).__name__}")
        return str(maker(e, out))

    def _step(self, out: list[Step], *given: Any, **more: Any) -> str:
        step = Step(*given, **more)
        out.append(step)
        return step.target

    def _binop(self, e: ast.BinOp, out: list[Step]) -> str:
        op = _BINARY.get(type(e.op))
        if op is None:
            raise Declined(f"the operator {type(e.op).__name__}")
        a = self.value(e.left, out)
        b = self.value(e.right, out)
        return self._step(out, "binary", self.fresh(), (a, b), e.lineno, op)

    def _unaryop(self, e: ast.UnaryOp, out: list[Step]) -> str:
        op = _UNARY.get(type(e.op))
        if op is None:
            raise Declined("the operator ~")
        a = self.value(e.operand, out)
        if op == "-" and isinstance(e.operand, ast.Constant) and not is_name(a) and a[1] != "-":
            return "=-" + a[1:]
        return self._step(out, "unary", self.fresh(), (a,), e.lineno, op)

    def _compare(self, e: ast.Compare, out: list[Step]) -> str:
        if len(e.ops) > 1 or type(e.ops[0]) not in _COMPARE:
            raise Declined("a chain of comparisons")
        a = self.value(e.left, out)
        b = self.value(e.comparators[0], out)
        return self._step(out, "compare", self.fresh(), (a, b), e.lineno, _COMPARE[type(e.ops[0])])

    def _boolop(self, e: ast.BoolOp, out: list[Step]) -> str:
        target = self.fresh()
        out.append(Step("copy", target, (self.value(e.values[0], out),), e.lineno))
        into = out
        for v in e.values[1:]:
            step = Step("if", args=(target,), line=e.lineno)
            arm = step.body if isinstance(e.op, ast.And) else step.orelse
            self.known, before = {}, self.known
            self.depth += 1
            arm.append(Step("copy", target, (self.value(v, arm),), e.lineno))
            self.depth -= 1
            self.known = before
            into.append(step)
            into = arm
        return target

    def _ifexp(self, e: ast.IfExp, out: list[Step]) -> str:
        target, test = self.fresh(), self.value(e.test, out)
        step = Step("if", args=(test,), line=e.lineno)
        self.depth += 1
        for value, arm in ((e.body, step.body), (e.orelse, step.orelse)):
            self.known, before = {}, self.known
            arm.append(Step("copy", target, (self.value(value, arm),), e.lineno))
            self.known = before
        self.depth -= 1
        out.append(step)
        return target

    def _subscript(self, e: ast.Subscript, out: list[Step]) -> str:
        base = self.value(e.value, out)
        key, names = self.index(e.slice, out)
        if (base, key) in self.known:
            return self.known[base, key]  # equal reads in one statement are one read
        target = self._step(out, "get", self.fresh(), (base,), e.lineno, key, names=names)
        self.known[base, key] = target
        return target

    def index(self, e: ast.expr, out: list[Step]) -> tuple[str, tuple[str, ...]]:
        """The text of an index, and the variables in it."""
        names: list[str] = []

        def part(p: ast.expr | None) -> str:
            if p is None:
                return ""
            if isinstance(p, ast.Slice):
                end = f":{part(p.step)}" if p.step is not None else ""
                return f"{part(p.lower)}:{part(p.upper)}{end}"
            atom = self.value(p, out)
            if is_name(atom):
                names.append(atom)
            elif "'" in atom or '"' in atom:
                raise Declined("an index that is text")
            return plain(atom)

        if isinstance(e, ast.Tuple):
            text = ", ".join(part(p) for p in e.elts) + ("," if len(e.elts) == 1 else "")
            if not e.elts:
                text = "()"
        else:
            text = part(e)
        return text, tuple(dict.fromkeys(names))

    def _attribute(self, e: ast.Attribute, out: list[Step]) -> str:
        return self._step(out, "attr", self.fresh(), (self.value(e.value, out),), e.lineno, e.attr)

    def _tuple(self, e: ast.Tuple | ast.List, out: list[Step], op: str = "tuple") -> str:
        if any(isinstance(x, ast.Starred) for x in e.elts):
            raise Declined("a star in a tuple")
        parts = tuple(self.value(x, out) for x in e.elts)
        return self._step(out, op, self.fresh(), parts, e.lineno)

    def _list(self, e: Any, out: list[Step]) -> str:
        return self._tuple(e, out, "list")

    def _call(self, e: ast.Call, out: list[Step]) -> str:
        if any(isinstance(a, ast.Starred) for a in e.args) or any(k.arg is None for k in e.keywords):
            raise Declined("stars in a call")
        keywords = tuple(str(k.arg) for k in e.keywords)
        found = self.constant(e.func)
        if found is Reading and isinstance(e.func, ast.Attribute):
            owner = self.value(e.func.value, out)
            args = (owner, *(self.value(a, out) for a in (*e.args, *(k.value for k in e.keywords))))
            return self._step(out, "method", self.fresh(), args, e.lineno, e.func.attr, keywords)
        f = self.value(e.func, out)
        numpys = (getattr(found, "__module__", None) or "").startswith("numpy")  # which take tuples for lists

        def given(a: ast.expr) -> str:
            return self._tuple(a, out) if numpys and isinstance(a, ast.List) else self.value(a, out)

        args = (f, *(given(a) for a in (*e.args, *(k.value for k in e.keywords))))
        return self._step(out, "call", self.fresh(), args, e.lineno, "", keywords)

    def _listcomp(self, e: ast.ListComp, out: list[Step]) -> str:
        """`[v for x in it]` as a list that a loop appends to; its variable is its own."""
        if len(e.generators) != 1 or e.generators[0].ifs or e.generators[0].is_async:
            raise Declined("a comprehension with conditions")
        g = e.generators[0]
        target = self._step(out, "list", self.fresh(), (), e.lineno)
        own = {n.id for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        before, locals_before = dict(self.now), set(self.locals)
        inner = {n: self.fresh(f"{n}_") for n in own}
        append = ast.Expr(ast.Call(ast.Attribute(ast.Name("list_", ast.Load()), "append", ast.Load()), [e.elt], []))
        self.locals |= own | {"list_"}
        iterable = self.value(g.iter, out) if not isinstance(g.iter, ast.Call) else None
        if iterable is not None:
            self.locals.add("iterable_")
            self.now["iterable_"] = iterable
            g_iter: ast.expr = ast.Name("iterable_", ast.Load())
        else:
            g_iter = g.iter
        self.now.update({**inner, "list_": target})
        self.comprehended = True
        loop = ast.For(g.target, g_iter, [append], [])
        for n in ast.walk(loop):
            if not hasattr(n, "lineno"):
                ast.copy_location(n, e)
        ast.fix_missing_locations(loop)
        self.depth += 1
        self.loop(loop, out)
        self.depth -= 1
        self.now, self.locals = before, locals_before
        return target


def _leaves(s: ast.stmt) -> bool:
    """Whether a branch may leave the block that it stands in."""
    if isinstance(s, ast.Return | ast.Break | ast.Continue | ast.Raise):
        return True
    if isinstance(s, ast.If):
        return any(_leaves(x) for x in (*s.body, *s.orelse))
    if isinstance(s, ast.For | ast.While):
        return any(isinstance(n, ast.Return) for n in ast.walk(s))
    return False


def _own(steps: list[Step]) -> list[Step]:
    """The steps of a loop's body that no inner loop holds."""
    found = []
    for s in steps:
        found.append(s)
        if s.op != "loop":
            found += _own(s.body) + _own(s.orelse)
    return found


def _appends(n: ast.AST) -> bool:
    return any(isinstance(c, ast.Attribute) and c.attr in ("append", "pop", "insert", "extend") for c in ast.walk(n))
