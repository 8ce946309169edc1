"""Push: the text that computes a generated text's values with their tangents.

Each statement is written again, and beside it the statement of the tangents: a store into an array is a store
into its tangent, an append to a trace an append to the trace of tangents. Since a gradient's text is one like
any other, its tangent is the product of the Hessian with a vector.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from numpy import zeros

from ..reading.declined import Declined
from ..reading.kinds import is_real
from ..reading.texts import Text, bare, key_of, known
from ..writing.tangents import owning
from .expressions import Part
from .linear import IN_PLACE
from .scales import Scales
from .varying import Varying, base_of, is_alias


class Push(Scales):
    """Writes the pushforward of one text."""

    more: tuple[str, ...] = ()

    def __init__(self, text: Text, varying: Varying, stretched: set[str]) -> None:
        super().__init__(text, varying, stretched)
        self.found: set[str] = set()  # variables whose tangent may not have their shape
        self.top = text.program is None
        dots = [p + self.end for p in text.parameters if self.carries(p)]
        self.name = f"{text.name}{self.end}"
        self.lines = [f"def {self.name}({', '.join([*text.parameters, *dots, *self.more])}):"]
        self.block(text.node.body)
        self.lines = _without_unset(self.lines, self.end)

    def carries(self, name: str) -> bool:
        """Whether a variable carries a tangent."""
        return self.varying.carries(self.text, name)

    def dot(self, name: str) -> str:
        """Where the tangent of a variable goes."""
        return name + self.end if self.carries(name) else "_"

    # statements

    def block(self, statements: list[ast.stmt]) -> None:
        """Statements with their tangents."""
        for s in statements:
            if isinstance(s, ast.If | ast.For | ast.While | ast.With):
                self.settle_all()
            for n in ast.walk(s) if self.pending else ():
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                    self.changed(n.id)
            getattr(self, f"do_{type(s).__name__.lower()}", self._as_it_is)(s)
            if not isinstance(s, ast.If | ast.For | ast.While | ast.With):
                self.read(s)
        self.settle_all()

    def _as_it_is(self, s: ast.stmt) -> None:
        if not isinstance(s, ast.Raise | ast.Pass | ast.Break):
            raise Declined(f"the tangent of {ast.unparse(s)}")
        self.put(ast.unparse(s))

    def do_if(self, s: ast.If) -> None:
        self.put(f"if {ast.unparse(s.test)}:")
        self._inside(s.body)
        if s.orelse:
            self.put("else:")
            self._inside(s.orelse)

    def _inside(self, statements: list[ast.stmt]) -> None:
        self.depth += 1
        self.block(statements)
        self.depth -= 1

    def do_while(self, s: ast.While) -> None:
        self.put(f"while {ast.unparse(s.test)}:")
        self._inside(s.body)

    def do_for(self, s: ast.For) -> None:
        target, it = ast.unparse(s.target), ast.unparse(s.iter)
        if self.moves(s.iter):
            p = self.push(s.iter)
            self.put(self.pairs(target, p, s.iter))
        else:
            self.put(f"for {target} in {it}:")
        self._inside(s.body)

    def pairs(self, target: str, p: Part, it: ast.expr) -> str:
        """The head of a loop over what moves."""
        return f"for {target}, {target}{self.end} in zip({p.value}, {p.dot}):"

    def do_with(self, s: ast.With) -> None:
        self.put(f"with {', '.join(map(ast.unparse, s.items))}:")
        self._inside(s.body)

    def do_return(self, s: ast.Return) -> None:
        assert isinstance(s.value, ast.Tuple)
        parts = [
            (ast.unparse(e), self._kept(e))
            if isinstance(e, ast.Tuple) and i and not self.top
            else self._result(e)
            for i, e in enumerate(s.value.elts)
        ]
        self.put(f"return {_tuple([v for v, _ in parts])}, {_tuple([t for _, t in parts])}")

    def _result(self, e: ast.expr) -> tuple[str, str]:
        """What is returned, and its tangent."""
        if isinstance(e, ast.Tuple):
            parts = [*map(self._result, e.elts)]
            return _tuple([v for v, _ in parts]), _tuple([t for _, t in parts])
        p = self.push(e) if isinstance(e, ast.Name | ast.Constant) else self.atom(e)
        if p.dot is None:
            return p.value, self.still(p.value) if self.top else "None"
        return p.value, self.whole(p)

    def _kept(self, e: ast.expr) -> str:
        """The tangents of what is kept: None for what carries none."""
        if isinstance(e, ast.Tuple):
            dots = [self._kept(x) for x in e.elts]
            return f"({', '.join(dots)}{',' if len(dots) == 1 else ''})"
        if not isinstance(e, ast.Name) or not self.carries(e.id):
            return "None"
        self.settle(e.id)
        return e.id + self.end

    # calls

    def do_expr(self, s: ast.Expr) -> None:
        e = s.value
        assert isinstance(e, ast.Call)
        half = self.varying.half(self.text, e)
        if half is not None:
            self.put(self._half(e, half))
            return
        text = ast.unparse(e)
        base = base_of(e.func.value) if isinstance(e.func, ast.Attribute) else base_of(e.args[0])
        if not self.carries(base):
            self.put(text)
        elif isinstance(e.func, ast.Attribute) and e.func.attr == "pop":
            self.put(text)
            self.put(f"{base}{self.end}.pop({', '.join(map(ast.unparse, e.args))})")
        elif isinstance(e.func, ast.Attribute) and e.func.attr in ("append", "insert"):
            self._append(base, e)
        elif isinstance(e.func, ast.Attribute) and e.func.attr == "extend":
            self.put(text)
            self.put(f"{base}{self.end}.extend({self._items_put(e.args[0])})")
        elif known(self.text, e.func) in IN_PLACE:
            p = self.push(e)
            self.put(p.value)
            self.put(str(p.dot))
        else:
            raise Declined(f"the tangent of {text}")

    def _items_put(self, e: ast.expr) -> str:
        """The tangents of what another list puts into one; those of what carries none are zero."""
        if isinstance(e, ast.Name) and self.carries(e.id):
            return e.id + self.end
        if isinstance(e, ast.Name):
            item = self.fresh()
            return f"[{self.still(item)} for {item} in {e.id}]"
        return ast.unparse(e)  # the cotangents of a list, which are none yet

    def _append(self, base: str, call: ast.Call) -> None:
        """What is put into a list, the last argument; its tangent is put at the same place."""
        *places, e = call.args
        assert isinstance(call.func, ast.Attribute)
        put = f".{call.func.attr}({''.join(f'{ast.unparse(n)}, ' for n in places)}"
        if base in self.scope.records:
            self.put(f"{base}{put}{ast.unparse(e)})")
            self.put(f"{base}{self.end}{put}{self._kept(e)})")
            return
        p = self.atom(e)
        self.put(f"{base}{put}{p.value})")
        self.put(f"{base}{self.end}{put}{'None' if p.value == 'None' else self.whole(p)})")

    def _half(self, e: ast.Call, half: Text) -> str:
        """A call of another text, which returns what that returns, and the tangents of it."""
        args = [self.atom(a) for a in e.args]
        dots = [
            self.whole(a) for a, p in zip(args, half.parameters, strict=True) if self.varying.carries(half, p)
        ]
        name = f"{half.name}{self.end}"
        self.helpers[name] = half
        return f"{name}({', '.join([*(a.value for a in args), *dots, *self.more])})"

    # assignments

    def do_assign(self, s: ast.Assign) -> None:
        (target,) = s.targets
        half = self.varying.half(self.text, s.value)
        if half is not None:
            assert isinstance(target, ast.Tuple) and isinstance(s.value, ast.Call)
            call, names = self._half(s.value, half), [base_of(x) for x in target.elts]
            values, dots = ", ".join(names), ", ".join(map(self.dot, names))
            self.put(f"({values},), ({dots},) = {call}" if names else call)
        elif isinstance(target, ast.Tuple):
            self._several(target, s.value)
        elif isinstance(target, ast.Subscript):
            self._store(target, s.value)
        else:
            assert isinstance(target, ast.Name)
            self._one(target.id, s.value)

    def _several(self, target: ast.Tuple, e: ast.expr) -> None:
        names = [base_of(x) for x in target.elts]
        if not isinstance(e, ast.Tuple):
            self._taken_apart(names, e)
            return
        parts = [self.atom(x) for x in e.elts]
        texts = [p.value for p in parts]
        for n, x, p in zip(names, e.elts, parts, strict=True):
            if self.carries(n):
                q = self._zero(n, x, p)
                if self.varying.changes(self.text, n):
                    q = q._replace(dot=self.owning(str(q.dot), q.value), full=True)
                self._noted(n, q)
                texts.append(str(q.dot))
        names += [n + self.end for n in names if self.carries(n)]
        self.put(f"{', '.join(names)} = {', '.join(texts)}")

    def _taken_apart(self, names: list[str], e: ast.expr) -> None:
        """The items of a tuple or dictionary, or the values of a record."""
        if self.moves(e) and isinstance(e, ast.Call) and isinstance(e.func, ast.Name):
            p = self.push(e)
            self.put(f"{', '.join(names)}, = {p.value}")
            self.put(f"{', '.join(map(self.dot, names))}, = {p.dot}")
            for n in filter(self.carries, names):
                self._noted(n, p)
            return
        self.put(f"{', '.join(names)}, = {ast.unparse(e)}")
        if self.moves(e):
            end = ".values()" if isinstance(e, ast.Call) else ""
            self.put(f"{', '.join(map(self.dot, names))}, = {self.items_of(e)}{self.end}{end}")
        elif not self.varying.is_record(self.text, e):
            for n in filter(self.carries, names):
                self.put(f"{n}{self.end} = {self.still(n)}")

    def items_of(self, e: ast.expr) -> str:
        """The variable of which the items are taken."""
        return base_of(e.func if isinstance(e, ast.Call) else e)

    def owning(self, dot: str, value: str) -> str:
        """A tangent that may be written into."""
        return f"{self.bind(owning)}({dot}, {value})"

    def _zero(self, name: str, e: ast.expr, p: Part) -> Part:
        """What is assigned to a variable, with a zero where it carries none."""
        if p.dot is not None:
            return p
        if is_real(self.scope.kinds.get(name)) or (isinstance(e, ast.Constant) and e.value is not None):
            return p._replace(dot=self.constant(), full=is_real(self.scope.kinds.get(name)))
        return p._replace(dot=self.still(p.value))

    def _noted(self, name: str, p: Part) -> None:
        if not p.full and not is_real(self.scope.kinds.get(name)):
            self.found.add(name)

    def _one(self, name: str, e: ast.expr) -> None:
        if not self.carries(name):
            self.put(f"{name} = {ast.unparse(e)}")
            return
        dot = name + self.end
        record = name in self.scope.records
        if isinstance(e, ast.Constant) and e.value is None:
            self.put(f"{name} = {dot} = None")
        elif record and isinstance(e, ast.Tuple):
            self.put(f"{name} = {ast.unparse(e)}")
            self.put(f"{dot} = {self._kept(e)}")
        elif self.varying.is_record(self.text, e):
            self.put(f"{name} = {ast.unparse(e)}")
            self.put(f"{dot} = {base_of(e)}{self.end}")
        elif isinstance(e, ast.Call) and known(self.text, e.func) is zeros:
            self.zeros(name, e)
        else:
            self._computed(name, e)

    def zeros(self, name: str, e: ast.Call) -> None:
        """A new array, to be written into."""
        self.put(f"{name} = {ast.unparse(e)}")
        self.put(f"{name}{self.end} = {ast.unparse(e)}")

    def _computed(self, name: str, e: ast.expr) -> None:
        if self.waits(name, e):
            return
        p = self.push(e)
        reads = {n.id for n in ast.walk(e) if isinstance(n, ast.Name)}
        if p.dot is None:
            self.put(f"{name} = {bare(p.value)}")
            p = self._zero(name, e, p._replace(value=name))
        elif name in reads:
            p = p._replace(value=self.let(p.value), dot=self.let(p.dot))
            self.put(f"{name} = {p.value}")
        else:
            self.put(f"{name} = {bare(p.value)}")
        if self.varying.changes(self.text, name) and not is_alias(e) and not (p.full and p.fresh):
            p = p._replace(dot=self.owning(str(p.dot), name), full=True)
        self._noted(name, p)
        self.put(f"{name}{self.end} = {bare(str(p.dot))}")

    def _store(self, target: ast.Subscript, e: ast.expr) -> None:
        base = base_of(target)
        p = self.atom(e)
        slot = ast.unparse(target)
        self.put(f"{slot} = {p.value}")
        if self.carries(base):
            dot = self.whole(p) if self.scope.kinds.get(base) == "L" else p.dot or self.constant()
            self.put(f"{self._slot(target)} = {dot}")

    def _slot(self, target: ast.expr) -> str:
        """The place of the tangent beside a place that is written into."""
        if isinstance(target, ast.Name):
            return target.id + self.end
        assert isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
        return f"{target.value.id}{self.end}[{key_of(target)}]"

    def do_augassign(self, s: ast.AugAssign) -> None:
        sign = {ast.Add: "+=", ast.Sub: "-="}.get(type(s.op))
        if sign is None:
            raise Declined(f"the tangent of {ast.unparse(s)}")
        p = self.push(s.value)
        dot = None if p.dot is None else self.let(p.dot)
        self.put(f"{ast.unparse(s.target)} {sign} {bare(p.value)}")
        if dot is not None and self.carries(base_of(s.target)):
            self.put(f"{self._slot(s.target)} {sign} {dot}")


def _tuple(texts: Sequence[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _without_unset(lines: list[str], end: str) -> list[str]:
    """Lines that let no tangent go that none of them ever sets."""
    lets_go = re.compile(rf"( *)(\w+) = (\w+{end}) = None")
    found = [lets_go.fullmatch(line) for line in lines]
    others = "\n".join([line for line, m in zip(lines, found, strict=True) if m is None])
    used = {*re.findall(r"\w+", others)}
    return [
        line if m is None or m[3] in used else f"{m[1]}{m[2]} = None"
        for line, m in zip(lines, found, strict=True)
    ]
