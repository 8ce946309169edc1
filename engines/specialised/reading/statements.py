"""Reading: from the tree of a function to its steps.

What is read are the statements that most numerical functions are made of. The rest of a block that a
`return` or `break` may skip belongs to the other branch, so that a function ends, and an iteration ends,
in one place. Everything else is declined, and left to the ordinary program.
"""

from __future__ import annotations

import ast
import copy
import inspect
from types import FunctionType

from ...source.reading.locate import NoSource, locate, names_in
from .bounding import bounded
from .boxes import boxed, boxed_by
from .contexts import Contexts, leaves, returns
from .declined import Declined
from .expressions import BINARY, YIELDED
from .filling import Filling
from .generating import is_generator, listed
from .importing import imports_of
from .kinds import CAPTURED
from .looping import with_branch
from .manner import AS_WRITTEN, Manner
from .matching import matched
from .quoted import expression, statements, target
from .rearranging import Rearranging
from .steps import Step, is_name
from .targets import Targets, paired, setting
from .telling import Telling

_SKIPPED = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_LEAVES = (ast.Return, ast.Break, ast.Continue)
RESULT = "result_"


class Reading(Filling, Targets, Rearranging, Contexts, Telling):
    """The steps of one function, its parameters, and the constants that it reads."""

    def __init__(self, f: FunctionType, manner: Manner = AS_WRITTEN) -> None:
        code = f.__code__
        if code.co_flags & _SKIPPED:
            raise Declined("a coroutine")
        try:
            node = locate(code).node
        except NoSource as missing:
            raise Declined(str(missing)) from missing
        super().__init__(f)
        body: list[ast.stmt] = (
            node.body
            if isinstance(node, ast.FunctionDef)
            else [ast.copy_location(ast.Return(node.body), node.body)]
        )
        if is_generator(f):
            body = listed(body)
            self.locals.add(YIELDED)
        self.body = body = self._boxed(body)
        self.imports = imports_of(body, self.parameters, f.__globals__)
        self.locals -= set(self.imports)
        if "deque" in names_in(code):
            self.body = body = bounded(body, self.constant, self.own)
        self.manner = manner
        self.tries = False  # whether something that is raised may be caught
        self.steps: list[Step] = []
        self.returned = ""  # the variable that tells whether a loop has returned
        if self.taken & {RESULT, "seed_", "trace_", YIELDED}:
            raise Declined("a variable with the name of one of the text's own")
        self._defining(body[0])
        self.block([*body, ast.copy_location(ast.Return(ast.Constant(None)), body[-1])], self.steps)
        self.every: list[Step] = []
        self._number(self.steps)

    def _boxed(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The body with boxes for variables that a function inside may set."""
        own = {v: self.own(f"{v}_box") for v in boxed_by(self.f.__code__)}
        self.boxes |= own
        return boxed(body, self.boxes, own, self.parameters)

    def _defining(self, at: ast.stmt) -> None:
        """The functions that this one defines for itself."""
        code = self.f.__code__
        if {*code.co_varnames, *code.co_cellvars} & {*self.given, *self.f.__dict__.get(CAPTURED, ())}:
            raise Declined("a function inside with a variable of another's name")
        self.locals |= self.given.keys()
        for name, known in self.given.items():
            self.defined(self.named(name), known, at, self.steps)

    def _number(self, steps: list[Step]) -> None:
        for s in steps:
            s.number = len(self.every)
            self.every.append(s)
            self._number(s.body)
            self._number(s.orelse)

    # statements

    def block(self, body: list[ast.stmt], out: list[Step]) -> None:
        """The steps of statements; what follows a branch that may leave belongs to the branches that stay."""
        for i, s in enumerate(map(_filled_in, body)):
            self.known, self.statement_read = {}, s
            instead = self._statements_for(s)
            if instead is not None:
                self.block([*instead, *body[i + 1 :]], out)
                return
            if isinstance(s, ast.With):
                self.under(s, out)
                if returns(s):
                    return
                continue
            if isinstance(s, ast.If) and leaves(s):
                test = self.value(s.test, out)
                rest = body[i + 1 :]
                step = Step("if", args=(test,), line=s.lineno)
                now = self.now
                for arm, into in ((s.body, step.body), (s.orelse, step.orelse)):
                    self.now = dict(now)
                    self.block([*arm, *rest], into)
                out.append(step)
                return
            if isinstance(s, ast.Return) and s.value and self.constant(s.value) is NotImplemented:
                out.append(Step("deopt", line=s.lineno))  # another function is asked then
                return
            if isinstance(s, ast.Return):
                value = self.value(s.value or ast.Constant(None), out)
                out.append(Step("copy", RESULT, (value,), s.lineno))
                if self.loops:
                    out.append(Step("copy", self.returned, ("=True",), s.lineno))
                    out.append(Step("break", line=s.lineno))
                return
            if isinstance(s, ast.For | ast.While) and any(isinstance(n, ast.Return) for n in ast.walk(s)):
                self._returning(s, body[i + 1 :], out)
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

    def _returning(self, s: ast.stmt, rest: list[ast.stmt], out: list[Step]) -> None:
        """A loop that may return: it leaves its result, breaks, and what follows it is done otherwise."""
        self.returned = self.returned or self.fresh("returned")
        if not self.loops:
            out.append(Step("copy", self.returned, ("=False",), s.lineno))
        self.statement(s, out)
        step = Step("if", args=(self.returned,), line=s.lineno)
        if self.loops:
            step.body.append(Step("break", line=s.lineno))
        now = self.now
        self.now = dict(now)
        self.block(rest, step.orelse)
        out.append(step)

    def _tried(self, s: ast.Try) -> list[ast.stmt]:
        """What happens where nothing is raised; where something is, the ordinary program runs."""
        self.tries = True
        if s.finalbody and any(isinstance(n, _LEAVES) for x in (*s.body, *s.orelse) for n in ast.walk(x)):
            raise Declined("a try that is left early, with something to do in the end")
        return [*s.body, *s.orelse, *s.finalbody]

    def _statements_for(self, s: ast.stmt) -> list[ast.stmt] | None:
        """The statements that stand in the place of one; None where it is read as it is."""
        if isinstance(s, ast.Try):
            return self._tried(s)
        if isinstance(s, ast.Match):
            return matched(s, self)
        if isinstance(s, ast.For | ast.While) and s.orelse:
            return with_branch(copy.deepcopy(s), self.own("left"))
        return self.entered(s) if isinstance(s, ast.With) else None

    def statement(self, s: ast.stmt, out: list[Step]) -> None:
        """The steps of one statement that goes on to the next."""
        if isinstance(s, ast.Assign) and (pairs := paired(s)):
            self.bind_each(pairs, out)
        elif isinstance(s, ast.Assign):
            apart = all(isinstance(t, ast.Tuple | ast.List) for t in s.targets)
            value = self.consumed(s.value, out) if apart else self.value(s.value, out)
            for t in s.targets:
                self.bind(t, value, out)
        elif isinstance(s, ast.AnnAssign) and s.value is not None:
            self.bind(s.target, self.value(s.value, out), out)
        elif isinstance(s, ast.AugAssign):
            self.augmented(s, out)
        elif isinstance(s, ast.If):
            self.branch(s, out)
        elif isinstance(s, ast.For | ast.While):
            self.loop(s, out)
        elif isinstance(s, ast.Assert):
            test = self.value(s.test, out)
            out.append(Step("if", args=(test,), line=s.lineno, orelse=[Step("deopt", line=s.lineno)]))
        elif isinstance(s, ast.FunctionDef) and not s.decorator_list:
            self.bind(target(s.name, s), self.closure(s, self.fresh(), out), out)
        elif isinstance(s, ast.Expr):
            self.expression(s.value, out)
        elif isinstance(s, ast.Delete):
            for t in s.targets:
                self.deleted(t, out)
        elif not isinstance(s, ast.Pass | ast.Import | ast.ImportFrom):
            raise Declined(f"a statement {type(s).__name__}")

    def expression(self, e: ast.expr, out: list[Step]) -> None:
        """A call for what it does; `append` and `extend` of a list do something."""
        if isinstance(e, ast.Constant) or (isinstance(e, ast.Call) and self.told(e, out)):
            return
        if (
            isinstance(e, ast.Call)
            and isinstance(e.func, ast.Attribute)
            and e.func.attr in ("append", "extend")
            and len(e.args) == 1
        ):
            owner = self.value(e.func.value, out)
            if not is_name(owner):
                raise Declined("an append to what is no variable")
            generated = isinstance(e.args[0], ast.GeneratorExp)
            value = self._listcomp(e.args[0], out) if generated else self.consumed(e.args[0], out)
            out.append(Step(e.func.attr, "", (owner, value), e.lineno))
            return
        if not self.fills(e, out) and not self.rearranged(e, out):
            self.value(e, out)

    def augmented(self, s: ast.AugAssign, out: list[Step]) -> None:
        op = BINARY.get(type(s.op))
        if op is None:
            raise Declined(f"the operator {type(s.op).__name__}")
        t, line = s.target, s.lineno
        if isinstance(t, ast.Name):
            old = self.value(expression(t.id, t), out)
        elif isinstance(t, ast.Subscript):
            base = self.value(t.value, out)
            key, names = self.key(t.slice, out)
            old = self._step(out, "get", self.fresh(), (base,), line, key, names=names)
        else:
            base = self.value(t.value, out)
            old = self._step(out, "attr", self.fresh(), (base,), line, t.attr)
        step = Step("binary", self.fresh(), (old, self.value(s.value, out)), line, op)
        step.facts["in place"] = True
        out.append(step)
        if isinstance(t, ast.Name):
            self.bind(t, step.target, out)
        elif isinstance(t, ast.Subscript):
            if setting(key) == "set":
                step.facts["of"] = base
            out.append(Step(setting(key), "", (base, step.target), line, key, names=names))
        else:
            out.append(Step("setattr", "", (base, step.target), line, t.attr))

    def branch(self, s: ast.If, out: list[Step]) -> None:
        test = self.value(s.test, out)
        step = Step("if", args=(test,), line=s.lineno)
        out.append(step)
        self.depth += 1
        self.block(s.body, step.body)
        self.block(s.orelse, step.orelse)
        self.depth -= 1


def _filled_in(s: ast.stmt) -> ast.stmt:
    """`if w is None: w = …` as `w = … if w is None else w`, after which w is another variable."""
    match s:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=n), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
            body=[ast.Assign(targets=[ast.Name(id=m)], value=value)],
            orelse=[],
        ) if n == m:
            made: ast.stmt = statements("w = value if test else w", s, w=n, value=value, test=s.test)[0]
            return made
    return s
