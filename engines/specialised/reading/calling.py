"""Calling: calls, what is gone through in them, stars, and assignments in expressions."""

from __future__ import annotations

import ast
import collections
import functools
import math
import operator
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ...source.syntax.trees import place
from .declined import Declined
from .drawing import maker_of
from .expressions import Expressions
from .formatting import as_text
from .inner import Inner
from .merging import note
from .objects import after, is_plain_class, of_class
from .ordering import Ordering
from .pieces import Pieces
from .quoted import expression
from .steps import Step, is_name
from .texts import UNKNOWN
from .vectorizing import Vectorizing

_EXHAUSTERS = (sum, min, max, any, all, list, tuple)
"""What goes through all of a generator at once."""
_JOINERS = (np.concatenate, np.hstack, np.append)
"""What joins arrays, and takes a list that is written out among them for one."""
_READERS = (len, float, int, abs, min, max, sum, range)


class Behind(NamedTuple):
    """The function behind a name, by a text, the object that it is given, and what `super()` was asked."""

    text: str
    f: Any
    owner: ast.expr
    above: tuple[type, str] | None = None


class Calling(Ordering, Vectorizing, Pieces, Inner, Expressions):
    """Reads the calls of one function."""

    def consumed(self, e: ast.expr, out: list[Step]) -> str:
        """The argument that stands for what is gone through at once."""
        made = self.accumulated(e, out) if self.is_accumulate(e) else self.listed(e, out)
        if made is not None:
            note(made, "lazily", out)
            return made
        atom = self.value(e, out)
        if isinstance(e, ast.Call | ast.Attribute) and out and out[-1].target == atom:
            out[-1].facts["consumed"] = True
        return atom

    def _namedexpr(self, e: ast.NamedExpr, out: list[Step]) -> str:
        """`n := v`, where nothing of the statement reads n before it."""
        for n in ast.walk(self.statement_read):
            if not isinstance(n, ast.Name) or n.id != e.target.id or n is e.target:
                continue
            if (n.lineno, n.col_offset) < (e.lineno, e.col_offset):
                raise Declined(f"{n.id}, which is read and assigned in one expression")
        self.bind(e.target, self.value(e.value, out), out)
        return self.now[e.target.id]

    def _spread(self, e: ast.Call, s: Step) -> None:
        """Note which arguments of a call are spread out."""
        first = len(s.args) - len(e.args) - len(e.keywords)
        stars = tuple(first + i for i, a in enumerate(e.args) if isinstance(a, ast.Starred))
        stars += tuple(first + len(e.args) + i for i, k in enumerate(e.keywords) if k.arg is None)
        if stars:
            s.facts["stars"] = stars

    def _named(self, k: ast.keyword, out: list[Step]) -> str:
        """What is given by name, or a dictionary that is spread out among the arguments by name."""
        if k.arg is not None:
            return self.value(k.value, out)
        facts = {"by name": True}
        given = (self.value(k.value, out),)
        return self._step(out, "star", self.fresh(), given, k.value.lineno, facts=facts)

    def _starred(self, e: ast.Starred, out: list[Step]) -> str:
        """What is spread out among the arguments of a call."""
        given = self.gone_through(self.value(e.value, out), e, out)
        return self._step(out, "star", self.fresh(), (given,), e.lineno)

    def gone_through(self, atom: str, e: ast.expr, out: list[Step]) -> str:
        """What somebody goes through who is given this: of an object what its class says."""
        if not is_name(atom):
            return atom
        return self._step(out, "iter", self.fresh(), (atom,), e.lineno, facts={"consumed": True})

    def _starred_items(self, e: ast.Tuple | ast.List, out: list[Step], op: str) -> str:
        """`[a, *b, c]` as a list that grows, `(a, *b, c)` as a sum of tuples."""
        if op == "list":
            made = self._step(out, "list", self.fresh(), (), e.lineno)
            for x in e.elts:
                if isinstance(x, ast.Starred):
                    out.append(Step("extend", "", (made, self.items_of(x.value, x, out)), e.lineno))
                else:
                    out.append(Step("append", "", (made, self.value(x, out)), e.lineno))
            return made
        made = ""
        for x in e.elts:
            if isinstance(x, ast.Starred):
                part = self.gone_through(self.value(x.value, out), x, out)
                if len(e.elts) == 1:
                    raise Declined("a tuple of nothing but a star")
                part = self._helped(tuple, (part,), x, out)
            else:
                part = self._step(out, "tuple", self.fresh(), (self.value(x, out),), e.lineno)
            made = self._step(out, "binary", self.fresh(), (made, part), e.lineno, "+") if made else part
        return made

    def _dictionary(self, e: ast.Call, out: list[Step]) -> str:
        """`dict(a=1)`, `dict(other, a=1)` or `dict(pairs)`."""
        keys: list[ast.expr | None] = [ast.Constant(k.arg) for k in e.keywords]
        named = place(ast.Dict(keys, [k.value for k in e.keywords]), e)
        given = e.args[0] if len(e.args) == 1 else None
        if given is None:
            return self.value(named, out)
        of_zip = isinstance(given, ast.Call) and self.constant(given.func) is zip
        if of_zip or isinstance(given, ast.List | ast.ListComp | ast.GeneratorExp):
            given = self.written("{key_: entry_ for key_, entry_ in given}", e, given=given)
        parts = [self.value(given, out)]
        return self.merge([*parts, self.value(named, out)] if e.keywords else parts, e, out)

    def _is_fromkeys(self, e: ast.expr) -> bool:
        return isinstance(e, ast.Attribute) and e.attr == "fromkeys" and self.constant(e.value) is dict

    def _from_keys(self, e: ast.Call, out: list[Step]) -> str:
        """`dict.fromkeys(keys, v)` as `{k: v for k in keys}`, where v is computed once."""
        keys = self.own("keys", self.consumed(e.args[0], out))
        entry = self.own("entry", self.value(e.args[1], out) if len(e.args) == 2 else "=None")
        return self.value(self.written("{key_: entry for key_ in keys}", e, keys=keys, entry=entry), out)

    def _container(self, e: ast.Call, f: Any, out: list[Step]) -> str | None:
        """A call that makes a list or dictionary of one thing, or asks for an item of it; None of another."""
        if f is collections.deque and len(e.args) < 2 and not e.keywords:
            return self.items_of(e.args[0], e, out) if e.args else self.value(expression("[]", e), out)
        if f is np.fromiter and len(e.args) == 2 and self.constant(e.args[1]) in (float, np.float64):
            return self._helped(np.array, (self.items_of(e.args[0], e, out),), e, out)
        if f is collections.defaultdict:
            return self.default_table(e, out)
        if f is dict:
            return self._dictionary(e, out)
        if (draws := maker_of(f)) is not None and len(e.args) == 1 and not e.keywords:
            return self._helped(draws, (self.value(e.args[0], out),), e, out)
        if f is set and len(e.args) < 2 and not e.keywords:
            return self.set_of(e.args, e, out)
        keyed = (f is max or f is min) and any(k.arg == "key" for k in e.keywords)
        return self.ordered(e, f, out) if len(e.args) == 1 and (keyed or f is sorted) else None

    def items_of(self, e: ast.expr, at: ast.AST, out: list[Step]) -> str:
        """A list of all that something has."""
        return self._listcomp(self.written("[item_ for item_ in items]", at, items=e), out)

    def _call(self, e: ast.Call, out: list[Step]) -> str:
        behind = self._above(e.func) or self._of_owner(e.func)
        found = behind.f if behind is not None and behind.above else self.constant(e.func)
        instead = self._expression_for(e, found)
        if instead is not None:
            return self.value(instead, out)
        made = self._special(e, found, out)
        if made is not None:
            return made
        method = found is UNKNOWN and behind is None
        if method and isinstance(e.func, ast.Attribute) and e.func.attr != "__class__":
            return self._method(e, e.func, out)
        return self._plain_call(e, found, behind, out)

    def _expression_for(self, e: ast.Call, f: Any) -> ast.expr | None:
        """The expression in the place of a call; None where it is read as one."""
        if f is str and len(e.args) == 1 and not e.keywords:
            return place(as_text(e.args[0]), e)
        if f is getattr and len(e.args) == 2 and not e.keywords and _text_of(e.args[1]).isidentifier():
            return expression(f"x.{_text_of(e.args[1])}", e, x=e.args[0])  # type: ignore[no-any-return]
        return self._got(e) or self.of_literal(e)

    def _special(self, e: ast.Call, f: Any, out: list[Step]) -> str | None:
        """A call that is read in a way of its own; None of any other."""
        spread = any(isinstance(a, ast.Starred) for a in e.args) or any(k.arg is None for k in e.keywords)
        if self._is_fromkeys(e.func) and len(e.args) in (1, 2) and not e.keywords:
            return self._from_keys(e, out)
        if f is iter and len(e.args) == 1 and self._ends_iter(e):
            return self.gone_through(self.consumed(e.args[0], out), e, out)
        if f is functools.reduce and len(e.args) in (2, 3) and not e.keywords:
            return self.reduced(e, out)
        if (f is math.prod or (f is sum and self.manner.adds)) and e.args and not spread:
            return self.summed(e, out, ast.Add() if f is sum else ast.Mult())
        made = self.assembled(e, out) if f is np.block else None
        made = made or self.pieces(e, out) or self.inner_gradient(e, out) or self.vectorized(e, out)
        return made if made or spread else self._container(e, f, out) or self.filled(e, f, out)

    def _method(self, e: ast.Call, f: ast.Attribute, out: list[Step]) -> str:
        """A call of a method of what the function has."""
        owner = self.value(f.value, out)
        read = self.consumed if f.attr == "join" and len(e.args) == 1 else self.value
        args = (owner, *(read(a, out) for a in e.args), *(self._named(k, out) for k in e.keywords))
        target = self._step(out, "method", self.fresh(), args, e.lineno, f.attr, _names_of(e))
        self._spread(e, out[-1])
        self.known = {}  # what was read before it may be different now
        return target

    def _plain_call(self, e: ast.Call, found: Any, behind: Behind | None, out: list[Step]) -> str:
        """A call of a function, of what it is given."""
        if behind is None:
            given_first: tuple[str, ...] = (self.value(e.func, out),)
        elif behind.f is object.__init__ and not (e.args or e.keywords):
            given_first = ("=None", self.value(behind.owner, out))  # which does nothing
        else:
            self.constants[behind.text] = behind.f
            given_first = (f"={behind.text}", self.value(behind.owner, out))
        numpys = (getattr(found, "__module__", None) or "").startswith("numpy")
        numpys = numpys and found is not np.block  # the others take tuples for lists

        def given(a: ast.expr) -> str:
            if any(found is f for f in _EXHAUSTERS):
                items = self.consumed(a, out)
                if a is e.args[0] and (found is sum or len(e.args) == 1):
                    items = self.gone_through(items, a, out)
                if found is tuple:
                    note(items, "by place", out)
                return items
            if any(found is f for f in _JOINERS) and isinstance(a, ast.List | ast.Tuple):
                return self._joined_parts(a, out)
            return self._rows(a, out) if numpys and isinstance(a, ast.List) else self.value(a, out)

        named = (given(k.value) if k.arg is not None else self._named(k, out) for k in e.keywords)
        args = (*given_first, *map(given, e.args), *named)
        target = self._step(out, "call", self.fresh(), args, e.lineno, "", _names_of(e))
        self._spread(e, out[-1])
        if behind is not None and behind.above:
            out[-1].facts["above"] = behind.above, behind.f
        if not (numpys or any(found is f for f in _READERS)):
            self.known = {}
        return target

    def _got(self, e: ast.Call) -> ast.expr | None:
        """What `itemgetter(k)` or `attrgetter(name)` gets, made and called at once."""
        made = e.func if isinstance(e.func, ast.Call) and not e.keywords and len(e.args) == 1 else None
        f = None if made is None else self.constant(made.func)
        if made is None or (f is not operator.itemgetter and f is not operator.attrgetter):
            return None
        names = [_text_of(a) for a in made.args]
        if made.keywords or len(names) != 1 or not all(isinstance(a, ast.Constant) for a in made.args):
            raise Declined("several items that are got at once")
        if f is operator.attrgetter and not names[0]:
            raise Declined("an attribute by what is no name")
        if f is operator.attrgetter:
            return expression(f"x.{names[0]}", e, x=e.args[0])  # type: ignore[no-any-return]  # an expression
        return expression("x[key]", e, x=e.args[0], key=made.args[0])  # type: ignore[no-any-return]

    def _ends_iter(self, e: ast.Call) -> bool:
        """Whether `__iter__` returns this, and whoever asked goes through all of it at once."""
        s = self.statement_read
        return self.f.__code__.co_name == "__iter__" and isinstance(s, ast.Return) and s.value is e

    def _joined_parts(self, e: ast.List | ast.Tuple, out: list[Step]) -> str:
        """What is joined as a tuple, the lists that are written out in it as arrays."""
        if any(isinstance(x, ast.Starred) for x in e.elts):
            return self._rows(e, out) if isinstance(e, ast.List) else self.value(e, out)
        parts = [self._places(x, out) if isinstance(x, ast.List) else self.value(x, out) for x in e.elts]
        return self._step(out, "tuple", self.fresh(), tuple(parts), e.lineno)

    def _of_owner(self, e: ast.expr) -> Behind | None:
        """Of a method of a class, or of one of SciPy's distributions."""
        owner = self.constant(e.value) if isinstance(e, ast.Attribute) else None
        if not isinstance(e, ast.Attribute):
            return None
        f: Any = None
        if isinstance(owner, type) and is_plain_class(owner):
            f = of_class(owner, e.attr)
        elif type(owner).__module__.startswith("scipy.stats."):
            f = getattr(type(owner), e.attr, None)
        return Behind(f"{self.spelled(e)}.__func__", f, e.value) if type(f) is FunctionType else None

    def _above(self, e: ast.expr) -> Behind | None:
        """Of `super().name`: the function for objects of the method's own class."""
        asked = e.value if isinstance(e, ast.Attribute) else None
        if not isinstance(e, ast.Attribute) or not isinstance(asked, ast.Call):
            return None
        if not isinstance(asked.func, ast.Name) or self.constant(asked.func) is not super or asked.keywords:
            return None
        names = ("__class__", *self.f.__code__.co_varnames[:1])
        given = asked.args or [ast.Name(n, ast.Load()) for n in names]
        C = self.constant(given[0])
        if not isinstance(C, type) or len(given) != 2:
            raise Declined("super of what is no class")
        place, found = after(C, C, e.attr)
        if type(found) is not FunctionType and found is not object.__init__:
            raise Declined(f"super().{e.attr}, which is no function")
        text = f"{self.spelled(given[0])}.__mro__[{place}].{e.attr}"
        return Behind(text, found, given[1], (C, e.attr))


def _names_of(e: ast.Call) -> tuple[str, ...]:
    """The names of a call's last arguments."""
    return tuple("**" if k.arg is None else k.arg for k in e.keywords)


def _text_of(e: ast.expr) -> str:
    """A text that is written out and may be a name; empty for anything else."""
    text = e.value if isinstance(e, ast.Constant) else None
    return text if isinstance(text, str) and all(map(str.isidentifier, text.split("."))) else ""
