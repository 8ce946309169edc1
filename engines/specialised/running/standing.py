"""Standing: a plain function in the place of another callable, so that it has texts as well.

    model.loss                      def standing_(given0_): return callee_(owner_, given0_)
    model, partial(loss, data=d),   def standing_(given0_): return callee_(given0_)
    a decorated `g(*args, **kwargs)`

It belongs to the operator's function (`cr.grad(model.loss)`), and goes with it.
"""

from __future__ import annotations

import ast
import builtins
from functools import partial
from keyword import iskeyword
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from ....core.registry import rules_of
from ...source.reading.locate import remember
from ..reading.arguments import takes_names, takes_rest
from ..reading.objects import is_object
from .aside import stands_aside

_NAME = "standing_"
_ONCE = 2
"""How often one call asks. Whoever asks for the operator anew each time makes one call, and gets no text."""
_MODULE = {"__name__": _NAME, "__builtins__": builtins}


def standing_for(f: Any) -> type | None:
    """What keeps the functions that stand for a callable; None for one that has texts itself.

    It is a class, in which a derivative of the operator looks for nothing that varies.
    """
    if type(f) is FunctionType:
        stands = (takes_rest(f) or takes_names(f)) and rules_of(f) is None
    elif type(f) is MethodType:
        stands = type(f.__func__) is FunctionType
    else:
        stands = type(f) is partial or (is_object(f) and rules_of(f) is None)
    if not stands or (type(f) is MethodType and rules_of(f.__func__) is not None):
        return None
    return type("Standing", (), {"made": {}, "asked": {}})


def stood_for(f: Any, standing: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The function that has texts for f in a call with these arguments; f itself where there is none."""
    if standing is None:
        return f
    form = len(x), *kwargs
    known = standing.made.get(form)
    if known is None:
        standing.asked[form] = standing.asked.get(form, 0) + 1
        if standing.asked[form] <= _ONCE or not all(map(is_plain, kwargs)):
            return f
        known = standing.made[form] = _written(f, len(x), tuple(kwargs))
    return known


def is_plain(name: str) -> bool:
    """Whether what an argument is called can be written, and is no name of the text's own."""
    return name.isidentifier() and not iskeyword(name) and not name.endswith("_")


def _written(f: Any, count: int, names: tuple[str, ...]) -> FunctionType:
    given = [f"given{i}_" for i in range(count)]
    return calling(f, given, names, given)


def made_of(f: FunctionType, kind: str) -> dict[Any, FunctionType]:
    """The functions of a kind that were made of f; they belong to f, and go with it."""
    name = f"__chainrules_{kind}__"
    owner, known = f.__dict__.get(name, (0, {}))
    if owner != id(f):  # of another function, whose attributes were copied
        known = {}
        f.__dict__[name] = id(f), known
    return known  # type: ignore[no-any-return]  # as it was made


def calling(
    f: Any, parameters: list[str], names: tuple[str, ...], given: list[str], part: str = ""
) -> FunctionType:
    """A function of these parameters, the last by name alone, that calls f with what is given of them.

    `part`: the text that takes a part of the result.
    """
    parameters = [*parameters, *(["*", *names] if names else [])]
    cells = {"callee_": f.__func__, "owner_": f.__self__} if type(f) is MethodType else {"callee_": f}
    owner = ["owner_"] * (len(cells) - 1)
    call = f"callee_({', '.join([*owner, *given, *(f'{n}={n}' for n in names)])})"
    text = f"def {_NAME}({', '.join(parameters)}):\n    return {call}{part}"
    scope = ast.parse(f"def scope({', '.join(cells)}): pass")
    head = ast.parse(text).body[0]
    assert isinstance(head, ast.FunctionDef)
    scope.body[0].body = [head]  # type: ignore[attr-defined]  # a function
    code = compile(scope, f"<{_NAME} for {type(f).__name__}>", "exec")
    while code.co_name != _NAME:
        code = next(c for c in code.co_consts if isinstance(c, CodeType))
    remember(code, lambda: head)
    return FunctionType(code, _MODULE, _NAME, None, tuple([CellType(cells[n]) for n in code.co_freevars]))


for _f in (standing_for, stood_for):
    stands_aside(_f)
