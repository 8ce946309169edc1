"""Contexts: blocks under `with`.

    with warnings.catch_warnings():            a block of the text under the same filters
        warnings.simplefilter("ignore")
        y = np.log(x)

    with Scaled(x) as s:                       context = Scaled(x); s = context.__enter__()
        y = s.x * 2.0                          y = s.x * 2.0; context.__exit__(None, None, None)

Where something is raised inside the ordinary program runs, so that a block is what it does where nothing is.
"""

from __future__ import annotations

import ast
import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...source.syntax.trees import place
from .declined import Declined
from .quoted import statements
from .reader import Reader
from .steps import Step, held_to

_ERRORS = ("ignore", "warn", "raise")
_FILTERS = ("ignore", "error")
_FILTERING = (warnings.simplefilter, warnings.filterwarnings)
_Call = tuple[Any, tuple[Any, ...], dict[str, Any]]


class Contexts(Reader):
    """Reads what stands under `with`."""

    tries: bool

    def entered(self, s: ast.With) -> list[ast.stmt] | None:
        """The statements in the place of a `with`; None where the text has one as well."""
        first, *more = s.items
        if more:
            return [place(ast.With([first], [place(ast.With(more, s.body), s)]), s)]
        f = self.constant(first.context_expr.func) if isinstance(first.context_expr, ast.Call) else None
        if f is np.errstate or f is warnings.catch_warnings:
            return None
        if f is contextlib.suppress and first.optional_vars is None:
            self.tries = True
            return s.body
        _hold_whole(s)
        self.tries = True  # what is raised may be caught in the end
        name, target, body = self.own("context"), first.optional_vars, s.body
        opened = "context.__enter__()" if target is None else "target = context.__enter__()"
        first_of = f"context = made\n{opened}"
        made = statements(first_of, s, context=name, made=first.context_expr, target=target)
        closed = "context.__exit__(None, None, None)"
        if returns(s):
            value = self.own("value")
            body, closed = _keeping(s.body, value), f"{closed}\nreturn {value}"
        return [*made, *body, *statements(closed, s.body[-1], context=name)]

    def under(self, s: ast.With, out: list[Step]) -> None:
        """What is done under `np.errstate`, or under filters of warnings."""
        e, body = s.items[0].context_expr, s.body
        if not isinstance(e, ast.Call) or e.args or s.items[0].optional_vars is not None:
            raise Declined("a statement With")
        _hold_whole(s)
        step = held_to("=True", s.lineno)
        if self.constant(e.func) is np.errstate:
            step.facts["under"] = np.errstate, ", ".join(map(_error, e.keywords))
        else:
            filters, body = self._filters(e, body, out)
            step.facts["under"] = step.facts["filters"] = filtered(filters), ""
        self.block(body or [ast.copy_location(ast.Pass(), s)], step.body)
        out.append(step)

    def _filters(
        self, e: ast.Call, body: list[ast.stmt], out: list[Step]
    ) -> tuple[list[_Call], list[ast.stmt]]:
        """The calls by which warnings are filtered, and the statements after them."""
        made = [self._filter(warnings.simplefilter, e, out)] if e.keywords else []
        for i, s in enumerate(body):
            match s:
                case ast.Expr(ast.Call(f) as call) if self.constant(f) in _FILTERING:
                    made.append(self._filter(self.constant(f), call, out))
                case _:
                    return made, body[i:]
        return made, []

    def _filter(self, f: Any, e: ast.Call, out: list[Step]) -> _Call:
        """A call that filters warnings, whose arguments are constants."""
        args = [self._constant(a, out) for a in e.args]
        words = {k.arg or "**": self._constant(k.value, out) for k in e.keywords}
        if (args[0] if args else words.get("action")) not in _FILTERS or "**" in words:
            raise Declined("warnings that are neither ignored nor errors")
        return f, tuple(args), words

    def _constant(self, e: ast.expr, out: list[Step]) -> Any:
        """A number, a text or a class of warnings."""
        if isinstance(e, ast.Constant):
            return e.value
        found = self.constant(e)
        if not isinstance(found, type) or not issubclass(found, Warning):
            raise Declined("a filter of warnings that is not known")
        self.value(e, out)  # so that it is held to be the same later
        return found


def filtered(filters: list[_Call]) -> Any:
    """What opens a block under filters of warnings."""

    @contextlib.contextmanager
    def filtered() -> Iterator[None]:
        with warnings.catch_warnings():
            for f, args, words in filters:
                f(*args, **words)
            yield

    return filtered


def leaves(s: ast.stmt) -> bool:
    """Whether a statement may leave the block that it stands in."""
    if isinstance(s, ast.Return | ast.Break | ast.Continue | ast.Raise):
        return True
    if isinstance(s, ast.For | ast.While):
        return any(isinstance(n, ast.Return) for n in ast.walk(s))
    inside = [x for part in ("body", "orelse", "finalbody") for x in getattr(s, part, ())]
    inside += [x for case in getattr(s, "cases", ()) for x in case.body]
    return not isinstance(s, ast.FunctionDef | ast.ClassDef) and any(map(leaves, inside))


def returns(s: ast.stmt) -> bool:
    """Whether a statement is a `return`, or a block under `with` that ends with one."""
    return isinstance(s, ast.Return) or (isinstance(s, ast.With) and returns(s.body[-1]))


def _hold_whole(s: ast.With) -> None:
    """Declined where a block may be left but at its end."""
    last = s.body[-1]
    if any(map(leaves, s.body[:-1])) or (leaves(last) and not returns(last)):
        raise Declined("a block under `with` that is left early")


def _keeping(body: list[ast.stmt], name: str) -> list[ast.stmt]:
    """A block that ends with a `return`, with a variable for what that returns."""
    last = body[-1]
    if isinstance(last, ast.With):
        return [*body[:-1], place(ast.With(last.items, _keeping(last.body, name)), last)]
    value = last.value if isinstance(last, ast.Return) and last.value else ast.Constant(None)
    return [*body[:-1], *statements("kept = value", last, kept=name, value=value)]


def _error(k: ast.keyword) -> str:
    """What NumPy is to do about one kind of error."""
    if k.arg is None or not isinstance(k.value, ast.Constant) or k.value.value not in _ERRORS:
        raise Declined("np.errstate with something else than what is ignored, warned of or raised")
    return f"{k.arg}={k.value.value!r}"
