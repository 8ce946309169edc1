"""Targets: what an assignment gives a value to: a variable, several at once, an item, an attribute."""

from __future__ import annotations

import ast

from .declined import Declined
from .iterating import Iterating
from .quoted import expression
from .steps import Step


class Targets(Iterating):
    """Binds targets, of assignments and of loops."""

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
            out.append(Step("iter", self.fresh(), (value,), line))
            out[-1].facts["consumed"], value = True, out[-1].target
            star = next((i for i, e in enumerate(t.elts) if isinstance(e, ast.Starred)), None)
            for i, e in enumerate(t.elts):
                behind = star is not None and i > star
                part = Step("get", self.fresh(), (value,), line, str(i - len(t.elts) if behind else i))
                if isinstance(e, ast.Starred):
                    part.text = f"{i}:{i + 1 - len(t.elts) or ''}"
                    part.facts["rest"] = len(t.elts) - 1
                    e = e.value
                elif star is None:
                    part.facts["of"] = len(t.elts)
                out.append(part)
                parts.append((e, part.target))
            for e, name in parts:
                self.bind(e, name, out)
        elif isinstance(t, ast.Subscript):
            base = self.value(t.value, out)
            key, names = self.key(t.slice, out)
            out.append(Step(setting(key), "", (base, value), line, key, names=names))
            self.known = {}  # what was read before it may be different now
        elif isinstance(t, ast.Attribute):
            out.append(Step("setattr", "", (self.value(t.value, out), value), line, t.attr))
            self.known = {}
        else:
            raise Declined("a target of another form")

    def bind_each(self, pairs: list[tuple[ast.expr, ast.expr]], out: list[Step]) -> None:
        """The steps of `a, b = x, y`: all values first, then the targets, with no tuple between."""
        values = [self.value(e, out) for _, e in pairs]
        variables = {*self.now.values(), *self.locals}
        for i, v in enumerate(values):
            if v in variables:  # which may be another by then
                out.append(Step("copy", self.fresh(), (v,), pairs[i][0].lineno))
                values[i] = out[-1].target
        for (target, _), value in zip(pairs, values, strict=True):
            self.bind(target, value, out)

    def deleted(self, t: ast.expr, out: list[Step]) -> None:
        """`del name`, and `del items[k]`, which is `items.pop(k)`."""
        if isinstance(t, ast.Name) and self.depth == 0:
            out.append(Step("copy", self.named(t.id), ("=None",), t.lineno))
        elif isinstance(t, ast.Subscript) and not isinstance(t.slice, ast.Slice | ast.Tuple):
            self.value(expression("items.pop(k)", t, items=t.value, k=t.slice), out)
        else:
            raise Declined("a deletion of another form")


def paired(s: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """What is assigned to what in `a, b = x, y`; empty for other assignments."""
    display, target = ast.Tuple | ast.List, s.targets[0]
    if len(s.targets) > 1 or not isinstance(target, display) or not isinstance(s.value, display):
        return []
    if len(target.elts) != len(s.value.elts) or any(map(_is_starred, (*target.elts, *s.value.elts))):
        return []
    return [*zip(target.elts, s.value.elts, strict=True)]


def _is_starred(e: ast.expr) -> bool:
    return isinstance(e, ast.Starred)


def setting(key: str) -> str:
    """The operation that sets an item: of a dictionary where the key is text."""
    return "set" if key[:1] not in ("'", '"') else "setkey"
