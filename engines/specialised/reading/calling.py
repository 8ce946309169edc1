"""Calling: calls, what is gone through in them, stars, and assignments in expressions."""

from __future__ import annotations

import ast
import collections
import functools
import math
import operator
from types import FunctionType
from typing import Any

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
        keywords = tuple("**" if k.arg is None else k.arg for k in e.keywords)
        method = isinstance(e.func, ast.Attribute) and e.func.attr != "__class__"
        found = self.constant(e.func)
        owner_text, of_owner = self._of_owner(e.func)
        if self._is_fromkeys(e.func) and len(e.args) in (1, 2) and not keywords:
            return self._from_keys(e, out)
        above = self._above(e.func)
        if above is not None and above[1] is object.__init__ and not (e.args or keywords):
            target = self._step(out, "call", self.fresh(), ("=None", self.value(above[2], out)), e.lineno)
            out[-1].facts["above"] = above[3], above[1]
            return target
        found = above[1] if above is not None else found
        if found is UNKNOWN and method and of_owner is None:
            assert isinstance(e.func, ast.Attribute)
            if (text := self.of_literal(e)) is not None:
                return self.value(text, out)
            owner = self.value(e.func.value, out)
            read = self.consumed if e.func.attr == "join" and len(e.args) == 1 else self.value
            args = (owner, *(read(a, out) for a in e.args), *(self._named(k, out) for k in e.keywords))
            target = self._step(out, "method", self.fresh(), args, e.lineno, e.func.attr, keywords)
            self._spread(e, out[-1])
            self.known = {}  # what was read before it may be different now
            return target
        if found is iter and len(e.args) == 1 and self._ends_iter(e):
            return self.gone_through(self.consumed(e.args[0], out), e, out)
        if found is str and len(e.args) == 1 and not keywords:
            return self.value(place(as_text(e.args[0]), e), out)
        if found is getattr and len(e.args) == 2 and not keywords and _text_of(e.args[1]).isidentifier():
            return self.value(expression(f"x.{_text_of(e.args[1])}", e, x=e.args[0]), out)
        if (item := self._got(e)) is not None:
            return self.value(item, out)
        spread = "**" in keywords or any(isinstance(a, ast.Starred) for a in e.args)
        made = None if spread else self._container(e, found, out)
        if made is not None:
            return made
        assembled = self.assembled(e, out) if found is np.block else None
        if assembled is not None:
            return assembled
        if (made := self.pieces(e, out)) is not None or (made := self.inner_gradient(e, out)) is not None:
            return made
        mapped = self.vectorized(e, out)
        if mapped is not None:
            return mapped
        into = None if spread else self.filled(e, found, out)
        if into is not None:
            return into
        if found is functools.reduce and len(e.args) in (2, 3) and not keywords:
            return self.reduced(e, out)
        if (found is math.prod or (found is sum and self.manner.adds)) and e.args and not spread:
            return self.summed(e, out, ast.Add() if found is sum else ast.Mult())
        given_first: tuple[str, ...]
        if above is not None:
            self.constants[above[0]] = above[1]
            given_first = (f"={above[0]}", self.value(above[2], out))
        elif of_owner is not None:
            self.constants[f"{owner_text}.__func__"] = of_owner
            given_first = (f"={owner_text}.__func__", self.value(e.func.value, out))  # type: ignore[attr-defined]
        else:
            given_first = (self.value(e.func, out),)
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
        target = self._step(out, "call", self.fresh(), args, e.lineno, "", keywords)
        self._spread(e, out[-1])
        if above is not None:
            out[-1].facts["above"] = above[3], above[1]
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

    def _of_owner(self, e: ast.expr) -> tuple[str, Any]:
        """The text of a method of a class or of one of SciPy's distributions, and the function behind it."""
        owner = self.constant(e.value) if isinstance(e, ast.Attribute) else None
        if isinstance(e, ast.Attribute) and isinstance(owner, type) and is_plain_class(owner):
            return self.spelled(e), of_class(owner, e.attr)
        if not isinstance(e, ast.Attribute) or not type(owner).__module__.startswith("scipy.stats."):
            return "", None
        f = getattr(type(owner), e.attr, None)
        return self.spelled(e), f if type(f) is FunctionType else None

    def _above(self, e: ast.expr) -> tuple[str, Any, ast.expr, tuple[type, str]] | None:
        """Of `super().name`: its text, the function, the object, and whose class is above which name.

        The function is that for objects of the method's own class.
        """
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
        head, owner = self.spelled(given[0]), given[1]
        place, found = after(C, C, e.attr)
        if type(found) is not FunctionType and found is not object.__init__:
            raise Declined(f"super().{e.attr}, which is no function")
        return f"{head}.__mro__[{place}].{e.attr}", found, owner, (C, e.attr)


def _text_of(e: ast.expr) -> str:
    """A text that is written out and may be a name; empty for anything else."""
    text = e.value if isinstance(e, ast.Constant) else None
    return text if isinstance(text, str) and all(map(str.isidentifier, text.split("."))) else ""
