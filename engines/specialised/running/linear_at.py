"""Linear at: products with one matrix, by a text of which the half that stands still has run.

A Hessian's product with a vector is the pushforward of a gradient, a Jacobian's that of w·F by w: texts that
compute the values of the functions anew for each vector. Where one point asks for many products, these are
computed once (pushing/parting.py). The first product is held against that of the whole text.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ..pushing.parting import Halves, Parting, Source
from ..reading.declined import Declined
from ..reading.texts import Text
from .agreeing import agree
from .entry import lock
from .moved import direction_of
from .programs import Program
from .pushed import Pushed
from .specialised import Specialised

Product = Callable[[Any], Any]


def product_at(program: Any, x: tuple[Any, ...], like: Any, asked: Product) -> Product | None:
    """The products of a program's matrix at x with vectors like one; None where its text is not parted.

    `program`: the pushforward of a gradient by a vector that moves alone, or the gradient of w·F by F's first
    argument. `asked` gives a product by the whole text.
    """
    halves = _halves_of(program)
    if halves is None:
        return None
    checked = isinstance(program, Pushed) and program.checked
    wrong: Any = "raise" if checked else "ignore"
    try:
        with np.errstate(divide=wrong, over=wrong, invalid=wrong):
            _, kept = halves.ahead(*x)
    except Exception:  # another branch, or a zero that is divided by
        return None

    def product(v: Any) -> Any:
        if checked:
            with np.errstate(divide="raise", over="raise", invalid="raise"):
                y = halves.behind(kept, v)[-1]
        else:
            y = halves.behind(kept, v)[-1]
        y = y[0] if type(y) is tuple else y
        if y.shape != v.shape or not np.isfinite(y.dot(y)):
            raise ValueError("a product that does not fit")
        return y

    if not program.halves_agree:
        v = direction_of(like)
        try:
            agree(product(v), asked(v))
        except Exception:  # it may not even fit, where nothing is asked for that moves
            program.halves = False
            return None
        program.halves_agree = True
    return product


def _halves_of(program: Any) -> Halves | None:
    """The two halves of a program's text; None where it has none."""
    if program.halves is None:
        with lock:
            try:
                program.halves = _pushed(program) if isinstance(program, Pushed) else _of_gradient(program)
            except Declined:
                program.halves = False
    return program.halves or None


def _pushed(program: Pushed) -> Halves:
    sources: dict[int, Source] = {}
    for t, p in zip(program.texts, program.pushes, strict=True):
        helpers = {n: program.made.get(v, v) if isinstance(v, Text) else v for n, v in p.helpers.items()}
        sources[id(program.made[t])] = Source(t.f, _tree(p.lines), helpers, t.scope.kinds)
    first = program.texts[0]
    source = sources[id(program.made[first])]
    moving = frozenset(a.arg for a in source.node.args.args) - {*first.parameters}
    return Parting(lambda helper: sources.get(id(helper))).halves(source, moving, last=True)


def _of_gradient(program: Specialised) -> Halves:
    sources: dict[int, Source] = {}
    first, *others = [(t, Source(t.f, t.node, _helpers(t), t.scope.kinds)) for t in program.texts]
    for t, source in others:
        sources[id(t.program.forward if t.name.endswith("_f") else t.program.backward)] = source
    weights = frozenset(first[0].parameters[:1])
    return Parting(lambda helper: sources.get(id(helper))).halves(first[1], weights, last=True)


def _helpers(t: Text) -> dict[str, Any]:
    """What the names of a text stand for, the texts that it calls by their functions."""
    found = t.scope.helpers.items()
    return {n: _half(n, v) if isinstance(v, Program) else v for n, v in found}


def _half(name: str, program: Program) -> FunctionType:
    made: FunctionType = program.forward if name.endswith("_f") else program.backward
    return made


def _tree(lines: list[str]) -> ast.FunctionDef:
    (node,) = ast.parse("\n".join(lines)).body
    assert isinstance(node, ast.FunctionDef)
    return node
